#!/usr/bin/env bash
# hallmark release: a toolchain that is not the pinned one is refused (exit code 4), expected and
# found are shown, and nothing is left behind.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger || exit 1
with_toolchain stranger
cp stranger/toolchain/llvm-19.yaml good.yaml

pinned() { # SED-COMMAND: the pin of the tree, changed
    sed "$1" good.yaml >stranger/toolchain/llvm-19.yaml
    ! cmp -s good.yaml stranger/toolchain/llvm-19.yaml || fail "the sed command changes nothing: $1"
    commit pin
    hm release --rev HEAD --repo stranger --recipe-file stranger.yaml --out release
}

refused() { # MESSAGE
    expect_code 4
    expect_err "$1"
    expect_out_empty
    expect_no_file release
    expect_only . good.yaml stranger stranger.yaml
    expect_only "$TMPDIR"
}

t 'another version'
pinned '/^compiler:/s/19.1.7/19.1.8/'
refused "toolchain 'llvm-19' does not match this machine: compiler 'clang': expected version 19.1.8, found version 19.1.7 \\('/.*clang.*'\\)\$"
expect_err '^  hint: .*19'

t 'another version of the linker'
pinned '/^linker:/s/19.1.7/19.1.6/'
refused "linker 'ld64.lld': expected version 19.1.6, found version 19.1.7"

t 'a major version that is not installed'
pinned 's/19\.1\.7/77.1.0/; s/program: clang/program: clang-of-nowhere/; s/program: ld64.lld/program: lld-of-nowhere/'
refused "compiler 'clang-of-nowhere': expected version 77.1.0, found none on this machine; linker 'lld-of-nowhere': expected version 77.1.0, found none on this machine"

t 'a build that is not listed'
pinned 's/: sha256:...../: sha256:00000/'
refused "toolchain 'llvm-19' does not list this machine's build: expected debian-12-amd64 \\(compiler sha256:00000[0-9a-f]{59}, linker sha256:00000[0-9a-f]{59}\\) or .*; found compiler sha256:[0-9a-f]{64}, linker sha256:[0-9a-f]{64}\$"
expect_err '^  hint: audit accepts every build of the version'

t "Apple's line where Apple's tools are not: what to install, and what can be used instead"
if [ -d /Library/Developer/CommandLineTools ]; then
    skip 'this machine has them'
else
    cp good.yaml stranger/toolchain/llvm-19.yaml
    commit pin
    hm release --rev HEAD --repo stranger --recipe-file stranger.yaml --out release \
        --toolchain apple-clt-26.4
    refused "toolchain 'apple-clt-26.4' needs package com.apple.pkg.CLTools_Executables 26.4.0.0.1774242506 in '/Library/Developer/CommandLineTools', which is not on this machine\$"
    expect_err '^  hint: on a Mac, install Command Line Tools for Xcode 26.4 .*; toolchains that this machine has: llvm-19$'
fi

t 'a pin of the tree with a mistake is invalid input'
pinned 's/^sdk:/skd:/'
expect_code 3
expect_err_has "unknown key 'skd' in 'toolchain/llvm-19.yaml' line"
expect_no_file release

t 'a program that is no compiler is asked for its version only'
mkdir bin
cat >bin/clang-of-nowhere <<END
#!/bin/sh
echo "\$*" >>"$PWD/asked"
echo 'some version 77.1.0'
END
cp bin/clang-of-nowhere bin/lld-of-nowhere
chmod 755 bin/*
PATH=$PWD/bin:$PATH
pinned 's/19\.1\.7/77.1.0/; s/program: clang/program: clang-of-nowhere/; s/program: ld64.lld/program: lld-of-nowhere/'
expect_code 4
expect_err 'its answer to --version is not understood'
run sort -u asked
expect_out_is - <<'END'
--version
END
expect_no_file release

finish
