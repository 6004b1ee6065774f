/*
 * LumeMetalCapabilities: raises what one process is told about its GPU.
 *
 * Purpose: injected into a process of a macOS virtual machine, it answers
 * capability questions up to a configured ceiling. It changes answers, never
 * what the device can do. README.md beside this file has the environment
 * variables and all that is not claimed.
 *
 * Calling sequence: lume_metal_start (constructor) reads the configuration and
 * replaces -[_MTLDevice initGPUFamilySupport]. From there each device class is
 * given its hooks when its first device initialises.
 *
 * Form: compiles with ARC and without, and for the GCC runtime. No blocks, no
 * classes and no code pointers in initialised data, because an arm64e linker
 * would have to sign those. Objects are borrowed, so nothing is retained.
 */
#import <Foundation/Foundation.h>
#import <objc/runtime.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define FAMILY_APPLE_FIRST        1001
#define FAMILY_APPLE_LAST         1999
#define DEFAULT_THREADGROUP_BYTES 65536

#define ENV_FAMILY_MAX  "LUME_METAL_APPLE_FAMILY_MAX"
#define ENV_THREADGROUP "LUME_METAL_MAX_THREADGROUP_MEMORY"
#define ENV_WORKING_SET "LUME_METAL_RECOMMENDED_WORKING_SET_SIZE"

#define LOG_NAME  "LumeMetalCapabilities: "
#define UNCHANGED "leaving stock capabilities unchanged"

/* Each device class needs functions of its own; this names the slots for them. */
#define SLOT_COUNT 16
#define EACH_SLOT(X)                                                                               \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

enum question { QUESTION_FAMILY, QUESTION_THREADGROUP, QUESTION_WORKING_SET, QUESTION_COUNT };

enum reading { READING_ABSENT, READING_MALFORMED, READING_GOOD };

enum outcome { OUTCOME_NOTHING_TO_DO, OUTCOME_MISSING, OUTCOME_FULL, OUTCOME_FAILED, OUTCOME_DONE };

typedef BOOL (*family_function)(__unsafe_unretained id, SEL, NSInteger);
typedef NSUInteger (*threadgroup_function)(__unsafe_unretained id, SEL);
typedef uint64_t (*working_set_function)(__unsafe_unretained id, SEL);
typedef void *(*start_function)(__unsafe_unretained id, SEL);

struct configuration {
    uint64_t family_max;
    uint64_t threadgroup_len;
    uint64_t working_set_len;
    bool has_working_set;
};

/* What a class answered with before: entry i belongs to question i. */
struct stock {
    IMP implementation[QUESTION_COUNT];
    const char *types[QUESTION_COUNT];
};

struct slot {
    Class device_class;
    struct stock stock;
    IMP hooks[QUESTION_COUNT];
};

static struct configuration configuration; /* not written after the first replacement */
static start_function stock_start;
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[SLOT_COUNT]; /* a slot in use is never written again */
static unsigned slots_used;
static bool full_reported;

/* Configuration -------------------------------------------------------------------------------- */

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return UINT32_MAX;
}

/* Own parser: strtoull would take signs, blanks and trailing characters. */
static bool parse_unsigned(uint64_t *value, const char *text)
{
    unsigned base = 10;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text += 2;
    } else if (text[0] == '0') {
        base = 8;
    }
    if (*text == '\0')
        return false;

    uint64_t total = 0;
    for (; *text != '\0'; text++) {
        unsigned digit = digit_value(*text);
        if (digit >= base || total > (UINT64_MAX - digit) / base)
            return false;
        total = total * base + digit;
    }
    *value = total;
    return true;
}

static enum reading read_variable(uint64_t *value, const char *name)
{
    const char *text = getenv(name);
    if (text == NULL)
        return READING_ABSENT;
    return parse_unsigned(value, text) ? READING_GOOD : READING_MALFORMED;
}

/* False, with the name of the variable that is wrong, or NULL when nothing was asked for. */
static bool read_configuration(struct configuration *result, const char **wrong)
{
    const char *request = getenv(ENV_FAMILY_MAX);
    *wrong = NULL;
    if (request == NULL || *request == '\0')
        return false;

    *wrong = ENV_FAMILY_MAX;
    if (!parse_unsigned(&result->family_max, request) ||
        result->family_max < FAMILY_APPLE_FIRST || result->family_max > FAMILY_APPLE_LAST)
        return false;

    *wrong = ENV_THREADGROUP;
    result->threadgroup_len = DEFAULT_THREADGROUP_BYTES;
    if (read_variable(&result->threadgroup_len, ENV_THREADGROUP) == READING_MALFORMED)
        return false;

    *wrong = ENV_WORKING_SET;
    enum reading working_set = read_variable(&result->working_set_len, ENV_WORKING_SET);
    result->has_working_set = working_set == READING_GOOD;
    return working_set != READING_MALFORMED;
}

/* Answers -------------------------------------------------------------------------------------- */

/*
 * A reader may enter a hook the moment the runtime publishes it. The fence, with the one in
 * replace_method, orders its load of the stock implementation after the load of the hook itself.
 */
static IMP stock_implementation(unsigned slot, enum question question)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return slots[slot].stock.implementation[question];
}

__attribute__((noinline)) static BOOL
answer_family(unsigned slot, __unsafe_unretained id self, SEL selector, NSInteger family)
{
    IMP stock = stock_implementation(slot, QUESTION_FAMILY);
    if (((family_function)(void (*)(void))stock)(self, selector, family))
        return YES;
    return family >= FAMILY_APPLE_FIRST && family <= (NSInteger)configuration.family_max;
}

__attribute__((noinline)) static NSUInteger
answer_threadgroup(unsigned slot, __unsafe_unretained id self, SEL selector)
{
    IMP stock = stock_implementation(slot, QUESTION_THREADGROUP);
    NSUInteger len = ((threadgroup_function)(void (*)(void))stock)(self, selector);
    return len > configuration.threadgroup_len ? len : (NSUInteger)configuration.threadgroup_len;
}

__attribute__((noinline)) static uint64_t
answer_working_set(unsigned slot, __unsafe_unretained id self, SEL selector)
{
    IMP stock = stock_implementation(slot, QUESTION_WORKING_SET);
    uint64_t len = ((working_set_function)(void (*)(void))stock)(self, selector);
    return len > configuration.working_set_len ? len : configuration.working_set_len;
}

/*
 * One function for each slot and question: it knows the class that it was installed in, which
 * neither self nor the selector tells. With shared functions, an override that calls super would
 * find its own class's entry again and never end.
 */
#define DEFINE_SLOT(n)                                                                             \
    static BOOL family_##n(__unsafe_unretained id self, SEL selector, NSInteger family)            \
    {                                                                                              \
        return answer_family(n, self, selector, family);                                           \
    }                                                                                              \
    static NSUInteger threadgroup_##n(__unsafe_unretained id self, SEL selector)                   \
    {                                                                                              \
        return answer_threadgroup(n, self, selector);                                              \
    }                                                                                              \
    static uint64_t working_set_##n(__unsafe_unretained id self, SEL selector)                     \
    {                                                                                              \
        return answer_working_set(n, self, selector);                                              \
    }                                                                                              \
    __attribute__((noinline)) static void fill_hooks_##n(void)                                     \
    {                                                                                              \
        slots[n].hooks[QUESTION_FAMILY] = (IMP)(void (*)(void))family_##n;                         \
        slots[n].hooks[QUESTION_THREADGROUP] = (IMP)(void (*)(void))threadgroup_##n;               \
        slots[n].hooks[QUESTION_WORKING_SET] = (IMP)(void (*)(void))working_set_##n;               \
    }
EACH_SLOT(DEFINE_SLOT)

/* Calls in a switch: a table, and an inlined switch that becomes one, would hold code pointers. */
static void fill_hooks(unsigned slot)
{
#define CHOOSE_SLOT(n)                                                                             \
    case n:                                                                                        \
        fill_hooks_##n();                                                                          \
        break;
    switch (slot) {
        EACH_SLOT(CHOOSE_SLOT)
    }
}

/* Installation --------------------------------------------------------------------------------- */

static unsigned question_count(void)
{
    return configuration.has_working_set ? QUESTION_COUNT : QUESTION_WORKING_SET;
}

static SEL question_selector(unsigned question)
{
    switch ((enum question)question) {
    case QUESTION_FAMILY:
        return @selector(supportsFamily:);
    case QUESTION_THREADGROUP:
        return @selector(maxThreadgroupMemoryLength);
    case QUESTION_WORKING_SET:
        return @selector(recommendedMaxWorkingSetSize);
    case QUESTION_COUNT:
        break;
    }
    return NULL;
}

/*
 * Puts an implementation into this class alone. class_addMethod comes first for an inherited
 * method, since the GCC runtime's class_replaceMethod would change the superclass. Neither result
 * is trusted: what counts is what the class answers with afterwards.
 */
static bool replace_method(Class target, SEL selector, IMP implementation, const char *types)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (!class_addMethod(target, selector, implementation, types))
        class_replaceMethod(target, selector, implementation, types);
    Method now = class_getInstanceMethod(target, selector);
    return now != NULL && method_getImplementation(now) == implementation;
}

static bool find_stock(struct stock *stock, unsigned *missing, Class device_class)
{
    for (unsigned i = 0; i < question_count(); i++) {
        Method method = class_getInstanceMethod(device_class, question_selector(i));
        if (method == NULL) {
            *missing = i;
            return false;
        }
        stock->implementation[i] = method_getImplementation(method);
        stock->types[i] = method_getTypeEncoding(method);
    }
    return true;
}

/* Rolling back an override sets it to the inherited implementation: the runtime cannot remove it. */
static bool hook_all(unsigned *failed, unsigned slot)
{
    const struct slot *entry = &slots[slot];

    for (unsigned i = 0; i < question_count(); i++) {
        if (replace_method(entry->device_class, question_selector(i), entry->hooks[i],
                           entry->stock.types[i]))
            continue;
        *failed = i;
        while (i-- > 0)
            replace_method(entry->device_class, question_selector(i),
                           entry->stock.implementation[i], entry->stock.types[i]);
        return false;
    }
    return true;
}

static bool is_known(Class device_class)
{
    for (unsigned i = 0; i < slots_used; i++)
        if (slots[i].device_class == device_class)
            return true;
    return false;
}

/* A class takes its slot even when it is refused, so that it is judged and reported once. */
static enum outcome adopt(unsigned *question, Class device_class, const struct stock *stock)
{
    if (is_known(device_class))
        return OUTCOME_NOTHING_TO_DO;
    if (slots_used == SLOT_COUNT) {
        enum outcome outcome = full_reported ? OUTCOME_NOTHING_TO_DO : OUTCOME_FULL;
        full_reported = true;
        return outcome;
    }
    unsigned slot = slots_used++;
    slots[slot].device_class = device_class;
    if (stock == NULL)
        return OUTCOME_MISSING;
    slots[slot].stock = *stock;
    fill_hooks(slot);
    return hook_all(question, slot) ? OUTCOME_DONE : OUTCOME_FAILED;
}

static void report(enum outcome outcome, Class device_class, unsigned question)
{
    const char *class_name = class_getName(device_class);
    switch (outcome) {
    case OUTCOME_NOTHING_TO_DO:
    case OUTCOME_DONE:
        break;
    case OUTCOME_MISSING:
        NSLog(@LOG_NAME "device class %s has no method %s; " UNCHANGED, class_name,
              sel_getName(question_selector(question)));
        break;
    case OUTCOME_FAILED:
        NSLog(@LOG_NAME "cannot replace %s of device class %s; " UNCHANGED,
              sel_getName(question_selector(question)), class_name);
        break;
    case OUTCOME_FULL:
        NSLog(@LOG_NAME "device class %s is one more than %d; " UNCHANGED, class_name, SLOT_COUNT);
        break;
    }
}

/*
 * The lock is never held while foreign code may run: a lookup can call +resolveInstanceMethod:,
 * which may make a device, and a log function may do anything.
 */
static void install_device_hooks(Class device_class)
{
    pthread_mutex_lock(&slots_lock);
    bool known = is_known(device_class);
    pthread_mutex_unlock(&slots_lock);
    if (known)
        return;

    struct stock stock = {0};
    unsigned question = 0;
    bool complete = find_stock(&stock, &question, device_class);

    pthread_mutex_lock(&slots_lock);
    enum outcome outcome = adopt(&question, device_class, complete ? &stock : NULL);
    pthread_mutex_unlock(&slots_lock);
    report(outcome, device_class, question);
}

/* Handed through as a register: right for a void method, and for one that returns an object. */
static void *start_device(__unsafe_unretained id self, SEL selector)
{
    install_device_hooks(object_getClass(self));
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return stock_start(self, selector);
}

static bool hook_start(Class base)
{
    SEL selector = @selector(initGPUFamilySupport);
    Method method = class_getInstanceMethod(base, selector);
    if (method == NULL)
        return false;
    stock_start = (start_function)(void (*)(void))method_getImplementation(method);
    return replace_method(base, selector, (IMP)(void (*)(void))start_device,
                          method_getTypeEncoding(method));
}

__attribute__((constructor)) static void lume_metal_start(void)
{
    const char *wrong = NULL;
    if (!read_configuration(&configuration, &wrong)) {
        if (wrong != NULL)
            NSLog(@LOG_NAME "%s is malformed or out of range; " UNCHANGED, wrong);
        return;
    }
    Class base = objc_getClass("_MTLDevice");
    if (base == Nil || !hook_start(base)) {
        NSLog(@LOG_NAME "cannot hook initGPUFamilySupport of class _MTLDevice; " UNCHANGED);
        return;
    }
    NSLog(@LOG_NAME "enabled in %s: Apple family ceiling %llu, threadgroup memory %llu bytes",
          getprogname(), (unsigned long long)configuration.family_max,
          (unsigned long long)configuration.threadgroup_len);
}
