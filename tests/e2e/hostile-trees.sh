#!/usr/bin/env bash
# hallmark release: trees and commits that git itself would not write.
. "$SRCDIR/tests/lib/e2e.sh"
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
blob=$(git -C stranger rev-parse HEAD:src/shim.m)
header=$(git -C stranger rev-parse HEAD:src/shim.h)

# Tree entries "MODE NAME ID" of the folder src as a commit on main.
commit_entries() { # ENTRY...
    local entry bytes tree
    for entry in "$@"; do
        read -r mode name id <<<"$entry"
        bytes=$(printf %s "$id" | sed 's/../\\x&/g')
        printf "%s %s\\0$bytes" "$mode" "$name"
    done >entries
    tree=$(git -C stranger hash-object -t tree -w --literally --stdin <entries)
    tree=$(printf '040000 tree %s\tsrc\n' "$tree" | git -C stranger mktree)
    git -C stranger update-ref refs/heads/main "$(git -C stranger commit-tree "$tree" -m x)"
}

try() {
    hm --quiet release --repo stranger --rev main --recipe-file stranger.yaml --out out
    expect_no_file out
}

t 'a folder with one name twice'
commit_entries "100644 shim.h $header" "100644 shim.m $blob" "100644 shim.m $blob"
try
expect_code 3
expect_err_has "folder 'src' of the tree has the name 'shim.m' twice"

t 'a name that is a file and a folder'
sub=$(printf '100644 blob %s\tx.h\n' "$header" | git -C stranger mktree)
commit_entries "100644 shim.h $header" "100644 shim.m $blob" "40000 shim.h $sub"
try
expect_code 3
expect_err_has "folder 'src' of the tree has the name 'shim.h' twice"

t 'names that leave the folder'
for name in .. . .git .GIT 'git~1' 'a\\\\b'; do
    commit_entries "100644 $name $header" "100644 shim.h $header" "100644 shim.m $blob"
    try
    expect_code 3
    expect_err 'not safe to check out|does not accept'
done

t 'a commit of the year 10000, or of none'
tree=$(git -C stranger rev-parse 'main^{tree}')
for time in 253402300800 9999999999999 99999999999999999999; do
    id=$(printf 'tree %s\nauthor a <a@b> %s +0000\ncommitter a <a@b> %s +0000\n\nm\n' "$tree" \
        "$time" "$time" | git -C stranger hash-object -t commit -w --literally --stdin)
    hm --quiet release --repo stranger --rev "$id" --recipe-file stranger.yaml --out out
    expect_code 3
    expect_err 'expected one of the years 1970 to 9999|is malformed'
    expect_no_file out
done

finish
