#!/usr/bin/env bash
# hallmark strip-signature: takes away what lld and hallmark signed, to the byte; and nothing where
# there is nothing.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

cat >small.c <<'C'
int answer(void) { return 42; }
C
clang-19 --no-default-config -target arm64-apple-macos13.0 -O1 -c small.c -o small.o
link_dylib() { # OUT OPTION...
    ld64.lld-19 -arch arm64 -dylib -platform_version macos 13.0 14.0 -no_uuid \
        -install_name @rpath/libsmall.dylib small.o -o "$@"
}
link_dylib signed.dylib
link_dylib bare.dylib -no_adhoc_codesign -headerpad 0x30

t 'what lld signed becomes what lld leaves unsigned'
hm strip-signature -o stripped.dylib signed.dylib
expect_code 0
expect_err_empty
expect_out_has 'stripped.dylib: 1 signature removed'
expect_same stripped.dylib bare.dylib
hm verify stripped.dylib
expect_code 1
expect_out 'sig\.missing'

t 'and back again'
hm sign --style linker -o back.dylib stripped.dylib
expect_code 0
expect_same back.dylib signed.dylib

t 'what hallmark signed in the other style, too'
hm --quiet sign --identifier x.y -o adhoc.dylib bare.dylib
expect_code 0
hm --quiet strip-signature adhoc.dylib
expect_code 0
expect_same adhoc.dylib bare.dylib

t 'llvm-objcopy can read what is left'
run llvm-objcopy-19 stripped.dylib copied.dylib
expect_code 0

t 'nothing to take away: said, exit 0, the file is not even touched'
cp -p bare.dylib untouched.dylib
before=$(stat -c '%i %y' untouched.dylib)
hm strip-signature untouched.dylib
expect_code 0
expect_err_empty
expect_out_has 'untouched.dylib: has no signature'
expect test "$before" = "$(stat -c '%i %y' untouched.dylib)"
hm strip-signature -o copy.dylib untouched.dylib
expect_code 0
expect_same copy.dylib untouched.dylib

t 'in place, through a symbolic link, with the mode'
cp signed.dylib here.dylib
chmod 0741 here.dylib
ln -s here.dylib link.dylib
hm --json strip-signature link.dylib
expect_code 0
expect jq -e '.path == "link.dylib" and .stripped == 1' "$out"
expect test -L link.dylib
expect test "$(stat -c %a here.dylib)" = 741
expect_same here.dylib bare.dylib

t 'refusals leave everything as it is'
echo text >text
hm strip-signature text
expect_code 3
expect_err "a text file is no Mach-O file"
expect_err "while stripping 'text'"
hm strip-signature -o bare.dylib signed.dylib
expect_code 6
expect_err "output 'bare.dylib' is there already"
hm strip-signature missing
expect_code 3
cp signed.dylib appended.dylib
printf 'payload' >>appended.dylib
hm strip-signature -o out.dylib appended.dylib
expect_code 3
expect_err '7 bytes behind it'
expect_no_file out.dylib
hm strip-signature
expect_code 2
hm strip-signature a b
expect_code 2

finish
