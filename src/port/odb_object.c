#include <stdlib.h>
#include <string.h>

#include "port/odb_impl.h"

#define OBJECT_MAX (256u << 20) /* bytes of a commit, tree or tag */

/* ---- any object ---- */

int odb_missing(struct fail *fail, const struct odb *odb, const struct odb_id *id)
{
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, id);
    fail_set(fail, FAIL_INPUT, "object %s is missing in repository '%s'", hex, odb->path);
    if (odb->is_partial)
        return fail_hint(fail, "it is a partial clone: 'git cat-file -e %s' there fetches it", hex);
    if (odb->is_shallow)
        return fail_hint(fail, "it is a shallow clone: run 'git fetch --unshallow' there");
    if (odb->store->lost_alternate != NULL)
        return fail_hint(fail, "its alternate '%s' does not exist", odb->store->lost_alternate);
    if (odb->store->bare_pack != NULL)
        return fail_hint(fail, "pack '%s' has no index: run 'git index-pack' on it",
                         odb->store->bare_pack);
    return fail_hint(fail, "run 'git fsck' there, or clone the repository again");
}

static bool is_empty_tree(const struct odb_id *id)
{
    static const struct odb_id empty = {{0x4b, 0x82, 0x5d, 0xc6, 0x42, 0xcb, 0x6e,
                                         0xb9, 0xa0, 0x60, 0xe5, 0x4b, 0xf8, 0xd6,
                                         0x92, 0x88, 0xfb, 0xee, 0x49, 0x04}};
    return odb_id_equal(id, &empty);
}

int odb_object_open(enum odb_kind *kind, uint64_t *len, struct odb *odb, const struct odb_id *id,
                    struct fail *fail)
{
    if (id_set_has(&odb->replaced, id)) {
        char hex[ODB_ID_HEX];
        odb_id_hex(hex, id);
        fail_set(fail, FAIL_INPUT, "object %s is replaced by refs/replace/%s in repository '%s'",
                 hex, hex, odb->path);
        return fail_hint(fail, "a revision must mean its own bytes: use a clone without "
                               "replacements, or run 'git replace -d' there");
    }
    int found = store_object_open(kind, len, odb->store, id, fail);
    if (found == 0 && is_empty_tree(id)) {
        *kind = ODB_TREE;
        *len = 0;
        return 0;
    }
    if (found == 0)
        return odb_missing(fail, odb, id);
    return found < 0 ? -1 : 0;
}

static int open_as(uint64_t *len, struct odb *odb, const struct odb_id *id, enum odb_kind wanted,
                   struct fail *fail)
{
    enum odb_kind kind = wanted;
    char hex[ODB_ID_HEX];
    if (odb_object_open(&kind, len, odb, id, fail) < 0)
        return -1;
    if (kind == wanted)
        return 0;
    odb_id_hex(hex, id);
    return fail_set(fail, FAIL_INPUT, "object %s in repository '%s' is a %s, not a %s", hex,
                    odb->path, odb_kind_name(kind), odb_kind_name(wanted));
}

static int too_large(struct odb *odb, const struct odb_id *id, uint64_t len, uint64_t max,
                     struct fail *fail)
{
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, id);
    return fail_set(fail, FAIL_INPUT,
                    "object %s in repository '%s' is too large (%llu bytes, at most %llu)", hex,
                    odb->path, (unsigned long long)len, (unsigned long long)max);
}

static int append(void *context, const void *data, size_t len, struct fail *fail)
{
    (void)fail;
    buf_append(context, data, len);
    return 0;
}

static int read_as(struct buf *out, struct odb *odb, const struct odb_id *id, enum odb_kind kind,
                   uint64_t max_len, struct fail *fail)
{
    uint64_t len = 0;
    if (open_as(&len, odb, id, kind, fail) < 0)
        return -1;
    if (len > max_len)
        return too_large(odb, id, len, max_len, fail);
    return store_object_stream(odb->store, append, out, fail);
}

int odb_object_read(struct buf *out, struct odb *odb, const struct odb_id *id, enum odb_kind kind,
                    struct fail *fail)
{
    return read_as(out, odb, id, kind, OBJECT_MAX, fail);
}

static int malformed(struct fail *fail, const struct odb *odb, const struct odb_id *id,
                     const char *reason)
{
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, id);
    return fail_set(fail, FAIL_INPUT, "object %s in repository '%s' is malformed (%s)", hex,
                    odb->path, reason);
}

/* ---- blobs ---- */

int odb_blob_len(uint64_t *out, struct odb *odb, const struct odb_id *id, struct fail *fail)
{
    return open_as(out, odb, id, ODB_BLOB, fail);
}

int odb_blob_read_small(struct buf *out, uint64_t *len, struct odb *odb, const struct odb_id *id,
                        uint64_t max_len, struct fail *fail)
{
    if (open_as(len, odb, id, ODB_BLOB, fail) < 0)
        return -1;
    if (*len > max_len)
        return 0;
    return store_object_stream(odb->store, append, out, fail);
}

int odb_blob_read(struct buf *out, struct odb *odb, const struct odb_id *id, uint64_t max_len,
                  struct fail *fail)
{
    return read_as(out, odb, id, ODB_BLOB, max_len, fail);
}

int odb_blob_stream(struct odb *odb, const struct odb_id *id, odb_sink *sink, void *context,
                    struct fail *fail)
{
    uint64_t len = 0;
    if (open_as(&len, odb, id, ODB_BLOB, fail) < 0)
        return -1;
    return store_object_stream(odb->store, sink, context, fail);
}

/* ---- trees ---- */

void odb_tree_release(struct odb_tree *tree)
{
    free(tree->list);
    buf_release(&tree->raw);
    *tree = (struct odb_tree){0};
}

/* The mode that git makes of what stands in a tree; 0 for one that it never writes. */
static uint32_t canonical_mode(uint32_t mode)
{
    switch (mode & 0170000u) {
    case 0040000u:
        return ODB_MODE_TREE;
    case 0100000u:
        return mode & 0100u ? ODB_MODE_EXECUTABLE : ODB_MODE_FILE;
    case 0120000u:
        return ODB_MODE_LINK;
    case 0160000u:
        return ODB_MODE_SUBMODULE;
    default:
        return 0;
    }
}

/* "MODE NAME\0" and twenty bytes of an id. Returns what is wrong, or NULL. */
static const char *parse_entry(struct odb_entry *out, struct cursor *cursor)
{
    uint32_t mode = 0;
    uint8_t byte = cursor_u8(cursor);
    for (unsigned digits = 0; byte != ' '; digits++, byte = cursor_u8(cursor)) {
        if (byte < '0' || byte > '7' || digits == 7)
            return "a mode is no octal number";
        mode = mode << 3 | (uint32_t)(byte - '0');
    }
    out->mode = canonical_mode(mode);
    if (out->mode == 0)
        return "a mode is unknown";
    out->name = cursor_text(cursor);
    struct view id = cursor_bytes(cursor, ODB_ID_LEN);
    if (cursor->failed)
        return "its last entry is cut short";
    if (out->name[0] == '\0')
        return "a name is empty";
    if (strchr(out->name, '/') != NULL)
        return "a name contains a slash";
    memcpy(out->id.bytes, id.data, ODB_ID_LEN);
    return NULL;
}

int odb_tree_read(struct odb_tree *out, struct odb *odb, const struct odb_id *id, struct fail *fail)
{
    if (is_empty_tree(id))
        return 0;
    own_odb_tree struct odb_tree tree = {0};
    size_t capacity = 0;
    if (odb_object_read(&tree.raw, odb, id, ODB_TREE, fail) < 0)
        return -1;
    struct view view = {.data = tree.raw.data, .len = tree.raw.len};
    struct cursor cursor = cursor_start(view, BIG_ENDIAN_BYTES);
    while (cursor_left(&cursor) > 0) {
        struct odb_entry entry = {0};
        const char *wrong = parse_entry(&entry, &cursor);
        if (wrong != NULL)
            return malformed(fail, odb, id, wrong);
        tree.list = mem_grow(tree.list, tree.count, &capacity, sizeof *tree.list);
        tree.list[tree.count++] = entry;
    }
    *out = tree;
    tree = (struct odb_tree){0}; // NOLINT(clang-analyzer-deadcode.DeadStores): for the cleanup
    return 0;
}

static const struct odb_entry *entry_named(const struct odb_tree *tree, const char *name,
                                           size_t len)
{
    for (size_t i = 0; i < tree->count; i++) {
        const char *have = tree->list[i].name;
        if (strncmp(have, name, len) == 0 && have[len] == '\0')
            return &tree->list[i];
    }
    return NULL;
}

int odb_tree_find(struct odb_entry *out, struct odb *odb, const struct odb_id *tree_id,
                  const char *path, struct fail *fail)
{
    struct odb_id id = *tree_id;
    for (;;) {
        own_odb_tree struct odb_tree tree = {0};
        size_t len = strcspn(path, "/");
        if (len == 0)
            return 0;
        if (odb_tree_read(&tree, odb, &id, fail) < 0)
            return -1;
        const struct odb_entry *entry = entry_named(&tree, path, len);
        if (entry == NULL)
            return 0;
        if (path[len] == '\0') {
            *out = (struct odb_entry){.name = path, .mode = entry->mode, .id = entry->id};
            return 1;
        }
        if (entry->mode != ODB_MODE_TREE)
            return 0;
        id = entry->id;
        path += len + 1;
    }
}

/* ---- tags ---- */

int odb_tag_target(struct odb_id *out, struct odb *odb, const struct odb_id *tag, struct fail *fail)
{
    static const char keyword[] = "object ";
    own_buf struct buf raw = {0};
    char hex[ODB_ID_HEX] = "";
    if (odb_object_read(&raw, odb, tag, ODB_TAG, fail) < 0)
        return -1;
    if (raw.len > strlen(keyword) + ODB_ID_HEX &&
        strncmp(buf_text(&raw), keyword, strlen(keyword)) == 0 &&
        raw.data[strlen(keyword) + ODB_ID_HEX - 1] == '\n')
        memcpy(hex, raw.data + strlen(keyword), ODB_ID_HEX - 1);
    if (odb_id_parse(out, hex) < 0)
        return malformed(fail, odb, tag, "the tag does not say what it tags");
    return 0;
}
