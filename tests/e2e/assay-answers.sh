#!/usr/bin/env bash
# hallmark assay: what a dylib answers, logs and prints in an emulated process, and what ends one.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/dylib.sh"

hm assay no-such-file
if grep -q 'without Unicorn' "$err"; then
    t 'says that it was built without Unicorn'
    expect_code 7
    expect_err_has 'hint: '
    finish
fi
needs 'answers' clang-19 ld64.lld-19

constructor() { # BODY: a C file that has it
    printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n%s\n' \
        "__attribute__((constructor)) static void start(void) { $1 }"
}
start() { # BODY: x.dylib with that constructor
    constructor "$1" >x.c
    expect build x
}

cat >raise.m <<'END'
#import <Foundation/Foundation.h>
#import <objc/runtime.h>
#include <stdlib.h>
static unsigned long long more(id self, SEL selector) { return 4096; }
__attribute__((constructor)) static void start(void)
{
    Method method = class_getInstanceMethod(objc_getClass("_MTLDevice"), @selector(maxThreadgroupMemoryLength));
    if (method != NULL && getenv("RAISE") != NULL)
        method_setImplementation(method, (IMP)(void (*)(void))more);
    NSLog(@"%s %d %5u %x %@ 100%%", getenv("RAISE"), -3, 7u, 255, @"text");
}
END
expect build raise

t 'asks everything when nothing is expected'
hm assay raise.dylib
expect_code 0
expect_out_is - <<'EOF'
device 0, families 1001 to 1008: yes
device 0, families 1009 to 1012: no
device 0, family 2001: no
device 0, family 2002: yes
device 0, families 3001 to 3003: yes
device 0, families 5001 to 5002: no
device 0, threadgroup memory: 32768
device 0, working set: 1073741824
log: (null) -3     7 ff text 100%
EOF

t 'the environment is the one that is given'
hm assay raise.dylib --env RAISE=a --env RAISE=b
expect_code 0
expect_out_has 'device 0, threadgroup memory: 4096'
expect_out_has 'log: b -3 '
RAISE=x hm assay raise.dylib
expect_out_has 'log: (null) -3 '

t 'a trial says what is expected, and each difference is told'
cat >good.yaml <<'END'
reason: r
each: [RAISE=1, RAISE=2]
expect:
  devices: [{threadgroup_memory: 4096, yes: ["1001-1008"], no: ["1009"]}]
END
hm assay raise.dylib --trial good.yaml
expect_code 1
expect_out_has 'with RAISE=1'
expect_out_has 'finding assay.log: line 1 of the log'
expect_out_has 'bad: raise.dylib: 2 findings'
sed -i 's/^each: .*/environment: [RAISE=1]/' good.yaml
echo '  log: ["1 -3     7 ff text 100%"]' >>good.yaml
hm assay raise.dylib --trial good.yaml
expect_code 0
expect_out_has 'good: raise.dylib'
sed 's/4096/1/; s/"1009"/"1008"/' good.yaml >bad.yaml
hm assay raise.dylib --trial bad.yaml
expect_code 1
expect_out_has 'finding assay.answer: device 0, threadgroup memory'
expect_out_has 'expected: 1'
expect_out_has 'actual:   4096'
expect_out_has 'finding assay.answer: device 0, family 1008'
expect_out_has 'bad: raise.dylib: 2 findings'

t 'JSON'
hm --json assay raise.dylib --trial bad.yaml
expect_code 1
# shellcheck disable=SC2016 # not for this shell
expect sh -c 'jq -e ".verdict == \"findings\" and (.runs | length) == 1 and .runs[0].checks == 11 and
    (.runs[0].findings | map(.id)) == [\"assay.answer\", \"assay.answer\"] and
    (.runs[0].transcript | length) > 3" <"$1"' sh "$out"

t 'starts an executable'
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s|", argv[i]);
    puts(getenv("RAISE"));
    fprintf(stderr, "not to be seen\n");
    if (argc > 2)
        exit(9);
    return 300;
}
END
expect compile arm64 main.c main.o
expect link main.o main
hm assay raise.dylib --main main --env RAISE=r --argument 'a b'
expect_code 0
expect_out_has 'output: a b|r'
expect_out_has 'exit: 44'
hm assay raise.dylib --main main --env RAISE=r --argument 1 --argument 2
expect_out_has 'exit: 9'
cat >main.yaml <<'END'
reason: r
main: main
arguments: [x]
environment: [RAISE=r]
expect: {exit: 44, output: ["x|r"], log: ["r -3     7 ff text 100%"]}
END
hm assay raise.dylib --trial main.yaml
expect_code 0
sed 's/x|r/y|r/; s/44/45/' main.yaml >bad.yaml
hm assay raise.dylib --trial bad.yaml
expect_code 1
expect_out_has 'finding assay.output: line 1 of the output'
expect_out_has 'finding assay.output: exit code'

t 'a trial may have as many classes as its list'
{
    printf 'reason: r\nenvironment: [RAISE=r]\nclasses:\n'
    for i in $(seq 255); do
        echo "  - {name: C$i, families: []}"
    done
    echo '  - {name: _MTLDevice, families: [], threadgroup_memory: 1}'
    echo 'expect: {devices: [{no: ["1"], threadgroup_memory: 4096}], log: ["r -3     7 ff text 100%"]}'
} >many.yaml
hm assay raise.dylib --trial many.yaml
expect_code 0

ends 'a loop' 'for (;;) __asm__ volatile("");' assay.limit 'all instructions are used up'
ends 'a wild read' 'putchar(*(volatile char *)0x7000000000);' assay.fault 'a read of 0x7000000000'
ends 'a write to code' '*(volatile char *)start = 0;' assay.fault 'a write to 0x1'
ends 'a wild jump' '((void (*)(void))0x7000000000)();' assay.fault 'a branch to 0x7000000000'
ends 'brk' '__builtin_trap();' assay.trap 'x.dylib: address 0x'
ends 'svc' '__asm__ volatile("svc #0x80");' assay.trap 'an instruction that a process may execute'
ends 'deep recursion' 'volatile char big[65536]; big[0] = 1; start(); putchar(big[0]);' assay.fault 'a write to'
ends 'abort' 'abort();' assay.call 'call of _abort'
ends 'a bad pointer' 'puts((char *)16);' assay.call 'call of _puts'
ends 'an unknown conversion' 'printf("%n", (int *)0);' assay.call "a conversion that is known"
ends 'a length' 'memset((void *)1, 0, 1ull << 40);' assay.call 'a length that fits the process'

t 'texts, numbers and memory are those of a C library'
constructor '
    char text[8] = "x", *end = NULL;
    char *copy = strdup("a=b=c");
    volatile int zero = 0, seven = 7;
    printf("%d %d %d|", strncmp("abc", "abd", 2 + zero), strncmp("abc", "abd", 3 + zero), strncmp("b", "a", 9 + zero));
    printf("%s %s %s %p|", strchr(copy, 61), strrchr(copy, 61), strstr(copy, "b="), (void *)strchr(copy, 122));
    printf("%d %s|", snprintf(text, 4 + zero, "%s%d", copy, seven), text);
    printf("%d %zu|", snprintf(NULL, 0, "%d", seven), strlen(strchr(copy, 0)));
    printf("%d %s|", snprintf(text, 4 + zero, ""), text);
    printf("%d %ld %s|", atoi(" -12x"), strtol("0x1fg", &end, 16), end);
    printf("%llu %d|", strtoull("18446744073709551616", &end, 0), errno);
    printf("%ld %lu|", strtol("-5", NULL, 0), strtoul("017", NULL, 0));
    errno = 0;
    printf("%ld %d|", strtol("7", NULL, 1 + zero), errno);
    printf("%d %d|", memcmp("ab", "ac", 2 + zero), memcmp("ab", "ac", 1 + zero));
    char *block = calloc(3, 5), *other = malloc(0 + zero);
    printf("%d %d|", block != other, block[14]);
    free(block), free(other), free(NULL);
' >main.c
sed -i 's/__attribute__.*start(void) {/#include <errno.h>\nint main(void) {/' main.c
expect compile arm64 main.c main.o -fno-builtin -Wno-format
expect link main.o main
hm assay raise.dylib --main main
expect_code 0
expect_out_has 'output: 0 -1 1|=b=c =c b=c 0x0|6 a=b|1 0|0 |-12 31 g|18446744073709551615 34|-5 15|0 22|-1 0|1 0|'

ends 'too much memory' 'putchar(*(char *)malloc(1ull << 40));' assay.call 'a length that fits the process'
ends 'a text without an end' 'static char a[70000]; memset(a, 65, sizeof a); putchar(strncmp(a, a + 1, 66000));' assay.call 'a text that ends'
ends 'items whose size overflows' 'putchar(*(char *)calloc(1ull << 40, 1ull << 40));' assay.call 'a length that fits the process'

t 'the manual lists what the world has'
sed -n 's/^ *{"_\([A-Za-z_]*\)", [a-z_]*},$/\1/p' "$SRCDIR"/src/assay/world_*.c >names
expect test "$(wc -l <names)" -gt 50
sed -n '/^.Ss The world of a trial/,/^.Sh/p' "$SRCDIR/src/hallmark.1" >manual
while IFS= read -r name; do
    case $name in ___* | __error | __stack_chk_fail) continue ;; esac
    grep -qE "(^| )$name( |\$)" manual || fail "the manual does not name $name"
done <names

t 'an import that the world does not know is a finding'
cp -R "$sdk" sdk
sed -i 's/\(symbols: *\[\)/\1 _system,/' sdk/usr/lib/libSystem.tbd
sdk=$PWD/sdk
cat >x.c <<'END'
extern int system(const char *);
__attribute__((constructor)) static void start(void) { system("ls"); }
END
expect build x
hm assay x.dylib
expect_code 1
expect_out_has 'finding assay.import: x.dylib'
expect_out_has "actual:   '_system' of /usr/lib/libSystem.B.dylib"
expect_out_has 'The world of a trial'
sdk=$SRCDIR/toolchain/sdk

t 'classes of its own are not guessed at'
cat >own.m <<'END'
#import <Foundation/Foundation.h>
@interface Own : NSObject
@end
@implementation Own
@end
END
cp own.m x.m
rm x.c
if build x -undefined dynamic_lookup 2>/dev/null; then
    hm assay x.dylib
    expect_code 1
    expect_out_has 'finding assay.'
else
    echo '# the SDK has no symbols for classes'
fi

t 'refuses what it cannot load'
"$TESTBIN/tools/macho_make" small >small.dylib
for file in raise.m small.dylib; do
    hm assay "$file"
    expect_code 3
    expect_err_has "assaying '$file'"
done
head -c 20000 raise.dylib >cut.dylib
hm assay cut.dylib
expect_code 3
hm assay raise.dylib --trial raise.m
expect_code 3
hm assay raise.dylib --main none
expect_code 3
expect_err_has "'none'"

t 'usage'
for words in '' 'a b' 'raise.dylib --env X' 'raise.dylib --argument x'; do
    # shellcheck disable=SC2086 # words
    hm assay $words
    expect_code 2
done
finish
