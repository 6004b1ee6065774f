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
