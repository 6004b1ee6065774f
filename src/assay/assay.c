#include "assay/assay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/metal.h"
#include "base/stop.h"
#include "macho/constants.h"

/* What a device is asked when nothing in particular is expected. */
static const struct trial_range USUAL_FAMILIES[] = {
    {1001, 1012}, {2001, 2002}, {3001, 3003}, {5001, 5002}};

/* One run: everything that is made for it. */
struct run {
    const struct trial *trial;
    struct assay_outcome *out;
    struct process *process;
    struct world world;
    struct loader loader;
    struct metal_class *classes;
    size_t class_count;
    struct metal_device *devices;
    size_t device_count;
};

size_t assay_runs(const struct trial *trial)
{
    return trial->each_count == 0 ? 1 : trial->each_count;
}

const char *assay_setting(const struct trial *trial, size_t run)
{
    return trial->each_count == 0 ? NULL : trial->each[run];
}

/* ---- the world of the trial ----------------------------------------------------------------- */

static const struct trial_range DEFAULT_FAMILIES[] = {{1001, 1008}, {2002, 2002}, {3001, 3003}};
static const struct metal_class DEFAULT_CLASS = {
    .name = TRIAL_DEFAULT_CLASS,
    .defines = {true, true, true, true},
    .families = DEFAULT_FAMILIES,
    .family_count = sizeof DEFAULT_FAMILIES / sizeof DEFAULT_FAMILIES[0],
    .threadgroup_len = 32768,
    .working_set_len = UINT64_C(1) << 30,
};

static void describe_class(struct metal_class *out, const struct trial_class *class_)
{
    static const enum metal_question questions[] = {
        [TRIAL_FAMILIES] = METAL_FAMILY,
        [TRIAL_THREADGROUP] = METAL_THREADGROUP,
        [TRIAL_WORKING_SET] = METAL_WORKING_SET,
        [TRIAL_STARTS] = METAL_START,
    };
    *out = (struct metal_class){
        .name = class_->name,
        .super = class_->super,
        .families = class_->ranges,
        .family_count = class_->families_count,
    };
    out->defines[METAL_FAMILY] = class_->has_families;
    out->defines[METAL_THREADGROUP] = class_->threadgroup_memory != NULL;
    out->defines[METAL_WORKING_SET] = class_->working_set != NULL;
    out->defines[METAL_START] = class_->starts == TRIAL_YES;
    if (class_->threadgroup_memory != NULL)
        out->threadgroup_len = *class_->threadgroup_memory;
    if (class_->working_set != NULL)
        out->working_set_len = *class_->working_set;
    for (size_t i = 0; i < class_->asks_super_count; i++)
        out->asks_super[questions[class_->asks_super[i]]] = true;
    for (size_t i = 0; i < class_->fixed_count; i++)
        out->is_fixed[questions[class_->fixed[i]]] = true;
}

static void describe_classes(struct run *run)
{
    const struct trial *trial = run->trial;
    run->class_count = trial->has_classes ? trial->classes_count : 1;
    run->classes = mem_new(run->class_count, sizeof *run->classes);
    if (!trial->has_classes)
        run->classes[0] = DEFAULT_CLASS;
    for (size_t i = 0; i < trial->classes_count; i++)
        describe_class(&run->classes[i], &trial->classes[i]);
}

static void describe_devices(struct run *run)
{
    const struct trial *trial = run->trial;
    bool has_default = !trial->has_devices && run->class_count > 0;
    run->device_count = has_default ? 1 : trial->devices_count;
    run->devices = mem_new(run->device_count, sizeof *run->devices);
    if (has_default)
        run->devices[0] = (struct metal_device){
            .class_name = run->classes[run->class_count - 1].name, .name = TRIAL_DEFAULT_DEVICE};
    for (size_t i = 0; i < trial->devices_count; i++) {
        const struct trial_device *device = &trial->devices[i];
        run->devices[i] = (struct metal_device){
            .class_name = device->class_name,
            .name = device->name == NULL ? TRIAL_DEFAULT_DEVICE : device->name,
            .registry_id = device->registry_id,
            .headless = device->headless == TRIAL_YES,
            .low_power = device->low_power == TRIAL_YES,
            .unified_memory = device->unified_memory == TRIAL_YES,
        };
    }
}

static void furnish(struct run *run, const char *setting)
{
    const struct trial *trial = run->trial;
    world_start(&run->world, run->process, &run->out->findings);
    if (trial->program != NULL)
        run->world.program = trial->program;
    for (size_t i = 0; i < trial->environment_count; i++)
        world_set_environment(&run->world, trial->environment[i]);
    if (setting != NULL)
        world_set_environment(&run->world, setting);
    describe_classes(run);
    describe_devices(run);
    for (size_t i = 0; i < run->class_count; i++) {
        if (!metal_add_class(&run->world, &run->classes[i]))
            return;
    }
}

/* ---- what happens --------------------------------------------------------------------------- */

static int load(struct run *run, const struct assay_subject *subject, struct fail *fail)
{
    run->loader = (struct loader){
        .process = run->process,
        .findings = &run->out->findings,
        .resolve = world_resolve,
        .context = &run->world,
    };
    loader_start(&run->loader);
    if (loader_load(&run->loader, subject->name, subject->bytes, fail) < 0)
        return -1;
    if (subject->main_name != NULL && !process_ended(run->process) &&
        loader_load(&run->loader, subject->main_name, subject->main_bytes, fail) < 0)
        return -1;
    for (unsigned i = 0; i < run->loader.image_count && !process_ended(run->process); i++)
        world_adopt_image(&run->world, &run->loader, i);
    return 0;
}

/* The initialisers, then the devices, each as often as the trial says. */
static void begin(struct run *run)
{
    for (unsigned i = 0; i < run->loader.image_count && !process_ended(run->process); i++)
        loader_initialise(&run->loader, i);
    for (size_t i = 0; i < run->device_count && !process_ended(run->process); i++) {
        const uint64_t *starts =
            i < run->trial->devices_count ? run->trial->devices[i].starts : NULL;
        if (metal_add_device(&run->world, &run->devices[i]) < 0)
            return;
        for (uint64_t more = 1; starts != NULL && more < *starts; more++) {
            if (metal_start_again(&run->world, i) < 0)
                return;
        }
    }
}

static void report(struct run *run, const char *id, const char *place, const char *expected,
                   const char *actual)
{
    run->out->checks++;
    if (strcmp(expected, actual) != 0)
        finding_error(&run->out->findings, id, place, expected, actual);
}

static void start_main(struct run *run)
{
    const struct trial *trial = run->trial;
    struct process *process = run->process;
    uint64_t entry = loader_entry(&run->loader, 1);
    size_t count = trial->arguments_count + 1;
    uint64_t argv = process_alloc(process, (count + 1) * sizeof(uint64_t));
    uint64_t exit_code = 0;
    if (argv == 0)
        return;
    if (entry == 0) {
        process_complain(process, "an executable", "'%s' has no LC_MAIN",
                         run->loader.images[1].name);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = i == 0 ? run->loader.images[1].name : trial->arguments[i - 1];
        uint64_t argument = process_alloc_text(process, text);
        if (argument == 0 ||
            !process_write(process, argv + i * sizeof argv, &argument, sizeof argument))
            return;
    }
    const uint64_t arguments[] = {count, argv};
    if (process_call(process, entry, arguments, 2, &exit_code) < 0 && !run->world.exited)
        return;
    exit_code = run->world.exited ? run->world.exit_code : exit_code & 0xff;
    run->world.exited = true;
    run->world.exit_code = exit_code;
}

/* ---- answers -------------------------------------------------------------------------------- */

/* Families that follow each other and have the same answer are one line of the transcript. */
static void tell_families(struct run *run, size_t device, int64_t first, int64_t last, bool answer)
{
    struct buf *out = &run->out->transcript;
    buf_printf(out, "device %zu, famil%s %" PRId64, device, first == last ? "y" : "ies", first);
    if (first != last)
        buf_printf(out, " to %" PRId64, last);
    buf_printf(out, ": %s\n", answer ? "yes" : "no");
}

static void ask_range(struct run *run, size_t device, const struct trial_range *range,
                      const char *expected)
{
    int64_t first = range->first; /* of the line that is being made */
    bool before = false;
    for (int64_t family = range->first; family <= range->last; family++) {
        uint64_t answer = 0;
        if (metal_ask(&answer, &run->world, device, METAL_FAMILY, family) < 0)
            return;
        bool yes = answer != 0;
        if (family > first && yes != before) {
            tell_families(run, device, first, family - 1, before);
            first = family;
        }
        before = yes;
        if (expected == NULL)
            continue;
        own_mem char *place = text_printf("device %zu, family %" PRId64, device, family);
        report(run, "assay.answer", place, expected, yes ? "yes" : "no");
    }
    tell_families(run, device, first, range->last, before);
}

static void ask_families(struct run *run, size_t device, const struct trial_range *ranges,
                         size_t count, const char *expected)
{
    for (size_t i = 0; i < count && !process_ended(run->process); i++)
        ask_range(run, device, &ranges[i], expected);
}

static void ask_number(struct run *run, size_t device, enum metal_question question,
                       const char *what, const uint64_t *expected)
{
    uint64_t answer = 0;
    if (metal_ask(&answer, &run->world, device, question, 0) < 0)
        return;
    own_mem char *place = text_printf("device %zu, %s", device, what);
    own_mem char *actual = text_printf("%" PRIu64, answer);
    buf_printf(&run->out->transcript, "%s: %s\n", place, actual);
    if (expected == NULL)
        return;
    own_mem char *wanted = text_printf("%" PRIu64, *expected);
    report(run, "assay.answer", place, wanted, actual);
}

static void ask_expected(struct run *run, size_t device, const struct trial_answers *answers)
{
    ask_families(run, device, answers->yes_ranges, answers->yes_count, "yes");
    ask_families(run, device, answers->no_ranges, answers->no_count, "no");
    if (answers->threadgroup_memory != NULL)
        ask_number(run, device, METAL_THREADGROUP, "threadgroup memory",
                   answers->threadgroup_memory);
    if (answers->working_set != NULL)
        ask_number(run, device, METAL_WORKING_SET, "working set", answers->working_set);
}

static void ask_everything(struct run *run, size_t device)
{
    const struct world_object *object = world_find_object(&run->world, run->world.devices[device]);
    if (world_find_method(object->class_, metal_selector(METAL_FAMILY)) != NULL)
        ask_families(run, device, USUAL_FAMILIES, sizeof USUAL_FAMILIES / sizeof USUAL_FAMILIES[0],
                     NULL);
    if (world_find_method(object->class_, metal_selector(METAL_THREADGROUP)) != NULL)
        ask_number(run, device, METAL_THREADGROUP, "threadgroup memory", NULL);
    if (world_find_method(object->class_, metal_selector(METAL_WORKING_SET)) != NULL)
        ask_number(run, device, METAL_WORKING_SET, "working set", NULL);
}

static void ask(struct run *run, const struct assay_subject *subject)
{
    const struct trial_expect *expect = &run->trial->expect;
    for (size_t i = 0; i < run->world.device_count && !process_ended(run->process); i++) {
        if (subject->is_asked)
            ask_everything(run, i);
        else if (i < expect->devices_count)
            ask_expected(run, i, &expect->devices[i]);
    }
}

/* ---- what was logged and printed ------------------------------------------------------------ */

static void compare_lines(struct run *run, const char *id, const char *what, char *const *expected,
                          size_t expected_count, char *const *actual, size_t actual_count)
{
    for (size_t i = 0; i < expected_count || i < actual_count; i++) {
        own_mem char *place = text_printf("line %zu of the %s", i + 1, what);
        own_mem char *seen = i < actual_count ? text_clean(actual[i]) : text_copy("(no line)");
        report(run, id, place, i < expected_count ? expected[i] : "(no line)", seen);
    }
}

/* The text as lines, without their ends; the caller frees. */
static char **split_lines(const char *text, size_t *count)
{
    char **lines = NULL;
    size_t capacity = 0;
    char *line = NULL;
    *count = 0;
    while ((line = text_take_line(&text)) != NULL) {
        lines = mem_grow(lines, *count, &capacity, sizeof *lines);
        lines[(*count)++] = line;
    }
    return lines;
}

static void tell_lines(struct run *run, const char *what, char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        own_mem char *clean = text_clean(lines[i]);
        buf_printf(&run->out->transcript, "%s: %s\n", what, clean);
    }
}

static void judge_log(struct run *run, const struct assay_subject *subject)
{
    const struct trial_expect *expect = &run->trial->expect;
    tell_lines(run, "log", run->world.log, run->world.log_count);
    if (!subject->is_asked)
        compare_lines(run, "assay.log", "log", expect->log, expect->log_count, run->world.log,
                      run->world.log_count);
}

static void judge_main(struct run *run)
{
    const struct trial_expect *expect = &run->trial->expect;
    size_t count = 0;
    char **lines = split_lines(buf_text(&run->world.output), &count);
    tell_lines(run, "output", lines, count);
    buf_printf(&run->out->transcript, "exit: %" PRIu64 "\n", run->world.exit_code);
    if (expect->output_count > 0)
        compare_lines(run, "assay.output", "output", expect->output, expect->output_count, lines,
                      count);
    if (expect->exit != NULL) {
        own_mem char *wanted = text_printf("%" PRIu64, *expect->exit);
        own_mem char *actual = text_printf("%" PRIu64, run->world.exit_code);
        report(run, "assay.output", "exit code", wanted, actual);
    }
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
}

/* ---- one run -------------------------------------------------------------------------------- */

static bool is_arm64e(struct view bytes)
{
    uint32_t cputype = 0;
    uint32_t cpusubtype = 0;
    return view_u32(&cputype, bytes, 4, LITTLE_ENDIAN_BYTES) &&
           view_u32(&cpusubtype, bytes, 8, LITTLE_ENDIAN_BYTES) && cputype == CPU_TYPE_ARM64 &&
           (cpusubtype & ~CPU_SUBTYPE_MASK) == CPU_SUBTYPE_ARM64E;
}

static int run_all(struct run *run, const struct assay_subject *subject, const char *setting,
                   struct fail *fail)
{
    furnish(run, setting);
    if (process_ended(run->process))
        return 0;
    if (load(run, subject, fail) < 0)
        return -1;
    if (!process_ended(run->process))
        begin(run);
    ask(run, subject);
    bool has_main = subject->main_name != NULL;
    if (has_main && !process_ended(run->process))
        start_main(run);
    if (stop_check(fail) < 0)
        return -1;
    judge_log(run, subject);
    if (has_main && run->world.exited)
        judge_main(run);
    run->out->instructions = emu_instructions(process_emu(run->process));
    return 0;
}

int assay_run(struct assay_outcome *out, const struct assay_subject *subject,
              const struct trial *trial, const char *setting, struct fail *fail)
{
    static const struct emu_limits usual = {.instructions = ASSAY_INSTRUCTIONS,
                                            .memory_len = ASSAY_MEMORY_LEN,
                                            .time_sec = ASSAY_TIME_SEC};
    const struct emu_limits *limits = subject->limits == NULL ? &usual : subject->limits;
    struct run run = {.trial = trial, .out = out};
    int result =
        process_open(&run.process, &out->findings, is_arm64e(subject->bytes), limits, fail);
    if (result == 0)
        result = run_all(&run, subject, setting, fail);
    loader_release(&run.loader);
    world_release(&run.world);
    free(run.classes);
    free(run.devices);
    process_release(&run.process);
    return result;
}

void assay_outcome_release(struct assay_outcome *outcome)
{
    findings_release(&outcome->findings);
    buf_release(&outcome->transcript);
}
