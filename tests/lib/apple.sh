# shellcheck shell=bash
# Sourced after e2e.sh: releases on Apple's line, with a stand-in for the developer directory
# (tests/standin/make). $apple is that directory.

# Where the pins of these tests may start programs.
export HALLMARK_DEVELOPER_DIRS=$PWD

# The path has blanks on purpose.
apple="$PWD/Developer Tools/CommandLineTools"

standin() { # [--xcode] LIE...: makes it anew
    local layout=()
    if [ "${1-}" = --xcode ]; then
        layout=(--xcode)
        shift
    fi
    "$SRCDIR/tests/standin/make" ${layout[@]+"${layout[@]}"} "$apple" "$@" || fail 'no stand-in can be made'
}

# Its honest pin, as toolchain/standin.yaml of the repository DIR.
pin_standin() { # DIR
    mkdir -p "$1/toolchain"
    "$SRCDIR/tests/standin/pin" "$apple" standin >"$1/toolchain/standin.yaml"
}

# The project's own shim in the repository DIR, on that line.
apple_shim() { # DIR
    mkrepo "$1"
    cp -R "$SRCDIR/shim" "$repo/shim"
    sed 's/^toolchain: .*/toolchain: standin/' "$SRCDIR/shim/hallmark.yaml" \
        >"$repo/shim/hallmark.yaml"
    pin_standin "$1"
    commit 'shim: first'
}

# A small project in the repository DIR, on that line: two architectures, a universal file, a policy
# and a trial.
apple_project() { # DIR
    mkrepo "$1"
    mkdir "$repo/trials"
    cat >"$repo/small.m" <<'END'
#import <Foundation/Foundation.h>
#include <stdlib.h>
#include "small.h"
__attribute__((constructor)) static void start(void)
{
    NSLog(@"home is %s", getenv("HOME"));
}
int small_version(void) { return SMALL_VERSION; }
END
    printf '#define SMALL_VERSION 7\nextern int small_version(void);\n' >"$repo/small.h"
    cat >"$repo/trials/log.yaml" <<'END'
reason: the log names the home
environment: [HOME=/a]
expect:
  devices: [{yes: ["1001"], no: ["5001"]}]
  log: ["home is /a"]
END
    cat >"$repo/policy.yaml" <<'END'
rules:
  - id: no-shell
    reason: it starts nothing
    forbid: {strings: [/bin/sh], imports: [_system]}
END
    {
        printf 'name: Small\nversion: "7"\ntoolchain: standin\npolicy: policy.yaml\n'
        printf 'trials: trials\nartifacts:\n'
        apple_artifact Small-arm64.dylib arm64
        apple_artifact Small-arm64e.dylib arm64e
        echo '  - {name: Small.dylib, kind: universal, of: [Small-arm64.dylib, Small-arm64e.dylib]}'
    } >"$repo/hallmark.yaml"
    pin_standin "$1"
    commit 'small: first'
}

apple_artifact() { # NAME ARCH
    cat <<END
  - name: $1
    kind: dylib
    arch: $2
    min_macos: "13.0"
    sources: [small.m]
    install_name: "@rpath/Small.dylib"
    frameworks: [Foundation]
    cflags: [-O2, -Wall, -Wextra, -Werror]
    sign: {style: codesign, identifier: Small, page_size: 4096}
END
}

# Without Unicorn there are no trials: tells so and ends the script.
apple_needs_trials() {
    hm assay no-such-file
    grep -q 'without Unicorn' "$err" || return 0
    t "releases on Apple's line"
    skip 'this hallmark was built without Unicorn, and the projects have trials'
    finish
}

# Sums that fit the files of a release that was changed.
fit_sums() { # DIR
    rm -rf "$1/attestations"
    (cd "$1" && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' | sed 's,^\./,,' | LC_ALL=C sort |
        xargs sha256sum >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
}
