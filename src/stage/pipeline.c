#include "stage/pipeline.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/stop.h"

static const struct {
    const char *name;
    release_stage *run;
} stages[] = {
    {"resolve", stage_resolve},       {"pin", stage_pin},         {"checkout", stage_checkout},
    {"archive", stage_archive_begin}, /* goes on beside the next three */
    {"compile", stage_compile},       {"sign", stage_sign},       {"join", stage_universal},
    {"verify", stage_verify},         {"trial", stage_trial},     {"archive", stage_archive},
    {"provenance", stage_provenance}, {"publish", stage_publish},
};

/* Publishing waits for an artifact without findings, and audit never does it. */
static bool is_due(const struct release *release, release_stage *stage)
{
    static release_stage *const of_revision[] = {stage_resolve, stage_checkout, stage_archive_begin,
                                                 stage_compile, stage_archive};
    if (release->request->without_toolchain) {
        for (size_t i = 0; i < sizeof of_revision / sizeof of_revision[0]; i++) {
            if (stage == of_revision[i])
                return true;
        }
        return false;
    }
    if (stage != stage_publish)
        return true;
    return release->request->out != NULL && release->findings.error_count == 0;
}

static int open_directories(struct release *release, struct fail *fail)
{
    const struct release_request *request = release->request;
    if (request->out != NULL && fs_stage_open(&release->stage, request->out, fail) < 0)
        return -1;
    if (fs_scratch_open(&release->scratch, fail) < 0)
        return -1;
    release->scratch.keep = request->keep;
    if (request->out != NULL)
        return 0;
    own_mem char *path = text_printf("%s/release", release->scratch.path);
    return fs_stage_open(&release->stage, path, fail);
}

int release_run(struct release *release, const struct release_request *request, struct fail *fail)
{
    release->request = request;
    release->started = (int64_t)time(NULL);
    if (open_directories(release, fail) < 0)
        return -1;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (stop_check(fail) < 0)
            return fail_while(fail, "at stage %s", stages[i].name);
        if (is_due(release, stages[i].run) && stages[i].run(release, fail) < 0)
            return fail_while(fail, "at stage %s", stages[i].name);
    }
    return 0;
}

void release_free(struct release *release)
{
    stage_archive_abandon(release);
    odb_free(release->odb);
    odb_commit_release(&release->commit);
    for (size_t i = 0; i < release->artifact_count; i++)
        buf_release(&release->artifacts[i].bytes);
    free(release->artifacts);
    for (size_t i = 0; i < release->universal_count; i++)
        buf_release(&release->universals[i].bytes);
    free(release->universals);
    recipe_release(&release->recipe);
    policy_release(&release->policy);
    for (size_t i = 0; i < release->trial_count; i++)
        trial_release(&release->trials[i]);
    free(release->trials);
    toolchain_release(&release->toolchain);
    pin_release(&release->pin);
    findings_release(&release->findings);
    provenance_release(&release->record);
    fs_stage_release(&release->stage); /* before the scratch space that may hold it */
    fs_scratch_release(&release->scratch);
}
