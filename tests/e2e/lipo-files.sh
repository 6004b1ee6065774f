#!/usr/bin/env bash
# hallmark lipo: what it writes is what llvm-lipo writes, and what it says is what lipo says.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

sdk=$SRCDIR/toolchain/sdk
have_llvm=yes
for tool in clang-19 ld64.lld-19 llvm-lipo-19; do
    command -v "$tool" >/dev/null || have_llvm=no
done
if [ $have_llvm = no ]; then
    t 'joins and takes apart'
    skip 'the tools of LLVM are not installed'
    finish
fi
echo 'int answer(void) { return 42; }' >a.c
# image ARCH TARGET OUT
image() {
    clang-19 --no-default-config -target "$2" -isysroot "$sdk" -c a.c -o "$3.o"
}
image arm64 arm64-apple-macos13.0 arm64
image arm64e arm64e-apple-macos13.0 arm64e
image x86_64 x86_64-apple-macos13.0 x86_64
expect ld64.lld-19 -arch arm64 -dylib -install_name @rpath/a.dylib -platform_version macos 13.0 14.0 \
    -syslibroot "$sdk" -lSystem arm64.o -o arm64
chmod 751 arm64
mv x86_64.o x86_64
mv arm64e.o arm64e

t 'joins images as llvm-lipo does, whatever their order'
for order in 'arm64 x86_64' 'x86_64 arm64' 'arm64e x86_64 arm64' 'arm64'; do
    rm -f ours theirs
    # shellcheck disable=SC2086 # words
    hm lipo $order -create -output ours
    expect_code 0
    expect_out_is - </dev/null
    # shellcheck disable=SC2086
    expect llvm-lipo-19 $order -create -output theirs
    expect_same ours theirs
done

image i386 i386-apple-macos10.13 i386
image x86_64h x86_64h-apple-macos10.13 x86_64h
mv i386.o i386
mv x86_64h.o x86_64h

t 'joins as llvm-lipo does where its order is none: another image between two of one family'
for order in 'x86_64h i386 x86_64' 'i386 x86_64h x86_64' 'x86_64h x86_64 i386' \
    'x86_64 i386 arm64e x86_64h arm64'; do
    rm -f ours theirs
    # shellcheck disable=SC2086 # words
    hm lipo $order -create -output ours
    expect_code 0
    # shellcheck disable=SC2086
    expect llvm-lipo-19 $order -create -output theirs
    expect_same ours theirs
done

t 'two images of one architecture are found, whatever is between them'
for order in 'x86_64 x86_64' 'x86_64 i386 x86_64' 'arm64 x86_64 i386 arm64e arm64'; do
    # shellcheck disable=SC2086 # words
    hm lipo $order -create -output twice
    expect_code 3
    expect_err_has "two images are for ${order%% *}"
    expect_no_file twice
done

t 'the new file has the mode of the first, and is readable as a whole'
rm -f u
hm lipo arm64 x86_64 arm64e -create -output u
expect [ "$(stat -c %a u)" = 751 ]
hm inspect u
expect_code 0

t 'tells architectures in the words of lipo'
hm lipo -info u arm64
{
    echo 'Architectures in the fat file: u are: x86_64 arm64 arm64e ' # as lipo, with the blank
    echo 'Non-fat file: arm64 is architecture: arm64'
} >said
expect_same said "$out"
hm lipo -archs u
expect_out_is - <<'EOF'
x86_64 arm64 arm64e
EOF
hm --json lipo -archs u
# shellcheck disable=SC2016 # not for this shell
expect sh -c 'jq -e ".files == [{path: \"u\", universal: true, archs: [\"x86_64\", \"arm64\", \"arm64e\"]}]" <"$1"' sh "$out"

t 'looks for architectures'
hm lipo u -verify_arch arm64 arm64e
expect_code 0
hm lipo u -verify_arch arm64 i386
expect_code 1
hm lipo arm64 -verify_arch arm64e
expect_code 1

t 'takes images out, byte for byte'
for arch in arm64 arm64e x86_64; do
    rm -f one
    hm lipo u -thin $arch -output one
    expect_code 0
    expect_same one $arch
done
rm -f ours theirs
hm lipo u -extract arm64 -output ours
expect_code 0
expect llvm-lipo-19 u -extract arm64 -output theirs
expect_same ours theirs
rm -f ours theirs
hm lipo u -extract arm64 -extract x86_64 -output ours
expect_code 0
expect llvm-lipo-19 arm64 x86_64 -create -output theirs
expect_same ours theirs

t 'refuses what cannot be'
hm lipo u -thin i386 -output x
expect_code 3
expect_err_has "'u' has no image for i386, it has x86_64, arm64, arm64e"
hm lipo arm64 -extract arm64 -output x
expect_code 3
expect_err_has "'arm64' is not universal"
hm lipo arm64 u -create -output x
expect_code 3
expect_err_has 'two images are for arm64'
hm lipo a.c arm64 -create -output x
expect_code 3
expect_err_has "reading 'a.c'"
expect_no_file x

t 'never replaces anything'
echo precious >there
hm lipo arm64 x86_64 -create -output there
expect_code 6
expect [ "$(cat there)" = precious ]

t 'usage'
for words in '' '-info' 'u' 'u -thin' 'u -thin arm64' 'u -info -archs' 'u -create' 'u -info -output x' \
    'u -thin arm64 x86_64 -output x' 'u -verify_arch vax' 'u -remove arm64 -output x' 'u -output'; do
    # shellcheck disable=SC2086 # words
    hm lipo $words
    expect_code 2
    expect_err_has 'hint:'
done
hm lipo --help
expect_code 0
expect_out_has 'usage: hallmark lipo FILE... -info'
finish
