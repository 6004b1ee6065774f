#!/usr/bin/env bash
# hallmark archive: memory stays below 64 MiB whatever the blob and however many files.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
export GIT_ATTR_NOSYSTEM=1 XDG_CONFIG_HOME=$HOME/none
limit_kib=65536

# REVISION OPTION...: compares with git and checks the largest size in memory.
measure() {
    local revision=$1 size
    shift
    git -C "$repo" archive "$@" "$revision" | sha256sum >git.sum
    run "$TESTBIN/tools/maxrss" rss "$HALLMARK" archive --repo "$repo" --rev "$revision" "$@"
    expect_code 0
    sha256sum <"$out" >hm.sum
    : >"$out"
    expect_same git.sum hm.sum
    size=$(cat rss)
    echo "# $revision $*: at most $size KiB in memory"
    # A sanitizer has several times the size.
    [ "$HALLMARK_VARIANT" != plain ] || [ "$size" -lt "$limit_kib" ] || fail "$size KiB in memory, allowed are $limit_kib"
}

len=314572800
[ "$HALLMARK_VARIANT" = plain ] || len=31457280
files=100000
[ "$HALLMARK_VARIANT" = plain ] || files=5000

git -c init.defaultBranch=main init -q --bare large.git
repo=$PWD/large.git
{
    printf 'blob\nmark :1\ndata %s\n' "$len"
    yes 'a line of a very large text file' | head -c "$len"
    printf '\nblob\nmark :2\ndata 16\nlarge eol=crlf \n\n'
    printf 'commit refs/heads/plain\nmark :3\ncommitter a <a> 1700000000 +0000\ndata 1\nx\nM 100644 :1 large\n\n'
    printf 'commit refs/heads/crlf\ncommitter a <a> 1700000000 +0000\ndata 1\nx\nfrom :3\nM 100644 :2 .gitattributes\n\n'
} | git --git-dir=large.git fast-import --quiet

t "a blob of $((len / 1048576)) MiB"
measure plain

t 'the same with converted line endings'
measure crlf

t 'ident in it is refused, unless there is none'
printf 'large ident\n' | git --git-dir=large.git hash-object -w --stdin >id
tree=$(printf '100644 blob %s\t.gitattributes\n100644 blob %s\tlarge\n' "$(cat id)" "$(git --git-dir=large.git rev-parse plain:large)" | git --git-dir=large.git mktree)
git --git-dir=large.git update-ref refs/heads/ident "$(git --git-dir=large.git commit-tree -m x "$tree")"
measure ident
# shellcheck disable=SC2016
{ head -c 9000000 /dev/zero; printf '$Id$'; } >keyword
blob=$(git --git-dir=large.git hash-object -w --no-filters keyword)
tree=$(printf '100644 blob %s\t.gitattributes\n100644 blob %s\tlarge\n' "$(cat id)" "$blob" | git --git-dir=large.git mktree)
hm archive --repo large.git --rev "$(git --git-dir=large.git commit-tree -m x "$tree")" -o ident.tar
expect_code 3
expect_err_has 'ident in a file of 9000004 bytes is not supported (at most 8388608)'
expect_no_file ident.tar

t "$files files"
git -c init.defaultBranch=main init -q --bare many.git
repo=$PWD/many.git
awk -v files="$files" 'BEGIN {
    print "commit refs/heads/main\ncommitter a <a> 1700000000 +0000\ndata 1\nx"
    for (i = 0; i < files; i++) {
        text = "file " i
        printf "M 100644 inline d%03d/e%02d/f%d\ndata %d\n%s\n", i % 500, i % 40, i, length(text), text
    }
}' | git --git-dir=many.git fast-import --quiet
measure main
measure main --format=tar.gz

t "$files files in one directory"
blob=$(echo x | git --git-dir=many.git hash-object -w --stdin)
tree=$(awk -v files="$files" -v blob="$blob" 'BEGIN {
    for (i = 0; i < files; i++)
        printf "100644 blob %s\tf%d\n", blob, i
}' | git --git-dir=many.git mktree)
git --git-dir=many.git update-ref refs/heads/flat "$(git --git-dir=many.git commit-tree -m x "$tree")"
measure flat

finish
