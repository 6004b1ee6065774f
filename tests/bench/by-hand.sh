#!/usr/bin/env bash
# What `hallmark release` does, by the usual tools and a shell script: the other side of
# `make bench`. It does less (no strict signature, no UTF-16, no closed world, no record), so that
# nobody can say that it was made slow.
#
# usage: tests/bench/by-hand.sh REPO COMMIT OUT          all of it
#        tests/bench/by-hand.sh --compile REPO COMMIT OUT  compiler and linker alone
set -eu
compile_only=no
if [ "$1" = --compile ]; then
    compile_only=yes
    shift
fi
repo=$1 commit=$2 out=$3
llvm=/usr/lib/llvm-19/bin
names=(LumeMetalCapabilities metal-capabilities)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # NAME
    local link=()
    env -i PATH=/usr/bin:/bin LC_ALL=C TZ=UTC "$llvm/clang" --no-default-config \
        -target arm64-apple-macos13.0 -isysroot ../sdk -O3 -Wall -Wextra -Werror -fobjc-arc \
        -fvisibility=hidden -c "shim/$1.m" -o "../$1.o"
    if [ "$1" = LumeMetalCapabilities ]; then
        link=(-dylib -install_name "@rpath/$1.dylib")
    fi
    env -i PATH=/usr/bin:/bin LC_ALL=C TZ=UTC "$llvm/ld64.lld" -arch arm64 "${link[@]}" \
        -platform_version macos 13.0 14.0 -syslibroot ../sdk -fixup_chains -init_offsets \
        -framework Foundation -framework Metal -lobjc -lSystem "../$1.o" -o "../$1"
}

checkout() {
    mkdir "$work/tree" "$work/sdk"
    git -C "$repo" archive "$commit" shim | tar -x -C "$work/tree"
    git -C "$repo" archive "$commit:toolchain/sdk" | tar -x -C "$work/sdk"
}

if [ "$compile_only" = yes ] && [ -d "$out" ]; then # a checkout that is there already
    work=$out
    trap - EXIT
elif [ "$compile_only" = yes ]; then
    work=$out
    trap - EXIT
    mkdir "$work"
    checkout
    exit 0
else
    checkout
fi

cd "$work/tree"
build "${names[0]}" &
build "${names[1]}"
wait $!
[ "$compile_only" = no ] || exit 0

cd "$work"
"$llvm/clang" --version | grep -q 19.1.7
"$llvm/ld64.lld" --version | grep -q 19.1.7
mkdir "$work/release"
for name in "${names[@]}"; do
    "$llvm/llvm-lipo" "$name" -verify_arch arm64
    if "$llvm/llvm-strings" -a "$name" | grep -qF -e GPU_HOOK_TIME_SCALE -e mach_absolute_time \
        -e clock_gettime -e gettimeofday -e MESH_FALLBACK -e IGNORE_ARGTYPE -e SYNC_COMPUTE \
        -e LUME_METAL_FEATURE_PROFILE -e featureProfile -e LUME_METAL_FAMILY_MAX; then
        echo "forbidden string in $name" >&2
        exit 1
    fi
    "$llvm/llvm-nm" -u "$name" >/dev/null
    "$llvm/llvm-objdump" --macho --dylibs-used "$name" >/dev/null
    openssl dgst -sha256 "$name" >/dev/null
    cp "$name" release/
done
git -C "$repo" archive --format=tar.gz --prefix=lume-metal-capabilities-1.0.0/ "$commit" -- \
    shim toolchain >release/source.tar.gz
(cd release && sha256sum -- * >SHA256SUMS)
mv release "$out"
