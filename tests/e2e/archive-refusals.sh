#!/usr/bin/env bash
# hallmark archive: what it refuses, with which exit code and message, and that nothing is left.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

# CODE TEXT ARGUMENT...: archives to a file in an empty directory, which must stay empty.
refuses() {
    local expected=$1 text=$2
    shift 2
    rm -rf out-dir && mkdir out-dir
    hm archive --repo "$repo" -o out-dir/a.tar "$@"
    expect_code "$expected"
    expect_err_has "$text"
    expect_out_empty
    expect_only out-dir
}

attributes() { # LINES (printf format) TEXT: the commit with these attributes is refused
    # shellcheck disable=SC2059 # a format by intention
    printf "$1" >"$repo/.gitattributes"
    # In an index that knows no file of the working tree: one that is as young as the index is read
    # again, and some of these attributes git cannot carry out.
    local blob tree index=$PWD/attributes-index
    rm -f "$index"
    blob=$(git -C "$repo" hash-object -w --no-filters "$repo/.gitattributes")
    GIT_INDEX_FILE=$index git -C "$repo" read-tree HEAD
    GIT_INDEX_FILE=$index git -C "$repo" update-index --add --cacheinfo "100644,$blob,.gitattributes"
    tree=$(GIT_INDEX_FILE=$index git -C "$repo" write-tree)
    git -C "$repo" update-ref HEAD "$(git -C "$repo" commit-tree -p HEAD -m attributes "$tree")"
    refuses 3 "$2" --rev HEAD
}

mkrepo r
mkdir r/d
echo x >r/f
echo y >r/d/g
commit first
git -C r tag good

t 'revisions that do not exist or are no commit'
refuses 3 "'nope'" --rev nope
refuses 3 'is a tree, which has no time of its own' --rev 'HEAD^{tree}'
expect_err 'hint: name a commit'
refuses 3 'is a tree, which has no time of its own' --rev HEAD:d
refuses 3 'HEAD:f' --rev HEAD:f
git -C r tag -a -m tree tree 'HEAD^{tree}'
refuses 3 'is a tree, which has no time of its own' --rev tree

t 'no repository'
mkdir empty
repo=$PWD/empty refuses 3 'empty' --rev HEAD

t 'paths that match nothing, or are none'
refuses 3 "path 'nope' matches nothing" --rev HEAD nope
refuses 3 "path 'f/' matches nothing" --rev HEAD f/
refuses 3 "path 'f/x' matches nothing" --rev HEAD f/x
refuses 3 "path 'nope' matches nothing" --rev HEAD f nope
refuses 2 "path '../f' is outside of the tree" --rev HEAD ../f
refuses 2 "path '/f' is not relative" --rev HEAD /f
refuses 2 'empty path' --rev HEAD ''
refuses 2 "begins with ':'" --rev HEAD ':(glob)*'
refuses 2 "begins with ':'" --rev HEAD ':!f'
for pattern in '*' 'd/?' '[f]' '\f'; do
    refuses 2 'has a wildcard or backslash' --rev HEAD "$pattern"
done

t 'wrong usage'
refuses 2 '--rev is missing'
refuses 2 "unknown format 'zip'" --rev HEAD --format zip
hm archive --repo r --rev HEAD -o a.zip
expect_code 2
expect_err_has 'zip is not supported'
run "$HALLMARK" --json archive --repo r --rev HEAD
expect_code 2
expect_err_has '--json needs -o FILE'

t 'an output that is there is kept'
echo precious >a.tar
hm archive --repo r --rev HEAD -o a.tar
expect_code 6
expect_err_has 'a.tar'
expect grep -qx precious a.tar
mkdir dir.tar
hm archive --repo r --rev HEAD -o dir.tar
expect_code 6
hm archive --repo r --rev HEAD -o none/a.tar
expect_code 3
expect_no_file none

t 'an external filter'
attributes 'f filter=lfs\n' 'attribute filter=lfs is not supported'
expect_err 'while archiving .f.'
attributes '* filter=lfs\nf -filter\nd/g filter=x\n' 'attribute filter=lfs is not supported'
printf '* filter=lfs\n* -filter\n' >r/.gitattributes
commit off
hm archive --repo r --rev HEAD
expect_code 0

t 'a working-tree-encoding'
attributes 'f working-tree-encoding=UTF-16\n' 'attribute working-tree-encoding=UTF-16 is not supported'
attributes 'f working-tree-encoding\n' 'attribute working-tree-encoding is not supported'
attributes 'f -working-tree-encoding\n' 'attribute working-tree-encoding is not supported'

t 'placeholders that depend on more than the commit'
for placeholder in '%h' '%t' '%p' '%d' '%D' '%(describe)' '%ar' '%ah' '%aN' '%aE' '%cL' '%N' '%GG' '%gd' '%C(red)' '%w(10)' '%<(10)' '%+d' '%z' '%x4' '%'; do
    echo "x \$Format:$placeholder\$" >r/f
    echo 'f export-subst' >r/.gitattributes
    commit placeholder
    refuses 3 'of export-subst is not supported' --rev HEAD
    expect_err_has "placeholder '${placeholder%(*}"
    expect_err "while archiving 'f'"
done

t 'a commit message in another encoding, when it is needed'
# shellcheck disable=SC2016
echo 'x $Format:%H$' >r/f
git -C r add -A
git -C r -c i18n.commitEncoding=ISO-8859-1 commit -q -m latin
refuses 3 "commit message in 'ISO-8859-1'" --rev HEAD
hm archive --repo r --rev HEAD d
expect_code 0

t 'attributes behind a symbolic link, or too large'
git -C r rm -q --cached .gitattributes
rm r/.gitattributes
ln -s f r/.gitattributes
commit link
refuses 3 "'.gitattributes' is a symbolic link" --rev HEAD
rm r/.gitattributes
head -c 4194305 /dev/zero | tr '\0' '\n' >r/.gitattributes
commit large
refuses 3 '.gitattributes' --rev HEAD
rm r/.gitattributes
commit plain

t 'info/attributes'
mkdir -p r/.git/info
printf '# only a comment\n\n' >r/.git/info/attributes
hm archive --repo r --rev HEAD
expect_code 0
echo 'f export-ignore' >>r/.git/info/attributes
refuses 3 'info/attributes' --rev HEAD
expect_err '^  hint: '
rm r/.git/info/attributes

t 'settings of the repository'
setting() { # KEY VALUE TEXT
    git -C r config "$1" "$2"
    refuses 3 "$3" --rev HEAD
    git -C r config --unset "$1"
}
setting tar.umask 0022 "'tar.umask = 0022'"
setting tar.umask user "'tar.umask = user'"
setting core.attributesFile /dev/null core.attributesfile
setting core.autocrlf true 'core.autocrlf or core.eol'
git -C r config core.autocrlf false
git -C r config core.eol crlf
echo '* text=auto' >r/.gitattributes
git -C r -c core.safecrlf=false add -A 2>/dev/null
git -C r commit -q -m text
refuses 3 'core.autocrlf or core.eol' --rev HEAD
hm archive --repo r --rev good
expect_code 3
git -C r config --unset core.eol
git -C r config tar.tar.gz.command 'xz -c'
hm archive --repo r --rev HEAD --format=tar.gz
expect_code 3
expect_err_has "'tar.tar.gz.command = xz -c'"
hm archive --repo r --rev HEAD --format=tar
expect_code 0
git -C r config --unset tar.tar.gz.command
git -C r config tar.umask 002
hm archive --repo r --rev HEAD
expect_code 0

t 'core.ignorecase, when a pattern meets a name in another case'
git -C r config core.ignorecase true
hm archive --repo r --rev HEAD
expect_code 0
echo 'F export-ignore' >r/.gitattributes
commit case
refuses 3 "core.ignorecase in the repository's config changes the attributes of 'f'" --rev HEAD
git -C r config --unset core.ignorecase

t 'names that git does not accept in a tree'
blob=$(git -C r rev-parse HEAD:f)
for name in .git .GIT 'git~1' .. . '.git.' '.git ...'; do
    at=$(printf '100644 blob %s\t%s\n' "$blob" "$name" | git -C r mktree | xargs git -C r commit-tree -m bad)
    refuses 3 'which git does not accept' --rev "$at"
done
at=$(printf '120000 blob %s\t.gitmodules\n' "$blob" | git -C r mktree | xargs git -C r commit-tree -m bad)
refuses 3 "'.gitmodules', which git does not accept" --rev "$at"

t 'a missing and a damaged object'
git clone -q --no-hardlinks r broken
git -C broken repack -q -a -d
git -C broken unpack-objects -q < <(cat broken/.git/objects/pack/*.pack) 2>/dev/null || true
pack=$(ls broken/.git/objects/pack/*.pack)
mv "$pack" moved.pack && rm -rf broken/.git/objects/pack/*
git -C broken unpack-objects -q <moved.pack
lost=$(git -C broken rev-parse HEAD:d/g)
rm -f "broken/.git/objects/${lost:0:2}/${lost:2}"
repo=$PWD/broken refuses 3 "$lost" --rev HEAD
printf 'garbage' >"broken/.git/objects/${lost:0:2}/${lost:2}" 2>/dev/null || { mkdir -p "broken/.git/objects/${lost:0:2}" && printf 'garbage' >"broken/.git/objects/${lost:0:2}/${lost:2}"; }
repo=$PWD/broken refuses 3 "$lost" --rev HEAD

t 'a full disk'
if [ -c /dev/full ]; then
    run sh -c "'$HALLMARK' archive --repo r --rev HEAD >/dev/full"
    expect_code 7
    expect_err_has 'cannot write stdout: No space left on device'
else
    skip 'no /dev/full'
fi

t 'a reader that goes away'
run bash -c "'$HALLMARK' archive --repo r --rev HEAD | true; exit \${PIPESTATUS[0]}"
[ "$code" = 0 ] || expect_code 7

t 'a signal leaves nothing, also when the reader of stdout does not read'
mkdir sig
mkfifo sig/pipe
head -c 30000000 /dev/urandom >r/large
commit large
# shellcheck disable=SC2217 # it only holds the pipe open
sleep 60 <sig/pipe &
sleeper=$!
"$HALLMARK" archive --repo r --rev HEAD >sig/pipe 2>sig/err &
child=$!
sleep 1
kill -TERM "$child"
wait "$child"
code=$?
kill "$sleeper" 2>/dev/null
wait "$sleeper" 2>/dev/null
e2e_command='archive into a pipe that nobody reads'
expect_code 143
rm -rf sig
mkdir sig
env -C "$PWD" "$HALLMARK" archive --repo r --rev HEAD --format=tar.gz -o sig/a.tar.gz 2>err.sig &
child=$!
sleep 0.2
kill -TERM "$child" 2>/dev/null
wait "$child"
code=$?
if [ "$code" = 0 ]; then
    expect_only sig a.tar.gz
else
    expect_code 143
    expect_only sig
fi

finish
