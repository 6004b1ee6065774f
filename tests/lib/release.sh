# shellcheck shell=bash
# Sourced after e2e.sh: repositories to cut releases from.

# A stranger's project in DIR, which knows nothing of hallmark, and a recipe for it in DIR.yaml.
third_party() { # DIR
    mkrepo "$1"
    mkdir "$repo/src"
    cat >"$repo/src/shim.m" <<'END'
#import <Foundation/Foundation.h>
#import <objc/runtime.h>
#include "shim.h"

static IMP original;

static id answer(id self, SEL command)
{
    NSLog(@"asked for %@", NSStringFromSelector(command));
    return ((id (*)(id, SEL))original)(self, command);
}

__attribute__((constructor)) static void start(void)
{
    Method method = class_getInstanceMethod([NSProcessInfo class], @selector(processName));
    if (method != NULL)
        original = method_setImplementation(method, (IMP)answer);
}

int shim_version(void) { return SHIM_VERSION; }
END
    printf '#define SHIM_VERSION 7\nextern int shim_version(void);\n' >"$repo/src/shim.h"
    echo 'A shim.' >"$repo/README"
    commit 'shim: first'
    recipe >"$1.yaml"
}

recipe() {
    cat <<'END'
name: Stranger
version: "7.0"
toolchain: llvm-19
artifacts:
  - name: Stranger.dylib
    kind: dylib
    arch: arm64
    min_macos: "13.0"
    sources: [src/shim.m]
    install_name: "@rpath/Stranger.dylib"
    frameworks: [Foundation]
    cflags: [-O2, -Wall, -Wextra, -Werror]
END
}

# A project in DIR with its own pin of a compiler and a linker that are scripts in DIR.bin, which
# must come first in PATH; both write what they are told to write, or misbehave as BEHAVIOUR says.
scripted_toolchain() { # DIR
    mkrepo "$1"
    mkdir -p "$repo/toolchain/sdk" "$1.bin"
    echo '{}' >"$repo/toolchain/sdk/SDKSettings.json"
    cat >"$repo/toolchain/scripted.yaml" <<'END'
name: scripted
family: llvm
compiler: {program: scripted-cc, version: "1.2.3"}
linker: {program: scripted-ld, version: "1.2.3"}
sdk: {path: toolchain/sdk, version: "14.0"}
END
    echo 'int main(void) { return 0; }' >"$repo/main.c"
    cat >"$repo/hallmark.yaml" <<'END'
name: Scripted
version: "1"
toolchain: scripted
artifacts:
  - {name: prog, kind: executable, arch: arm64, min_macos: "13.0", sources: [main.c]}
END
    commit 'scripted: first'
    scripted_program "$1.bin/scripted-cc" compile
    scripted_program "$1.bin/scripted-ld" link
    PATH=$(cd "$1.bin" && pwd):$PATH
}

# The behaviour comes from a file, since compilers are run with a closed environment.
scripted_program() { # PATH STEP
    cat >"$1" <<END
#!/bin/sh
case \$* in
*--version*) echo "clang version 1.2.3, LLD 1.2.3"; exit 0 ;;
*-print-resource-dir*) echo /usr/lib; exit 0 ;;
esac
. '$1.behaviour'
END
    echo 'exit 0' >"$1.behaviour"
    chmod +x "$1"
}

behave() { # PROGRAM TEXT: what the scripted program does when it is to work
    printf '%s\n' "$2" >"$1.behaviour"
}
