# shellcheck shell=bash
# Sourced after e2e.sh: dylibs of small sources, compiled and linked for macOS as a recipe has it.

sdk=$SRCDIR/toolchain/sdk

# Skips the whole script, as the case NAME, where nothing can be tried.
needs_trials() { # NAME
    needs "$1" clang-19 ld64.lld-19
    hm assay no-such-file
    grep -q 'without Unicorn' "$err" || return 0
    t "$1"
    skip 'hallmark was built without Unicorn'
    finish
}

# shellcheck disable=SC2317 # called through expect
compile() { # ARCH SOURCE OBJECT [FLAG...]
    local arch=$1 source=$2 object=$3
    shift 3
    [ "$arch" != arm64e ] ||
        set -- -fptrauth-intrinsics -fptrauth-calls -fptrauth-returns -fptrauth-auth-traps \
            -fptrauth-indirect-gotos -fptrauth-init-fini -fno-jump-tables -mno-outline "$@"
    clang-19 --no-default-config -target "$arch-apple-macos13.0" -isysroot "$sdk" "$@" \
        -c "$source" -o "$object"
}

# Also objects for arm64e: what the pass makes of them comes later.
# shellcheck disable=SC2317 # called through expect
link() { # OBJECT OUT [FLAG...]: an executable, unless the flags say otherwise
    local object=$1 linked=$2
    shift 2
    ld64.lld-19 -arch arm64 -platform_version macos 13.0 14.0 -syslibroot "$sdk" -fixup_chains \
        -init_offsets "$@" -lSystem "$object" -o "$linked"
}

# shellcheck disable=SC2317 # called through expect
link_dylib() { # OBJECT OUT NAME [FLAG...]: with the install name @rpath/NAME
    local object=$1 linked=$2 name=$3
    shift 3
    link "$object" "$linked" -dylib -install_name "@rpath/$name" -framework Foundation \
        -framework Metal -lobjc "$@"
}

# shellcheck disable=SC2317 # called through expect
build() { # NAME [LINKER FLAG...]: NAME.c, or else NAME.m, becomes NAME.dylib
    local name=$1 source=$1.c
    shift
    [ -e "$source" ] || source=$name.m
    compile arm64 "$source" "$name.o" -O1 && link_dylib "$name.o" "$name.dylib" "$name.dylib" "$@"
}

# ends NAME BODY ID TEXT [DECLARATION]: a constructor with that body ends the process with that
# finding. The script has a function that makes x.dylib of it: start BODY [DECLARATION].
ends() {
    t "ends: $1"
    start "$2" "${5-}"
    hm assay x.dylib
    expect_code 1
    expect_out_has "finding $3: "
    expect_out_has "$4"
}
