#include <math.h>
#include <string.h>

#include "macho/plist_parts.h"

/* The path is put together while the recursion that found the difference ends: from the inside
 * out, so that nothing is written for what is equal. */
struct compared {
    struct plist_difference *out;
    const struct plist *a;
    const struct plist *b;
};

void plist_difference_release(struct plist_difference *difference)
{
    own_release_mem(&difference->path);
    own_release_mem(&difference->first);
    own_release_mem(&difference->second);
}

static char *value_text(const struct plist *list, size_t index)
{
    own_buf struct buf text = {0};
    if (index == PLIST_NONE)
        return NULL;
    plist_value_text(&text, list, &list->nodes[index]);
    return text_copy(buf_text(&text));
}

/* The values differ, or one is not there (PLIST_NONE). Always false. */
static bool differ(const struct compared *lists, size_t a, size_t b)
{
    lists->out->path = text_copy("");
    lists->out->first = value_text(lists->a, a);
    lists->out->second = value_text(lists->b, b);
    return false;
}

/* Puts a step before the path. Always false. */
static bool inside(const struct compared *lists, const char *step)
{
    char *inner = lists->out->path;
    bool joined = inner[0] == '\0' || inner[0] == '[';
    lists->out->path = text_printf("%s%s%s", step, joined ? "" : " > ", inner);
    own_release_mem(&inner);
    return false;
}

static bool same(const struct compared *lists, size_t a, size_t b);

static bool same_dict(const struct compared *lists, size_t a, size_t b)
{
    size_t count_a = 0;
    size_t count_b = 0;
    own_mem struct plist_entry *entries_a = plist_sorted(lists->a, a, &count_a);
    own_mem struct plist_entry *entries_b = plist_sorted(lists->b, b, &count_b);
    for (size_t i = 0; i < count_a || i < count_b; i++) {
        /* Up to here the keys were the same: the smaller of two is in one of the lists alone. */
        int order = i >= count_a   ? 1
                    : i >= count_b ? -1
                                   : strcmp(entries_a[i].key, entries_b[i].key);
        size_t child_a = order <= 0 ? entries_a[i].index : PLIST_NONE;
        size_t child_b = order >= 0 ? entries_b[i].index : PLIST_NONE;
        bool equal = order == 0 ? same(lists, child_a, child_b) : differ(lists, child_a, child_b);
        if (!equal)
            return inside(lists, order <= 0 ? entries_a[i].key : entries_b[i].key);
    }
    return true;
}

static bool same_array(const struct compared *lists, size_t a, size_t b)
{
    size_t child_a = lists->a->nodes[a].first;
    size_t child_b = lists->b->nodes[b].first;
    for (size_t i = 0; child_a != PLIST_NONE || child_b != PLIST_NONE; i++) {
        bool equal = child_a != PLIST_NONE && child_b != PLIST_NONE
                         ? same(lists, child_a, child_b)
                         : differ(lists, child_a, child_b);
        if (!equal) {
            own_mem char *step = text_printf("[%zu]", i);
            return inside(lists, step);
        }
        child_a = lists->a->nodes[child_a].next;
        child_b = lists->b->nodes[child_b].next;
    }
    return true;
}

static bool same_scalar(const struct plist_node *a, const struct plist_node *b)
{
    switch (a->type) {
    case PLIST_STRING:
    case PLIST_DATA:
        return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
    case PLIST_REAL:
        return a->real == b->real || (isnan(a->real) && isnan(b->real));
    case PLIST_INTEGER:
    case PLIST_BOOL:
    case PLIST_DATE:
    case PLIST_DICT:
    case PLIST_ARRAY:
        break;
    }
    return a->number == b->number;
}

/* Depth is limited by what the readers accept. */
static bool same(const struct compared *lists, size_t a, size_t b)
{
    const struct plist_node *node_a = &lists->a->nodes[a];
    const struct plist_node *node_b = &lists->b->nodes[b];
    if (node_a->type != node_b->type)
        return differ(lists, a, b);
    if (node_a->type == PLIST_DICT)
        return same_dict(lists, a, b);
    if (node_a->type == PLIST_ARRAY)
        return same_array(lists, a, b);
    return same_scalar(node_a, node_b) ? true : differ(lists, a, b);
}

bool plist_equal(struct plist_difference *out, const struct plist *a, const struct plist *b)
{
    struct compared lists = {.out = out, .a = a, .b = b};
    *out = (struct plist_difference){0};
    if (a->count == 0 || b->count == 0)
        return a->count == b->count ||
               differ(&lists, a->count ? 0 : PLIST_NONE, b->count ? 0 : PLIST_NONE);
    return same(&lists, 0, 0);
}
