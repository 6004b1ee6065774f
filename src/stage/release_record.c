/*
 * release_dir.h: the record against the recipe, policy and pin that it carries. They say what the
 * record must say; what they cannot know (digests, command lines) is for an audit to derive.
 */
#include <string.h>

#include "stage/arm64e_build.h"
#include "stage/artifact.h"
#include "stage/release_dir.h"

struct claims {
    struct findings *findings;
    const struct provenance *record;
};

/* NULL stands for "none". */
static void same(struct claims *claims, const char *what, const char *expected, const char *stated)
{
    expected = expected == NULL ? "none" : expected;
    stated = stated == NULL ? "none" : stated;
    if (strcmp(expected, stated) == 0)
        return;
    own_mem char *place = text_printf(PROVENANCE_JSON_NAME ": %s", what);
    finding_error(claims->findings, "provenance.claim", place, expected, stated);
}

static void same_count(struct claims *claims, const char *what, size_t expected, size_t stated)
{
    own_mem char *left = text_printf("%zu", expected);
    own_mem char *right = text_printf("%zu", stated);
    same(claims, what, left, right);
}

static void check_commit(struct claims *claims)
{
    const char *const ids[] = {claims->record->commit, claims->record->tree};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        unsigned char id[20];
        if (text_unhex(id, sizeof id, ids[i]) < 0)
            same(claims, i == 0 ? "commit" : "tree", "40 hexadecimal digits", ids[i]);
    }
}

static bool opened(const struct provenance *record, const char *source)
{
    for (size_t i = 0; i < record->sources.count; i++) {
        if (strcmp(record->sources.list[i].path, source) == 0)
            return true;
    }
    return false;
}

/* `pin`: NULL when the record carries none that can be read. */
static void check_artifacts(struct claims *claims, const struct recipe *recipe,
                            const struct toolchain *pin)
{
    const struct provenance *record = claims->record;
    same_count(claims, "number of artifacts", recipe->artifacts_count, record->artifact_count);
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        const struct recipe_artifact *artifact = &recipe->artifacts[i];
        if (i < record->artifact_count) {
            same(claims, "artifact", artifact->name, record->artifacts[i].name);
            if (pin != NULL)
                same(claims, "pass", arm64e_is_passed(pin, artifact) ? ARM64E_PASS : NULL,
                     record->artifacts[i].pass);
        }
        for (size_t k = 0; k < artifact->sources_count; k++) {
            if (!opened(record, artifact->source_paths[k]))
                same(claims, "source", artifact->source_paths[k], NULL);
        }
    }
}

static void check_recipe(struct claims *claims, const struct recipe *recipe,
                         const struct toolchain *pin)
{
    const struct provenance *record = claims->record;
    same_count(claims, "format", artifact_record_format(recipe), record->format);
    same(claims, "name", recipe->name, record->name);
    same(claims, "version", recipe->version, record->version);
    same(claims, "repository", recipe->repository, record->repository);
    same(claims, "policy", recipe->policy_path, record->policy.path);
    own_mem char *archive = text_printf("%s-source-%.8s.tar.gz", recipe->name, record->commit);
    same(claims, "archive name", archive, record->archive_name);
    same(claims, "archive prefix", recipe->archive.prefix, record->archive_prefix);
    same_count(claims, "number of archive paths", recipe->archive.paths_count,
               record->archive_paths.count);
    for (size_t i = 0; i < recipe->archive.paths_count && i < record->archive_paths.count; i++)
        same(claims, "archive path", recipe->archive.paths[i], record->archive_paths.list[i]);
    check_artifacts(claims, recipe, pin);
}

static void check_pin(struct claims *claims, const struct toolchain *pin)
{
    const struct provenance *record = claims->record;
    own_mem char *path = text_printf("toolchain/%s.yaml", pin->name);
    same(claims, "pin", path, record->pin.path);
    same(claims, "toolchain", pin->name, record->toolchain);
    same(claims, "toolchain family", toolchain_family_text(pin->family), record->family);
    same(claims, "compiler", pin->compiler.program, record->compiler);
    same(claims, "compiler version", pin->compiler.version, record->compiler_version);
    same(claims, "linker", pin->linker.program, record->linker);
    same(claims, "linker version", pin->linker.version, record->linker_version);
    same(claims, "SDK", toolchain_sdk_name(pin), record->sdk_path);
    same(claims, "SDK version", pin->sdk.version, record->sdk_version);
    if (pin->sdk.contents != NULL)
        same(claims, "SDK contents", pin->sdk.contents + strlen("sha256:"), record->sdk_sha256);
}

/* A release is published only when every rule held: the record says that of these, of no other. */
static void check_rule(struct claims *claims, const struct policy_rule *rule,
                       const struct prov_rule *stated)
{
    const struct provenance *record = claims->record;
    own_mem char *place = text_printf("policy rule %s", rule->id);
    size_t at = 0;
    same(claims, "policy rule", rule->id, stated->id);
    same(claims, place, rule->reason, stated->reason);
    if (!stated->passed)
        same(claims, place, "passed", "failed");
    for (size_t i = 0; i < record->artifact_count; i++) {
        if (!policy_rule_applies(rule, record->artifacts[i].name))
            continue;
        same(claims, place, record->artifacts[i].name,
             at < stated->artifacts.count ? stated->artifacts.list[at] : NULL);
        at++;
    }
    if (at < stated->artifacts.count)
        same_count(claims, place, at, stated->artifacts.count);
}

static void check_policy(struct claims *claims, const struct policy *policy)
{
    const struct provenance *record = claims->record;
    same_count(claims, "number of policy rules", policy->rules_count, record->rule_count);
    for (size_t i = 0; i < policy->rules_count && i < record->rule_count; i++)
        check_rule(claims, &policy->rules[i], &record->rules[i]);
}

void release_dir_check_claims(const struct release_dir *dir, struct findings *findings,
                              const struct release_carried *carried)
{
    struct claims claims = {.findings = findings, .record = &dir->record};
    check_commit(&claims);
    if (carried->has_recipe)
        check_recipe(&claims, &carried->recipe, carried->has_pin ? &carried->pin : NULL);
    if (carried->has_pin)
        check_pin(&claims, &carried->pin);
    if (carried->has_policy || dir->record.policy.path == NULL)
        check_policy(&claims, &carried->policy);
}
