#!/usr/bin/env bash
# hallmark inspect agrees with the tools of LLVM where they see the same thing, on files that
# the pinned toolchain makes.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/llvm.sh"

needs 'agrees with the tools of LLVM' clang-19 ld64.lld-19 llvm-objdump-19 llvm-nm-19 llvm-lipo-19

cat >a.c <<'C'
extern char *getenv(const char *);
extern int other(int) __attribute__((weak_import));
__attribute__((visibility("hidden"))) int hidden_one(int x) { return x + 1; }
static const char *const names[] = {"one", "two", "three"};
int shared_data = 7;
int *pointer_to_data = &shared_data;
char *(*function_pointer)(const char *) = getenv;
__attribute__((weak)) int weak_definition(void) { return 3; }
int exported(int x) { return hidden_one(x) + (getenv(names[x & 1]) != 0) + (other ? other(x) : 0); }
C
cat >libSystem.tbd <<'TBD'
--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos, x86_64-macos ]
install-name: '/usr/lib/libSystem.B.dylib'
current-version: 1319.0.0
exports:
  - targets: [ arm64-macos, x86_64-macos ]
    symbols: [ _getenv, _other, dyld_stub_binder ]
...
TBD

# build ARCH MINOS OUT [FLAG…]: a dylib; old systems get bind opcodes, new ones chains.
# shellcheck disable=SC2317 # called through expect
build() {
    local arch=$1 min=$2 name=$3
    shift 3
    clang-19 -target "$arch-apple-macos$min" -O1 -c a.c -o "$name.o" &&
        ld64.lld-19 -arch "$arch" -dylib -platform_version macos "$min" 14.0 \
            -install_name "@rpath/$name" -rpath @loader_path/x "$@" \
            -o "$name" "$name.o" libSystem.tbd
}

# agrees FILE ARCH
agrees() {
    hm inspect --json --symbols "$1"
    expect_code 0
    cp "$out" answer.json
    jq -r '.files[0].slices[0].imports[].name' answer.json | LC_ALL=C sort -u >ours
    llvm-nm-19 -u -j "$1" | LC_ALL=C sort -u >theirs
    expect_same ours theirs
    jq -r '.files[0].slices[0].exports[].name' answer.json | LC_ALL=C sort -u >ours
    llvm-nm-19 -g -U -j "$1" | LC_ALL=C sort -u >theirs
    expect_same ours theirs
    agrees_with_llvm "$1" answer.json 0
    expect test "$(jq -r '.files[0].slices[0].arch' answer.json)" = "$(llvm-lipo-19 -archs "$1" | tr -d ' ')"
}

t 'agrees on a dylib with chained fix-ups'
expect build arm64 13.0 new.dylib
agrees new.dylib
expect jq -e '.files[0].slices[0].fixups.kind == "chained"' answer.json
expect jq -e '.files[0].slices[0].signature | .kind == "linker" and .valid' answer.json
llvm-objdump-19 --macho --dyld-info new.dylib | awk '$5 == "bind" || $5 == "rebase" {print $5}' |
    sort | uniq -c | awk '{print $2, $1}' >theirs
jq -r '.files[0].slices[0].fixups | "bind \(.binds)", "rebase \(.rebases)"' answer.json >ours
expect_same ours theirs

t 'agrees on a dylib with bind opcodes'
expect build x86_64 10.13 old.dylib
agrees old.dylib
expect jq -e '.files[0].slices[0].fixups.kind == "dyld-info"' answer.json

t 'agrees on the slices of a universal file'
expect llvm-lipo-19 -create old.dylib new.dylib -output both.dylib
hm inspect --json both.dylib
expect_code 0
jq -r '.files[0].slices[].arch' "$out" >ours
llvm-lipo-19 -archs both.dylib | tr ' ' '\n' | sed '/^$/d' >theirs
expect_same ours theirs
jq -r '.files[0].slices[] | "\(.offset) \(.size)"' "$out" >ours
llvm-objdump-19 --macho --universal-headers both.dylib |
    awk '$1 == "offset" {o = $2} $1 == "size" {z = $2} $1 == "align" {print o, z}' >theirs
expect_same ours theirs

t 'agrees on executables and bundles'
echo 'int main(void) { return 0; }' >main.c
for arch in arm64 x86_64; do
    for min in 10.12 14.0; do
        expect clang-19 -target "$arch-apple-macos$min" -c main.c -o main.o
        expect ld64.lld-19 -arch "$arch" -platform_version macos "$min" 14.0 -o main main.o \
            libSystem.tbd
        agrees main
        expect ld64.lld-19 -arch "$arch" -bundle -platform_version macos "$min" 14.0 -o main.bundle \
            main.o libSystem.tbd
        agrees main.bundle
    done
done

t 'agrees on a dSYM'
expect clang-19 -target arm64-apple-macos14.0 -g -c main.c -o main.o
expect ld64.lld-19 -arch arm64 -platform_version macos 14.0 14.0 -o main main.o libSystem.tbd
if command -v dsymutil-19 >/dev/null; then
    expect dsymutil-19 -o main.dSYM main
    cp main.dSYM/Contents/Resources/DWARF/main described
    hm inspect --json --symbols described
    expect_code 0
    cp "$out" answer.json
    agrees_with_llvm described answer.json 0
    expect jq -e '.files[0].slices[0] | .filetype == "dsym" and .signature.kind == "none"' answer.json
fi

t 'agrees on object files of every architecture'
for target in arm64-apple-macos13 arm64e-apple-macos13 x86_64-apple-macos10.13 \
    x86_64h-apple-macos13 i386-apple-macos10.13 armv7-apple-ios9 armv7k-apple-watchos4 \
    arm64_32-apple-watchos9 arm64-apple-ios14-simulator arm64-apple-xros1; do
    expect clang-19 -target "$target" -c main.c -o main.o
    hm inspect --json --symbols main.o
    expect_code 0
    cp "$out" answer.json
    agrees_with_llvm main.o answer.json 0
    expect test "$(jq -r '.files[0].slices[0].arch' answer.json)" = "$(llvm-lipo-19 -archs main.o | tr -d ' ')"
    jq -r '.files[0].slices[0].imports[].name' answer.json | LC_ALL=C sort -u >ours
    llvm-nm-19 -u -j main.o | LC_ALL=C sort -u >theirs
    expect_same ours theirs
done

finish
