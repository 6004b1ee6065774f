#!/usr/bin/env bash
# Links an executable for arm64 of a hundred megabytes that do not compress.
#
# usage: tests/bench/large-executable.sh OUT
set -eu
llvm=/usr/lib/llvm-19/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -c 100000000 /dev/urandom >"$work/random"
cat >"$work/large.s" <<EOF
    .section __TEXT,__text,regular,pure_instructions
    .globl _main
    .p2align 2
_main:
    mov w0, #0
    ret
    .section __TEXT,__const
    .incbin "$work/random"
EOF
"$llvm/clang" --no-default-config -target arm64-apple-macos13.0 -c "$work/large.s" -o "$work/large.o"
"$llvm/ld64.lld" -arch arm64 -platform_version macos 13.0 14.0 -e _main "$work/large.o" -o "$1"
