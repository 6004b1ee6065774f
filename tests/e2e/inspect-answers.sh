#!/usr/bin/env bash
# hallmark inspect: what it tells of good files, thin and universal, as text and as JSON.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

make_macho() {
    "$TESTBIN/tools/macho_make" "$1" >"$1.dylib"
}

t 'tells all of a thin dylib'
make_macho small
hm inspect small.dylib
expect_code 0
expect_err_empty
expect_out "^small.dylib$"
expect_out_has 'size           3072 bytes'
expect_no_out sha256
expect_out_has 'architecture   arm64 (cputype 0x100000c, cpusubtype 0x0; 64-bit, little-endian)'
expect_out_has 'file type      dylib'
expect_out_has 'platform       macOS 13.0, SDK 14.0 (LC_BUILD_VERSION)'
expect_out_has 'tools          lld 19.1.7'
expect_out_has 'uuid           10111213-1415-4617-9819-1A1B1C1D1E1F'
expect_out_has 'install name   @rpath/small.dylib  current 1.0, compatibility 1.0'
expect_out_has 'libraries      /usr/lib/libSystem.B.dylib  current 1319.0, compatibility 1.0'
expect_out_has 'rpaths         @loader_path/lib'
expect_out_has 'fix-ups        chained, pointer format 2 (64), import format 1: 1 bind, 1 rebase'
expect_out '^  imports        1$'
expect_out '^  exports        1$'
expect_no_out '_getenv'
expect_out_has '__objc_methname    0x000000660          37        1632'
expect_out '^  signature      none$'

t 'lists symbols when asked'
hm inspect --symbols small.dylib
expect_code 0
expect_out_has '_getenv  libSystem.B.dylib'
expect_out_has '_exported  0x00000604'
expect_out_has '_local  0x00000600'
expect_out '^ *supportsFamily:$'
expect_out '^ *SmallClass$'

t 'reads no names that are encrypted, and says so'
make_macho encrypted
hm inspect --symbols encrypted.dylib
expect_code 0
expect_out '^  selectors      encrypted$'
expect_no_out '^  classes'
hm --json inspect --symbols encrypted.dylib
expect_code 0
expect jq -e '.files[0].slices[0] | .encryption.kind == 1 and
    (has("classes") or has("selectors") | not)' "$out"

t 'tells it as JSON'
hm --json inspect --symbols small.dylib
expect_code 0
expect_err_empty
expect jq -e '.files | length == 1' "$out"
expect jq -e --arg sum "$(sha256sum <small.dylib | cut -d' ' -f1)" \
    '.files[0] | .path == "small.dylib" and .sha256 == $sum and .format == "thin"' "$out"
expect jq -e '.files[0].slices[0] | .arch == "arm64" and .cpusubtype == 0 and
    .filetype == "dylib" and .offset == 0 and .size == 3072 and .minos == "13.0" and
    .sdk == "14.0" and .uuid == "10111213-1415-4617-9819-1A1B1C1D1E1F"' "$out"
expect jq -e '.files[0].slices[0].imports == [{name: "_getenv", ordinal: 1,
    library: "/usr/lib/libSystem.B.dylib", weak: false, symbol_table_only: false}]' "$out"
expect jq -e '.files[0].slices[0].signature | .kind == "none" and .valid == false and
    (.findings | map(.id)) == ["sig.missing"]' "$out"

t 'tells the slices of a universal file of both tables'
for kind in fat fat64; do
    make_macho "$kind"
    hm inspect "$kind.dylib"
    expect_code 0
    expect_err_empty
    expect_out "universal \((32|64)-bit table\)"
    expect_out '2 slices: ppc, arm64$'
    expect_out_has 'slice 1 of 2: ppc'
    expect_out_has '1024 bytes at offset 4096, alignment 2^12'
    expect_out_has 'cpusubtype 0xa; 32-bit, big-endian'
    expect_out_has 'slice 2 of 2: arm64'
done
hm inspect --json fat.dylib
expect jq -e '[.files[0].slices[].arch] == ["ppc", "arm64"]' "$out"
expect jq -e '[.files[0].slices[].offset] == [4096, 8192]' "$out"

t 'reads every word size and byte order'
for kind in i386 ppc ppc64; do
    make_macho "$kind"
    hm inspect --symbols "$kind.dylib"
    expect_code 0
    expect_out "architecture   $kind "
    expect_out_has '_malloc  libSystem.B.dylib, symbol table only'
done

t 'tells how each library is linked'
make_macho libraries
hm inspect libraries.dylib
expect_code 0
expect_out '^ *weak +current 1.0, compatibility 1.0, weak$'
expect_out '^ *reexported +current 1.0, compatibility 1.0, re-export$'
expect_out '^ *upward +current 1.0, compatibility 1.0, upward$'
expect_out '^ *lazy +current 1.0, compatibility 1.0, lazy$'
expect_out '^ *delayed +current 1.0, compatibility 1.0, delay-init$'
expect_out '^ *weak-delayed +current 1.0, compatibility 1.0, weak, delay-init$'
hm inspect --json libraries.dylib
expect jq -e '.files[0].slices[0].libraries | map([.kind, .delay_init]) == [["load",false],
    ["weak",false],["re-export",false],["upward",false],["lazy",false],["load",true],
    ["weak",true]]' "$out"

t 'names static archives and their members'
{ printf '!<arch>\n%-16s%-32s%-10s`\n' 'small.o/' '' 3072 && cat small.dylib; } >small.a
hm inspect small.a
expect_code 0
expect_err_empty
expect_out '^  format         static archive$'
expect_out '^  architecture   arm64$'
expect_out '^  members        1$'
expect_out '^ *small.o +3072  arm64 dylib$'
hm inspect --json small.a
expect jq -e '.files[0] | .format == "archive" and (.slices | length) == 1 and
    (.slices[0] | .arch == "arm64" and .filetype == "archive" and .members ==
    [{name: "small.o", offset: 68, size: 3072, arch: "arm64", filetype: "dylib"}])' "$out"

t 'says why an archive has no architecture'
printf '!<arch>\n' >none.a
{ cat none.a && printf '%-16s%-32s%-10s`\nword' 'text/' '' 4; } >text.a
{ cat small.a && printf '%-16s%-32s%-10s`\n' 'ppc.o/' '' "$(stat -c %s ppc.dylib)" && cat ppc.dylib; } >two.a
hm inspect none.a text.a two.a
expect_code 0
expect_out '^  architecture   none, as there are no members$'
expect_out '^  architecture   none, as no member is a Mach-O image$'
expect_out '^  architecture   not one for all members$'
hm inspect --json none.a
expect_code 0
expect jq -e '.files[0].slices[0] | .arch == null and .members == []' "$out"

t 'escapes what is no UTF-8'
make_macho bad-utf8
hm inspect bad-utf8.dylib
expect_code 0
expect_out_has 'rpaths         \x80\xff\x9bA'

t 'shows several files'
hm inspect small.dylib ppc.dylib
expect_code 0
expect_out '^small.dylib$'
expect_out '^ppc.dylib$'

t 'escapes control bytes from the file'
make_macho control-bytes
hm inspect control-bytes.dylib
expect_code 0
expect_out_has 'rpaths         \x0a\x1b[A'
expect_not grep -q $'\x1b' "$out"

t 'wants a file'
hm inspect
expect_code 2
expect_err_has 'no file given'

finish
