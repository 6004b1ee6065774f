/*
 * metal-capabilities: prints what this process is told about its GPU.
 *
 * Purpose: shows the effect of a capability shim, and lets a launcher choose a
 * tier that the device claims instead of crashing. It asks and prints; it makes
 * no resource and runs nothing on the GPU.
 *
 * Calling sequence: parse_arguments, then ask_device for each device, then one
 * print function for the mode and format. README.md beside this file fixes
 * every field and exit code.
 */
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_FAMILY 1009
#define REQUIRE_MAX    64

enum exit_code { EXIT_GOOD = 0, EXIT_NO_DEVICE = 1, EXIT_USAGE = 2, EXIT_NOT_MET = 3 };

struct family {
    char name[8];
    NSInteger value;
};

/* Best first within each range; --plan walks the rows that are tiers in this order. */
static const struct family families[] = {
    {"Metal4", 5002},  {"Metal3", 5001},  {"Apple10", 1010}, {"Apple9", 1009}, {"Apple8", 1008},
    {"Apple7", 1007},  {"Apple6", 1006},  {"Apple5", 1005},  {"Apple4", 1004}, {"Apple3", 1003},
    {"Apple2", 1002},  {"Apple1", 1001},  {"Common3", 3003}, {"Common2", 3002}, {"Common1", 3001},
    {"Mac2", 2002},    {"Mac1", 2001},
};
#define FAMILY_COUNT (sizeof families / sizeof *families)
#define TIER_COUNT   (FAMILY_COUNT - 2) /* all but the Mac rows */

struct options {
    NSInteger family;
    NSInteger required[REQUIRE_MAX];
    unsigned required_count;
    bool has_family;
    bool all;
    bool plan;
    bool json;
    bool help;
};

/* One device's answers, so that text and JSON cannot differ. The name is borrowed. */
struct answers {
    const char *name;
    uint64_t registry_id;
    uint64_t working_set_len;
    uint64_t threadgroup_len;
    bool headless;
    bool low_power;
    bool unified_memory;
    bool family;
    bool families[FAMILY_COUNT];
    bool required[REQUIRE_MAX];
    bool required_met;
};

static const char usage_text[] =
    "usage: metal-capabilities [FAMILY] [--require N,N...] [--json]\n"
    "       metal-capabilities --all [--plan] [--require N,N...] [--json]\n"
    "       metal-capabilities --plan [--require N,N...] [--json]\n"
    "       metal-capabilities --help\n"
    "\n"
    "  FAMILY           MTLGPUFamily to ask for: a decimal, 0x or 0 octal number (default 1009)\n"
    "  --all            every device of MTLCopyAllDevices, every family\n"
    "  --plan           the tiers from Metal 4 down to Common 1, and the first that holds\n"
    "  --require N,N... exit 3 unless each device that is printed has all of these families\n"
    "  --json           one JSON document\n"
    "\n"
    "exit status: 0 good, 1 no device or a write failed, 2 usage, 3 a required family is missing\n";

/* Arguments ------------------------------------------------------------------------------------ */

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

/* Takes the grammar of the shim's variables, up to the first character that `end` holds. */
static bool parse_family(NSInteger *family, const char **text, char end)
{
    const char *p = *text;
    unsigned base = 10;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        base = 16;
        p += 2;
    } else if (p[0] == '0') {
        base = 8;
    }
    if (*p == '\0' || *p == end)
        return false;

    uint64_t total = 0;
    for (; *p != '\0' && *p != end; p++) {
        unsigned digit = digit_value(*p);
        if (digit >= base || total > ((uint64_t)INT64_MAX - digit) / base)
            return false;
        total = total * base + digit;
    }
    *family = (NSInteger)total;
    *text = p;
    return true;
}

static bool parse_required(struct options *options, const char *list)
{
    for (;; list++) {
        if (options->required_count == REQUIRE_MAX)
            return false;
        if (!parse_family(&options->required[options->required_count], &list, ','))
            return false;
        options->required_count++;
        if (*list == '\0')
            return true;
    }
}

static bool reject(const char *problem, const char *subject)
{
    fprintf(stderr, "metal-capabilities: %s '%s'\nhint: metal-capabilities --help\n", problem,
            subject);
    return false;
}

static bool parse_operand(struct options *options, const char *text)
{
    const char *rest = text;
    if (options->has_family)
        return reject("unexpected argument", text);
    if (!parse_family(&options->family, &rest, '\0'))
        return reject("malformed family", text);
    options->has_family = true;
    return true;
}

static bool parse_arguments(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (strcmp(argument, "--all") == 0) {
            options->all = true;
        } else if (strcmp(argument, "--plan") == 0) {
            options->plan = true;
        } else if (strcmp(argument, "--json") == 0) {
            options->json = true;
        } else if (strcmp(argument, "--help") == 0) {
            options->help = true;
        } else if (strcmp(argument, "--require") == 0) {
            if (++i == argc)
                return reject("no families after", argument);
            if (!parse_required(options, argv[i]))
                return reject("malformed family list", argv[i]);
        } else if (argument[0] == '-' && argument[1] == '-') {
            return reject("unknown option", argument);
        } else if (!parse_operand(options, argument)) {
            return false;
        }
    }
    if (options->has_family && (options->all || options->plan))
        return reject("a family does not go with", options->all ? "--all" : "--plan");
    return true;
}

/* Answers -------------------------------------------------------------------------------------- */

static void ask_device(struct answers *answers, const struct options *options,
                       id<MTLDevice> device)
{
    answers->registry_id = [device registryID];
    answers->headless = [device isHeadless];
    answers->low_power = [device isLowPower];
    answers->unified_memory = [device hasUnifiedMemory];
    answers->working_set_len = [device recommendedMaxWorkingSetSize];
    answers->threadgroup_len = [device maxThreadgroupMemoryLength];
    answers->family = [device supportsFamily:(MTLGPUFamily)options->family];
    for (unsigned i = 0; i < FAMILY_COUNT; i++)
        answers->families[i] = [device supportsFamily:(MTLGPUFamily)families[i].value];
    answers->required_met = true;
    for (unsigned i = 0; i < options->required_count; i++) {
        answers->required[i] = [device supportsFamily:(MTLGPUFamily)options->required[i]];
        answers->required_met = answers->required_met && answers->required[i];
    }
}

static const char *first_tier(const struct answers *answers)
{
    for (unsigned i = 0; i < TIER_COUNT; i++)
        if (answers->families[i])
            return families[i].name;
    return NULL;
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

/* Text ----------------------------------------------------------------------------------------- */

/* A device's name must not be able to forge a line. */
static void print_text_name(const char *name)
{
    printf("device=");
    for (const unsigned char *p = (const unsigned char *)name; *p != '\0'; p++) {
        if (*p < 0x20 || *p == 0x7f || *p == '\\')
            printf("\\x%02x", (unsigned)*p);
        else
            putchar(*p);
    }
    putchar('\n');
}

static void print_text_details(const struct answers *answers)
{
    printf("registry_id=%llu\n", (unsigned long long)answers->registry_id);
    printf("headless=%s\n", truth(answers->headless));
    printf("low_power=%s\n", truth(answers->low_power));
    printf("unified_memory=%s\n", truth(answers->unified_memory));
    printf("recommended_working_set=%llu\n", (unsigned long long)answers->working_set_len);
    printf("max_threadgroup_memory=%llu\n", (unsigned long long)answers->threadgroup_len);
    for (unsigned i = 0; i < FAMILY_COUNT; i++)
        printf("%s=%s\n", families[i].name, truth(answers->families[i]));
}

static void print_text_plan(const struct answers *answers)
{
    const char *tier = first_tier(answers);
    for (unsigned i = 0; i < TIER_COUNT; i++)
        printf("tier_%s=%s\n", families[i].name, answers->families[i] ? "yes" : "no");
    printf("plan=%s\n", tier != NULL ? tier : "none");
}

static void print_text_answers(const struct answers *answers, const struct options *options)
{
    print_text_name(answers->name);
    if (options->all)
        print_text_details(answers);
    if (options->plan)
        print_text_plan(answers);
    if (!options->all && !options->plan) {
        printf("family=%lld\n", (long long)options->family);
        printf("supports_family=%s\n", truth(answers->family));
        printf("max_threadgroup_memory=%llu\n", (unsigned long long)answers->threadgroup_len);
    }
    for (unsigned i = 0; i < options->required_count; i++)
        printf("required_%lld=%s\n", (long long)options->required[i], truth(answers->required[i]));
    if (options->required_count > 0)
        printf("required_met=%s\n", truth(answers->required_met));
}

/* JSON ----------------------------------------------------------------------------------------- */

static void print_json_string(const char *text)
{
    putchar('"');
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            printf("\\%c", *p);
        else if (*p < 0x20 || *p == 0x7f)
            printf("\\u%04x", (unsigned)*p);
        else
            putchar(*p);
    }
    putchar('"');
}

/* The registry id is a string: it may be above what a JSON reader keeps of a number. */
static void print_json_details(const struct answers *answers)
{
    printf(",\"registry_id\":\"%llu\"", (unsigned long long)answers->registry_id);
    printf(",\"headless\":%s", truth(answers->headless));
    printf(",\"low_power\":%s", truth(answers->low_power));
    printf(",\"unified_memory\":%s", truth(answers->unified_memory));
    printf(",\"recommended_working_set\":%llu", (unsigned long long)answers->working_set_len);
    printf(",\"max_threadgroup_memory\":%llu", (unsigned long long)answers->threadgroup_len);
    printf(",\"families\":{");
    for (unsigned i = 0; i < FAMILY_COUNT; i++)
        printf("%s\"%s\":%s", i > 0 ? "," : "", families[i].name, truth(answers->families[i]));
    printf("}");
}

static void print_json_plan(const struct answers *answers)
{
    const char *tier = first_tier(answers);
    printf(",\"tiers\":[");
    for (unsigned i = 0; i < TIER_COUNT; i++)
        printf("%s{\"name\":\"%s\",\"family\":%lld,\"supported\":%s}", i > 0 ? "," : "",
               families[i].name, (long long)families[i].value, truth(answers->families[i]));
    printf("],\"plan\":");
    if (tier != NULL)
        print_json_string(tier);
    else
        printf("null");
}

static void print_json_answers(const struct answers *answers, const struct options *options)
{
    printf("{\"device\":");
    print_json_string(answers->name);
    if (options->all)
        print_json_details(answers);
    if (options->plan)
        print_json_plan(answers);
    if (!options->all && !options->plan)
        printf(",\"family\":%lld,\"supports_family\":%s,\"max_threadgroup_memory\":%llu",
               (long long)options->family, truth(answers->family),
               (unsigned long long)answers->threadgroup_len);
    if (options->required_count > 0) {
        printf(",\"required\":[");
        for (unsigned i = 0; i < options->required_count; i++)
            printf("%s{\"family\":%lld,\"supported\":%s}", i > 0 ? "," : "",
                   (long long)options->required[i], truth(answers->required[i]));
        printf("],\"required_met\":%s", truth(answers->required_met));
    }
    printf("}");
}

/* Modes ---------------------------------------------------------------------------------------- */

/* False when a required family is missing. */
static bool show_device(const struct options *options, id<MTLDevice> device)
{
    /* UTF8String lives as long as its string, which ARC could otherwise release at once. */
    __attribute__((objc_precise_lifetime)) NSString *name = [device name];
    const char *text = [name UTF8String];
    struct answers answers = {.name = text != NULL ? text : ""};
    ask_device(&answers, options, device);
    if (options->json)
        print_json_answers(&answers, options);
    else
        print_text_answers(&answers, options);
    return answers.required_met;
}

static enum exit_code show_default(const struct options *options)
{
    id<MTLDevice> device = MTLCreateSystemDefaultDevice();
    if (device == nil) {
        if (options->json)
            printf("{\"device\":null}\n");
        fprintf(stderr, "metal-capabilities: no system default device\n"
                        "hint: metal-capabilities --all\n");
        return EXIT_NO_DEVICE;
    }
    bool met = show_device(options, device);
    if (options->json)
        putchar('\n');
    return met ? EXIT_GOOD : EXIT_NOT_MET;
}

static enum exit_code show_all(const struct options *options)
{
    NSArray *devices = MTLCopyAllDevices();
    NSUInteger count = [devices count];
    bool met = true;
    if (options->json)
        printf("{\"devices\":[");
    for (NSUInteger i = 0; i < count; i++) {
        if (i > 0)
            putchar(options->json ? ',' : '\n');
        met = show_device(options, [devices objectAtIndex:i]) && met;
    }
    if (options->json)
        printf("]}\n");
    if (count == 0) {
        fprintf(stderr, "metal-capabilities: no device\n");
        return EXIT_NO_DEVICE;
    }
    return met ? EXIT_GOOD : EXIT_NOT_MET;
}

static enum exit_code run(const struct options *options)
{
    if (options->help) {
        printf("%s", usage_text);
        return EXIT_GOOD;
    }
    @autoreleasepool {
        return options->all ? show_all(options) : show_default(options);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.family = DEFAULT_FAMILY};
    if (!parse_arguments(&options, argc, argv))
        return EXIT_USAGE;
    enum exit_code code = run(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "metal-capabilities: cannot write the answer: %s\n", strerror(errno));
        return EXIT_NO_DEVICE;
    }
    return code;
}
