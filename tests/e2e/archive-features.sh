#!/usr/bin/env bash
# hallmark archive: each thing that git archive knows, compared with git archive itself.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
export GIT_ATTR_NOSYSTEM=1 XDG_CONFIG_HOME=$HOME/none

# ARGUMENT...: options and paths that both programs know, for the commit $at (default HEAD).
same() {
    local options=() format=tar
    while [ $# -gt 0 ] && [[ $1 == --* ]]; do
        case $1 in --format=*) format=${1#*=} ;; esac
        options+=("$1")
        shift
    done
    if ! git -C "$repo" archive "${options[@]}" "${at:-HEAD}" -- "$@" >git.tar 2>git.err; then
        fail "git archive failed: $(cat git.err)"
        return
    fi
    hm archive --repo "$repo" --rev "${at:-HEAD}" "${options[@]}" -o "hm.$format" -- "$@"
    expect_code 0
    expect_err_empty
    expect_same git.tar "hm.$format"
    cp "hm.$format" last.tar
    rm -f "hm.$format"
}

has() { # NAME: the last archive has that entry
    tar tPf last.tar | grep -qxF -e "$1" || fail "no entry '$1'"
}

lacks() {
    ! tar tPf last.tar | grep -qxF -e "$1" || fail "there is an entry '$1'"
}

content() { # NAME EXPECTED (printf format)
    # shellcheck disable=SC2059 # a format by intention
    printf "$2" | cmp -s - <(tar xOf last.tar "$1") || fail "unexpected content of '$1': $(tar xOf last.tar "$1" | cat -v | head -3)"
}

mkrepo r

t 'plain files, executables, links and directories'
mkdir -p r/dir/sub
echo one >r/file
printf '#!/bin/sh\n' >r/dir/run
chmod +x r/dir/run
ln -s ../file r/dir/sub/link
: >r/empty
commit first
same
has dir/sub/link

t 'tar.gz, by format and by the name of the output'
same --format=tar.gz --prefix=p/
git -C r archive --format=tgz HEAD >git.tgz
hm archive --repo r --rev HEAD -o a.tgz
expect_code 0
expect_same git.tgz a.tgz
hm archive --repo r --rev HEAD -o a.tar.gz
expect_same git.tgz a.tar.gz

t 'without -o it goes to stdout'
git -C r archive HEAD >git.tar
hm archive --repo r --rev HEAD
expect_code 0
expect_same git.tar "$out"

t 'prefixes with and without a slash'
for prefix in p/ p p/q/ p// / ./ "$(printf 'x%.0s' {1..120})/"; do
    same --prefix="$prefix"
done

t 'paths'
same file
same dir
same dir/
same dir/sub
same ./dir//sub/ file
same dir/../file
same .
has dir/run

t 'names of every length around the limits'
for length in 1 99 100 101 150 153 154 155 156 157 200 254 255; do
    echo x >"r/$(printf 'n%.0s' $(seq "$length"))"
done
for depth in 60 98 99 100 101 153 154 155 156 157 ; do
    mkdir -p "r/$(printf 'd%.0s' $(seq "$depth"))"
    echo y >"r/$(printf 'd%.0s' $(seq "$depth"))/$(printf 'f%.0s' $(seq 98))"
    echo y >"r/$(printf 'd%.0s' $(seq "$depth"))/$(printf 'g%.0s' $(seq 101))"
done
commit lengths
same
same --prefix=some-prefix-1.0/
git -C r rm -q -r --cached . && rm -rf r/n* r/d*
commit removed

t 'link targets of every length around the limit'
for length in 1 99 100 101 300 4000; do
    ln -s "$(printf 't%.0s' $(seq "$length"))" "r/l$length"
done
commit links
same

t 'unusual names'
touch r/' blank ' r/$'new\nline' r/$'\xff\x80' r/'"quote"' r/-dash r/'*?[x]' r/'back\slash' r/$'\xc3\xa9'
commit names
same
same -dash

t 'submodules are empty directories'
git -C r update-index --add --cacheinfo 160000,1234567812345678123456781234567812345678,module
git -C r commit -q -m module
same
has module/
same module
same module/
hm archive --repo r --rev HEAD module/below
expect_code 3
expect_err_has "path 'module/below' matches nothing"

t 'empty trees are left out, an empty commit is nothing but its header'
empty=$(git -C r hash-object -t tree -w /dev/null)
blob=$(echo x | git -C r hash-object -w --stdin)
tree=$(printf '040000 tree %s\tempty\n100644 blob %s\tx\n' "$empty" "$blob" | git -C r mktree)
at=$(git -C r commit-tree -m trees "$tree")
same
lacks empty/
same empty
at=$(git -C r commit-tree -m nothing "$empty")
same
same --prefix=p/
at=

t 'annotated tags, and tags of tags'
git -C r tag -a -m one v1
git -C r tag -a -m two v2 v1
at=v1 same
at=v2 same
at='v2^{commit}' same

t 'export-ignore of files, directories, submodules, and its opposite'
mkdir -p r/keep r/drop/in
touch r/keep/a r/keep/b r/drop/in/x r/secret
printf 'secret export-ignore\n/drop export-ignore\nmodule export-ignore\n*.x export-ignore\nno.x -export-ignore\n' >r/.gitattributes
echo 'b export-ignore' >r/keep/.gitattributes
touch r/a.x r/no.x
commit ignore
same
for name in secret drop/ drop/in/x module/ keep/b a.x; do lacks "$name"; done
has no.x
same keep

t 'all of a directory ignored leaves its entry'
echo '/keep/* export-ignore' >r/.gitattributes
commit all
same
has keep/
lacks keep/a

t 'export-subst'
echo 'version export-subst' >r/.gitattributes
# shellcheck disable=SC2016 # no expansion
printf '%s\n' '$Format:%H %T %P$' '$Format:%an <%ae> %al %at %ad|%aD|%ai|%as$' '$Format:%cn %ce %ct %cd|%cD|%ci|%cs$' \
    '$Format:%s|%f|%b|%B|%n%%%x41$' '$Format:%H' '$Format:$ $Id$' >r/version
commit 'A subject: x..y

A body.'
same
git -C r show -s --format='%H %T %P%n%an <%ae> author %at %ad|%aD|%ai|%as%n%cn %ce %ct %cd|%cD|%ci|%cs' HEAD >expected
expect cmp expected <(tar xOf last.tar version | head -3)

t 'line endings'
printf 'a eol=crlf\nb text eol=crlf\nc text=auto eol=crlf\nd -text eol=crlf\ne text\nf crlf eol=crlf\ng binary\ng eol=crlf\nh eol=lf\ni text=auto eol=crlf\nj text=auto eol=crlf\n' >r/.gitattributes
for name in a b c d e f g h; do printf 'one\ntwo\r\nthree\n' >"r/$name"; done
printf 'one\ntwo\n' >r/i
printf 'one\0two\n' >r/j
printf 'x eol=crlf\n' >r/.gitattributes.d && rm r/.gitattributes.d
git -C r -c core.safecrlf=false add -A . 2>/dev/null
# What git stores for text has no CR: mixed endings come from history that had no attributes.
for name in a b c d e f g h; do
    git -C r update-index --cacheinfo "100644,$(printf 'one\ntwo\r\nthree\n' | git -C r hash-object -w --stdin),$name"
done
git -C r commit -q -m eol
same
content a 'one\r\ntwo\r\nthree\r\n'
content c 'one\ntwo\r\nthree\n'
content d 'one\ntwo\r\nthree\n'
content g 'one\ntwo\r\nthree\n'
content i 'one\r\ntwo\r\n'
content j 'one\0two\n'
git -C r checkout -q -f HEAD

t 'ident'
echo 'k ident' >r/.gitattributes
# shellcheck disable=SC2016
printf '$Id$ $Id: old $ $Id: a b $ $Id' >r/k
commit ident
same
content k "\$Id: $(rev HEAD:k) \$ \$Id: $(rev HEAD:k) \$ \$Id: $(rev HEAD:k) \$ \$Id"

t 'macros, quoted patterns, levels and precedence'
mkdir -p r/m/n/o
printf '[attr]dos text eol=crlf\n[attr]gone export-ignore\n*.t dos\n"q \\164" gone\n/m/**/y gone\nz/ gone\n!not gone\n' >r/.gitattributes
printf 'a.t -text\n[attr]dos -text\n' >r/m/.gitattributes
for place in m m/n m/n/o; do
    printf 'l\n' >"r/$place/a.t"
    printf 'l\n' >"r/$place/b.t"
    touch "r/$place/y"
done
touch 'r/q t' r/z
commit levels
same
lacks 'q t'
lacks m/n/o/y
has z
content m/n/a.t 'l\n'
content m/n/b.t 'l\r\n'

t 'attributes that leave content alone are no obstacle'
printf '* -filter\n* !working-tree-encoding\nfile working-tree-encoding=UTF-8\n* diff=x merge=y whitespace=z linguist-vendored\n' >r/.gitattributes
commit harmless
same

t 'a commit time that does not fit 11 octal digits'
at=$(GIT_COMMITTER_DATE='@8589934592 +0000' git -C r commit-tree -m late 'HEAD^{tree}')
same
at=

t 'a bare repository, and any directory of a working tree, give the whole tree'
git clone -q --bare r bare.git
git -C r archive HEAD >git.tar
hm archive --repo bare.git --rev HEAD
expect_same git.tar "$out"
hm archive --repo r/m/n --rev HEAD
expect_same git.tar "$out"

t 'settings of the user have no influence'
cat >"$HOME/.gitconfig" <<'INI'
[core]
    autocrlf = true
    attributesFile = ~/attributes
[tar]
    umask = 0077
INI
echo '* export-ignore' >"$HOME/attributes"
hm archive --repo r --rev HEAD
expect_same git.tar "$out"
rm "$HOME/.gitconfig" "$HOME/attributes"

t '--json tells both digests'
run "$HALLMARK" --json archive --repo r --rev HEAD -o both.tar.gz
expect_code 0
expect_out_has "$(sha256sum <both.tar.gz | cut -d' ' -f1)"
expect_out_has "$(gunzip <both.tar.gz | sha256sum | cut -d' ' -f1)"
expect_out_has "$(rev)"

finish
