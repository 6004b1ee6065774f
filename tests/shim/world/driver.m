/*
 * The process that the shim is preloaded into. Each argument is one step,
 * words separated by colons; answers go to stdout, one line each:
 *
 *   new:CLASS          make and initialise a device
 *   raw:CLASS          make one that is never initialised
 *   again:CLASS        initialise the device again; says what the call returned
 *   family:CLASS:N     ask the device of that class
 *   threadgroup:CLASS
 *   workingset:CLASS
 *   starts             calls of the stock initGPUFamilySupport so far
 *   during             what the device said about family 1009 while that ran
 *   supers             calls of the overrides that call super
 *   many:N             N new device classes; how many of them say yes to 1009
 *   race:N             N new device classes, each reached from several threads at once
 *
 * DRIVER_FAIL names a selector whose replacement fails.
 */
#import <Metal/Metal.h>
#import <objc/runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICE_MAX   64
#define RACE_THREADS 8
#define RACE_READS   20000

extern unsigned world_starts;
extern int world_answer_while_start;
extern unsigned world_super_calls;

static id devices[DEVICE_MAX];
static const char *device_names[DEVICE_MAX];
static unsigned device_count;

static bool must_fail(SEL selector)
{
    const char *name = getenv("DRIVER_FAIL");
    return name != NULL && selector != NULL && strcmp(name, sel_getName(selector)) == 0;
}

BOOL class_addMethod(Class target, SEL selector, IMP implementation, const char *types)
{
    BOOL (*next)(Class, SEL, IMP, const char *) = dlsym(RTLD_NEXT, "class_addMethod");
    return must_fail(selector) ? NO : next(target, selector, implementation, types);
}

IMP class_replaceMethod(Class target, SEL selector, IMP implementation, const char *types)
{
    IMP (*next)(Class, SEL, IMP, const char *) = dlsym(RTLD_NEXT, "class_replaceMethod");
    return must_fail(selector) ? NULL : next(target, selector, implementation, types);
}

static Class find_class(const char *name)
{
    Class found = objc_getClass(name);
    if (found == Nil) {
        fprintf(stderr, "driver: no class '%s'\n", name);
        exit(64);
    }
    return found;
}

static id find_device(const char *name)
{
    for (unsigned i = device_count; i-- > 0;)
        if (strcmp(device_names[i], name) == 0)
            return devices[i];
    fprintf(stderr, "driver: no device '%s'\n", name);
    exit(64);
}

static void keep_device(const char *name, id device)
{
    if (device_count == DEVICE_MAX)
        exit(64);
    device_names[device_count] = strdup(name);
    devices[device_count++] = device;
}

static Class make_class(unsigned number)
{
    char name[32];
    snprintf(name, sizeof name, "Made%u", number);
    Class made = objc_allocateClassPair(find_class("Plain"), name, 0);
    objc_registerClassPair(made);
    return made;
}

static void step_many(unsigned count)
{
    unsigned raised = 0;
    for (unsigned i = 0; i < count; i++)
        raised += [(id<MTLDevice>)[[make_class(i) alloc] init] supportsFamily:1009];
    printf("many raised=%u of %u\n", raised, count);
}

struct race {
    Class device_class;
    pthread_barrier_t barrier;
    unsigned failures;
};

/*
 * Each thread reads an uninitialised device, which may turn from no to yes and never back; a
 * device that a thread initialised itself must say yes at once.
 */
static void *race_thread(void *argument)
{
    struct race *race = argument;
    GSRegisterCurrentThread();
    id<MTLDevice> watched = class_createInstance(race->device_class, 0);
    bool raised = false;
    unsigned failures = 0;
    pthread_barrier_wait(&race->barrier);
    for (unsigned i = 0; i < RACE_READS; i++) {
        bool now = [watched supportsFamily:1009];
        failures += raised && !now;
        failures += [watched supportsFamily:2001];
        NSUInteger len = [watched maxThreadgroupMemoryLength];
        failures += len != 65536 && len != 32768;
        raised = raised || now;
        if (i == RACE_READS / 100)
            failures += ![(id<MTLDevice>)[[race->device_class alloc] init] supportsFamily:1009];
    }
    failures += !raised;
    __atomic_add_fetch(&race->failures, failures, __ATOMIC_SEQ_CST);
    GSUnregisterCurrentThread();
    return NULL;
}

static void step_race(unsigned count)
{
    unsigned failures = 0;
    for (unsigned i = 0; i < count; i++) {
        struct race race = {.device_class = make_class(i)};
        pthread_t threads[RACE_THREADS];
        pthread_barrier_init(&race.barrier, NULL, RACE_THREADS);
        for (unsigned t = 0; t < RACE_THREADS; t++)
            if (pthread_create(&threads[t], NULL, race_thread, &race) != 0)
                exit(64);
        for (unsigned t = 0; t < RACE_THREADS; t++)
            pthread_join(threads[t], NULL);
        pthread_barrier_destroy(&race.barrier);
        failures += race.failures;
    }
    printf("race failures=%u\n", failures);
}

static void step_again(const char *name)
{
    id device = find_device(name);
    SEL selector = @selector(initGPUFamilySupport);
    Method method = class_getInstanceMethod(object_getClass(device), selector);
    id (*start)(id, SEL) = (id(*)(id, SEL))(void (*)(void))method_getImplementation(method);
    bool returns = method_getTypeEncoding(method)[0] == '@';
    id result = start(device, selector);
    printf("again %s\n", !returns ? "void" : result == device ? "self" : "other");
}

static void step_query(const char *verb, const char *name, const char *operand)
{
    id<MTLDevice> device = find_device(name);
    if (strcmp(verb, "family") == 0)
        printf("%s %s=%d\n", name, operand, (int)[device supportsFamily:atol(operand)]);
    else if (strcmp(verb, "threadgroup") == 0)
        printf("%s threadgroup=%lu\n", name, (unsigned long)[device maxThreadgroupMemoryLength]);
    else if (strcmp(verb, "workingset") == 0)
        printf("%s workingset=%llu\n", name,
               (unsigned long long)[device recommendedMaxWorkingSetSize]);
    else
        exit(64);
}

static void run_step(char *step)
{
    const char *verb = strsep(&step, ":");
    const char *name = step != NULL ? strsep(&step, ":") : NULL;
    if (strcmp(verb, "starts") == 0)
        printf("starts=%u\n", world_starts);
    else if (strcmp(verb, "during") == 0)
        printf("during=%d\n", world_answer_while_start);
    else if (strcmp(verb, "supers") == 0)
        printf("supers=%u\n", world_super_calls);
    else if (name == NULL)
        exit(64);
    else if (strcmp(verb, "new") == 0)
        keep_device(name, [[find_class(name) alloc] init]);
    else if (strcmp(verb, "raw") == 0)
        keep_device(name, class_createInstance(find_class(name), 0));
    else if (strcmp(verb, "again") == 0)
        step_again(name);
    else if (strcmp(verb, "many") == 0)
        step_many((unsigned)atoi(name));
    else if (strcmp(verb, "race") == 0)
        step_race((unsigned)atoi(name));
    else
        step_query(verb, name, step);
}

int main(int argc, char **argv)
{
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    for (int i = 1; i < argc; i++)
        run_step(argv[i]);
    [pool release];
    return fflush(stdout) == 0 ? 0 : 1;
}
