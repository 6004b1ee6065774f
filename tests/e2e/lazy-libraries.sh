#!/usr/bin/env bash
# libgit2 is loaded by the commands that open a repository, libarchive by those that compress, Unicorn by
# trials; no other command needs them.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

if ! grep -q 'dlopen' "$HALLMARK"; then
    t 'libraries are loaded when they are needed'
    skip 'built with LAZY=no'
    finish
    exit
fi
# The name is a string of the program.
soname=$(grep -ao 'libgit2\.so\.[0-9.]*[0-9]' "$HALLMARK" | head -1)
mkdir broken
echo 'no library' >"broken/$soname"
without() { run env LD_LIBRARY_PATH="$PWD/broken" "$HALLMARK" "$@"; }

t 'commands without a repository do without it'
"$TESTBIN/tools/macho_make" small >lib.dylib
without --version
expect_code 0
without sign lib.dylib
expect_code 0
without verify lib.dylib
expect_code 0
without inspect --json lib.dylib
expect_code 0
mkdir d
echo a >d/a
without sums write d
expect_code 0

t 'commands with a repository say what is missing'
mkrepo r
echo x >r/x
commit one
without archive --repo r --rev main -o x.tar
expect_code 7
expect_err_has "cannot load library '$soname': "
expect_err_has 'hint: install it, or build hallmark again with the version that is there'
expect_no_file x.tar
without release --repo r --rev main --out out
expect_code 7
expect_no_file out

t 'so it is with libarchive and Unicorn'
archive=$(grep -ao 'libarchive\.so\.[0-9.]*[0-9]' "$HALLMARK" | head -1)
mkdir only
echo 'no library' >"only/$archive"
echo 'no library' >only/libunicorn.so.2
run env LD_LIBRARY_PATH="$PWD/only" "$HALLMARK" archive --repo r --rev main -o plain.tar
expect_code 0
run env LD_LIBRARY_PATH="$PWD/only" "$HALLMARK" archive --repo r --rev main --format tar.gz -o x.tar.gz
expect_code 7
expect_err_has "cannot load library '$archive': "
expect_no_file x.tar.gz
hm assay lib.dylib
if grep -q 'without Unicorn' "$err"; then
    echo '# built without Unicorn'
else
    run env LD_LIBRARY_PATH="$PWD/only" "$HALLMARK" assay lib.dylib
    expect_code 7
    expect_err_has "cannot load library 'libunicorn.so.2': "
fi

t 'a library without the functions is none'
printf 'int nothing;\n' >empty.c
cc -shared -fPIC -o "broken/$soname" empty.c
without archive --repo r --rev main -o x.tar
expect_code 7
expect_err_has "cannot load library '$soname': "
expect_err_has 'git_buf_dispose'

t 'packagers can see it'
if command -v readelf >/dev/null; then
    readelf --string-dump=.note.dlopen "$HALLMARK" >note
    expect grep -qF "\"soname\":[\"$soname\"]" note
else
    skip 'there is no readelf'
fi

finish
