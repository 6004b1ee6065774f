#!/usr/bin/env bash
# hallmark release: input that cannot be released from. Each is refused with its reason, and nothing
# is left.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/scripted.sh"

scripted work
first=$(rev)

cut() { # ARGUMENT...: from main, unless they say otherwise
    rm -rf "$outs/r"
    hm --quiet release --repo work --rev main --out "$outs/r" "$@"
}

# A change of the project for one case; the next one starts from the first commit again.
change() { # CASE
    t "$1"
    git -C work checkout -q --force -B main "$first" && git -C work clean -qfdx
}

recipe() { # LINE...: of the one artifact, instead of the usual ones; {} stands for nothing
    cat >work/hallmark.yaml <<HEAD
name: Scripted
version: "1"
toolchain: scripted
artifacts:
HEAD
    printf '  - {name: prog, kind: executable, arch: arm64, min_macos: "13.0", sources: [src/main.c]%s}\n' \
        "${1-}" >>work/hallmark.yaml
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" >>work/hallmark.yaml
}

# ---- revisions and repositories ---------------------------------------------------------------

change 'a revision that does not exist, is a blob or a tree, is ambiguous, empty or an option'
blob=$(rev main:src/main.c)
cut --rev nowhere
expect_refused 3 "revision 'nowhere' does not exist in repository"
cut --rev 0123456789012345678901234567890123456789
expect_refused 3 '0123456789012345678901234567890123456789'
cut --rev "$blob"
expect_refused 3 "revision '$blob' in repository '.*' is a blob, not a commit"
cut --rev main:src
expect_refused 3 "revision 'main:src' in repository '.*' is a tree, not a commit"
cut --rev ''
expect_refused 3 'the revision is empty'
cut --rev=-x
expect_refused 3 "revision '-x' begins with '-'"
cut --rev 'main..main'
expect_refused 3 "revision 'main..main'"
cut --rev "$(printf 'a\033[31m')"
expect_code 3
grep -q "$(printf '\033')" "$err" && fail 'an escape byte is in stderr'
git -C work tag main HEAD~0
cut
expect_refused 3 "revision 'main' is ambiguous in repository"
expect_err "hint: write '"
git -C work tag -d main >/dev/null

change 'no repository'
hm release --repo nowhere --rev main --out "$outs/r"
expect_refused 3 "repository 'nowhere' does not exist"
mkdir plain && hm release --repo plain --rev main --out "$outs/r"
expect_refused 3 "'plain' is not a git repository, and in none"
hm release --repo work/src/main.c --rev main --out "$outs/r"
expect_refused 3 "repository 'work/src/main.c' is not a directory"
hm release --repo '' --rev main --out "$outs/r"
expect_refused 3 'the path of the repository is empty'
git -c init.defaultBranch=main init -q unborn
hm release --repo unborn --rev main --out "$outs/r"
expect_refused 3 "revision 'main' does not exist in repository"
hm release --repo unborn --rev HEAD --out "$outs/r"
expect_refused 3 "'HEAD' of repository '.*' points to"

change 'bare, shallow and nested repositories serve when they hold the commit'
echo more >work/more && commit 'second'
git clone -q --bare work bare.git
cut --repo bare.git
expect_code 0
expect_clean r
git clone -q --depth 1 "file://$PWD/work" shallow
cut --repo shallow
expect_code 0
cut --repo shallow --rev "$first"
expect_refused 3 "$first"
expect_err 'hint: it is a shallow clone'
cut --repo work/src
expect_code 0

change 'corrupt objects'
cp -R work broken
object() { echo "broken/.git/objects/$(echo "$1" | sed 's,^..,&/,')"; }
for what in main 'main^{tree}' main:src main:src/main.c main:hallmark.yaml main:toolchain/scripted.yaml \
    main:toolchain/sdk/SDKSettings.json; do
    id=$(git -C work rev-parse "$what")
    file=$(object "$id")
    chmod u+w "$file"
    cp "$file" whole
    size=$(wc -c <"$file")
    printf x | dd of="$file" bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
    cut --repo broken
    expect_refused 3 "$id"
    head -c $((size - 4)) whole >"$file"
    cut --repo broken
    expect_refused 3 "$id"
    : >"$file"
    cut --repo broken
    expect_refused 3 "$id"
    cp "$(object "$(rev main:toolchain/sdk)")" "$file" # a good object of another name
    cut --repo broken
    expect_refused 3 "$id|revision 'main' in repository 'broken' is a tree"
    rm "$file"
    cut --repo broken
    expect_refused 3 "$id"
    cp whole "$file"
done
cut --repo broken
expect_code 0

# ---- recipes ----------------------------------------------------------------------------------

change 'no recipe, several, a missing one, one outside'
git -C work mv hallmark.yaml src/hallmark.yaml
mkdir work/other && cp work/src/hallmark.yaml work/other/ && commit 'two recipes'
cut
expect_refused 3 "2 recipes in the tree of commit $(rev), 'other/hallmark.yaml' and 'src/hallmark.yaml'"
expect_err 'hint: name it with --recipe PATH'
git -C work rm -q src/hallmark.yaml other/hallmark.yaml && commit 'no recipe'
cut
expect_refused 3 "no recipe 'hallmark.yaml' in the tree of commit $(rev)"
cut --recipe no.yaml
expect_refused 3 "recipe 'no.yaml' is not in the tree of commit $(rev)"
cut --recipe src
expect_refused 3 "recipe 'src' is not a regular file in the tree"
cut --recipe ../x
expect_refused 3 "recipe path '../x' leaves the tree"
cut --recipe /etc/passwd
expect_refused 3 "recipe path '/etc/passwd' leaves the tree"
cut --recipe-file nowhere.yaml
expect_refused 3 "cannot open 'nowhere.yaml': No such file or directory"
cut --recipe-file work
expect_refused 3 "'work' is a directory, expected a regular file"
cut --recipe a --recipe-file b
expect_refused 2 "'--recipe' and '--recipe-file' exclude each other"

change 'a recipe that is committed is meant, not the one in the working tree'
recipe ', colour: red' && commit 'a bad key'
recipe
cut
expect_refused 3 "unknown key 'colour' in 'hallmark.yaml' line 5"

# One bad value each: what is inserted into the artifact, and what is said.
change 'recipes that say what cannot be'
while IFS='|' read -r insert complaint; do
    recipe "$insert"
    hm --quiet release --repo work --rev main --recipe-file work/hallmark.yaml --out "$outs/r"
    expect_refused 3 "$complaint"
done <<'TABLE'
, colour: red|colour
, cflags: [-fplugin=x.so]|flag '-fplugin=x.so' of 'prog' is refused
, cflags: [-I/usr/include]|flag '-I/usr/include' of 'prog' is refused
, cflags: [-I../..]|flag '-I../..' of 'prog' is refused
, cflags: ["@file"]|flag '@file' of 'prog' is refused
, frameworks: [../x]|framework '../x' of 'prog'
, sign: {page_size: 5000}|page_size 5000
TABLE
artifact() { # NAME ARCH SOURCE
    sed "s,name: prog,name: $1,; s,arm64,$2,; s,src/main.c,$3," work/hallmark.yaml >odd.yaml
    hm --quiet release --repo work --rev main --recipe-file odd.yaml --out "$outs/r"
}
recipe
for name in ../x a/b .. . .git '""' SHA256SUMS PROVENANCE.md provenance.intoto.json attestations recipe.yaml \
    Scripted-source-x.tar.gz /x -x '"a\nb"' '"a b"'; do
    artifact "$name" arm64 src/main.c
    case $name in
    Scripted-source-x.tar.gz) ;; # not the name that the archive has
    *) expect_refused 3 "artifacts\\[0\\]|name" ;;
    esac
    rm -rf "$outs/r"
done
for arch in x86 ppc arm64_32 mips '""'; do
    artifact prog "$arch" src/main.c
    expect_refused 3 "arch"
done
for source in ../x.c /etc/x.c src/../../x.c .git/x.c -x.c 'a//b.c' main.o src; do
    artifact prog arm64 "$source"
    expect_refused 3 "source"
done

change 'two artifacts of one name'
for second in prog PROG; do
    recipe '' "  - {name: $second, kind: executable, arch: arm64, min_macos: \"13.0\", sources: [src/main.c]}"
    commit 'two'
    cut
    expect_refused 3 "artifact name|artifact names"
done

# ---- sources ----------------------------------------------------------------------------------

change 'a source that is missing, a link, a directory, a submodule, an LFS pointer'
recipe '' && sed -i.bak 's,src/main.c,src/other.c,' work/hallmark.yaml && rm work/*.bak
commit 'missing'
echo 'int main(void) { return 0; }' >work/src/other.c # not committed
cut
expect_refused 3 "source 'src/other.c' is not in the tree of commit $(rev)"
expect_err 'hint: hallmark reads the revision, not the working tree: commit the file'
rm work/src/other.c && ln -s main.c work/src/other.c && commit 'link'
cut
expect_refused 3 "source 'src/other.c' is a symbolic link"
rm work/src/other.c && mkdir work/src/other.c && touch work/src/other.c/x && commit 'directory'
cut
expect_refused 3 "source 'src/other.c' is a directory"
rm -rf work/src/other.c && git -C work add -A
git -C work update-index --add --cacheinfo "160000,$first,src/other.c"
git -C work commit -q -m submodule
cut
expect_refused 3 "source 'src/other.c' is a submodule"
git -C work rm -q --cached src/other.c
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 7\n' 0 >work/src/other.c
commit 'pointer'
cut
expect_refused 3 "source 'src/other.c' is a git LFS pointer"

change 'a header that is an LFS pointer'
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 7\n' 0 >work/src/main.h
commit 'pointer'
cut
expect_refused 3 "'src/main.h' is a git LFS pointer, its content is not in git"

change 'names that collide where case is folded'
mixed=$(echo x | git -C work hash-object -w --stdin)
git -C work update-index --add --cacheinfo "100644,$mixed,src/MAIN.H"
git -C work commit -q -m collide
cut
expect_refused 3 "'src/MAIN.H' and 'src/main.h' are one file where case is folded"

change 'symbolic links that leave the tree'
for target in /etc/passwd ../../x ../../../etc/passwd ..//../../x ../.git/config; do
    rm -f work/src/link.h && ln -s "$target" work/src/link.h && commit "link to $target"
    cut
    expect_refused 3 "'src/link.h' is a symbolic link to '$target', which leads out of the tree"
done
rm work/src/link.h && ln -s main.h work/src/link.h && commit 'a good link'
cut
expect_code 0

change 'trees that git itself would not check out'
for name in .git .GIT 'git~1' .. .; do
    tree=$( (git -C work ls-tree main:src && printf '100644 blob %s\t%s\n' "$mixed" "$name") |
        git -C work mktree)
    root=$(git -C work ls-tree main | sed "s/\(040000 tree \)[0-9a-f]*\(\tsrc\)$/\1$tree\2/" |
        git -C work mktree)
    id=$(git -C work commit-tree -m odd "$root")
    cut --rev "$id"
    expect_code 3
    expect_err 'not safe to check out|malformed'
    expect_clean
done

# ---- policies and toolchains ------------------------------------------------------------------

change 'a policy that is missing, broken, or has a rule that applies to nothing'
recipe '' 'policy: policy.yaml' && commit 'no policy'
cut
expect_refused 3 "policy 'policy.yaml' is not in the tree of commit"
echo 'rules: []' >work/policy.yaml && commit 'empty'
cut
expect_refused 3 'policy.yaml'
printf 'rules:\n  - {id: a, reason: r, artifacts: [other], forbid: {strings: [x]}}\n' >work/policy.yaml
commit 'nothing'
cut
expect_refused 3 "policy rule 'a' applies to no artifact, so it checks nothing"
printf 'rules:\n  - {id: a, reason: r}\n' >work/policy.yaml && commit 'no check'
cut
expect_refused 3 "rule 'a' forbids and allows nothing"

change 'findings of the policy: all are listed, and nothing is published'
recipe '' 'policy: policy.yaml'
cat >work/policy.yaml <<'POLICY'
rules:
  - {id: words, reason: no, forbid: {strings: [__TEXT, __LINKEDIT, not-there]}}
  - {id: links, reason: closed, allow: {libraries: [/usr/lib/libother.dylib]}}
POLICY
commit 'findings'
cut
expect_code 1
expect_out '^finding policy.string: prog'
[ "$(grep -c '^finding policy.string' "$out")" -ge 2 ] || fail 'not all strings are listed'
expect_out '^finding policy.library: prog'
expect_out '/usr/lib/libSystem.B.dylib'
expect_out '/usr/lib/libother.dylib is not linked'
expect_no_out 'not-there'
expect_out "^not released: $(grep -c '^finding' "$out") findings$"
expect_clean
cut --json
expect_code 1
cp "$out" answer
run jq -r '.published, .directory, (.findings | length > 2)' answer
expect_out_is - <<'JSON'
false
null
true
JSON

change 'a toolchain that is unknown, has an odd name, a broken pin or no SDK'
cut --toolchain nowhere
expect_refused 4 "toolchain 'nowhere' is unknown: neither 'toolchain/nowhere.yaml' in the tree nor"
for name in ../x /x .. 'a/b' ''; do
    cut --toolchain "$name"
    expect_refused 3 'toolchain name'
done
sed -i.bak 's,path: toolchain/sdk,path: toolchain/none,' work/toolchain/scripted.yaml
rm work/toolchain/*.bak && commit 'no SDK'
cut
expect_refused 3 "SDK 'toolchain/none' of toolchain 'scripted' is not a directory in the tree of commit"
sed -i.bak 's,path: toolchain/none,path: ../sdk,' work/toolchain/scripted.yaml
rm work/toolchain/*.bak && commit 'SDK outside'
cut
expect_refused 3 "sdk.path '../sdk' is not a plain path inside of the tree in 'toolchain/scripted.yaml'"
echo 'nonsense: [' >work/toolchain/scripted.yaml && commit 'broken'
cut
expect_refused 3 'toolchain/scripted.yaml'

change 'an SDK with a link'
ln -s SDKSettings.json work/toolchain/sdk/link && commit 'link'
cut
expect_refused 3 "'link' is a symbolic link to 'SDKSettings.json', which leads out of the SDK"

finish
