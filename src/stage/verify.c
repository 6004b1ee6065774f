/*
 * The verify stage: the bytes as they will be published, against recipe, pin
 * and policy. All findings are collected; the pipeline publishes nothing when
 * there is one.
 */
#include "config/policy_check.h"
#include "macho/image.h"
#include "stage/artifact.h"
#include "stage/release.h"

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
    if (release->policy.rules_count == 0)
        return 0;
    return policy_check(results, &release->findings, &release->policy, name, bytes, &image, fail);
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
    if (release->policy.rules_count == 0)
        return 0;
    if (policy_check_finish(&results, true, fail) < 0)
        return fail_while(fail, "checking the policy '%s'", release->record.policy.path);
    record_rules(release, &results);
    return 0;
}
