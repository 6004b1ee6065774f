#!/usr/bin/env bash
# hallmark sign: what it writes and where, what it refuses, and that lld writes the same.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

cat >small.c <<'C'
static const char text[] = "a small library";
const char *greet(int which) { return text + which; }
int table[5000] = {1};
C
clang-19 --no-default-config -target arm64-apple-macos13.0 -O1 -c small.c -o arm64.o
clang-19 --no-default-config -target x86_64-apple-macos13.0 -O1 -c small.c -o x86_64.o

link_dylib() { # ARCH OUT OPTION...
    local arch=$1 to=$2
    shift 2
    ld64.lld-19 -arch "$arch" -dylib -platform_version macos 13.0 14.0 \
        -install_name @rpath/libsmall.dylib "$@" "$arch.o" -o "$to"
}

# lld leaves 32 bytes behind the load commands; without its signature there are 16 more commands'
# bytes to be free, so that the sections stay where they are.
for arch in arm64 x86_64; do
    link_dylib $arch "lld-$arch.dylib" -no_uuid -adhoc_codesign
    link_dylib $arch "bare-$arch.dylib" -no_uuid -no_adhoc_codesign -headerpad 0x30
done
link_dylib arm64 libsmall.dylib -no_adhoc_codesign
uuid=$(llvm-objdump-19 --macho --private-headers libsmall.dylib |
    sed -n 's/^ *uuid //p' | tr -d - | tr A-F a-f)

for arch in arm64 x86_64; do
    t "linker style equals lld's own signature ($arch)"
    hm sign --style linker -o "out-$arch.dylib" "bare-$arch.dylib"
    expect_code 0
    expect_err_empty
    expect_out 'signed \(linker\), identifier libsmall\.dylib, cdhash [0-9a-f]{40}$'
    expect_same "out-$arch.dylib" "lld-$arch.dylib"

    t "renewing lld's signature changes nothing ($arch)"
    hm sign --renew -o "renewed-$arch.dylib" "lld-$arch.dylib"
    expect_code 0
    expect_same "renewed-$arch.dylib" "lld-$arch.dylib"
done

t 'a signed executable equals lld'"'"'s'
cat >libSystem.tbd <<'TBD'
--- !tapi-tbd
tbd-version: 4
targets: [ arm64-macos ]
install-name: /usr/lib/libSystem.B.dylib
exports: [ { targets: [ arm64-macos ], symbols: [ dyld_stub_binder ] } ]
...
TBD
echo 'int main(void) { return 0; }' >main.c
clang-19 --no-default-config -target arm64-apple-macos13.0 -c main.c -o main.o
mkdir signed bare
ld64.lld-19 -arch arm64 -platform_version macos 13.0 14.0 -L. -lSystem -no_uuid main.o -o signed/tool
ld64.lld-19 -arch arm64 -platform_version macos 13.0 14.0 -L. -lSystem -no_uuid \
    -no_adhoc_codesign -headerpad 0x30 main.o -o bare/tool
hm sign --style linker bare/tool
expect_code 0
expect_same bare/tool signed/tool
expect test -x bare/tool
expect_only bare tool

t 'codesign style: identifier with UUID, verified by hallmark'
hm --json sign libsmall.dylib -o codesign.dylib
expect_code 0
expect_out_has "\"identifier\": \"libsmall-55554944$uuid\""
expect_out_has '"kind": "adhoc"'
hm verify codesign.dylib
expect_code 0

t 'llvm-objdump sees the signature where hallmark put it'
offset=$(llvm-objdump-19 --macho --private-headers codesign.dylib |
    sed -n '/LC_CODE_SIGNATURE/,/datasize/s/^ *dataoff //p')
size=$(llvm-objdump-19 --macho --private-headers codesign.dylib |
    sed -n '/LC_CODE_SIGNATURE/,/datasize/s/^ *datasize //p')
expect test "$((offset + size))" -eq "$(stat -c %s codesign.dylib)"
expect test "$(od -An -tx1 -j "$offset" -N 4 codesign.dylib | tr -d ' ')" = fade0cc0

t 'llvm-objcopy can rewrite what was signed, and the result verifies'
run llvm-objcopy-19 codesign.dylib copied.dylib
expect_code 0
hm verify copied.dylib
expect_code 0

t 'all options together'
printf '<plist><dict><key>com.example.a</key><true/></dict></plist>' >ent.plist
hm sign --identifier com.example.small --page-size 16384 --style codesign --entitlements ent.plist \
    -o entitled.dylib libsmall.dylib
expect_code 0
expect_out 'identifier com\.example\.small,'
hm verify entitled.dylib
expect_code 0

t 'bytes of a name that are no text do not reach the terminal'
cp libsmall.dylib $'n\xff'
hm sign $'n\xff'
expect_code 3
expect_err_has "identifier 'n\xff-55554944"
expect_err_has 'has bytes that are not UTF-8'
expect_err_has 'hint: name another, with --identifier'
hm sign --identifier n $'n\xff'
expect_code 0
expect_out_has 'n\xff: signed (adhoc), identifier n'

t 'sign --renew keeps entitlements, identifier and page size'
hm sign --renew -o entitled-2.dylib entitled.dylib
expect_code 0
expect_same entitled.dylib entitled-2.dylib

t 'without -o the file is replaced, whole, with its mode, and twice is once'
cp libsmall.dylib in-place.dylib
chmod 0751 in-place.dylib
hm --quiet sign in-place.dylib
expect_code 0
expect_out_empty
expect test "$(stat -c %a in-place.dylib)" = 751
cp in-place.dylib once.dylib
hm sign in-place.dylib --identifier "in-place-55554944$uuid"
expect_code 0
expect_same in-place.dylib once.dylib

t 'a symbolic link stays one'
mkdir real
cp libsmall.dylib real/libsmall.dylib
ln -s real/libsmall.dylib link.dylib
hm sign --identifier x link.dylib
expect_code 0
expect test -L link.dylib
hm verify real/libsmall.dylib
expect_code 0
expect_only real libsmall.dylib

t 'the output has the mode of the input'
chmod 0640 libsmall.dylib
hm sign -o mode.dylib libsmall.dylib
expect_code 0
expect test "$(stat -c %a mode.dylib)" = 640
chmod 0755 libsmall.dylib

finish
