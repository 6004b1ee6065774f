#include <stdlib.h>

#include "port/odb_store.h"

#define ENTRY_COST 128u /* what an entry is counted as besides its bytes */

struct cache_entry {
    const struct packfile *pack;
    uint64_t offset;
    enum odb_kind kind;
    uint8_t *data;
    uint64_t len;
    struct cache_entry *same_slot;
    struct cache_entry *newer;
    struct cache_entry *older;
};

static struct cache_entry **slot(struct cache *cache, const struct packfile *pack, uint64_t offset)
{
    uint64_t mixed = (offset ^ (uint64_t)(uintptr_t)pack) * 0x9e3779b97f4a7c15u;
    return &cache->table[mixed >> 54];
}

static void unlink_age(struct cache *cache, struct cache_entry *entry)
{
    *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void link_newest(struct cache *cache, struct cache_entry *entry)
{
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

static void drop(struct cache *cache, struct cache_entry *entry)
{
    struct cache_entry **at = slot(cache, entry->pack, entry->offset);
    while (*at != entry)
        at = &(*at)->same_slot;
    *at = entry->same_slot;
    unlink_age(cache, entry);
    cache->len -= entry->len + ENTRY_COST;
    cache->generation++;
    free(entry->data);
    free(entry);
}

void cache_release(struct cache *cache)
{
    while (cache->oldest != NULL)
        drop(cache, cache->oldest);
}

static struct cache_entry *lookup(struct cache *cache, const struct packfile *pack, uint64_t offset)
{
    struct cache_entry *entry = *slot(cache, pack, offset);
    while (entry != NULL && (entry->pack != pack || entry->offset != offset))
        entry = entry->same_slot;
    return entry;
}

bool cache_find(struct body *out, enum odb_kind *kind, struct cache *cache,
                const struct packfile *pack, uint64_t offset)
{
    struct cache_entry *entry = lookup(cache, pack, offset);
    if (entry == NULL)
        return false;
    unlink_age(cache, entry);
    link_newest(cache, entry);
    *kind = entry->kind;
    *out = (struct body){.data = entry->data, .fd = -1, .len = entry->len, .borrowed = true};
    return true;
}

void cache_take(struct cache *cache, const struct packfile *pack, uint64_t offset,
                enum odb_kind kind, struct body *body)
{
    if (body->data == NULL || body->borrowed || body->len > STORE_CACHE_MAX / 4 ||
        lookup(cache, pack, offset) != NULL)
        return;
    while (cache->oldest != NULL && cache->len + body->len + ENTRY_COST > STORE_CACHE_MAX)
        drop(cache, cache->oldest); // NOLINT(clang-analyzer-unix.Malloc): it moves oldest on
    struct cache_entry *entry = mem_new(1, sizeof *entry);
    *entry = (struct cache_entry){
        .pack = pack, .offset = offset, .kind = kind, .data = body->data, .len = body->len};
    struct cache_entry **at = slot(cache, pack, offset);
    entry->same_slot = *at;
    *at = entry;
    link_newest(cache, entry);
    cache->len += entry->len + ENTRY_COST;
    body->borrowed = true;
}
