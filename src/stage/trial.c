/* The trial stage: the bytes as they will be published, in an emulated process. */
#include "stage/trial.h"

#include <stdlib.h>
#include <string.h>

#include "assay/assay.h"
#include "base/stop.h"
#include "stage/release.h"

bool trial_takes(const struct trial *trial, const struct recipe_artifact *artifact)
{
    return (artifact->kind == RECIPE_DYLIB || artifact->kind == RECIPE_BUNDLE) &&
           trial_applies(trial, artifact->name);
}

const struct recipe_artifact *trial_main(const struct trial *trial, const struct recipe *recipe)
{
    for (size_t i = 0; trial->main != NULL && i < recipe->artifacts_count; i++) {
        if (strcmp(recipe->artifacts[i].name, trial->main) == 0)
            return &recipe->artifacts[i];
    }
    return NULL;
}

int trial_subjects_check(const struct trial *trial, const char *path, const struct recipe *recipe,
                         struct fail *fail)
{
    const struct recipe_artifact *main = trial_main(trial, recipe);
    size_t count = 0;
    if (trial->main != NULL && (main == NULL || main->kind != RECIPE_EXECUTABLE))
        return fail_set(fail, FAIL_INPUT,
                        "the main '%s' of trial '%s' is no executable of the recipe", trial->main,
                        path);
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        const struct recipe_artifact *artifact = &recipe->artifacts[i];
        if (!trial_takes(trial, artifact))
            continue;
        count++;
        if (main == NULL || main->arch == artifact->arch)
            continue;
        fail_set(fail, FAIL_INPUT,
                 "trial '%s' starts '%s' (%s) with '%s' (%s), which cannot be in one process", path,
                 main->name, recipe_arch_text(main->arch), artifact->name,
                 recipe_arch_text(artifact->arch));
        return fail_hint(fail, "name the artifacts that the trial is of with 'artifacts'");
    }
    if (count > 0)
        return 0;
    fail_set(fail, FAIL_INPUT, "trial '%s' is of no artifact, so it tries nothing", path);
    return fail_hint(fail, "correct the names below 'artifacts' of that trial, or remove it");
}

static void add_lines(struct prov_list *list, const char *text)
{
    char *line = NULL;
    while ((line = text_take_line(&text)) != NULL) {
        prov_list_add(list, line);
        free(line);
    }
}

static int run_once(struct prov_trial_result *out, struct findings *findings,
                    const struct trial *trial, const char *path,
                    const struct assay_subject *subject, const char *setting, struct fail *fail)
{
    own_assay struct assay_outcome outcome = {0};
    if (assay_run(&outcome, subject, trial, setting, fail) < 0)
        return fail_while(fail, "running trial '%s'", path);
    if (setting != NULL) {
        own_mem char *head = text_printf("with %s", setting);
        prov_list_add(&out->transcript, head);
    }
    add_lines(&out->transcript, buf_text(&outcome.transcript));
    own_mem char *prefix =
        text_printf("trial %s of %s%s%s", path, subject->name, setting == NULL ? "" : " with ",
                    setting == NULL ? "" : setting);
    findings_prefix(&outcome.findings, 0, prefix);
    out->checks += outcome.checks;
    out->passed = out->passed && outcome.findings.error_count == 0;
    findings_take(findings, &outcome.findings);
    return 0;
}

int trial_run(struct prov_trial_result *out, struct findings *findings, const struct trial *trial,
              const char *path, const struct trial_bytes *artifact, const struct trial_bytes *main,
              struct fail *fail)
{
    struct assay_subject subject = {.name = artifact->name, .bytes = artifact->bytes};
    if (main != NULL) {
        subject.main_name = main->name;
        subject.main_bytes = main->bytes;
        out->main = text_copy(main->name);
    }
    out->artifact = text_copy(artifact->name);
    out->runs = assay_runs(trial);
    out->passed = true;
    for (size_t i = 0; i < out->runs; i++) {
        if (stop_check(fail) < 0 ||
            run_once(out, findings, trial, path, &subject, assay_setting(trial, i), fail) < 0)
            return -1;
    }
    return 0;
}

/* ---- the stage ------------------------------------------------------------------------------ */

static struct trial_bytes bytes_of(const struct release_artifact *artifact)
{
    return (struct trial_bytes){artifact->recipe->name,
                                {artifact->bytes.data, artifact->bytes.len}};
}

static const struct release_artifact *find_artifact(const struct release *release,
                                                    const struct recipe_artifact *recipe)
{
    for (size_t i = 0; i < release->artifact_count; i++) {
        if (release->artifacts[i].recipe == recipe)
            return &release->artifacts[i];
    }
    return NULL;
}

static int run_trial(struct release *release, size_t index, struct fail *fail)
{
    const struct trial *trial = &release->trials[index];
    struct prov_trial *record = &release->record.trials[index];
    const struct recipe_artifact *recipe = trial_main(trial, &release->recipe);
    struct trial_bytes main = {0};
    if (recipe != NULL)
        main = bytes_of(find_artifact(release, recipe));
    for (size_t i = 0; i < release->artifact_count; i++) {
        const struct release_artifact *artifact = &release->artifacts[i];
        if (!trial_takes(trial, artifact->recipe))
            continue;
        struct trial_bytes bytes = bytes_of(artifact);
        if (trial_run(prov_trial_add_result(record), &release->findings, trial, record->file.path,
                      &bytes, recipe == NULL ? NULL : &main, fail) < 0)
            return -1;
    }
    return 0;
}

int stage_trial(struct release *release, struct fail *fail)
{
    if (release->trial_count == 0)
        return 0;
    progress_stage(release->request->progress, "trial", "%zu, in an emulated process",
                   release->trial_count);
    for (size_t i = 0; i < release->trial_count; i++) {
        if (run_trial(release, i, fail) < 0)
            return -1;
    }
    return 0;
}
