#include "config/policy_check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "base/stop.h"
#include "config/policy_text.h"
#include "macho/objcmeta.h"
#include "macho/symbols.h"

/* What one image offers to all rules; the lists are read when a rule first asks. */
struct subject {
    const char *artifact;
    struct view file;
    const struct image *image;
    struct symbol_list imports;
    struct text_list selectors;
    bool has_imports;
    bool has_selectors;
};

static void subject_release(struct subject *subject)
{
    symbols_release(&subject->imports);
    text_list_release(&subject->selectors);
}

static int need_imports(struct subject *subject, struct fail *fail)
{
    if (!subject->has_imports && symbols_imports(&subject->imports, subject->image, fail) < 0)
        return fail_while(fail, "reading the imports of '%s'", subject->artifact);
    subject->has_imports = true;
    return 0;
}

static int need_selectors(struct subject *subject, struct fail *fail)
{
    if (!subject->has_selectors &&
        objcmeta_selectors(&subject->selectors, subject->image, fail) < 0)
        return fail_while(fail, "reading the selectors of '%s'", subject->artifact);
    subject->has_selectors = true;
    return 0;
}

static bool listed(char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

/* `expected` is followed by the rule's own reason. */
static struct finding *finding_of(struct findings *findings, const char *id,
                                  const struct subject *subject, const struct policy_rule *rule,
                                  const char *expected, ...) __attribute__((format(printf, 5, 6)));
static struct finding *finding_of(struct findings *findings, const char *id,
                                  const struct subject *subject, const struct policy_rule *rule,
                                  const char *expected, ...)
{
    va_list args;
    va_start(args, expected);
    own_mem char *text = text_vprintf(expected, args);
    va_end(args);
    struct finding *finding = finding_add(findings, FINDING_ERROR, id);
    finding_place(finding, "%s: rule %s", subject->artifact, rule->id);
    finding_expected(finding, "%s (%s)", text, rule->reason);
    finding_remedy(finding, "build the artifact without it, or change the rule");
    return finding;
}

static int check_imports(struct policy_result *result, struct findings *findings,
                         const struct policy_rule *rule, struct subject *subject, struct fail *fail)
{
    const struct policy_forbid *forbid = &rule->forbid;
    const struct policy_allow *allow = &rule->allow;
    if (forbid->imports_count + allow->imports_count == 0)
        return 0;
    if (need_imports(subject, fail) < 0)
        return -1;
    const char *previous = NULL;
    for (size_t i = 0; i < subject->imports.count; i++) {
        const struct symbol *symbol = &subject->imports.list[i];
        if (previous != NULL && strcmp(previous, symbol->name) == 0)
            continue; /* the same name from another library */
        previous = symbol->name;
        result->imports++;
        bool forbidden = listed(forbid->imports, forbid->imports_count, symbol->name);
        bool unlisted = allow->imports_count != 0 &&
                        !listed(allow->imports, allow->imports_count, symbol->name);
        if (!forbidden && !unlisted)
            continue;
        char origin[SYMBOL_ORIGIN_MAX];
        symbols_origin(origin, symbol);
        struct finding *finding = finding_of(
            findings, "policy.import", subject, rule,
            forbidden ? "no import of %s" : "only imports on the list, %s is not", symbol->name);
        finding_actual(finding, "%s is imported (%s)", symbol->name, origin);
    }
    return 0;
}

static int check_selectors(struct policy_result *result, struct findings *findings,
                           const struct policy_rule *rule, struct subject *subject,
                           struct fail *fail)
{
    const struct policy_forbid *forbid = &rule->forbid;
    if (forbid->selectors_count == 0)
        return 0;
    if (need_selectors(subject, fail) < 0)
        return -1;
    result->selectors += subject->selectors.count;
    for (size_t i = 0; i < subject->selectors.count; i++) {
        const char *name = subject->selectors.list[i];
        if (!listed(forbid->selectors, forbid->selectors_count, name))
            continue;
        struct finding *finding =
            finding_of(findings, "policy.selector", subject, rule, "no selector %s", name);
        finding_actual(finding, "selector %s is there", name);
    }
    return 0;
}

static const char *library_verb(enum library_kind kind)
{
    switch (kind) {
    case LIBRARY_ID:
        return "is the install name";
    case LIBRARY_LOAD:
        return "is linked";
    case LIBRARY_WEAK:
        return "is linked weakly";
    case LIBRARY_REEXPORT:
        return "is re-exported";
    case LIBRARY_UPWARD:
        return "is linked upward";
    case LIBRARY_LAZY:
        return "is linked lazily";
    }
    return "is linked";
}

static bool is_linked(const struct image *image, const char *path)
{
    if (image->id.path != NULL && strcmp(image->id.path, path) == 0)
        return true;
    for (uint32_t i = 0; i < image->library_count; i++)
        if (strcmp(image->libraries[i].path, path) == 0)
            return true;
    return false;
}

static void check_libraries(struct policy_result *result, struct findings *findings,
                            const struct policy_rule *rule, const struct subject *subject)
{
    const struct policy_forbid *forbid = &rule->forbid;
    const struct policy_allow *allow = &rule->allow;
    const struct image *image = subject->image;
    if (forbid->libraries_count + allow->libraries_count == 0)
        return;
    for (uint32_t i = 0; i < image->library_count; i++) {
        const struct image_library *library = &image->libraries[i];
        result->libraries++;
        bool forbidden = listed(forbid->libraries, forbid->libraries_count, library->path);
        bool unlisted = allow->libraries_count != 0 &&
                        !listed(allow->libraries, allow->libraries_count, library->path);
        if (!forbidden && !unlisted)
            continue;
        struct finding *finding = finding_of(
            findings, "policy.library", subject, rule,
            forbidden ? "no library %s" : "only libraries on the list, %s is not", library->path);
        finding_actual(finding, "%s %s", library->path, library_verb(library->kind));
    }
    for (size_t i = 0; i < allow->libraries_count; i++) {
        if (is_linked(image, allow->libraries[i]))
            continue;
        struct finding *finding =
            finding_of(findings, "policy.library", subject, rule,
                       "exactly the libraries on the list, %s among them", allow->libraries[i]);
        finding_remedy(finding, "link it, or take it off the list");
        finding_actual(finding, "%s is not linked", allow->libraries[i]);
    }
    result->libraries += allow->libraries_count;
}

static int check_rule(struct policy_result *result, struct findings *findings,
                      const struct policy_rule *rule, struct subject *subject, struct fail *fail)
{
    size_t before = findings->error_count;
    result->images++;
    if (rule->forbid.strings_count != 0) {
        policy_text_check(findings, rule, subject->artifact, subject->file, subject->image);
        result->strings += rule->forbid.strings_count;
        result->bytes_searched += subject->file.len;
    }
    if (check_imports(result, findings, rule, subject, fail) < 0 ||
        check_selectors(result, findings, rule, subject, fail) < 0)
        return fail_while(fail, "checking policy rule '%s'", rule->id);
    check_libraries(result, findings, rule, subject);
    result->findings += findings->error_count - before;
    return stop_check(fail);
}

int policy_check(struct policy_results *out, struct findings *findings, const struct policy *policy,
                 const char *artifact, struct view file, const struct image *image,
                 struct fail *fail)
{
    if (out->list == NULL) {
        out->list = mem_new(policy->rules_count, sizeof(*out->list));
        out->count = policy->rules_count;
        for (size_t i = 0; i < out->count; i++) {
            out->list[i].id = policy->rules[i].id;
            out->list[i].reason = policy->rules[i].reason;
        }
    }
    if (out->count != policy->rules_count)
        return fail_set(fail, FAIL_BUG, "policy results of one policy were used for another");
    __attribute__((cleanup(subject_release))) struct subject subject = {
        .artifact = artifact, .file = file, .image = image};
    bool covered = false;
    for (size_t i = 0; i < policy->rules_count; i++) {
        if (!policy_rule_applies(&policy->rules[i], artifact))
            continue;
        covered = true;
        if (check_rule(&out->list[i], findings, &policy->rules[i], &subject, fail) < 0)
            return -1;
    }
    if (covered)
        return 0;
    out->uncovered++;
    struct finding *finding = finding_add(findings, FINDING_ERROR, "policy.uncovered");
    finding_place(finding, "%s", artifact);
    finding_expected(finding, "a policy rule that applies to %s", artifact);
    finding_actual(finding, "none of the %zu rules does, so nothing was checked", out->count);
    finding_remedy(finding, "add a rule for this artifact, or one without 'artifacts'");
    return 0;
}

int policy_check_finish(struct policy_results *results, bool whole, struct fail *fail)
{
    size_t applied = 0;
    results->passed = results->uncovered == 0 && results->count > 0;
    for (size_t i = 0; i < results->count; i++) {
        struct policy_result *result = &results->list[i];
        result->passed = result->images > 0 && result->findings == 0;
        results->passed = results->passed && (result->passed || (!whole && result->images == 0));
        applied += result->images > 0;
        if (result->images > 0 || !whole)
            continue;
        fail_set(fail, FAIL_INPUT, "policy rule '%s' applies to no artifact, so it checks nothing",
                 result->id);
        return fail_hint(fail, "correct the names below 'artifacts' of that rule, or remove it");
    }
    if (results->count == 0)
        return fail_set(fail, FAIL_INPUT,
                        "the policy was applied to no image, so nothing was checked");
    if (applied == 0 && results->uncovered == 0)
        return fail_set(fail, FAIL_INPUT, "no rule of the policy checked anything");
    return 0;
}

void policy_results_release(struct policy_results *results)
{
    free(results->list);
    *results = (struct policy_results){0};
}
