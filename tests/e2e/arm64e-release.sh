#!/usr/bin/env bash
# arch: arm64e in a recipe: what comes out is arm64e, the same again, and said of in the record;
# what would not run on the device does not come out.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
cat >"$repo/src/plain.c" <<'C'
extern int strcmp(const char *, const char *);
extern char *getenv(const char *);
typedef int compare(const char *, const char *);
static int backwards(const char *a, const char *b) { return -strcmp(a, b); }
compare *const plain_table[] = {backwards};
compare *chosen = backwards;
int plain_compare(int way, const char *a, const char *b)
{
    compare *one = way == 0 ? plain_table[0] : way == 1 ? chosen : strcmp;
    return getenv("PLAIN") != 0 ? strcmp(a, b) : one(a, b);
}
C
commit 'plain: first'
{
    recipe | sed 's/arch: arm64$/arch: arm64e/; s/Stranger\.dylib/Stranger-arm64e.dylib/'
    recipe | sed -n '/^  - name/,$p'
    cat <<'YAML'
  - name: plain.dylib
    kind: dylib
    arch: arm64e
    min_macos: "13.0"
    sources: [src/plain.c]
    install_name: "@rpath/plain.dylib"
    cflags: [-O2, -Wall, -Wextra, -Werror]
    sign: {style: linker}
YAML
} >stranger.yaml

# released DIR
released() {
    hm --quiet release --repo stranger --rev main --recipe-file stranger.yaml --out "$1"
    expect_code 0
}

# artifact NAME FILTER: what the record says of it
artifact() {
    run jq -rc --arg name "$1" ".predicate.buildDefinition.internalParameters.artifacts[]
        | select(.name == \$name) | $2" out/provenance.intoto.json
}

t 'releases arm64e beside arm64'
released out
run file out/Stranger-arm64e.dylib
expect_out_has 'arm64e (caps: PAC00)'
hm --json inspect out/Stranger-arm64e.dylib out/plain.dylib
expect_code 0
cp "$out" answer.json
run jq -c '.files[].slices[0] | [.arch, .capabilities, .fixups.pointer_format, .signature.valid]' answer.json
expect_out_is - <<'EOF'
["arm64e","PAC00",12,true]
["arm64e","PAC00",12,true]
EOF

t 'comes out the same again'
released again
rm -r again/attestations
cp -r out first
rm -r first/attestations
expect_same again first

t 'verifies, and derives from the repository'
hm verify out
expect_code 0
hm verify out --arch arm64e
expect_code 1
expect_out_has 'arch.mismatch'
hm --quiet audit out --repo stranger
expect_code 0
expect_out_has 'identical   Stranger-arm64e.dylib'

t 'arm64e of another ABI is not what the recipe asks for'
mkdir old-abi
hm verify --recipe stranger.yaml out/plain.dylib
expect_code 0
cp out/plain.dylib old-abi/plain.dylib
printf '\0' | dd of=old-abi/plain.dylib bs=1 seek=11 conv=notrunc status=none
hm sign --renew old-abi/plain.dylib
expect_code 0
hm verify --arch arm64e old-abi/plain.dylib
expect_code 0
hm verify --recipe stranger.yaml old-abi/plain.dylib
expect_code 1
expect_out '^finding arch.mismatch: old-abi/plain.dylib: cpusubtype$'
expect_out 'expected: 0x80000002'
expect_out 'actual: +0x00000002'

t 'the record says that a pass of hallmark made it, and that it has not run'
run jq -r '.predicate.buildDefinition.externalParameters.format' out/provenance.intoto.json
expect_out_is - <<<2
artifact Stranger.dylib .pass
expect_out_is - <<<null
artifact plain.dylib '.pass | .name, .ranOnAppleHardware, (.signedPointers[] | sub("0x[0-9a-f]* key"; "(backwards) key"))'
expect_out_is - <<'EOF'
arm64e
false
__DATA_CONST,__got+0x8: auth-bind _getenv key IA diversity 0x0000 address
__DATA_CONST,__const+0x0: auth-rebase (backwards) key IA diversity 0x0000
__DATA,__data+0x0: auth-rebase (backwards) key IA diversity 0x0000
EOF
artifact Stranger-arm64e.dylib '.cpusubtype, (.pass.signedPointers[] | select(contains("cfstring")))'
expect_out_is - <<'EOF'
0x80000002
__DATA_CONST,__cfstring+0x0: auth-bind ___CFConstantStringClassReference key DA diversity 0x6ae1 address
EOF
run cat out/PROVENANCE.md
expect_out_has "| made by | hallmark's pass \`arm64e\` from the linker's file; it has not run on Apple hardware |"
expect_out_has '| signed pointers | 3, each listed in `provenance.intoto.json` |'
expect_out_has "Whether Apple's loader takes it was not tried."
expect_out_has '$TOOLCHAIN/ld64.lld -arch arm64 -dylib -install_name @rpath/plain.dylib'

t 'a release without arm64e keeps the first format'
recipe >plain.yaml
hm --quiet release --repo stranger --rev main --recipe-file plain.yaml --out old
expect_code 0
run jq -r '.predicate.buildDefinition.externalParameters.format' old/provenance.intoto.json
expect_out_is - <<<1
expect_not grep -q 'pass' old/provenance.intoto.json
expect_not grep -q 'Apple.s loader' old/PROVENANCE.md

# claimed FILTER: the record changed by it, with sums that fit
claimed() {
    rm -rf forged
    cp -r out forged
    jq "$1" out/provenance.intoto.json >forged/provenance.intoto.json
    (cd forged && find . -type f ! -name SHA256SUMS ! -path './attestations/*' -printf '%P\n' |
        LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
    hm verify forged
    expect_code 1
}
artifacts='.predicate.buildDefinition.internalParameters.artifacts'

t 'a record that says other things of it is found out'
claimed "${artifacts}[0].pass = null"
expect_out 'provenance.claim.*pass'
claimed "${artifacts}[2].pass.signedPointers[0] |= sub(\"IA\"; \"IB\")"
expect_out 'provenance.claim.*plain.dylib: signed pointers'
claimed "${artifacts}[1].pass = ${artifacts}[0].pass"
expect_out 'provenance.claim.*pass'
claimed '.predicate.buildDefinition.externalParameters.format = 1'
expect_out 'provenance.claim.*format'

# refused MESSAGE: the source on standard input makes no release.
refused() {
    cat >"$repo/src/shim.m"
    commit 'shim: another'
    hm --quiet release --repo stranger --rev main --recipe-file refused.yaml --out refused
    expect_code 3
    expect_err_has "$1"
    expect_no_file refused
}
recipe | sed 's/arch: arm64$/arch: arm64e/' >refused.yaml

t 'refuses what the compiler leaves unsigned'
refused "section '__DATA_CONST,__objc_classlist'" <<'C'
#import <Foundation/Foundation.h>
@interface Thing : NSObject
@end
@implementation Thing
@end
C
refused "the import of '__NSConcreteGlobalBlock': the compiler does not sign blocks" <<'C'
#import <Foundation/Foundation.h>
void (^block)(void) = ^{ NSLog(@"x"); };
C
refused 'the import of '\''__NSConcreteStackBlock'\'': the compiler does not sign blocks' <<'C'
#import <Foundation/Foundation.h>
void take(int x) { [NSThread detachNewThreadWithBlock:^{ NSLog(@"%d", x); }]; }
C
refused 'jumps to a register without authenticating it' <<'C'
void call(void (^block)(void)) { block(); }
C
refused "section '__DATA,__thread_vars' (type 0x13): thread-local variables" <<'C'
_Thread_local int mine;
int get(void) { return mine; }
C
refused "the import of '_puts' at __DATA,__data+0x0" <<'C'
extern int puts(const char *);
int (*say)(const char *) = puts;
C
refused 'pointers that the compiler was to sign (@AUTH) and left unsigned' <<'C'
extern int maybe(int) __attribute__((weak_import));
#include <stdlib.h>
extern void abort(void) __attribute__((weak_import));
void stop(void) { if (abort) abort(); }
C

t 'refuses signatures that it cannot give'
refused "'src/shim.m' has a pointer in data that is signed in another way" <<'C'
int f(int x) { return x; }
void *odd = __builtin_ptrauth_sign_constant(&f, 1, 77);
C
refused "wants 1 pointers in the data of 'Stranger.dylib' signed, but 0 of them lead to functions" <<'C'
int data;
void *odd = __builtin_ptrauth_sign_constant(&data, 0, 0);
C
refused 'is signed in another way' <<'C'
int go(int i) { static void *const t[] = {&&a, &&b}; goto *t[i & 1]; a: return 4; b: return 5; }
C

t 'refuses a label whose address the code takes'
refused 'takes the address of code that is no function' <<'C'
int go(int i) { void *volatile t = &&a; if (i) t = &&b; goto *t; a: return 4; b: return 5; }
C

finish
