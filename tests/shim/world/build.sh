#!/bin/bash
# Builds the Linux world in directory $1: libMetal variants, the shim, the driver and the probe.
set -eu
out=$1
here=$(cd "$(dirname "$0")" && pwd)
shim=$here/../../../shim
cc=${CLANG:-clang-19}
gcc_include=$(gcc -print-file-name=include)
gcc_lib=$(dirname "$(gcc -print-file-name=libobjc.so)")

# GNUstep's headers are not ours to warn about; the GCC runtime's come after clang's own.
flags=(-fPIC -O2 -pthread -D_GNU_SOURCE -isystem /usr/include/GNUstep -idirafter "$gcc_include"
    -I"$here" -I"$shim" -fexceptions -fobjc-exceptions -D_NATIVE_OBJC_EXCEPTIONS -DGNUSTEP
    -DGNU_RUNTIME=1 -DGNUSTEP_BASE_LIBRARY=1 -fconstant-string-class=NSConstantString)
# Undefined behaviour traps; method implementations are called through casts, so not that check.
objc=("$cc" --no-default-config -std=gnu17 -fobjc-runtime=gcc -Wall -Wextra -Werror
    -fsanitize=undefined -fno-sanitize=function -fsanitize-trap=undefined "${flags[@]}")
libs=(-L"$gcc_lib" -lgnustep-base -lobjc)

# world NAME [MACRO]...: a directory with its own libMetal.so
world() {
    local name=$1
    shift
    mkdir -p "$out/$name"
    # Overrides that return otherwise than the base, and methods left out, are what is tested.
    "${objc[@]}" -Wno-objc-method-access -Wno-incomplete-implementation \
        -Wno-mismatched-return-types "${@/#/-D}" -shared -o "$out/$name/libMetal.so" \
        "$here/world.m" "${libs[@]}"
}

world full
world no-class WITHOUT_CLASS
world no-start WITHOUT_START
world no-family WITHOUT_FAMILY
world no-threadgroup WITHOUT_THREADGROUP
world no-working-set WITHOUT_WORKING_SET
world inherited WITHOUT_OWN_METHODS
world start-returns START_RETURNS

link=(-L"$out/full" "-Wl,--no-as-needed" -lMetal "${libs[@]}")
"$cc" -fPIC -Wall -Wextra -Werror -c -o "$out/start.o" "$here/start.c"
"${objc[@]}" -c -o "$out/wrap.o" "$here/wrap.m"
"$cc" -shared -o "$out/shim.so" "$out/wrap.o" "$out/start.o" "${link[@]}"
"${objc[@]}" -rdynamic -o "$out/driver" "$here/driver.m" "${link[@]}" -ldl
"${objc[@]}" -o "$out/metal-capabilities" "$shim/metal-capabilities.m" "${link[@]}"

# A second compiler's opinion, where its Objective-C is installed.
if gcc -x objective-c -fsyntax-only - </dev/null 2>/dev/null; then
    gcc -std=gnu17 -Wall -Wextra -Werror "${flags[@]}" -c -o "$out/wrap-gcc.o" "$here/wrap.m"
    gcc -shared -o "$out/shim-gcc.so" "$out/wrap-gcc.o" "$out/start.o" "${link[@]}"
fi
