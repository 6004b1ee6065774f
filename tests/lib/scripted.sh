# shellcheck shell=bash
# Sourced after e2e.sh: a toolchain whose compiler and linker are scripts, and checks that a run
# left nothing behind. A release with it takes a few dozen milliseconds.

# A project in DIR with its own pin; the programs are in DIR.bin, which comes first in PATH. Both
# work until `behave` says otherwise. Compilers are confined to their own folder, so the shell and
# the few programs that behaviours use are copies there.
scripted() { # DIR
    mkrepo "$1"
    mkdir -p "$repo/toolchain/sdk" "$repo/src" "$1.bin" "$1.out"
    bin=$(cd "$1.bin" && pwd -P)
    outs=$(cd "$1.out" && pwd -P)
    local tool
    for tool in sh cat cp sleep truncate ln; do
        cp -L "$(command -v "$tool")" "$bin/$tool"
    done
    cp "$bin/sleep" "$bin/sleeper"
    echo '{}' >"$repo/toolchain/sdk/SDKSettings.json"
    cat >"$repo/toolchain/scripted.yaml" <<'PIN'
name: scripted
family: llvm
compiler: {program: scripted-cc, version: "1.2.3"}
linker: {program: scripted-ld, version: "19.1.7"}
sdk: {path: toolchain/sdk, version: "14.0"}
PIN
    echo 'int main(void) { return 0; }' >"$repo/src/main.c"
    echo '#define UNUSED 1' >"$repo/src/main.h"
    cat >"$repo/hallmark.yaml" <<'RECIPE'
name: Scripted
version: "1"
toolchain: scripted
artifacts:
  - {name: prog, kind: executable, arch: arm64, min_macos: "13.0", sources: [src/main.c]}
RECIPE
    commit 'scripted: first'
    scripted_program scripted-cc 'clang version 1.2.3'
    scripted_program scripted-ld 'LLD 19.1.7'
    scripted_artifact "$bin/artifact"
    behave scripted-cc
    behave scripted-ld
    PATH=$bin:$PATH
}

# What the linker hands out: made once, by the pinned programs.
scripted_artifact() { # FILE
    local llvm=/usr/lib/llvm-19/bin
    [ -x "$llvm/clang" ] || llvm=$(dirname "$(command -v clang-19 || command -v clang)")
    "$llvm/clang" -target arm64-apple-macos13.0 -c "$repo/src/main.c" -o "$1.o" &&
        "$llvm/ld64.lld" -arch arm64 -platform_version macos 13.0 14.0 -fixup_chains \
            -init_offsets -syslibroot "$SRCDIR/toolchain/sdk" -lSystem "$1.o" -o "$1"
}

scripted_program() { # NAME VERSION
    cat >"$bin/$1" <<SCRIPT
#!$bin/sh
case \$* in
*--version*) echo '$2'; exit 0 ;;
*-print-resource-dir*) echo '$bin'; exit 0 ;;
esac
PATH=$bin
bin=$bin
while [ \$# -gt 0 ]; do
    case \$1 in
    -o) out=\$2; shift ;;
    -MF) dep=\$2; shift ;;
    -c) source=\$2; shift ;;
    esac
    shift
done
. '$bin/$1.behaviour'
SCRIPT
    chmod +x "$bin/$1"
}

# In TEXT: $source, $out, $dep are from the command line; \$bin/artifact is a linked program.
behave() { # PROGRAM [TEXT]: what it does when it is to work; without TEXT it works well
    local text=${2-}
    if [ $# -eq 1 ]; then
        case $1 in
        scripted-cc) text='echo object >$out; echo "$out: $source" >$dep' ;;
        scripted-ld) text='cp $bin/artifact $out' ;;
        esac
    fi
    printf '%s\n' "$text" >"$bin/$1.behaviour"
}

# Processes whose program is one of $bin, one a line.
toolchain_processes() {
    if [ -e /proc/self/exe ]; then
        find /proc/[0-9]*/exe -lname "$bin/*" -printf '%p %l\n' 2>/dev/null
    else
        ps ax -o comm= | grep -F "$bin/"
    fi
}

# Nothing beside the releases, in TMPDIR, in HOME (but the cache of digests) or in the repository;
# no process of the toolchain lives.
# shellcheck disable=SC2120 # scripts pass names
expect_clean() { # [NAME...]: what may lie in $outs
    expect_only "$outs" "$@"
    expect_only "$TMPDIR"
    local left
    left=$(find "$HOME" ! -type d ! -path "$HOME/.cache/hallmark/digests")
    [ -z "$left" ] || fail "left in HOME: $left"
    left=$(find "$PWD" -maxdepth 2 -name '*.hallmark-*')
    [ -z "$left" ] || fail "left beside the output: $left"
    left=$(toolchain_processes)
    [ -z "$left" ] || fail "still running: $left"
}

# The last command failed as it should: exit code, message, and nothing is left.
expect_refused() { # CODE REGEX
    expect_code "$1"
    expect_err "$2"
    expect_out_empty
    expect_clean
}
