#include <stdlib.h>
#include <string.h>

#include "macho/symbols_parts.h"

/* A name that is farther than this from where its digest points: somebody chose the names so. */
#define PROBES_MAX 64u

/* A set of names, open addressing; never more than half full. */
struct names_seen {
    const char **slots;
    size_t mask;
};

static uint64_t mixed(uint64_t value)
{
    value *= UINT64_C(0x9e3779b97f4a7c15);
    return value ^ value >> 32;
}

static uint64_t digest_of(const char *name)
{
    size_t len = strlen(name);
    uint64_t digest = len;
    uint64_t word = 0;
    for (; len >= sizeof word; name += sizeof word, len -= sizeof word) {
        memcpy(&word, name, sizeof word);
        digest = mixed(digest ^ word);
    }
    word = 0;
    memcpy(&word, name, len);
    return mixed(digest ^ word);
}

/* 1: the name is new, 0: it is there already, -1: the set is no use for these names. */
static int see(struct names_seen *seen, const char *name)
{
    size_t at = (size_t)digest_of(name);
    for (unsigned probe = 0; probe < PROBES_MAX; probe++, at++) {
        const char **slot = &seen->slots[at & seen->mask];
        if (*slot == NULL) {
            *slot = name;
            return 1;
        }
        if (strcmp(*slot, name) == 0)
            return 0;
    }
    return -1;
}

/*
 * What symbols_merge() would leave of the list. It keeps one entry of a name, except where tries
 * state one name several times: then only the order can tell.
 */
static bool count_names(size_t *out, struct names_seen *seen, const struct symbol_list *list)
{
    *out = 0;
    for (size_t i = 0; i < list->count; i++) {
        int news = see(seen, list->list[i].name);
        if (news < 0 || (news == 0 && list->list[i].sources != SYMBOL_FROM_SYMTAB))
            return false;
        *out += (size_t)news;
    }
    return true;
}

int symbols_count_exports(size_t *out, const struct image *image, struct fail *fail)
{
    own_symbols struct symbol_list list = {0};
    if (symbols_read_exports(&list, image, fail) < 0)
        return -1;
    size_t size = 16;
    while (size / 2 < list.count)
        size *= 2;
    struct names_seen seen = {.slots = mem_new(size, sizeof *seen.slots), .mask = size - 1};
    if (!count_names(out, &seen, &list)) {
        symbols_merge(&list);
        *out = list.count;
    }
    free(seen.slots);
    return 0;
}
