#!/bin/bash
# The shim and the probe for macOS: every way they must compile, and what is in the result.
# Scratch directory $1; SDK is the SDK to use instead of the one in the tree.
set -u
out=$1/macos
root=$(cd "$(dirname "$0")/../.." && pwd)
sdk=${SDK:-$root/toolchain/sdk}
policy=$root/shim/policy.yaml
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC1091
. "$(dirname "$0")/lib.sh"

for tool in clang-19 ld64.lld-19 llvm-nm-19 llvm-otool-19 llvm-objdump-19; do
    if ! command -v $tool >/dev/null; then
        skip "build for macOS" "$tool is not installed"
        exit 0
    fi
done
mkdir -p "$out"

ptrauth=(-fptrauth-intrinsics -fptrauth-calls -fptrauth-returns -fptrauth-auth-traps
    -fptrauth-indirect-gotos -fptrauth-init-fini)

# compile SOURCE ARCH ARC LEVEL WHAT OUTPUT
compile() {
    local flags=()
    [ "$2" != arm64e ] || flags=("${ptrauth[@]}")
    env -u LIBRARY_PATH -u CPATH -u SDKROOT clang-19 --no-default-config \
        -target "$2-apple-macos13.0" -isysroot "$sdk" "$3" "$4" -fvisibility=hidden -Wall -Wextra \
        -Werror ${flags[@]+"${flags[@]}"} "$5" -o "$6" "$root/shim/$1.m" 2>&1
}

# The named list of the policy's rule, one entry a line.
policy_list() {
    awk -v rule="$1" -v list="$2:" '
        $1 == "-" && $2 == "id:" { inside = $3 == rule; listing = 0; next }
        inside && $1 == list { listing = 1; next }
        inside && listing && $1 == "-" { gsub(/"/, "", $2); print $2; next }
        { listing = 0 }' "$policy" | LC_ALL=C sort
}

compile_all() {
    local source arch arc level message object
    for source in LumeMetalCapabilities metal-capabilities; do
        for arch in arm64 arm64e; do
            for arc in -fobjc-arc -fno-objc-arc; do
                for level in -O3 -O0; do
                    object=$out/$source-$arch$arc$level
                    if message=$(compile $source $arch $arc $level -c "$object.o"); then
                        ok "build $source $arch $arc $level"
                    else
                        not_ok "build $source $arch $arc $level" "$message"
                        continue
                    fi
                    check_object "$source $arch $arc $level" "$object.o"
                done
            done
        done
    done
}

# What an arm64e linker would have to sign and cannot: classes, blocks, code pointers in data.
check_object() {
    local sections pointers
    sections=$(llvm-objdump-19 -h "$2" | grep -oE '__objc_(classlist|catlist|const|data|protolist|nlclslist)|__mod_term_func')
    same "build $1 defines no class" "" "$sections"
    same "build $1 has no block" "" "$(llvm-nm-19 "$2" | grep -o '_NSConcrete.*Block')"
    pointers=$(llvm-objdump-19 -r "$2" | awk '
        /^RELOCATION RECORDS FOR/ { section = $4 }
        $3 != "" && section !~ /__(text|cfstring|objc_selrefs|compact_unwind|eh_frame|mod_init_func|cstring)/ {
            if ($2 ~ /RELOC/) print section, $3 }')
    same "build $1 has no code pointer in data" "" "$pointers"
}

check_assembly() {
    local source message
    for source in LumeMetalCapabilities metal-capabilities; do
        if ! message=$(compile $source arm64e -fobjc-arc -O3 -S "$out/$source-arm64e.s"); then
            not_ok "build $source arm64e assembly" "$message"
            continue
        fi
        same "build $source arm64e has no @AUTH data" 0 "$(grep -c '@AUTH' "$out/$source-arm64e.s")"
        # The same search must find what it is for.
        same "build $source arm64e signs and authenticates" yes \
            "$(grep -q 'retab\|autibsp' "$out/$source-arm64e.s" && echo yes)"
    done
}

# link SOURCE OUTPUT FLAG...
link() {
    local source=$1 output=$2
    shift 2
    env -u LIBRARY_PATH ld64.lld-19 -arch arm64 -platform_version macos 13.0 14.0 -syslibroot "$sdk" \
        -fixup_chains -init_offsets -framework Foundation -framework Metal -lobjc -lSystem "$@" \
        "$out/$source-arm64-fobjc-arc-O3.o" -o "$output" 2>&1
}

# check_linked NAME FILE RULE_PREFIX
check_linked() {
    local forbidden word wide found=
    same "build $1 imports what the policy lists" "$(policy_list "$3-imports" imports)" \
        "$(llvm-nm-19 -u "$2" | awk '{ print $1 }' | LC_ALL=C sort)"
    same "build $1 links what the policy lists" "$(policy_list "$3-libraries" libraries)" \
        "$(llvm-otool-19 -L "$2" | awk '/^\t/ { print $1 }' | LC_ALL=C sort)"
    forbidden='GPU_HOOK_TIME_SCALE mach_absolute_time clock_gettime gettimeofday MESH_FALLBACK
        IGNORE_ARGTYPE SYNC_COMPUTE LUME_METAL_FEATURE_PROFILE featureProfile LUME_METAL_FAMILY_MAX'
    for word in $forbidden; do
        grep -qF -- "$word" "$policy" || found="$found $word is not in the policy"
        wide=$(printf '%s' "$word" | sed 's/./&\\x00/g; s/\\x00$//')
        LC_ALL=C grep -qaF -- "$word" "$2" && found="$found $word"
        LC_ALL=C grep -qaP -- "$wide" "$2" && found="$found $word (UTF-16)"
    done
    same "build $1 has no forbidden string" "" "$found"
}

compile_all
check_assembly
dylib=$out/LumeMetalCapabilities-arm64.dylib
if message=$(link LumeMetalCapabilities "$dylib" -dylib \
    -install_name @rpath/LumeMetalCapabilities.dylib); then
    check_linked LumeMetalCapabilities "$dylib" shim
else
    not_ok "build LumeMetalCapabilities link" "$message"
fi
if message=$(link metal-capabilities "$out/metal-capabilities"); then
    check_linked metal-capabilities "$out/metal-capabilities" probe
else
    not_ok "build metal-capabilities link" "$message"
fi
finish
