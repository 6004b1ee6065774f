/*
 * The first stage: revision, recipe, policy and pin, all read from the object
 * database (a recipe from outside the revision, and an installed toolchain,
 * from the file system, and recorded as such).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/datadir.h"
#include "port/digest.h"
#include "stage/artifact.h"
#include "stage/release.h"
#include "stage/trial.h"

#define RECIPE_NAME "hallmark.yaml"
#define EPOCH_MAX   253402300799 /* the end of the year 9999: compilers take no later one */

static int read_tree_text(struct buf *out, struct release *release, const char *path,
                          const char *what, struct fail *fail)
{
    struct odb_entry entry;
    int found = odb_tree_find(&entry, release->odb, &release->commit.tree, path, fail);
    if (found < 0)
        return -1;
    if (found == 0) {
        fail_set(fail, FAIL_INPUT, "%s '%s' is not in the tree of commit %s", what, path,
                 release->record.commit);
        return fail_hint(fail,
                         "hallmark reads the revision, not the working tree: commit the file");
    }
    if (entry.mode != ODB_MODE_FILE && entry.mode != ODB_MODE_EXECUTABLE)
        return fail_set(fail, FAIL_INPUT, "%s '%s' is not a regular file in the tree (mode %06o)",
                        what, path, entry.mode);
    if (odb_blob_read(out, release->odb, &entry.id, RELEASE_TEXT_MAX, fail) < 0)
        return fail_while(fail, "reading %s '%s'", what, path);
    return 0;
}

static void record_text(struct prov_text *text, const char *path, const struct buf *bytes,
                        bool outside)
{
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, bytes->data, bytes->len);
    *text = (struct prov_text){.path = text_copy(path),
                               .sha256 = text_copy(digest),
                               .text = text_copy(buf_text(bytes)),
                               .outside = outside};
}

static int record_commit(struct release *release, struct fail *fail)
{
    struct provenance *record = &release->record;
    const struct odb_commit *commit = &release->commit;
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, &commit->id);
    record->commit = text_copy(hex);
    odb_id_hex(hex, &commit->tree);
    record->tree = text_copy(hex);
    record->epoch = commit->committer_time;
    time_t seconds = (time_t)commit->committer_time;
    struct tm utc;
    char text[64];
    if (commit->committer_time < 0 || commit->committer_time > EPOCH_MAX ||
        gmtime_r(&seconds, &utc) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        return fail_set(fail, FAIL_INPUT,
                        "commit %s has the time %lld, expected one of the years 1970 to 9999",
                        record->commit, (long long)commit->committer_time);
    record->commit_time = text_copy(text);
    return 0;
}

/* Adds the path when the tree has a recipe there. */
static int look_for_recipe(struct prov_list *found, struct release *release, const char *path,
                           struct fail *fail)
{
    struct odb_entry entry;
    int there = odb_tree_find(&entry, release->odb, &release->commit.tree, path, fail);
    if (there > 0 && (entry.mode == ODB_MODE_FILE || entry.mode == ODB_MODE_EXECUTABLE))
        prov_list_add(found, path);
    return there < 0 ? -1 : 0;
}

/* The one at the root of the tree, else all that lie in its directories. */
static int find_recipes(struct prov_list *found, struct release *release, struct fail *fail)
{
    if (look_for_recipe(found, release, RECIPE_NAME, fail) < 0)
        return -1;
    if (found->count != 0)
        return 0;
    own_odb_tree struct odb_tree root = {0};
    if (odb_tree_read(&root, release->odb, &release->commit.tree, fail) < 0)
        return -1;
    for (size_t i = 0; i < root.count; i++) {
        if (root.list[i].mode != ODB_MODE_TREE)
            continue;
        own_mem char *path = text_printf("%s/" RECIPE_NAME, root.list[i].name);
        if (look_for_recipe(found, release, path, fail) < 0)
            return -1;
    }
    return 0;
}

/* The path of the recipe when none was named; NULL with a failure. */
static char *choose_recipe(struct release *release, struct fail *fail)
{
    own_prov_list struct prov_list found = {0};
    if (find_recipes(&found, release, fail) < 0)
        return NULL;
    if (found.count == 1)
        return text_copy(found.list[0]);
    if (found.count == 0)
        fail_set(fail, FAIL_INPUT, "no recipe '" RECIPE_NAME "' in the tree of commit %s",
                 release->record.commit);
    else
        fail_set(fail, FAIL_INPUT, "%zu recipes in the tree of commit %s, '%s' and '%s' among them",
                 found.count, release->record.commit, found.list[0], found.list[1]);
    fail_hint(fail, "name it with --recipe PATH, or bring your own with --recipe-file FILE");
    return NULL;
}

static int resolve_recipe(struct release *release, struct fail *fail)
{
    const struct release_request *request = release->request;
    own_buf struct buf bytes = {0};
    own_mem char *path = NULL;
    own_mem char *base = NULL;
    bool outside = request->recipe_file != NULL || request->recipe_text != NULL;
    if (outside) {
        if (request->recipe_text != NULL)
            buf_puts(&bytes, request->recipe_text);
        else if (fs_read(&bytes, request->recipe_file, RELEASE_TEXT_MAX, fail) < 0)
            return fail_while(fail, "reading the recipe");
        path = text_copy(RELEASE_RECIPE_NAME);
        base = text_copy("");
    } else {
        path = request->recipe_path == NULL ? choose_recipe(release, fail)
                                            : fs_path_join("", request->recipe_path);
        if (path == NULL && fail->code == FAIL_NONE)
            return fail_set(fail, FAIL_INPUT, "recipe path '%s' leaves the tree",
                            request->recipe_path);
        if (path == NULL || read_tree_text(&bytes, release, path, "recipe", fail) < 0)
            return -1;
        base = fs_path_folder(path);
    }
    const char *shown = request->recipe_file == NULL ? path : request->recipe_file;
    struct view text = {.data = bytes.data, .len = bytes.len};
    if (recipe_parse(&release->recipe, text, shown, base, fail) < 0)
        return -1;
    record_text(&release->record.recipe, path, &bytes, outside);
    release->record.name = text_copy(release->recipe.name);
    release->record.version = text_copy(release->recipe.version);
    if (release->recipe.repository != NULL)
        release->record.repository = text_copy(release->recipe.repository);
    return 0;
}

static int resolve_policy(struct release *release, struct fail *fail)
{
    const char *path = release->recipe.policy_path;
    if (path == NULL)
        return 0;
    own_buf struct buf bytes = {0};
    if (read_tree_text(&bytes, release, path, "policy", fail) < 0)
        return -1;
    struct view text = {.data = bytes.data, .len = bytes.len};
    if (policy_parse(&release->policy, text, path, fail) < 0)
        return -1;
    own_mem const char **names = mem_new(release->recipe.artifacts_count, sizeof *names);
    for (size_t i = 0; i < release->recipe.artifacts_count; i++)
        names[i] = release->recipe.artifacts[i].name;
    if (policy_covers(&release->policy, names, release->recipe.artifacts_count, fail) < 0)
        return fail_while(fail, "reading policy '%s'", path);
    record_text(&release->record.policy, path, &bytes, false);
    return 0;
}

/* The tree of the folder of trials. */
static int read_trials_folder(struct odb_tree *out, struct release *release, struct fail *fail)
{
    const char *path = release->recipe.trials_path;
    struct odb_entry entry = {.mode = ODB_MODE_TREE, .id = release->commit.tree};
    int found = path[0] == '\0'
                    ? 1
                    : odb_tree_find(&entry, release->odb, &release->commit.tree, path, fail);
    if (found < 0)
        return -1;
    if (found > 0 && entry.mode == ODB_MODE_TREE)
        return odb_tree_read(out, release->odb, &entry.id, fail);
    fail_set(fail, FAIL_INPUT, "the folder of trials '%s' is not in the tree of commit %s", path,
             release->record.commit);
    return fail_hint(fail, "hallmark reads the revision, not the working tree: commit the folder");
}

static bool is_trial_name(const char *name)
{
    static const char suffix[] = ".yaml";
    size_t len = strlen(name);
    return len > strlen(suffix) && strcmp(name + len - strlen(suffix), suffix) == 0;
}

static int add_trial(struct release *release, const char *path, struct fail *fail)
{
    own_buf struct buf bytes = {0};
    if (read_tree_text(&bytes, release, path, "trial", fail) < 0)
        return -1;
    release->trials =
        mem_resize(release->trials, release->trial_count + 1, sizeof *release->trials);
    struct trial *trial = &release->trials[release->trial_count];
    *trial = (struct trial){0};
    if (trial_parse(trial, (struct view){bytes.data, bytes.len}, path, fail) < 0)
        return -1;
    release->trial_count++;
    struct prov_trial *record = provenance_add_trial(&release->record);
    record_text(&record->file, path, &bytes, false);
    record->reason = text_copy(trial->reason);
    return trial_subjects_check(trial, path, &release->recipe, fail);
}

/* Every .yaml file of the folder, in the order of the tree. */
static int resolve_trials(struct release *release, struct fail *fail)
{
    const char *folder = release->recipe.trials_path;
    own_odb_tree struct odb_tree tree = {0};
    if (folder == NULL)
        return 0;
    if (read_trials_folder(&tree, release, fail) < 0)
        return -1;
    for (size_t i = 0; i < tree.count; i++) {
        if (!is_trial_name(tree.list[i].name))
            continue;
        if (release->trial_count == RELEASE_TRIALS_MAX)
            return fail_set(fail, FAIL_INPUT, "more than %u trials in '%s'", RELEASE_TRIALS_MAX,
                            folder);
        own_mem char *path = fs_path_join(folder, tree.list[i].name);
        if (path == NULL)
            return fail_set(fail, FAIL_INPUT, "trial '%s' leaves the tree", tree.list[i].name);
        if (add_trial(release, path, fail) < 0)
            return -1;
    }
    if (release->trial_count > 0)
        return 0;
    fail_set(fail, FAIL_INPUT, "there is no trial in '%s'", folder);
    return fail_hint(fail, "put at least one .yaml file there, or remove 'trials' from the recipe");
}

static int read_installed_pin(struct buf *out, const char *path, const char *name,
                              struct fail *fail)
{
    own_mem char *file = text_printf("%s/%s", datadir_path(), path);
    int there = fs_exists(file, fail);
    if (there < 0)
        return -1;
    if (there == 0) {
        fail_set(fail, FAIL_PIN, "toolchain '%s' is unknown: neither '%s' in the tree nor '%s'",
                 name, path, file);
        return fail_hint(
            fail, "commit its pin, name one that is there, or install a hallmark that has it");
    }
    return fs_read(out, file, RELEASE_TEXT_MAX, fail);
}

/* A pin that is not in the tree is the installed one; for an audit without the toolchain the one
 * that the record carries, since nothing can be made by it anyway. */
static int read_other_pin(struct buf *out, struct release *release, const char *path,
                          const char *name, struct fail *fail)
{
    const struct provenance *expected = release->request->expected;
    if (release->request->without_toolchain && expected != NULL) {
        buf_puts(out, expected->pin.text);
        return 0;
    }
    if (read_installed_pin(out, path, name, fail) == 0)
        return 0;
    release->toolchain_missing = fail->code == FAIL_PIN;
    return -1;
}

/* An installed pin that is not the one of the release to be audited: nothing equal can come out. */
static int refuse_other_pin(struct release *release, struct fail *fail)
{
    const struct provenance *expected = release->request->expected;
    const char *found = release->record.pin.sha256;
    if (expected == NULL || !release->toolchain_installed ||
        strcmp(expected->pin.sha256, found) == 0)
        return 0;
    fail_set(fail, FAIL_PIN, "toolchain '%s' installed here has SHA-256 %s, expected %s",
             release->toolchain.name, found, expected->pin.sha256);
    release->toolchain_missing = true;
    return fail_hint(
        fail, "install the hallmark that made the release, or set HALLMARK_DATA to its data");
}

static int resolve_toolchain(struct release *release, struct fail *fail)
{
    const char *name = release->request->toolchain == NULL ? release->recipe.toolchain
                                                           : release->request->toolchain;
    if (toolchain_name_check(name, fail) < 0)
        return -1;
    own_mem char *path = text_printf("toolchain/%s.yaml", name);
    own_buf struct buf bytes = {0};
    struct odb_entry entry;
    int found = odb_tree_find(&entry, release->odb, &release->commit.tree, path, fail);
    if (found < 0)
        return -1;
    release->toolchain_installed = found == 0;
    if (found > 0 ? read_tree_text(&bytes, release, path, "pin", fail) < 0
                  : read_other_pin(&bytes, release, path, name, fail) < 0)
        return -1;
    struct view text = {.data = bytes.data, .len = bytes.len};
    if (toolchain_parse(&release->toolchain, text, path, name, fail) < 0)
        return -1;
    struct provenance *record = &release->record;
    const struct toolchain *pin = &release->toolchain;
    record_text(&record->pin, path, &bytes, release->toolchain_installed);
    if (refuse_other_pin(release, fail) < 0)
        return -1;
    record->toolchain = text_copy(pin->name);
    record->family = text_copy(toolchain_family_text(pin->family));
    record->compiler = text_copy(pin->compiler.program);
    record->compiler_version = text_copy(pin->compiler.version);
    record->linker = text_copy(pin->linker.program);
    record->linker_version = text_copy(pin->linker.version);
    record->sdk_path = text_copy(toolchain_sdk_name(pin));
    record->sdk_version = text_copy(pin->sdk.version);
    return 0;
}

int stage_resolve(struct release *release, struct fail *fail)
{
    const struct release_request *request = release->request;
    if (odb_open(&release->odb, request->repository, fail) < 0 ||
        odb_resolve_commit(&release->commit, release->odb, request->revision, fail) < 0 ||
        record_commit(release, fail) < 0)
        return -1;
    progress_stage(request->progress, "resolve", "commit %s", release->record.commit);
    if (resolve_recipe(release, fail) < 0 || resolve_policy(release, fail) < 0 ||
        resolve_trials(release, fail) < 0 || resolve_toolchain(release, fail) < 0)
        return -1;
    release->record.format = artifact_record_format(&release->recipe);
    return 0;
}
