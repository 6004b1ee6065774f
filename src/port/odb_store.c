#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "port/digest.h"
#include "port/odb_aside.h"
#include "port/odb_store.h"

int store_open(struct store **out, const char *objects_path, struct fail *fail)
{
    struct store *store = mem_new(1, sizeof *store);
    store->loose = (struct loose)LOOSE_INIT;
    if (store_scan_dirs(store, objects_path, fail) < 0 || store_scan_packs(store, fail) < 0) {
        store_free(store);
        return -1;
    }
    *out = store;
    return 0;
}

void store_free(struct store *store)
{
    if (store == NULL)
        return;
    unpacker_release(&store->unpacker);
    chain_release(&store->chain);
    loose_release(&store->loose);
    for (size_t i = 0; i < store->pack_count; i++) {
        packfile_close(store->packs[i]);
        free(store->packs[i]->fanout);
        free(store->packs[i]->path);
        free(store->packs[i]);
    }
    for (size_t i = 0; i < store->dir_count; i++) {
        (void)close(store->dirs[i].fd);
        free(store->dirs[i].path);
    }
    free(store->packs);
    free(store->dirs);
    free(store->bare_pack);
    free(store->lost_alternate);
    free(store);
}

int store_corrupt(struct fail *fail, const struct odb_id *id, const char *where)
{
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, id);
    if (fail->code != FAIL_INPUT)
        return fail_while(fail, "reading object %s", hex);
    own_mem char *reason = fail->message;
    fail->message = text_printf("object %s in '%s' is corrupt (%s)", hex, where, reason);
    return fail_hint(fail, "run 'git fsck' there, or clone the repository again");
}

/* ---- looking up ---- */

static void close_oldest(struct store *store)
{
    struct packfile *oldest = NULL;
    for (size_t i = 0; i < store->pack_count; i++) {
        struct packfile *pack = store->packs[i];
        if (pack->pack_fd >= 0 && (oldest == NULL || pack->used < oldest->used))
            oldest = pack;
    }
    if (oldest != NULL) {
        packfile_close(oldest);
        store->open_count--;
    }
}

/* Makes the pack's files open: 1, 0 when they are gone, -1. */
static int use_pack(struct store *store, struct packfile *pack, struct fail *fail)
{
    pack->used = ++store->clock;
    if (pack->pack_fd >= 0)
        return 1;
    if (store->open_count >= STORE_PACKS_OPEN)
        close_oldest(store);
    int opened = packfile_open(pack, fail);
    if (opened > 0)
        store->open_count++;
    return opened;
}

static int find_in_pack(struct store *store, size_t at, const struct odb_id *id, struct fail *fail)
{
    struct packfile *pack = store->packs[at];
    uint64_t offset = 0;
    int found = use_pack(store, pack, fail);
    if (found > 0)
        found = packfile_find(&offset, pack, &store->unpacker.index_blocks, id, fail);
    if (found <= 0)
        return found;
    store->last_pack = at;
    if (chain_follow(&store->chain, &store->unpacker, pack, offset, fail) < 0)
        return store_corrupt(fail, id, pack->path);
    store->kind = store->chain.kind;
    store->len = store->chain.len;
    store->is_loose = false;
    return 1;
}

static int find_packed(struct store *store, const struct odb_id *id, size_t first,
                       struct fail *fail)
{
    size_t last = store->last_pack;
    int found = 0;
    if (last >= first && last < store->pack_count)
        found = find_in_pack(store, last, id, fail);
    for (size_t i = first; found == 0 && i < store->pack_count; i++) {
        if (i != last)
            found = find_in_pack(store, i, id, fail);
    }
    return found;
}

static int find_loose(struct store *store, const struct odb_id *id, struct fail *fail)
{
    for (size_t i = 0; i < store->dir_count; i++) {
        int found = loose_open(&store->loose, store->dirs[i].fd, id, fail);
        if (found == 0)
            continue;
        if (found < 0)
            return store_corrupt(fail, id, store->dirs[i].path);
        store->kind = store->loose.kind;
        store->len = store->loose.len;
        store->is_loose = true;
        store->loose_dir = i;
        return 1;
    }
    return 0;
}

/* Packs first, as git does; when that fails, packs that a repack has made meanwhile. */
int store_object_open(enum odb_kind *kind, uint64_t *len, struct store *store,
                      const struct odb_id *id, struct fail *fail)
{
    if (!store->found || !odb_id_equal(&store->id, id)) {
        store->found = false;
        int found = find_packed(store, id, 0, fail);
        if (found == 0)
            found = find_loose(store, id, fail);
        if (found == 0) {
            size_t known = store->pack_count;
            if (store_scan_packs(store, fail) < 0)
                return -1;
            found = find_packed(store, id, known, fail);
        }
        if (found <= 0)
            return found;
        store->found = true;
        store->id = *id;
    }
    *kind = store->kind;
    *len = store->len;
    return 1;
}

/* ---- reading ---- */

/* An object of this length is worth a thread for its SHA-1. */
#define ASIDE_MIN (4u << 20)

struct check {
    struct digest digest;
    struct aside *aside; /* NULL: hashed in place */
    odb_sink *sink;
    void *context;
    bool sink_failed;
    uint64_t len;
};

static int check_sink(void *context, const void *data, size_t len, struct fail *fail)
{
    struct check *check = context;
    if (check->aside != NULL)
        aside_update(check->aside, data, len);
    else
        digest_update(&check->digest, data, len);
    check->len += len;
    if (check->sink(check->context, data, len, fail) == 0)
        return 0;
    check->sink_failed = true;
    return -1;
}

static int stream_checked(struct store *store, struct check *check, struct fail *fail)
{
    uint8_t sum[DIGEST_MAX];
    int result = store->is_loose
                     ? loose_stream(&store->loose, check_sink, check, fail)
                     : chain_stream(&store->chain, &store->unpacker, check_sink, check, fail);
    if (check->aside != NULL)
        aside_finish(result < 0 ? NULL : sum, check->aside);
    if (result < 0)
        return -1;
    if (check->aside == NULL)
        digest_finish(sum, &check->digest);
    if (check->len != store->len)
        return fail_set(fail, FAIL_INPUT, "its length is wrong");
    if (memcmp(sum, store->id.bytes, ODB_ID_LEN) != 0)
        return fail_set(fail, FAIL_INPUT, "its SHA-1 is another one");
    return 0;
}

static const char *where(const struct store *store)
{
    return store->is_loose ? store->dirs[store->loose_dir].path : store->chain.pack->path;
}

int store_object_stream(struct store *store, odb_sink *sink, void *context, struct fail *fail)
{
    char header[40];
    struct check check = {.sink = sink, .context = context};
    int header_len = snprintf(header, sizeof header, "%s %llu", odb_kind_name(store->kind),
                              (unsigned long long)store->len);
    if (!store->is_loose && use_pack(store, store->chain.pack, fail) <= 0)
        return fail->code != FAIL_NONE
                   ? -1
                   : fail_set(fail, FAIL_SYSTEM, "pack '%s' went away", store->chain.pack->path);
    if (store->len >= ASIDE_MIN)
        check.aside = aside_start(header, (size_t)header_len + 1);
    if (check.aside == NULL) {
        digest_start(&check.digest, DIGEST_SHA1);
        digest_update(&check.digest, header, (size_t)header_len + 1);
    }
    store->found = false;
    int result = stream_checked(store, &check, fail);
    digest_release(&check.digest);
    if (result == 0 || check.sink_failed)
        return result;
    return store_corrupt(fail, &store->id, where(store));
}

/* ---- prefixes ---- */

struct prefix {
    const char *digits;
    struct odb_id *ids;
    size_t count;
    size_t max;
};

/* Inserts in order, once; what does not fit falls off the end. */
static void prefix_add(struct prefix *prefix, const struct odb_id *id)
{
    size_t at = 0;
    int order = -1;
    while (at < prefix->count && (order = memcmp(prefix->ids[at].bytes, id->bytes, ODB_ID_LEN)) < 0)
        at++;
    if (at == prefix->max || (at < prefix->count && order == 0))
        return;
    size_t tail = prefix->count - at - (prefix->count == prefix->max);
    memmove(prefix->ids + at + 1, prefix->ids + at, tail * sizeof *prefix->ids);
    prefix->ids[at] = *id;
    if (prefix->count < prefix->max)
        prefix->count++;
}

static bool prefix_matches(const struct prefix *prefix, const struct odb_id *id)
{
    char hex[ODB_ID_HEX];
    odb_id_hex(hex, id);
    return strncmp(hex, prefix->digits, strlen(prefix->digits)) == 0;
}

static int prefix_in_pack(struct prefix *prefix, struct packfile *pack, struct blocks *blocks,
                          const struct odb_id *low, struct fail *fail)
{
    uint32_t position = 0;
    if (packfile_lower_bound(&position, pack, blocks, low, fail) < 0)
        return -1;
    for (size_t taken = 0; position < pack->count && taken < prefix->max; position++, taken++) {
        struct odb_id id;
        if (packfile_id(&id, pack, blocks, position, fail) < 0)
            return -1;
        if (!prefix_matches(prefix, &id))
            break;
        prefix_add(prefix, &id);
    }
    return 0;
}

static void close_dir(DIR **dir)
{
    if (*dir != NULL)
        (void)closedir(*dir);
}

static int prefix_in_loose(struct prefix *prefix, const char *objects, struct fail *fail)
{
    own_mem char *path = text_printf("%s/%.2s", objects, prefix->digits);
    __attribute__((cleanup(close_dir))) DIR *dir = opendir(path);
    if (dir == NULL)
        return errno == ENOENT ? 0 : fail_errno(fail, "cannot list '%s'", path);
    for (const struct dirent *entry = NULL; (entry = readdir(dir)) != NULL;) {
        own_mem char *hex = text_printf("%.2s%s", prefix->digits, entry->d_name);
        struct odb_id id;
        if (odb_id_parse(&id, hex) == 0 && prefix_matches(prefix, &id))
            prefix_add(prefix, &id);
    }
    return 0;
}

int store_prefix(struct odb_id *ids, size_t *count, size_t max, struct store *store,
                 const char *digits, struct fail *fail)
{
    struct prefix prefix = {.digits = digits, .ids = ids, .max = max};
    char padded[ODB_ID_HEX];
    struct odb_id low;
    memset(padded, '0', sizeof padded - 1);
    padded[sizeof padded - 1] = '\0';
    memcpy(padded, digits, strnlen(digits, sizeof padded - 1));
    if (odb_id_parse(&low, padded) < 0)
        return fail_set(fail, FAIL_BUG, "'%s' is no prefix of an id", digits);
    for (size_t i = 0; i < store->pack_count; i++) {
        int open = use_pack(store, store->packs[i], fail);
        if (open < 0 || (open > 0 && prefix_in_pack(&prefix, store->packs[i],
                                                    &store->unpacker.index_blocks, &low, fail) < 0))
            return -1;
    }
    for (size_t i = 0; i < store->dir_count; i++) {
        if (prefix_in_loose(&prefix, store->dirs[i].path, fail) < 0)
            return -1;
    }
    *count = prefix.count;
    return 0;
}
