#!/usr/bin/env bash
# hallmark sign: bad input and bad command lines get their exit code and message, and no file.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

cat >small.c <<'C'
int answer(void) { return 42; }
C
clang-19 --no-default-config -target arm64-apple-macos13.0 -O1 -c small.c -o small.o
link_dylib() { # OUT OPTION...
    local to=$1
    shift
    ld64.lld-19 -arch arm64 -dylib -platform_version macos 13.0 14.0 \
        -install_name @rpath/libsmall.dylib "$@" small.o -o "$to"
}
link_dylib bare.dylib -no_adhoc_codesign
link_dylib signed.dylib
mkdir d
before=$(sha256sum bare.dylib signed.dylib small.o)

refused() { # CODE MESSAGE-REGEX ARGUMENT...
    local wanted=$1 message=$2
    shift 2
    hm sign "$@"
    expect_code "$wanted"
    expect_err "$message"
    expect_out_empty
}

t 'no file, two files, unknown options and values'
refused 2 'one FILE is needed, 0 were given'
refused 2 'one FILE is needed, 2 were given' bare.dylib signed.dylib
refused 2 'mystery' --mystery bare.dylib
refused 2 "style 'apple' is not codesign or linker" --style apple bare.dylib
refused 2 "page size '8192' is not 4096, 16384 or auto" --page-size 8192 bare.dylib
refused 2 "page size '0' is not 4096, 16384 or auto" --page-size 0 bare.dylib
refused 2 'page-size auto needs style codesign' --page-size auto --style linker bare.dylib
refused 2 'renew takes every parameter' --renew --page-size auto bare.dylib
refused 2 'renew takes every parameter' --renew --identifier x bare.dylib
refused 2 'renew takes every parameter' --renew --style linker bare.dylib
refused 2 'entitlements need style codesign' --style linker --entitlements e bare.dylib

t 'the output is there already: refused, untouched'
echo precious >there
refused 6 "output 'there' is there already" -o there bare.dylib
expect test "$(cat there)" = precious
refused 6 "output 'd' is there already" -o d bare.dylib
ln -s nowhere dangling
refused 6 "output 'dangling' is there already" -o dangling bare.dylib

t 'the input is missing, a directory, or the output has no folder'
refused 3 "'missing'.*No such file" missing
hm sign d
expect_code 3
expect_err "'d'"
hm sign -o no/such/out bare.dylib
expect_code 3
expect_err 'no/such'

t 'what is no thin Mach-O file'
: >empty
refused 3 'empty' empty
expect_err "while signing 'empty'"
echo hello >text
refused 3 'Mach-O|text' text
head -c 20 bare.dylib >short
refused 3 '.' short
refused 3 'type object cannot hold a signature' small.o

t 'absurd counts and offsets'
for kind in many-commands commands-size command-size command-zero command-odd sections \
    segment-size section-offset symbols text uuid-twice; do
    "$TESTBIN/tools/macho_make" $kind >$kind.dylib || fail "macho_make $kind"
    refused 3 "while signing '$kind.dylib'" -o out.dylib $kind.dylib
    expect_no_file out.dylib
done

t 'truncated anywhere: refused, never read past'
size=$(stat -c %s signed.dylib)
for at in 1 4 27 31 32 40 100 500 900 1000 4096 16000 $((size - 500)) $((size - 16)) $((size - 1)); do
    head -c "$at" signed.dylib >cut.dylib
    hm sign -o cut.out cut.dylib
    expect_code 3
    expect_no_file cut.out
done

t 'nothing to renew'
refused 3 'no signature to renew' --renew bare.dylib

t 'bytes behind the signature'
cp signed.dylib appended.dylib
printf 'payload' >>appended.dylib
refused 3 '7 bytes behind it' appended.dylib
expect_err 'hint: remove what was appended'

t 'no room for the load command'
link_dylib tight.dylib -no_adhoc_codesign -headerpad 0
hm sign -o tight.out tight.dylib
if [ "$code" = 0 ]; then # the alignment of the code left some
    hm verify tight.out
    expect_code 0
else
    expect_code 3
    expect_err 'no room for LC_CODE_SIGNATURE \(needs 16 bytes, [0-9]+ left'
    expect_err 'hint: .*headerpad'
fi

t 'a link that leads to itself, and a name that is too long'
ln -s loop loop
long=$(printf '%0300d' 0)
for name in loop "$long"; do
    refused 3 'cannot open' "$name"
    hm verify "$name"
    expect_code 3
    expect_err "'$name'"
    hm inspect "$name"
    expect_code 3
    expect_err "cannot open '$name'"
done

t 'bad identifiers and entitlements'
refused 3 "identifier '' has no characters" --identifier '' bare.dylib
expect_err 'hint: name another, with --identifier'
echo '<plist><dict><key>a</key></dict></plist>' >bad.plist
refused 3 'malformed at line 1' --entitlements bad.plist bare.dylib
expect_err "while signing with 'bad.plist'"
for number in 9223372036854775808 18446744073709551616 -9223372036854775809; do
    echo "<plist><dict><key>n</key><integer>$number</integer></dict></plist>" >bad.plist
    refused 3 'at line 1 .*: an integer out of range, which is -2.63 to 2.63-1' \
        --entitlements bad.plist bare.dylib
done
refused 3 "'none.plist'" --entitlements none.plist bare.dylib

t 'nothing was changed and nothing left behind'
expect test "$before" = "$(sha256sum bare.dylib signed.dylib small.o)"
expect test -z "$(find . -name '.*' -type f)"

finish
