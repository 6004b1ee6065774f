#!/usr/bin/env bash
# hallmark verify: a changed byte of a linked and signed dylib is a finding. (The unit test of
# sigcheck changes every byte of a small file; here a sample of a real one goes through the program.)
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

cat >small.c <<'C'
int answer(void) { return 42; }
C
clang-19 --no-default-config -target arm64-apple-macos13.0 -O1 -c small.c -o small.o || exit 1
ld64.lld-19 -arch arm64 -dylib -platform_version macos 13.0 14.0 \
    -install_name @rpath/libsmall.dylib small.o -o linker.dylib
hm sign -o codesign.dylib linker.dylib

flip() { # FILE OFFSET: into changed.dylib
    local byte changed
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    changed=$(printf '\\%03o' $((byte ^ 255)))
    cp "$1" changed.dylib
    printf %b "$changed" |
        dd of=changed.dylib bs=1 seek="$2" conv=notrunc status=none
}

for style in linker codesign; do
    t "good before: $style"
    hm verify $style.dylib
    expect_code 0

    t "changed bytes are found: $style"
    size=$(stat -c %s $style.dylib)
    # the identifier is the one thing that a file alone does not tell (sigcheck.h)
    name=$("$HALLMARK" --json inspect $style.dylib | jq -r '.files[0].slices[0].signature.identifier')
    hm verify --strict --identifier "$name" $style.dylib
    expect_code 0
    at=$(grep -abo "$name" $style.dylib | tail -1 | cut -d: -f1)
    flip $style.dylib "$at"
    hm verify --identifier "$name" changed.dylib
    expect_code 1
    expect_out '^finding sig.identifier'
    for ((at = 0; at < size; at += 607)); do
        flip $style.dylib "$at"
        hm verify --strict --identifier "$name" changed.dylib
        case $code in
        1 | 3) ;;
        *)
            fail "byte $at changed: exit code $code"
            break
            ;;
        esac
    done

    t "a changed page is named: $style"
    flip $style.dylib 1000
    hm verify changed.dylib
    expect_code 1
    expect_out_has 'sig.page-hash'
    expect_out_has 'page 0 at offset 0'

    t "an appended byte is named: $style"
    cp $style.dylib changed.dylib
    printf x >>changed.dylib
    hm verify changed.dylib
    expect_code 1
    expect_out_has 'sig.trailing-data'
done

t 'what an earlier signature left behind the new one is a warning'
flip codesign.dylib $((size - 8))
hm verify changed.dylib
expect_code 0
expect_out '^warning sig.padding: changed.dylib: space behind the signature'
hm verify --strict changed.dylib
expect_code 1
expect_out '^finding sig.padding'

t 'an unsigned file is a finding'
ld64.lld-19 -arch arm64 -dylib -platform_version macos 13.0 14.0 -no_adhoc_codesign \
    -install_name @rpath/libsmall.dylib small.o -o bare.dylib
hm verify bare.dylib
expect_code 1
expect_out_has 'sig.missing'

finish
