#include "stage/archive.h"

#include <string.h>
#include <strings.h>

#include "base/stop.h"
#include "stage/archive_parts.h"
#include "stage/archive_pipe.h"

#define ATTRIBUTES ".gitattributes"

/* A directory on the way to the current entry. */
struct level {
    const struct level *up;
    struct odb_id id;
    size_t path_len; /* of tarball->path up to and with its "/" */
    bool written;    /* its own entry is in the archive */
    bool whole;      /* everything below was asked for */
    size_t depth;
};

static int walk(struct tarball *tarball, struct level *level, struct fail *fail);

const char *tarball_shown(const struct tarball *tarball)
{
    return buf_text(&tarball->path) + tarball->prefix_len;
}

static void set_path(struct tarball *tarball, const struct level *level, const char *name)
{
    buf_truncate(&tarball->path, level->path_len);
    buf_puts(&tarball->path, name);
}

/* ---- names that git takes for an attack ---- */

/* ".git" or "git~1" (its short name on NTFS) with what Windows drops behind a name. */
static bool is_git_folder(const char *name)
{
    static const char *const spellings[] = {".git", "git~1"};
    for (size_t i = 0; i < 2; i++) {
        size_t len = strlen(spellings[i]);
        if (strncasecmp(name, spellings[i], len) != 0)
            continue;
        char after = name[len + strspn(name + len, ". ")];
        if (after == '\0' || after == '\\' || after == ':')
            return true;
    }
    return false;
}

static bool is_link_to_modules(const struct odb_entry *entry)
{
    return entry->mode == ODB_MODE_LINK && (strncasecmp(entry->name, ".gitmodules", 11) == 0 ||
                                            strncasecmp(entry->name, "gitmod~", 7) == 0 ||
                                            strncasecmp(entry->name, "gi7eba~", 7) == 0);
}

static int check_entry(const struct tarball *tarball, const struct odb_entry *entry,
                       struct fail *fail)
{
    const char *name = entry->name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || is_git_folder(name) ||
        is_link_to_modules(entry))
        return fail_set(fail, FAIL_INPUT, "the tree has an entry '%s', which git does not accept",
                        tarball_shown(tarball));
    if (tarball->path.len > TARBALL_PATH_MAX)
        return fail_set(fail, FAIL_INPUT, "path of %zu bytes in the tree (at most %u)",
                        tarball->path.len, TARBALL_PATH_MAX);
    return 0;
}

/* ---- entries ---- */

static int put_directory(struct tarball *tarball, const char *path, size_t len,
                         const struct odb_id *id, struct fail *fail)
{
    char hex[ODB_ID_HEX] = {0};
    odb_id_hex(hex, id);
    struct gtar_entry header = {.kind = GTAR_DIRECTORY, .path = path, .path_len = len, .id = hex};
    return gtar_entry(&tarball->tar, &header, fail);
}

/* Directories are written when something in them is: an empty one never. */
static int put_parents(struct tarball *tarball, struct level *level, struct fail *fail)
{
    if (level->written)
        return 0;
    if (put_parents(tarball, (struct level *)level->up, fail) < 0)
        return -1;
    level->written = true;
    return put_directory(tarball, buf_text(&tarball->path), level->path_len, &level->id, fail);
}

static int put_link(struct tarball *tarball, const struct odb_entry *entry, struct fail *fail)
{
    own_buf struct buf target = {0};
    char id[ODB_ID_HEX] = {0};
    odb_id_hex(id, &entry->id);
    if (odb_blob_read(&target, tarball->odb, &entry->id, TARBALL_PATH_MAX, fail) < 0)
        return fail_while(fail, "archiving '%s'", tarball_shown(tarball));
    struct gtar_entry header = {.kind = GTAR_SYMLINK,
                                .path = buf_text(&tarball->path),
                                .path_len = tarball->path.len,
                                .id = id,
                                .target = buf_text(&target),
                                .target_len = target.len};
    return gtar_entry(&tarball->tar, &header, fail);
}

static int find_attributes(struct gitattr_value values[GITATTR_COUNT], struct tarball *tarball,
                           bool directory, struct fail *fail)
{
    const char *path = tarball_shown(tarball);
    size_t len = tarball->path.len - tarball->prefix_len;
    gitattr_find(values, &tarball->attr, path, len);
    if (!tarball->attr.doubtful)
        return 0;
    fail_set(fail, FAIL_INPUT,
             "core.ignorecase in the repository's config changes the attributes of '%s%s'", path,
             directory ? "/" : "");
    return fail_hint(fail, "write the pattern in .gitattributes in the case of the file name");
}

static int put_entry(struct tarball *tarball, struct level *level, const struct odb_entry *entry,
                     struct fail *fail)
{
    struct gitattr_value values[GITATTR_COUNT];
    bool submodule = entry->mode == ODB_MODE_SUBMODULE;
    if (put_parents(tarball, level, fail) < 0)
        return -1;
    if (submodule)
        buf_putc(&tarball->path, '/');
    if (find_attributes(values, tarball, false, fail) < 0)
        return -1;
    if (values[GITATTR_EXPORT_IGNORE].state == GITATTR_TRUE)
        return 0;
    if (submodule)
        return put_directory(tarball, buf_text(&tarball->path), tarball->path.len, &entry->id,
                             fail);
    if (entry->mode == ODB_MODE_LINK)
        return put_link(tarball, entry, fail);
    return tarball_file(tarball, entry, values, fail);
}

static int enter(struct tarball *tarball, struct level *level, const struct odb_entry *entry,
                 enum tarball_match match, struct fail *fail)
{
    struct gitattr_value values[GITATTR_COUNT];
    buf_putc(&tarball->path, '/');
    if (find_attributes(values, tarball, true, fail) < 0)
        return -1;
    if (values[GITATTR_EXPORT_IGNORE].state == GITATTR_TRUE)
        return 0;
    if (level->depth >= TARBALL_DEPTH_MAX)
        return fail_set(fail, FAIL_INPUT, "directories are nested more than %u deep",
                        TARBALL_DEPTH_MAX);
    struct level below = {.up = level,
                          .id = entry->id,
                          .path_len = tarball->path.len,
                          .whole = match == TARBALL_YES,
                          .depth = level->depth + 1};
    return walk(tarball, &below, fail);
}

static int visit(struct tarball *tarball, struct level *level, const struct odb_entry *entry,
                 struct fail *fail)
{
    if (stop_check(fail) < 0)
        return -1;
    set_path(tarball, level, entry->name);
    if (check_entry(tarball, entry, fail) < 0)
        return -1;
    bool tree = entry->mode == ODB_MODE_TREE;
    enum tarball_match match = TARBALL_YES;
    if (!level->whole)
        match = tarball_paths_match(&tarball->paths, tarball_shown(tarball),
                                    tarball->path.len - tarball->prefix_len,
                                    tree || entry->mode == ODB_MODE_SUBMODULE);
    if (match == TARBALL_NO)
        return 0;
    return tree ? enter(tarball, level, entry, match, fail)
                : put_entry(tarball, level, entry, fail);
}

/* ---- directories ---- */

/* Reads the .gitattributes of a directory, when it has one. */
static int push_attributes(bool *pushed, struct tarball *tarball, const struct level *level,
                           const struct odb_tree *tree, struct fail *fail)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct odb_entry *entry = &tree->list[i];
        if (strcmp(entry->name, ATTRIBUTES) != 0)
            continue;
        set_path(tarball, level, ATTRIBUTES);
        if (entry->mode == ODB_MODE_LINK)
            return fail_set(fail, FAIL_INPUT, "'%s' is a symbolic link (not supported)",
                            tarball_shown(tarball));
        if (entry->mode == ODB_MODE_TREE || entry->mode == ODB_MODE_SUBMODULE)
            return 0;
        own_buf struct buf text = {0};
        size_t path_len = level->path_len - tarball->prefix_len;
        if (odb_blob_read(&text, tarball->odb, &entry->id, GITATTR_FILE_MAX, fail) < 0 ||
            gitattr_push(&tarball->attr, tarball_shown(tarball), path_len - (path_len > 0),
                         text.data, text.len, fail) < 0)
            return fail_while(fail, "reading '%s'", tarball_shown(tarball));
        *pushed = true;
        return 0;
    }
    return 0;
}

static int walk(struct tarball *tarball, struct level *level, struct fail *fail)
{
    own_odb_tree struct odb_tree tree = {0};
    bool pushed = false;
    int result = 0;
    if (odb_tree_read(&tree, tarball->odb, &level->id, fail) < 0)
        return fail_while(fail, "archiving '%s'", tarball_shown(tarball));
    if (push_attributes(&pushed, tarball, level, &tree, fail) < 0)
        return -1;
    for (size_t i = 0; i < tree.count && result == 0; i++)
        result = visit(tarball, level, &tree.list[i], fail);
    if (pushed)
        gitattr_pop(&tarball->attr);
    return result;
}

/* ---- the whole ---- */

/* A prefix that ends in "/" has a directory entry of its own, with one "/" at its end. */
static int put_prefix(struct tarball *tarball, const struct odb_id *tree, struct fail *fail)
{
    const char *prefix = buf_text(&tarball->path);
    size_t len = tarball->prefix_len;
    if (len == 0 || prefix[len - 1] != '/')
        return 0;
    while (len > 1 && prefix[len - 2] == '/')
        len--;
    return put_directory(tarball, prefix, len, tree, fail);
}

static struct gitsubst_person person_of(const struct odb_ident *ident)
{
    return (struct gitsubst_person){.valid = ident->valid,
                                    .name = ident->name,
                                    .email = ident->email,
                                    .time = ident->time,
                                    .offset_min = ident->offset_min};
}

/* The texts that export-subst can print. */
struct subst_texts {
    char id[ODB_ID_HEX];
    char tree[ODB_ID_HEX];
    struct buf parents;
};

static void fill_subst(struct gitsubst_commit *out, struct subst_texts *texts,
                       const struct odb_commit *commit)
{
    odb_id_hex(texts->id, &commit->id);
    odb_id_hex(texts->tree, &commit->tree);
    for (size_t i = 0; i < commit->parent_count; i++) {
        char parent[ODB_ID_HEX] = {0};
        odb_id_hex(parent, &commit->parents[i]);
        buf_printf(&texts->parents, "%s%s", i > 0 ? " " : "", parent);
    }
    *out = (struct gitsubst_commit){
        .id = texts->id,
        .tree = texts->tree,
        .parents = commit->parents_altered ? NULL : buf_text(&texts->parents),
        .author = person_of(&commit->author),
        .committer = person_of(&commit->committer),
        .encoding = commit->encoding,
        .message = commit->message,
        .message_len = commit->message_len,
    };
}

static int write_all(struct tarball *tarball, const struct odb_commit *commit, struct fail *fail)
{
    struct level root = {.id = commit->tree,
                         .path_len = tarball->prefix_len,
                         .written = true,
                         .whole = tarball->paths.count == 0};
    if (gtar_begin(&tarball->tar, tarball->subst.id, (uint64_t)commit->committer_time, fail) < 0 ||
        put_prefix(tarball, &commit->tree, fail) < 0 || walk(tarball, &root, fail) < 0)
        return -1;
    return gtar_end(&tarball->tar, fail);
}

static int resolve(struct odb_treeish *out, const struct archive_request *request,
                   struct fail *fail)
{
    if (odb_resolve_treeish(out, request->odb, request->revision, fail) < 0)
        return -1;
    if (!out->has_commit) {
        fail_set(fail, FAIL_INPUT, "'%s' is a tree, which has no time of its own",
                 request->revision);
        return fail_hint(fail, "name a commit, and directories of it as paths");
    }
    if (out->commit.committer_time < 0)
        return fail_set(fail, FAIL_INPUT, "commit '%s' has a time before 1970", request->revision);
    return 0;
}

static int prepare(struct tarball *tarball, const struct odb_commit *commit, struct fail *fail)
{
    const struct archive_request *request = tarball->request;
    const char *prefix = request->prefix != NULL ? request->prefix : "";
    if (strlen(prefix) > TARBALL_PATH_MAX / 2)
        return fail_set(fail, FAIL_USAGE, "prefix of %zu bytes (at most %u)", strlen(prefix),
                        TARBALL_PATH_MAX / 2);
    if (tarball_settings_read(&tarball->settings, request->odb, request->format, fail) < 0)
        return -1;
    tarball->attr.fold = tarball->settings.ignore_case;
    buf_puts(&tarball->path, prefix);
    tarball->prefix_len = tarball->path.len;
    return tarball_paths_check(&tarball->paths, request->odb, &commit->tree, fail);
}

#define own_tarball __attribute__((cleanup(tarball_release)))

static void tarball_release(struct tarball *tarball)
{
    gitattr_release(&tarball->attr);
    tarball_paths_release(&tarball->paths);
    buf_release(&tarball->path);
    buf_release(&tarball->content);
}

int tarball_write(struct archive_result *out, const struct archive_request *request,
                  archive_sink *sink, void *context, struct fail *fail)
{
    own_tarball struct tarball tarball = {.request = request, .odb = request->odb};
    own_odb_treeish struct odb_treeish treeish = {0};
    own_tarball_pipe struct tarball_pipe *pipe = NULL;
    if (tarball_paths_parse(&tarball.paths, request->paths, request->path_count, fail) < 0 ||
        resolve(&treeish, request, fail) < 0 || prepare(&tarball, &treeish.commit, fail) < 0)
        return -1;
    struct subst_texts texts = {0};
    fill_subst(&tarball.subst, &texts, &treeish.commit);
    int result = tarball_pipe_start(&pipe, request->format == ARCHIVE_FORMAT_TAR_GZ,
                                    request->digests, sink, context, fail);
    if (result == 0) {
        tarball.tar = (struct gtar){.sink = tarball_pipe_write, .context = pipe};
        result = write_all(&tarball, &treeish.commit, fail);
    }
    if (result == 0)
        result = tarball_pipe_finish(pipe, out, fail);
    if (result == 0)
        memcpy(out->commit, texts.id, sizeof out->commit);
    buf_release(&texts.parents);
    return result;
}
