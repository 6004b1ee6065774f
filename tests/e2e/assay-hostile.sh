#!/usr/bin/env bash
# hallmark assay against a dylib that wants out: of its limits, of its level, of what it may touch.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/dylib.sh"

needs_trials 'hostile dylibs'

start() { # BODY [DECLARATION]: a dylib with that constructor
    {
        echo '#import <Foundation/Foundation.h>'
        printf '#import <objc/runtime.h>\n#include <pthread.h>\n#include <stdio.h>\n'
        printf '#include <stdlib.h>\n#include <string.h>\n%s\n' "${2-}"
        printf 'static void quiet(void) {}\n'
        printf '__attribute__((constructor)) static void start(void) { quiet(); %s }\n' "$1"
    } >x.m
    expect build x
}
heap=0x400000000ul # where the process has its heap
fill="memset((char *)$heap, 'a', 65000);"

# The level of a process.
for register in sctlr_el1 cntvct_el0 S3_3_C2_C4_0 midr_el1; do
    ends "reading $register" "unsigned long x; __asm__ volatile(\"mrs %0, $register\" : \"=r\"(x));" \
        assay.trap 'an instruction that a process may execute'
done
ends 'switching authentication off' '__asm__ volatile("msr sctlr_el1, xzr");' assay.trap 'actual: '
ends 'waiting for an interrupt' '__asm__ volatile("wfi");' assay.trap '0xd503207f'

# What is not its own.
ends 'reading the page of the emulator' 'putchar(*(volatile char *)0x1000);' assay.fault 'a read of 0x1000'
ends 'a loop on the page of the emulator' \
    'memcpy((void *)0x1080, (void *)start_of_loop, count); ((void (*)(void))0x1080)();' \
    assay.call 'actual:   0x1080' 'static const volatile unsigned start_of_loop[2] = {0x14000000}; static volatile unsigned long count = 8;'
ends 'code that others write' \
    'memcpy((void *)quiet, (void *)start_of_loop, count);' assay.call \
    'an address that the process may write to' \
    'static const volatile unsigned start_of_loop[2] = {0x14000000}; static volatile unsigned long count = 8; static void quiet(void);'
ends 'a constant that was fixed up' 'void **at = (void **)table; __asm__ volatile("" : "+r"(at)); *at = 0;' \
    assay.fault 'a write to 0x' 'static void quiet(void); static void (*const table[])(void) = {quiet};'

# Work that others do counts.
ends 'filling memory for ever' "for (;;) memset((void *)$heap, 0, 16000000);" assay.limit 'used up'
ends 'measuring a text for ever' "$fill for (;;) strlen((char *)$heap);" assay.limit 'used up'
ends 'selectors for ever' "$fill for (unsigned long i = 0;; i++) sel_registerName((char *)$heap + i % 65000);" \
    assay.limit 'used up'
ends 'locks for ever' \
    "pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER; char *at = (char *)$heap; for (int i = 0;; i++) { memcpy(at + 64 * i, &plain, sizeof plain); pthread_mutex_trylock((void *)(at + 64 * i)); }" \
    assay.call 'fewer locks'
ends 'a log for ever' 'for (;;) NSLog(@"%4000d", 1);' assay.call 'fewer lines'

t 'a signal ends a dylib that lets others work at once, and leaves nothing'
cat >x.yaml <<'END'
reason: as long as it takes
classes: [{name: _MTLDevice, families: []}]
expect: {devices: [{no: ["0-4095"]}]}
END
start "for (;;) { quiet(); memmove((void *)$heap, (void *)$heap, 4); }"
for signal in INT TERM; do
    "$HALLMARK" assay x.dylib --trial x.yaml >said 2>&1 &
    pid=$!
    sleep 0.3
    kill -s $signal $pid 2>/dev/null
    wait $pid
    code=$?
    # It may have come to its limit before; a signal that it saw is one that it ends by.
    [ $code -eq 1 ] || expect [ $code -eq $((128 + $(kill -l $signal))) ]
done
expect_only . said x.dylib x.m x.o x.yaml

# What a caller relies on.
ends 'registers that are not restored' '__asm__ volatile("mov x19, #7");' assay.call 'x19 is another'
ends 'a mutex that was never made' 'static pthread_mutex_t m; memset(&m, 0, sizeof m); pthread_mutex_lock(&m);' \
    assay.call 'a mutex of PTHREAD_MUTEX_INITIALIZER'
ends 'a text for a selector' 'class_getInstanceMethod(objc_getClass("_MTLDevice"), (SEL)(void *)"supportsFamily:");' \
    assay.call "the text 'supportsFamily:'"

t 'a BOOL is YES or NO in all of its 32 bits'
start 'Method m = class_getInstanceMethod(objc_getClass("_MTLDevice"), @selector(supportsFamily:)); method_setImplementation(m, (IMP)(void (*)(void))odd);' \
    'static int odd(void) { return 0x100; }'
hm assay x.dylib
expect_code 1
expect_out_has 'YES (1) or NO (0)'
expect_out_has 'actual:   0x100'

t 'answers of the runtime'
start 'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    Class c = objc_getClass("_MTLDevice"); SEL s = @selector(supportsFamily:);
    Method f = class_getInstanceMethod(c, s);
    NSLog(@"%d %d", pthread_mutex_trylock(&m), pthread_mutex_trylock(&m));
    NSLog(@"%s", sel_getName(NULL));
    NSLog(@"%d", s == sel_registerName("supportsFamily:"));
    NSLog(@"%d", method_setImplementation(f, NULL) == NULL && method_getImplementation(f) != NULL);'
hm assay x.dylib
expect_code 0
grep '^log' "$out" >log
cat >wanted <<'EOF'
log: 0 16
log: <null selector>
log: 1
log: 1
EOF
expect_same log wanted

t 'a method that is fixed stays, whichever way it is asked for'
start 'Class c = objc_getClass("_MTLDevice"); SEL s = @selector(maxThreadgroupMemoryLength);
    Class sub = objc_getClass("Sub"); Method m = class_getInstanceMethod(c, s); IMP i = (IMP)(void (*)(void))more;
    NSLog(@"%d", class_addMethod(sub, s, i, "Q@:"));
    NSLog(@"%d", class_replaceMethod(sub, s, i, "Q@:") == NULL);
    NSLog(@"%d", class_replaceMethod(c, s, i, "Q@:") == method_getImplementation(m));
    NSLog(@"%d", method_setImplementation(m, i) == method_getImplementation(m));' \
    'static unsigned long long more(id self, SEL s) { return 9; }'
cat >fixed.yaml <<'EOF'
reason: fixed methods
classes:
  - {name: _MTLDevice, threadgroup_memory: 5, fixed: [threadgroup_memory]}
  - {name: Sub, super: _MTLDevice, fixed: [threadgroup_memory]}
expect:
  devices: [{threadgroup_memory: 5}]
  log: ["0", "1", "1", "1"]
EOF
hm assay x.dylib --trial fixed.yaml
expect_code 0
sed 's/, fixed: .threadgroup_memory.//' fixed.yaml >free.yaml
hm assay x.dylib --trial free.yaml
expect_code 1
expect_out_has 'finding assay.answer: device 0, threadgroup memory'

t 'a segment that is writable and executable is refused'
start 'quiet();'
cp x.dylib wx.dylib
# The initial protection of __TEXT, the first segment: 5 becomes 7, at 32 + 60.
printf '\007' | dd of=wx.dylib bs=1 seek=92 conv=notrunc 2>/dev/null
hm assay wx.dylib
expect_code 3
expect_err_has "segment '__TEXT' is writable and executable"
finish
