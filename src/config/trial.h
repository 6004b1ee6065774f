/*
 * Purpose: a trial, one YAML file beside the recipe: the world that a dylib is put into, and what
 *     a process is told afterwards. Reading only; assay/trial.h runs it.
 *
 * Layer: config.
 *
 * Calling sequence:
 *         own_trial struct trial trial = {0};
 *         trial_parse(&trial, bytes, "shim/trials/stock.yaml", &fail)
 *
 * Ownership: the struct owns everything in it; trial_release() frees.
 *
 * Errors: FAIL_INPUT with file and line: an unknown key, a class whose superclass does not come
 *     before it, a device of a class that is not there, a trial that expects nothing, a family
 *     that is not a number or a range, a setting that is not NAME=value.
 *
 * Determinism: pure; lists keep their order.
 *
 * The form, all keys but `reason` and `expect` optional:
 *         reason: the ceiling raises Apple families up to it
 *         artifacts: ["*-arm64.dylib"]     names as in a policy; none: every dylib of the recipe
 *         main: metal-capabilities         an executable that is started afterwards
 *         arguments: ["--all"]
 *         environment: ["NAME=value"]
 *         each: ["NAME=1", "NAME=2"]       the trial is run once with each of them
 *         program: python3.12              what getprogname() says
 *         classes:                         none: _MTLDevice, see TRIAL_DEFAULT_CLASS
 *           - name: _MTLDevice
 *             super: NSObject
 *             families: ["1001-1008", "2001"]  defines supportsFamily:
 *             threadgroup_memory: 32768        defines maxThreadgroupMemoryLength
 *             working_set: 1073741824          defines recommendedMaxWorkingSetSize
 *             starts: true                     defines initGPUFamilySupport
 *             asks_super: [families, threadgroup_memory, working_set, starts]
 *             fixed: [families]                methods that cannot be replaced in this class
 *         devices:                         none: one device of the last class
 *           - {class: _MTLDevice, name: GPU, registry_id: 1, starts: 2}
 *         expect:
 *           devices:                       in the order of `devices`
 *             - {yes: ["1001-1009"], no: ["1010"], threadgroup_memory: 65536, working_set: 1}
 *           log: ["..."]                   all lines of the log; none: nothing may be logged
 *           exit: 0                        of `main`
 *           output: ["..."]                all lines that `main` prints
 */
#ifndef HALLMARK_CONFIG_TRIAL_H
#define HALLMARK_CONFIG_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"

/* Without `classes`: this one, which answers yes for Apple families 1 to 8 and Mac 2. */
#define TRIAL_DEFAULT_CLASS  "_MTLDevice"
#define TRIAL_DEFAULT_DEVICE "GPU"
#define TRIAL_ROOT_CLASS     "NSObject" /* what a class without `super` has as its superclass */

#define TRIAL_LIST_MAX   256u
#define TRIAL_TEXT_MAX   1024u
#define TRIAL_FAMILY_MAX 1000000
#define TRIAL_STARTS_MAX 64u
#define TRIAL_RANGE_MAX  4096 /* families in one range */

struct trial_range {
    int64_t first;
    int64_t last;
};

enum trial_truth { TRIAL_NO, TRIAL_YES }; /* false, true */

/* What a class can define, and ask its superclass for too. */
enum trial_method { TRIAL_FAMILIES, TRIAL_THREADGROUP, TRIAL_WORKING_SET, TRIAL_STARTS };

struct trial_class {
    char *name;
    char *super; /* NULL: TRIAL_ROOT_CLASS */
    char **families;
    size_t families_count;
    uint64_t *threadgroup_memory; /* NULL: not defined by this class, as the next two */
    uint64_t *working_set;
    enum trial_truth starts;
    enum trial_method *asks_super;
    size_t asks_super_count;
    enum trial_method *fixed; /* also such as the class inherits */
    size_t fixed_count;
    /* derived */
    bool has_families; /* also when the list is empty: a method that always says no */
    struct trial_range *ranges;
};

struct trial_device {
    char *class_name;
    char *name; /* NULL: TRIAL_DEFAULT_DEVICE */
    uint64_t registry_id;
    uint64_t *starts; /* how often it is started; NULL: once */
    enum trial_truth headless, low_power, unified_memory;
};

struct trial_answers {
    char **yes; /* families */
    size_t yes_count;
    char **no;
    size_t no_count;
    uint64_t *threadgroup_memory; /* NULL: not asked */
    uint64_t *working_set;
    /* derived */
    struct trial_range *yes_ranges;
    struct trial_range *no_ranges;
};

struct trial_expect {
    struct trial_answers *devices;
    size_t devices_count;
    char **log;
    size_t log_count;
    uint64_t *exit;
    char **output;
    size_t output_count;
};

struct trial {
    char *reason;
    char **artifacts;
    size_t artifacts_count;
    char *main;
    char **arguments;
    size_t arguments_count;
    char **environment;
    size_t environment_count;
    char **each;
    size_t each_count;
    char *program; /* NULL: "process" */
    struct trial_class *classes;
    size_t classes_count;
    struct trial_device *devices;
    size_t devices_count;
    struct trial_expect expect;
    /* derived: an empty list is another thing than none */
    bool has_classes;
    bool has_devices;
};

#define own_trial __attribute__((cleanup(trial_release)))

int trial_parse(struct trial *out, struct view text, const char *name,
                struct fail *fail) must_check;
void trial_release(struct trial *trial);

/* Whether the trial is of the artifact of that name. */
bool trial_applies(const struct trial *trial, const char *artifact);

#endif
