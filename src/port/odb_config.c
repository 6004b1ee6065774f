#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "port/odb_impl.h"

#define COMMONDIR_MAX 65536u /* bytes of a linked worktree's file `commondir` */

/* ---- reading settings ---- */

int odb_config_text(char **out, struct odb *odb, const char *key, struct fail *fail)
{
    git_config_entry *entry = NULL;
    *out = NULL;
    int error = git_config_get_entry(&entry, odb->config, key);
    if (error == GIT_ENOTFOUND) {
        git_error_clear();
        return 0;
    }
    if (error < 0)
        return odb_library_fail(fail, "cannot read '%s' from the config of '%s'", key, odb->path);
    *out = text_copy(entry->value != NULL ? entry->value : "true");
    git_config_entry_free(entry);
    return 0;
}

int odb_config_bool(bool *out, struct odb *odb, const char *key, bool fallback, struct fail *fail)
{
    own_mem char *text = NULL;
    int value = fallback;
    if (odb_config_text(&text, odb, key, fail) < 0)
        return -1;
    if (text != NULL && git_config_parse_bool(&value, text) < 0) {
        git_error_clear();
        return fail_set(fail, FAIL_INPUT, "'%s' in the config of '%s' is '%s', not true or false",
                        key, odb->path, text);
    }
    *out = value != 0;
    return 0;
}

int odb_config_each(struct odb *odb, const char *prefix, odb_config_callback *callback,
                    void *context, struct fail *fail)
{
    git_config_iterator *iterator = NULL;
    git_config_entry *entry = NULL; /* belongs to the iterator */
    if (git_config_iterator_new(&iterator, odb->config) < 0)
        return odb_library_fail(fail, "cannot read the config of '%s'", odb->path);
    int result = 0;
    int error = 0;
    while (result == 0 && (error = git_config_next(&entry, iterator)) == 0) {
        if (strncmp(entry->name, prefix, strlen(prefix)) == 0)
            result =
                callback(context, entry->name, entry->value != NULL ? entry->value : "true", fail);
    }
    git_config_iterator_free(iterator);
    if (result == 0 && error != GIT_ITEROVER)
        return odb_library_fail(fail, "cannot read the config of '%s'", odb->path);
    git_error_clear();
    return result;
}

/* ---- opening ---- */

/* The directory that all worktrees of a repository share. */
static int common_dir(char **out, const char *git_dir, struct fail *fail)
{
    own_mem char *path = text_printf("%scommondir", git_dir);
    own_buf struct buf text = {0};
    int there = fs_exists(path, fail);
    if (there < 0)
        return -1;
    if (there == 0) {
        *out = text_copy(git_dir);
        return 0;
    }
    if (fs_read(&text, path, COMMONDIR_MAX, fail) < 0)
        return -1;
    char *line = (char *)text.data;
    if (line != NULL)
        line[strcspn(line, "\r\n")] = '\0';
    *out = line != NULL && line[0] == '/' ? text_printf("%s/", line)
                                          : text_printf("%s%s/", git_dir, buf_text(&text));
    return 0;
}

static int load_file(struct odb *odb, const char *dir, const char *name, git_config_level_t level,
                     git_config *config, struct fail *fail)
{
    own_mem char *path = text_printf("%s%s", dir, name);
    int error = git_config_add_file_ondisk(config, path, level, odb->repo, 0);
    if (error < 0 && error != GIT_ENOTFOUND)
        return odb_library_fail(fail, "cannot read the config of '%s'", odb->path);
    git_error_clear();
    return 0;
}

/* Replaces odb->config by a snapshot of the files. */
static int load_files(struct odb *odb, const char *git_dir, const char *common, bool per_worktree,
                      struct fail *fail)
{
    git_config *config = NULL;
    if (git_config_new(&config) < 0)
        return odb_library_fail(fail, "cannot read the config of '%s'", odb->path);
    git_config_free(odb->config);
    odb->config = NULL;
    int result = load_file(odb, common, "config", GIT_CONFIG_LEVEL_LOCAL, config, fail);
    if (result == 0 && per_worktree)
        result = load_file(odb, git_dir, "config.worktree", GIT_CONFIG_LEVEL_APP, config, fail);
    if (result == 0 && git_config_snapshot(&odb->config, config) < 0)
        result = odb_library_fail(fail, "cannot read the config of '%s'", odb->path);
    git_config_free(config);
    return result;
}

static int check_extension(void *context, const char *key, const char *value, struct fail *fail)
{
    static const char *const known[] = {"noop",         "worktreeconfig",  "partialclone",
                                        "objectformat", "preciousobjects", "relativeworktrees"};
    const struct odb *odb = context;
    const char *name = key + strlen("extensions.");
    if (strcmp(name, "objectformat") == 0 && strcmp(value, "sha1") != 0) {
        fail_set(fail, FAIL_INPUT, "repository '%s' names its objects by %s, not SHA-1", odb->path,
                 value);
        return fail_hint(fail, "only repositories with SHA-1 object ids can be read");
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i]) == 0)
            return 0;
    }
    fail_set(fail, FAIL_INPUT, "repository '%s' uses extension '%s' (%s), which is not supported",
             odb->path, name, value);
    return fail_hint(fail, "clone it with git: the clone has the plain format");
}

/* Extensions count from version 1 on; these two are refused by git in version 0 as well. */
static int check_old_extension(void *context, const char *key, const char *value, struct fail *fail)
{
    if (strcmp(key, "extensions.objectformat") == 0 || strcmp(key, "extensions.refstorage") == 0)
        return check_extension(context, key, value, fail);
    return 0;
}

static int check_format(struct odb *odb, struct fail *fail)
{
    own_mem char *version = NULL;
    if (odb_config_text(&version, odb, "core.repositoryformatversion", fail) < 0)
        return -1;
    if (version == NULL || strcmp(version, "0") == 0)
        return odb_config_each(odb, "extensions.", check_old_extension, odb, fail);
    if (strcmp(version, "1") == 0)
        return odb_config_each(odb, "extensions.", check_extension, odb, fail);
    fail_set(fail, FAIL_INPUT, "repository '%s' has format version '%s'; 0 and 1 are supported",
             odb->path, version);
    return fail_hint(fail, "clone it with git: the clone has the plain format");
}

static int check_promisor(void *context, const char *key, const char *value, struct fail *fail)
{
    struct odb *odb = context;
    size_t len = strlen(key);
    int promises = 0;
    (void)fail;
    if (len > strlen(".promisor") && strcmp(key + len - strlen(".promisor"), ".promisor") == 0 &&
        git_config_parse_bool(&promises, value) == 0 && promises)
        odb->is_partial = true;
    return 0;
}

int odb_config_open(struct odb *odb, const char *git_dir, struct fail *fail)
{
    own_mem char *common = NULL;
    own_mem char *promisor = NULL;
    bool per_worktree = false;
    if (common_dir(&common, git_dir, fail) < 0 ||
        load_files(odb, git_dir, common, false, fail) < 0 || check_format(odb, fail) < 0)
        return -1;
    if (git_repository_open_ext(&odb->repo, git_dir,
                                GIT_REPOSITORY_OPEN_BARE | GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) < 0)
        return odb_library_fail(fail, "cannot open repository '%s'", odb->path);
    /* Again: now that the repository is known, [includeIf "gitdir:..."] can be decided. */
    if (odb_config_bool(&per_worktree, odb, "extensions.worktreeconfig", false, fail) < 0 ||
        load_files(odb, git_dir, common, per_worktree, fail) < 0 ||
        odb_config_bool(&odb->is_bare, odb, "core.bare", false, fail) < 0 ||
        odb_config_text(&promisor, odb, "extensions.partialclone", fail) < 0 ||
        odb_config_each(odb, "remote.", check_promisor, odb, fail) < 0)
        return -1;
    odb->is_partial = odb->is_partial || promisor != NULL;
    return 0;
}
