#!/usr/bin/env bash
# hallmark assay on arm64e: pointer authentication is really on. Each way in which a linker can be
# wrong is caught, with the instruction and the fix-up that it comes from.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/dylib.sh"

needs_trials 'pointers are authenticated'

# authenticated SOURCE NAME: NAME.linked is what lld makes, NAME.dylib what the pass makes of it
# shellcheck disable=SC2317 # called through expect
authenticated() {
    compile arm64e "$1" "$2.o" -O2 -fvisibility=hidden && link_dylib "$2.o" "$2.linked" "$2.dylib" &&
        "$TESTBIN/tools/arm64e" "$2.linked" "$2.dylib"
}

# The number of the first signed fix-up of that name.
number() { # NAME SYMBOL
    "$TESTBIN/tools/break_fixup" "$1.dylib" | sed -n "s/^\([0-9]*\) $2\$/\1/p" | head -1
}

broken() { # NAME HOW SYMBOL: broken.dylib
    rm -f broken.dylib
    expect "$TESTBIN/tools/break_fixup" "$1.dylib" broken.dylib "$2" "$(number "$1" "$3")"
}

cat >shim.m <<'END'
#import <Foundation/Foundation.h>
#include <stdlib.h>
__attribute__((constructor)) static void start(void)
{
    NSLog(@"home is %s", getenv("HOME"));
}
END
cat >table.c <<'END'
#include <stdio.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
static int (*const volatile table[])(void) = {one, two};
__attribute__((constructor)) static void start(void)
{
    for (unsigned i = 0; i < 2; i++)
        printf("%d\n", table[i]());
}
END
expect authenticated shim.m shim
expect authenticated table.c table
printf 'reason: x\nenvironment: [HOME=/here]\nexpect: {log: ["home is /here"]}\n' >shim.yaml

t 'what the pass made runs'
hm assay shim.dylib --env HOME=/here
expect_code 0
expect_out_has 'log: home is /here'
hm assay shim.dylib --trial shim.yaml
expect_code 0
expect_out_has 'good: shim.dylib'
hm assay table.dylib
expect_code 0

t 'the pass left out: the constant string is not signed'
expect "$TESTBIN/tools/break_fixup" shim.linked raw.dylib header
hm assay raw.dylib --env HOME=/here
expect_code 1
expect_out_has 'finding assay.authentication: '

for how in unsigned key diversity address; do
    t "a stub's slot: $how"
    broken shim "$how" _getenv
    hm assay broken.dylib --env HOME=/here
    expect_code 1
    expect_out_has 'finding assay.authentication: broken.dylib: address 0x'
    expect_out_has 'instruction 0xd71f'
    expect_out_has 'expected: a pointer that authenticates'
    expect_out_has 'from the fix-up at __DATA_CONST,__got+0x'
    expect_out_has '_getenv'

    t "the isa of a constant string: $how"
    broken shim "$how" ___CFConstantStringClassReference
    hm assay broken.dylib --env HOME=/here
    expect_code 1
    expect_out_has 'finding assay.authentication: isa of the constant string'
    expect_out_has 'key DA, diversity 0x6ae1 and address diversity'
    hm assay broken.dylib --trial shim.yaml
    expect_code 1
    expect_out_has 'bad: broken.dylib: '

    t "a code pointer in data: $how"
    broken table "$how" rebase
    hm assay broken.dylib
    expect_code 1
    expect_out_has 'finding assay.authentication: broken.dylib: address 0x'
    expect_out_has 'from the fix-up at __DATA'
done

t 'arm64 and arm64e do not go into one process'
cat >main.c <<'END'
int main(void) { return 3; }
END
expect compile arm64 main.c main.o
expect link main.o main
hm assay shim.dylib --main main
expect_code 3
expect_err_has 'an arm64 image does not go into an arm64e process'
finish
