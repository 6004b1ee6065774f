/*
 * release_dir.h: the trials of the record. They are run again on the files of the directory, by the
 * texts that the record carries, and have to say what the record says.
 */
#include <string.h>

#include "stage/release_dir.h"
#include "stage/trial.h"

struct again {
    struct release_dir *dir;
    struct findings *findings;
    const struct recipe *recipe;
    const struct prov_trial *stated;
    struct trial trial;
};

static void same(const struct again *again, const char *what, const char *expected,
                 const char *stated)
{
    expected = expected == NULL ? "none" : expected;
    stated = stated == NULL ? "none" : stated;
    if (strcmp(expected, stated) == 0)
        return;
    own_mem char *place =
        text_printf(PROVENANCE_JSON_NAME ": trial %s, %s", again->stated->file.path, what);
    finding_error(again->findings, "provenance.claim", place, expected, stated);
}

static void same_count(const struct again *again, const char *what, uint64_t expected,
                       uint64_t stated)
{
    own_mem char *left = text_printf("%llu", (unsigned long long)expected);
    own_mem char *right = text_printf("%llu", (unsigned long long)stated);
    same(again, what, left, right);
}

static void same_result(const struct again *again, const struct prov_trial_result *found,
                        const struct prov_trial_result *stated)
{
    size_t lines = found->transcript.count;
    same(again, "artifact", found->artifact, stated->artifact);
    same(again, "main", found->main, stated->main);
    same_count(again, "runs", found->runs, stated->runs);
    same_count(again, "checks", found->checks, stated->checks);
    same(again, "result", found->passed ? "passed" : "failed",
         stated->passed ? "passed" : "failed");
    same_count(again, "lines of the transcript", lines, stated->transcript.count);
    for (size_t i = 0; i < lines && i < stated->transcript.count; i++) {
        own_mem char *line = text_printf("line %zu of the transcript", i + 1);
        same(again, line, found->transcript.list[i], stated->transcript.list[i]);
    }
}

static int run_again(const struct again *again, const struct recipe_artifact *artifact,
                     const struct prov_trial_result *stated, struct fail *fail)
{
    own_trial_record struct prov_trial record = {0};
    own_fs_map struct fs_map file = {0};
    own_fs_map struct fs_map main_file = {0};
    const struct recipe_artifact *recipe = trial_main(&again->trial, again->recipe);
    if (!release_dir_map(&file, again->dir, artifact->name) ||
        (recipe != NULL && !release_dir_map(&main_file, again->dir, recipe->name)))
        return 0;
    struct trial_bytes bytes = {artifact->name, file.view};
    struct trial_bytes main = {recipe == NULL ? NULL : recipe->name, main_file.view};
    struct prov_trial_result *found = prov_trial_add_result(&record);
    own_fail struct fail inner = {0};
    if (trial_run(found, again->findings, &again->trial, again->stated->file.path, &bytes,
                  recipe == NULL ? NULL : &main, &inner) < 0) {
        if (inner.code != FAIL_INPUT)
            return fail_move(fail, &inner);
        same(again, artifact->name, "an image that a trial can load", inner.message);
        return 0;
    }
    same_result(again, found, stated);
    return 0;
}

static int check_results(const struct again *again, struct fail *fail)
{
    size_t at = 0;
    for (size_t i = 0; i < again->recipe->artifacts_count; i++) {
        const struct recipe_artifact *artifact = &again->recipe->artifacts[i];
        if (!trial_takes(&again->trial, artifact))
            continue;
        if (at == again->stated->result_count) {
            same(again, "result", artifact->name, NULL);
            return 0;
        }
        if (run_again(again, artifact, &again->stated->results[at++], fail) < 0)
            return -1;
    }
    same_count(again, "number of results", at, again->stated->result_count);
    return 0;
}

static int check_trial(struct again *again, struct fail *fail)
{
    own_fail struct fail bad = {0};
    const struct prov_text *file = &again->stated->file;
    struct view text = {(const uint8_t *)file->text, strlen(file->text)};
    if (trial_parse(&again->trial, text, file->path, &bad) < 0 ||
        trial_subjects_check(&again->trial, file->path, again->recipe, &bad) < 0) {
        finding_error(again->findings, "provenance.text", file->path, "a trial", bad.message);
        return 0;
    }
    same(again, "reason", again->trial.reason, again->stated->reason);
    return check_results(again, fail);
}

/* Whether the path is of a trial directly in the folder. */
static bool is_in_folder(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    if (len > 0 && (strncmp(path, folder, len) != 0 || path[len] != '/'))
        return false;
    const char *name = path + len + (len > 0 ? 1 : 0);
    size_t name_len = strlen(name);
    return strchr(name, '/') == NULL && name_len > 5 && strcmp(name + name_len - 5, ".yaml") == 0;
}

/* A release has each trial of the folder once, in the order of their names. */
static void check_paths(struct findings *findings, const struct provenance *record,
                        const char *folder)
{
    for (size_t i = 0; i < record->trial_count; i++) {
        const char *path = record->trials[i].file.path;
        const char *before = i == 0 ? NULL : record->trials[i - 1].file.path;
        if (!is_in_folder(path, folder)) {
            own_mem char *expected = text_printf("a trial of the folder '%s'", folder);
            finding_error(findings, "provenance.claim", PROVENANCE_JSON_NAME ": trials", expected,
                          path);
        } else if (before != NULL && strcmp(before, path) >= 0) {
            own_mem char *expected = text_printf("a name behind '%s'", before);
            finding_error(findings, "provenance.claim", PROVENANCE_JSON_NAME ": trials", expected,
                          path);
        }
    }
}

int release_dir_check_trials(struct release_dir *dir, struct findings *findings,
                             const struct recipe *recipe, struct fail *fail)
{
    const struct provenance *record = &dir->record;
    if ((recipe->trials_path != NULL) != (record->trial_count > 0))
        finding_error(findings, "provenance.claim", PROVENANCE_JSON_NAME ": trials",
                      recipe->trials_path == NULL ? "none" : "those of the recipe's folder",
                      record->trial_count == 0 ? "none" : "some");
    if (recipe->trials_path == NULL)
        return 0;
    check_paths(findings, record, recipe->trials_path);
    for (size_t i = 0; i < record->trial_count; i++) {
        struct again again = {
            .dir = dir, .findings = findings, .recipe = recipe, .stated = &record->trials[i]};
        int result = 0;
        if (release_dir_text_holds(findings, &again.stated->file))
            result = check_trial(&again, fail);
        trial_release(&again.trial);
        if (result < 0)
            return -1;
    }
    return 0;
}
