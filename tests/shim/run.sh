#!/bin/bash
# Runs every test of the shim: on Linux against a stand-in Metal, and as a build for macOS.
# Prints `ok - name`, `not ok - name: reason` or `skip - name: reason`; exits 1 on a failure.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC1091
. "$here/lib.sh"
broken=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

bash "$here/build.sh" "$scratch" || broken=1

if ! command -v clang-19 >/dev/null; then
    skip "shim on Linux" "clang-19 is not installed"
elif [ ! -e /usr/include/GNUstep/Foundation/Foundation.h ]; then
    skip "shim on Linux" "GNUstep is not installed (libgnustep-base-dev)"
elif [ ! -e "$(gcc -print-file-name=include)/objc/runtime.h" ]; then
    skip "shim on Linux" "the GCC Objective-C runtime is not installed (gobjc)"
elif ! message=$(env -u LIBRARY_PATH -u CPATH bash "$here/world/build.sh" "$scratch/world" 2>&1); then
    not_ok "world builds on Linux" "$message"
else
    bash "$here/behaviour.sh" "$scratch/world" || broken=1
    bash "$here/probe.sh" "$scratch/world" || broken=1
fi
[ $broken -eq 0 ] || exit 1
finish
