#!/usr/bin/env bash
# hallmark sign and strip-signature on universal files, 32-bit and big-endian images: what llvm-lipo
# takes apart is what signing each slice alone gives, and every way back leads to the same bytes.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

cat >small.c <<'C'
static const char text[] = "a small library";
const char *greet(int which) { return text + which; }
int table[5000] = {1};
C
for arch in arm64 x86_64; do
    clang-19 --no-default-config -target $arch-apple-macos13.0 -O1 -c small.c -o $arch.o
    ld64.lld-19 -arch $arch -dylib -platform_version macos 13.0 14.0 -headerpad 0x40 \
        -install_name @rpath/libsmall.dylib -no_adhoc_codesign $arch.o -o $arch.dylib
    ld64.lld-19 -arch $arch -dylib -platform_version macos 13.0 14.0 -adhoc_codesign \
        -install_name @rpath/libsmall.dylib $arch.o -o lld-$arch.dylib
done
mkdir bare lld
llvm-lipo-19 -create x86_64.dylib arm64.dylib -output bare/libsmall.dylib
llvm-lipo-19 -create lld-x86_64.dylib lld-arm64.dylib -output lld/libsmall.dylib
uuid=$(hm inspect --json x86_64.dylib && jq -r '.files[0].slices[0].uuid' "$out" | tr -d - | tr A-F a-f)

for style in codesign linker; do
    t "each slice is signed as it would be alone ($style)"
    hm sign --style $style --identifier com.example.small -o $style.dylib bare/libsmall.dylib
    expect_code 0
    expect_err_empty
    expect_out '^'$style'\.dylib \(x86_64\): signed \([a-z]+\), identifier com\.example\.small, cdhash [0-9a-f]{40}$'
    expect_out '^'$style'\.dylib \(arm64\): signed '
    hm verify $style.dylib
    expect_code 0
    for arch in arm64 x86_64; do
        hm sign --style $style --identifier com.example.small -o alone-$style-$arch.dylib $arch.dylib
        expect_code 0
        expect llvm-lipo-19 -thin $arch $style.dylib -output thin.dylib
        expect_same thin.dylib alone-$style-$arch.dylib
        rm -f thin.dylib
    done

    t "lipo would lay it out the same way ($style)"
    expect llvm-lipo-19 -create alone-$style-x86_64.dylib alone-$style-arm64.dylib -output lipo.dylib
    expect_same lipo.dylib $style.dylib

    t "signing again, renewing and stripping lead back ($style)"
    hm sign --style $style --identifier com.example.small -o again.dylib $style.dylib
    expect_code 0
    expect_same again.dylib $style.dylib
    hm sign --renew -o renewed.dylib $style.dylib
    expect_code 0
    expect_same renewed.dylib $style.dylib
    hm strip-signature -o stripped.dylib $style.dylib
    expect_code 0
    expect_out_has 'stripped.dylib: 2 signatures removed'
    hm sign --style $style --identifier com.example.small -o back.dylib stripped.dylib
    expect_code 0
    expect_same back.dylib $style.dylib
    rm -f again.dylib renewed.dylib stripped.dylib back.dylib lipo.dylib
done

t 'renewing what lld signed and lipo joined changes nothing'
hm sign --renew -o renewed.dylib lld/libsmall.dylib
expect_code 0
expect_same renewed.dylib lld/libsmall.dylib

t 'all slices have the name of the first one'
hm --json sign -o named.dylib bare/libsmall.dylib
expect_code 0
expect jq -e --arg id "libsmall-55554944$uuid" \
    '.slices | length == 2 and all(.identifier == $id and .kind == "adhoc")' "$out"
expect jq -e '[.slices[].arch] == ["x86_64", "arm64"] and has("kind") == false' "$out"

t 'pages that fit each slice'
hm --json sign --page-size auto -o pages.dylib bare/libsmall.dylib
expect_code 0
expect jq -e '.slices | map({(.arch): .page_size}) | add == {x86_64: 4096, arm64: 16384}' "$out"
hm verify --strict pages.dylib
expect_code 0
hm sign --renew -o renewed-pages.dylib pages.dylib
expect_code 0
expect_same renewed-pages.dylib pages.dylib

t 'in place, with its mode'
cp bare/libsmall.dylib here.dylib
chmod 0750 here.dylib
hm --quiet sign --identifier com.example.small here.dylib
expect_code 0
expect_out_empty
expect_same here.dylib codesign.dylib
expect test "$(stat -c %a here.dylib)" = 750

t 'only the slice that has a signature is renewed'
llvm-lipo-19 -create x86_64.dylib lld-arm64.dylib -output half.dylib
hm sign --renew -o half-renewed.dylib half.dylib
expect_code 0
expect_out_has 'half-renewed.dylib (x86_64): has no signature'
expect_same half-renewed.dylib half.dylib
hm sign --renew -o none.dylib bare/libsmall.dylib
expect_code 3
expect_err 'no slice has a signature to renew'

t 'a slice that is a static archive is refused, named by its architecture'
llvm-ar-19 --format=darwin rc libsmall.a x86_64.o
llvm-lipo-19 -create libsmall.a arm64.dylib -output archive.dylib
for what in sign strip-signature; do
    hm $what -o refused.dylib archive.dylib
    expect_code 3
    expect_err 'a static archive is no Mach-O file'
    expect_err 'while (signing|stripping) slice x86_64'
    expect_no_file refused.dylib
done

for kind in i386 ppc ppc64 fat fat64; do
    t "32-bit, big-endian, 64-bit table: $kind"
    "$TESTBIN/tools/macho_make" $kind >$kind || fail "macho_make $kind"
    hm sign --style linker -o $kind.linker $kind
    expect_code 0
    hm sign --renew -o $kind.renewed $kind.linker
    expect_same $kind.renewed $kind.linker
    hm strip-signature -o $kind.stripped $kind.linker
    expect_code 0
    expect_same $kind.stripped $kind
    hm sign --identifier com.example.old -o $kind.codesign $kind.linker
    expect_code 0
    hm verify --require-sha256 $kind.codesign $kind.linker
    expect_code 0
    hm strip-signature $kind.codesign
    expect_same $kind.codesign $kind
done

finish
