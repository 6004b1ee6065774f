#include <stdlib.h>
#include <string.h>

#include "base/system.h"
#include "stage/archive_parts.h"

#define WILDCARDS "*?[\\"

static int check_argument(const char *path, struct fail *fail)
{
    if (*path == '\0') {
        fail_set(fail, FAIL_USAGE, "empty path");
        return fail_hint(fail, "'.' is the whole tree");
    }
    if (*path == '/')
        return fail_set(fail, FAIL_USAGE, "path '%s' is not relative to the root of the tree",
                        path);
    if (*path == ':')
        return fail_set(fail, FAIL_USAGE,
                        "path '%s' begins with ':' (pathspec magic is not "
                        "supported)",
                        path);
    if (path[strcspn(path, WILDCARDS)] != '\0') {
        fail_set(fail, FAIL_USAGE, "path '%s' has a wildcard or backslash (not supported)", path);
        return fail_hint(fail, "name files and directories; a directory stands for all below it");
    }
    if (strlen(path) > TARBALL_PATH_MAX)
        return fail_set(fail, FAIL_USAGE, "path of %zu bytes (at most %u)", strlen(path),
                        TARBALL_PATH_MAX);
    return 0;
}

/* Removes the last component; false when there is none. */
static bool drop_last(struct buf *path)
{
    if (path->len == 0)
        return false;
    const uint8_t *slash = system_find_last(path->data, '/', path->len);
    buf_truncate(path, slash != NULL ? (size_t)(slash - path->data) : 0);
    return true;
}

static int parse_path(struct tarball_path *out, const char *text, struct fail *fail)
{
    own_buf struct buf path = {0};
    bool directory = false;
    if (check_argument(text, fail) < 0)
        return -1;
    for (const char *at = text; *at != '\0';) {
        size_t len = strcspn(at, "/");
        bool dot = len == 1 && *at == '.';
        bool dots = len == 2 && at[0] == '.' && at[1] == '.';
        if (dots && !drop_last(&path))
            return fail_set(fail, FAIL_USAGE, "path '%s' is outside of the tree", text);
        if (len > 0 && !dot && !dots) {
            if (path.len > 0)
                buf_putc(&path, '/');
            buf_append(&path, at, len);
        }
        directory = dot || dots || at[len] == '/';
        at += len + (at[len] == '/');
    }
    out->len = path.len;
    out->directory = directory && path.len > 0;
    out->text = path.len > 0 ? buf_steal(&path) : text_copy("");
    return 0;
}

int tarball_paths_parse(struct tarball_paths *out, const char *const *paths, size_t count,
                        struct fail *fail)
{
    out->list = mem_new(count, sizeof *out->list);
    for (size_t i = 0; i < count; i++) {
        if (parse_path(&out->list[i], paths[i], fail) < 0)
            return -1;
        out->count++;
    }
    return 0;
}

void tarball_paths_release(struct tarball_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->list[i].text);
    free(paths->list);
    *paths = (struct tarball_paths){0};
}

/* Whether `path` lies below the directory `top`. */
static bool is_below(const char *path, size_t len, const char *top, size_t top_len)
{
    return len > top_len && path[top_len] == '/' && memcmp(path, top, top_len) == 0;
}

static enum tarball_match match_path(const struct tarball_path *wanted, const char *path,
                                     size_t len, bool directory)
{
    if (wanted->len == 0 || is_below(path, len, wanted->text, wanted->len))
        return TARBALL_YES;
    if (len == wanted->len && memcmp(path, wanted->text, len) == 0)
        return directory || !wanted->directory ? TARBALL_YES : TARBALL_NO;
    if (directory && is_below(wanted->text, wanted->len, path, len))
        return TARBALL_ON_THE_WAY;
    return TARBALL_NO;
}

enum tarball_match tarball_paths_match(const struct tarball_paths *paths, const char *path,
                                       size_t len, bool directory)
{
    if (paths->count == 0)
        return TARBALL_YES;
    enum tarball_match best = TARBALL_NO;
    for (size_t i = 0; i < paths->count && best != TARBALL_YES; i++) {
        enum tarball_match match = match_path(&paths->list[i], path, len, directory);
        best = match > best ? match : best;
    }
    return best;
}

/* Whether a path is there. A submodule is a directory that has nothing in it. */
static int find_path(bool *found, const struct tarball_path *path, struct odb *odb,
                     const struct odb_id *tree, struct fail *fail)
{
    own_mem char *part = mem_copy(path->text, path->len);
    *found = false;
    for (size_t end = 0; end < path->len;) {
        end += strcspn(path->text + end, "/");
        part[end] = '\0';
        struct odb_entry entry = {0};
        int there = odb_tree_find(&entry, odb, tree, part, fail);
        if (there <= 0)
            return there;
        bool directory = entry.mode == ODB_MODE_TREE || entry.mode == ODB_MODE_SUBMODULE;
        if (end == path->len)
            *found = !path->directory || directory;
        if (entry.mode != ODB_MODE_TREE)
            return 0;
        part[end] = end < path->len ? '/' : '\0';
        end += end < path->len;
    }
    return 0;
}

int tarball_paths_check(const struct tarball_paths *paths, struct odb *odb,
                        const struct odb_id *tree, struct fail *fail)
{
    for (size_t i = 0; i < paths->count; i++) {
        const struct tarball_path *path = &paths->list[i];
        bool found = false;
        if (path->len == 0) {
            own_odb_tree struct odb_tree root = {0};
            if (odb_tree_read(&root, odb, tree, fail) < 0)
                return -1;
            found = root.count > 0;
        } else if (find_path(&found, path, odb, tree, fail) < 0) {
            return -1;
        }
        if (!found)
            return fail_set(fail, FAIL_INPUT, "path '%s%s' matches nothing in the commit",
                            path->len > 0 ? path->text : ".", path->directory ? "/" : "");
    }
    return 0;
}
