#!/usr/bin/env bash
# hallmark inspect --fixups lists what llvm-objdump lists, as far as that reads it; and the pass on
# the shim's own source, at every level of optimisation.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/dylib.sh"

needs 'agrees with the tools of LLVM' clang-19 ld64.lld-19 llvm-objdump-19 llvm-lipo-19

# shim ARCH SOURCE OUT [FLAG…]: as a recipe does, without the pass
# shellcheck disable=SC2317 # called through expect
shim() {
    local arch=$1 source=$2 name=$3
    shift 3
    compile "$arch" "$SRCDIR/shim/$source.m" "$name.o" -fobjc-arc -fvisibility=hidden "$@" &&
        link_dylib "$name.o" "$name" "$name"
}

# ours FILE: "place kind import-or-target", as objdump has it
ours() {
    "$HALLMARK" --json inspect --fixups "$1" |
        jq -r '.files[0].slices[0].fixups.locations[] |
            "\(.address) \(.kind) \(.addend // 0) \(.import // .target)"'
}

# theirs FILE
theirs() {
    llvm-objdump-19 --macho --dyld-info "$1" |
        while read -r _ _ address _ kind addend _ name; do
            case $kind in
            bind) echo "$((address)) bind $((addend)) $name" ;;
            rebase) echo "$((address)) rebase 0 $((addend))" ;;
            esac
        done
}

t 'lists the chains of plain arm64 as llvm-objdump does'
for source in LumeMetalCapabilities metal-capabilities; do
    expect shim arm64 "$source" $source.dylib -O2
    ours $source.dylib >listed
    theirs $source.dylib >expected
    expect_file listed
    expect_same listed expected
done

t 'the pass takes the shim at every level of optimisation'
for level in 0 1 2 3 s z; do
    expect shim arm64e LumeMetalCapabilities shim.dylib -O$level
    expect "$TESTBIN/tools/arm64e" shim.dylib arm64e.dylib
done

t 'what the pass changes is the signing, and nothing else'
expect shim arm64e LumeMetalCapabilities shim.dylib -O3
expect "$TESTBIN/tools/arm64e" shim.dylib arm64e.dylib
ours shim.dylib >before
ours arm64e.dylib >after
expect_file before
expect_same before after
theirs shim.dylib >expected
expect_same before expected

t 'every stub, every constant string is signed, and no data'
run sh -c '"$1" --json inspect --fixups arm64e.dylib | jq -r ".files[0].slices[0].fixups.locations[] |
    [(.place | sub(\"[+].*\"; \"\")), .kind, .signed, .key, .diversity, .address_diversity] | @csv" |
    LC_ALL=C sort -u' sh "$HALLMARK"
expect_out_is - <<'EOF'
"__DATA,__objc_selrefs","rebase",false,,,
"__DATA_CONST,__cfstring","bind",true,"DA",27361,true
"__DATA_CONST,__cfstring","rebase",false,,,
"__DATA_CONST,__got","bind",true,"IA",0,true
EOF

t 'the text says it too'
hm inspect --fixups arm64e.dylib
expect_out_has '__DATA_CONST,__cfstring+0x0'
expect_out_has 'auth-bind ___CFConstantStringClassReference key DA diversity 0x6ae1 address'
hm inspect arm64e.dylib
expect_no_out 'auth-bind'

t 'the tools of LLVM agree on what they can read of arm64e'
run llvm-objdump-19 --macho --chained-fixups arm64e.dylib
expect_out_has 'pointer_format = 12 (DYLD_CHAINED_PTR_ARM64E_USERLAND24)'
sed -n 's/.*name_offset = [0-9]* (\(.*\))/\1/p' "$out" | LC_ALL=C sort >expected
"$HALLMARK" --json inspect --fixups arm64e.dylib |
    jq -r '.files[0].slices[0].fixups.locations[].import // empty' | LC_ALL=C sort -u >listed
expect_same listed expected
run llvm-lipo-19 -archs arm64e.dylib
expect_out 'arm64e'
# A stub authenticates with the address of its slot.
run llvm-objdump-19 -d --mattr=+pauth --section=__stubs arm64e.dylib
expect_out 'adr	x17, '
expect_out 'braa	x16, x17'
expect_no_out 'br	x16$'

t 'code that was compiled for arm64 is refused'
for level in 0 1 2 3 s z; do
    expect shim arm64 LumeMetalCapabilities plain.dylib -O$level
    run "$TESTBIN/tools/arm64e" plain.dylib none.dylib
    expect_code 1
    expect_err 'without (signing|authenticating) it'
    expect_no_file none.dylib
done

finish
