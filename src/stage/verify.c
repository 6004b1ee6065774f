/*
 * The verify stage: the bytes as they will be published, against recipe, pin
 * and policy, and by the word of the toolchain's own witnesses. All findings are collected; the pipeline publishes nothing when
 * there is one.
 */
#include <string.h>

#include "config/policy_check.h"
#include "macho/image.h"
#include "stage/artifact.h"
#include "stage/release.h"
#include "stage/witness.h"

static int verify_artifact(struct release *release, struct policy_results *results,
                           const struct release_artifact *artifact, struct fail *fail)
{
    const char *name = artifact->recipe->name;
    own_image struct image image = {0};
    struct view bytes = {.data = artifact->bytes.data, .len = artifact->bytes.len};
    if (image_open(&image, bytes, fail) < 0)
        return fail_while(fail, "verifying '%s'", name);
    struct prov_artifact *described = provenance_add_artifact(&release->record);
    artifact_describe(described, name, &image);
    if (artifact->pass != NULL)
        described->pass = text_copy(artifact->pass);
    artifact_check(&release->findings, name, &image, artifact->recipe, &release->toolchain);
    const char *arch = recipe_arch_text(artifact->recipe->arch);
    if (witness_verdict(release, name, bytes, &arch, 1, fail) < 0)
        return -1;
    if (release->policy.rules_count == 0)
        return 0;
    return policy_check(results, &release->findings, &release->policy, name, bytes, &image, fail);
}

static const char *arch_of(const struct recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        if (strcmp(recipe->artifacts[i].name, name) == 0)
            return recipe_arch_text(recipe->artifacts[i].arch);
    }
    return "?";
}

/* Universal files are verified where they are joined; the witnesses have not seen them yet. */
static int verify_universal(struct release *release, const struct release_artifact *universal,
                            struct fail *fail)
{
    const struct recipe_artifact *artifact = universal->recipe;
    own_mem const char **archs = mem_new(artifact->of_count, sizeof *archs);
    for (size_t i = 0; i < artifact->of_count; i++)
        archs[i] = arch_of(&release->recipe, artifact->of[i]);
    struct view bytes = {.data = universal->bytes.data, .len = universal->bytes.len};
    return witness_verdict(release, artifact->name, bytes, archs, artifact->of_count, fail);
}

static void record_rules(struct release *release, const struct policy_results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        const struct policy_result *result = &results->list[i];
        struct prov_rule *rule = provenance_add_rule(&release->record);
        rule->id = text_copy(result->id);
        rule->reason = text_copy(result->reason == NULL ? "" : result->reason);
        rule->checks = result->strings + result->imports + result->selectors + result->libraries;
        rule->passed = result->passed;
        for (size_t k = 0; k < release->artifact_count; k++) {
            const char *name = release->artifacts[k].recipe->name;
            if (policy_rule_applies(&release->policy.rules[i], name))
                prov_list_add(&rule->artifacts, name);
        }
    }
}

int stage_verify(struct release *release, struct fail *fail)
{
    own_policy_results struct policy_results results = {0};
    progress_stage(release->request->progress, "verify", "architecture, signature, policy");
    for (size_t i = 0; i < release->artifact_count; i++) {
        if (verify_artifact(release, &results, &release->artifacts[i], fail) < 0)
            return -1;
    }
    for (size_t i = 0; i < release->universal_count; i++) {
        if (verify_universal(release, &release->universals[i], fail) < 0)
            return -1;
    }
    if (release->policy.rules_count == 0)
        return 0;
    if (policy_check_finish(&results, true, fail) < 0)
        return fail_while(fail, "checking the policy '%s'", release->record.policy.path);
    record_rules(release, &results);
    return 0;
}
