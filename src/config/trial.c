#include "config/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "config/doc.h"
#include "config/rule.h"

static const cyaml_strval_t truths[] = {{"false", TRIAL_NO}, {"true", TRIAL_YES}};

static const cyaml_strval_t methods[] = {
    {"families", TRIAL_FAMILIES},
    {"threadgroup_memory", TRIAL_THREADGROUP},
    {"working_set", TRIAL_WORKING_SET},
    {"starts", TRIAL_STARTS},
};

static const cyaml_schema_value_t text_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, TRIAL_TEXT_MAX),
};

/* Lines of output may be empty. */
static const cyaml_schema_value_t line_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, TRIAL_TEXT_MAX),
};

static const cyaml_schema_value_t method_value = {
    CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, enum trial_method, methods, CYAML_ARRAY_LEN(methods)),
};

#define TEXT(key, flags, structure, member) \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, TRIAL_TEXT_MAX)
#define LIST(key, structure, member, entry, min)                                                  \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, entry, \
                         min, TRIAL_LIST_MAX)
#define NUMBER(key, structure, member) \
    CYAML_FIELD_UINT_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member)
#define TRUTH(key, structure, member)                                                         \
    CYAML_FIELD_ENUM(key, CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, structure, member, truths, \
                     CYAML_ARRAY_LEN(truths))

static const cyaml_schema_field_t class_fields[] = {
    TEXT("name", CYAML_FLAG_DEFAULT, struct trial_class, name),
    TEXT("super", CYAML_FLAG_OPTIONAL, struct trial_class, super),
    LIST("families", struct trial_class, families, &text_value, 0),
    NUMBER("threadgroup_memory", struct trial_class, threadgroup_memory),
    NUMBER("working_set", struct trial_class, working_set),
    TRUTH("starts", struct trial_class, starts),
    LIST("asks_super", struct trial_class, asks_super, &method_value, 1),
    LIST("fixed", struct trial_class, fixed, &method_value, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t class_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct trial_class, class_fields),
};

static const cyaml_schema_field_t device_fields[] = {
    TEXT("class", CYAML_FLAG_DEFAULT, struct trial_device, class_name),
    TEXT("name", CYAML_FLAG_OPTIONAL, struct trial_device, name),
    CYAML_FIELD_UINT("registry_id", CYAML_FLAG_OPTIONAL, struct trial_device, registry_id),
    NUMBER("starts", struct trial_device, starts),
    TRUTH("headless", struct trial_device, headless),
    TRUTH("low_power", struct trial_device, low_power),
    TRUTH("unified_memory", struct trial_device, unified_memory),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t device_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct trial_device, device_fields),
};

static const cyaml_schema_field_t answer_fields[] = {
    LIST("yes", struct trial_answers, yes, &text_value, 1),
    LIST("no", struct trial_answers, no, &text_value, 1),
    NUMBER("threadgroup_memory", struct trial_answers, threadgroup_memory),
    NUMBER("working_set", struct trial_answers, working_set),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t answer_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct trial_answers, answer_fields),
};

static const cyaml_schema_field_t expect_fields[] = {
    LIST("devices", struct trial_expect, devices, &answer_value, 1),
    LIST("log", struct trial_expect, log, &text_value, 1),
    NUMBER("exit", struct trial_expect, exit),
    LIST("output", struct trial_expect, output, &line_value, 1),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t trial_fields[] = {
    TEXT("reason", CYAML_FLAG_DEFAULT, struct trial, reason),
    LIST("artifacts", struct trial, artifacts, &text_value, 1),
    TEXT("main", CYAML_FLAG_OPTIONAL, struct trial, main),
    LIST("arguments", struct trial, arguments, &text_value, 1),
    LIST("environment", struct trial, environment, &text_value, 1),
    LIST("each", struct trial, each, &text_value, 1),
    TEXT("program", CYAML_FLAG_OPTIONAL, struct trial, program),
    LIST("classes", struct trial, classes, &class_value, 0),
    LIST("devices", struct trial, devices, &device_value, 0),
    CYAML_FIELD_MAPPING("expect", CYAML_FLAG_DEFAULT, struct trial, expect, expect_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t trial_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct trial, trial_fields),
};

/* ---- families ------------------------------------------------------------------------------- */

/* "-1", "1001" or "1001-1009". */
static bool parse_number(int64_t *out, const char **text)
{
    bool negative = **text == '-';
    const char *digits = *text + (negative ? 1 : 0);
    size_t len = strspn(digits, "0123456789");
    if (len == 0 || len > 7 || (digits[0] == '0' && len > 1))
        return false;
    *out = strtoll(*text, NULL, 10);
    *text = digits + len;
    return *out >= -TRIAL_FAMILY_MAX && *out <= TRIAL_FAMILY_MAX;
}

static bool parse_range(struct trial_range *out, const char *text)
{
    if (!parse_number(&out->first, &text))
        return false;
    out->last = out->first;
    if (*text == '-') {
        text++;
        if (!parse_number(&out->last, &text))
            return false;
    }
    return *text == '\0' && out->first <= out->last && out->last - out->first < TRIAL_RANGE_MAX;
}

static int parse_ranges(struct trial_range **out, char *const *texts, size_t count,
                        const struct doc *doc, const char *path, struct fail *fail)
{
    *out = mem_new(count, sizeof **out);
    for (size_t i = 0; i < count; i++) {
        if (parse_range(&(*out)[i], texts[i]))
            continue;
        own_mem char *place = text_printf("%s[%zu]", path, i);
        doc_fail(doc, fail, place, "'%s' is no family and no range of families", texts[i]);
        return fail_hint(fail, "a family is a number like 1009, a range is written 1001-1009");
    }
    return 0;
}

/* ---- checks --------------------------------------------------------------------------------- */

static int check_settings(char *const *settings, size_t count, const struct doc *doc,
                          const char *key, struct fail *fail)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(settings[i], '=');
        if (equals != NULL && equals != settings[i])
            continue;
        own_mem char *path = text_printf("%s[%zu]", key, i);
        return doc_fail(doc, fail, path, "'%s' is not NAME=value", settings[i]);
    }
    return 0;
}

static bool defines(const struct trial_class *class_, enum trial_method method, bool has_families)
{
    switch (method) {
    case TRIAL_FAMILIES:
        return has_families;
    case TRIAL_THREADGROUP:
        return class_->threadgroup_memory != NULL;
    case TRIAL_WORKING_SET:
        return class_->working_set != NULL;
    case TRIAL_STARTS:
        return class_->starts == TRIAL_YES;
    }
    return false;
}

/* Whether every world has that class, so that none can be of that name. */
static bool is_given(const char *name)
{
    static const char *const given[] = {TRIAL_ROOT_CLASS, "NSString", "NSArray"};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (strcmp(given[i], name) == 0)
            return true;
    }
    return false;
}

static int check_class(struct trial *trial, size_t index, const struct doc *doc, struct fail *fail)
{
    struct trial_class *class_ = &trial->classes[index];
    own_mem char *path = text_printf("classes[%zu]", index);
    own_mem char *families = text_printf("classes[%zu].families", index);
    class_->has_families = doc_has(doc, families);
    bool found = class_->super == NULL || strcmp(class_->super, TRIAL_ROOT_CLASS) == 0;
    if (is_given(class_->name))
        return doc_fail(doc, fail, path, "every world has a class '%s' of its own", class_->name);
    for (size_t i = 0; i < index; i++) {
        if (strcmp(trial->classes[i].name, class_->name) == 0)
            return doc_fail(doc, fail, path, "class '%s' occurs twice", class_->name);
        found = found || strcmp(trial->classes[i].name, class_->super) == 0;
    }
    if (!found)
        return doc_fail(doc, fail, path,
                        "class '%s' has the superclass '%s', which comes not before it",
                        class_->name, class_->super);
    for (size_t i = 0; i < class_->asks_super_count; i++) {
        if (!defines(class_, class_->asks_super[i], class_->has_families))
            return doc_fail(doc, fail, path,
                            "class '%s' asks its superclass for '%s' but does not define it",
                            class_->name, methods[class_->asks_super[i]].str);
    }
    return parse_ranges(&class_->ranges, class_->families, class_->families_count, doc, families,
                        fail);
}

static int check_device(struct trial *trial, size_t index, const struct doc *doc, struct fail *fail)
{
    struct trial_device *device = &trial->devices[index];
    own_mem char *path = text_printf("devices[%zu]", index);
    bool found = trial->classes_count == 0 && strcmp(device->class_name, TRIAL_DEFAULT_CLASS) == 0;
    for (size_t i = 0; i < trial->classes_count && !found; i++)
        found = strcmp(trial->classes[i].name, device->class_name) == 0;
    if (!found)
        return doc_fail(doc, fail, path, "there is no class '%s'", device->class_name);
    if (device->starts != NULL && (*device->starts == 0 || *device->starts > TRIAL_STARTS_MAX))
        return doc_fail(doc, fail, path, "'starts' is not between 1 and %u", TRIAL_STARTS_MAX);
    return 0;
}

static int check_answers(struct trial *trial, size_t index, const struct doc *doc,
                         struct fail *fail)
{
    struct trial_answers *answers = &trial->expect.devices[index];
    own_mem char *path = text_printf("expect.devices[%zu]", index);
    own_mem char *yes = text_printf("%s.yes", path);
    own_mem char *no = text_printf("%s.no", path);
    if (answers->yes_count + answers->no_count == 0 && answers->threadgroup_memory == NULL &&
        answers->working_set == NULL)
        return doc_fail(doc, fail, path, "nothing is asked of device %zu", index);
    if (parse_ranges(&answers->yes_ranges, answers->yes, answers->yes_count, doc, yes, fail) < 0)
        return -1;
    return parse_ranges(&answers->no_ranges, answers->no, answers->no_count, doc, no, fail);
}

static int check_expect(struct trial *trial, const struct doc *doc, struct fail *fail)
{
    const struct trial_expect *expect = &trial->expect;
    size_t devices = trial->devices_count;
    if (!doc_has(doc, "devices"))
        devices = 1;
    if (expect->devices_count + expect->log_count + expect->output_count == 0 &&
        expect->exit == NULL)
        return doc_fail(doc, fail, "expect", "the trial expects nothing");
    if (expect->devices_count > devices)
        return doc_fail(doc, fail, "expect.devices",
                        "answers of %zu devices are expected, there are %zu", expect->devices_count,
                        devices);
    if (trial->main == NULL &&
        (expect->exit != NULL || expect->output_count > 0 || trial->arguments_count > 0))
        return doc_fail(doc, fail, "", "arguments, exit and output need a 'main'");
    for (size_t i = 0; i < expect->devices_count; i++) {
        if (check_answers(trial, i, doc, fail) < 0)
            return -1;
    }
    return 0;
}

static int check_trial(struct trial *trial, const struct doc *doc, struct fail *fail)
{
    if (check_settings(trial->environment, trial->environment_count, doc, "environment", fail) <
            0 ||
        check_settings(trial->each, trial->each_count, doc, "each", fail) < 0)
        return -1;
    for (size_t i = 0; i < trial->classes_count; i++) {
        if (check_class(trial, i, doc, fail) < 0)
            return -1;
    }
    for (size_t i = 0; i < trial->devices_count; i++) {
        if (check_device(trial, i, doc, fail) < 0)
            return -1;
    }
    trial->has_classes = doc_has(doc, "classes");
    trial->has_devices = doc_has(doc, "devices");
    return check_expect(trial, doc, fail);
}

int trial_parse(struct trial *out, struct view text, const char *name, struct fail *fail)
{
    own_doc struct doc doc = {0};
    own_trial struct trial trial = {0};
    if (doc_load(&doc, &trial, sizeof trial, text, name, &trial_schema, fail) < 0 ||
        check_trial(&trial, &doc, fail) < 0)
        return -1;
    *out = trial;
    trial = (struct trial){0};
    return 0;
}

void trial_release(struct trial *trial)
{
    for (size_t i = 0; i < trial->classes_count; i++)
        free(trial->classes[i].ranges);
    for (size_t i = 0; i < trial->expect.devices_count; i++) {
        free(trial->expect.devices[i].yes_ranges);
        free(trial->expect.devices[i].no_ranges);
    }
    doc_free(trial, sizeof *trial, &trial_schema);
}

bool trial_applies(const struct trial *trial, const char *artifact)
{
    for (size_t i = 0; i < trial->artifacts_count; i++) {
        if (rule_glob(trial->artifacts[i], artifact))
            return true;
    }
    return trial->artifacts_count == 0;
}
