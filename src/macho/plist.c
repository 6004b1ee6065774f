#include "macho/plist_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"

int plist_parse(struct plist *out, struct view bytes, struct fail *fail)
{
    static const char magic[6] = {'b', 'p', 'l', 'i', 's', 't'};
    if (bytes.len >= sizeof(magic) && memcmp(bytes.data, magic, sizeof(magic)) == 0)
        return plist_parse_binary(out, bytes, fail);
    return plist_parse_xml(out, bytes, fail);
}

void plist_release(struct plist *list)
{
    for (size_t i = 0; i < list->count; i++) {
        own_release_mem(&list->nodes[i].key);
        own_release_mem(&list->nodes[i].bytes);
    }
    own_release_mem(&list->nodes);
    *list = (struct plist){0};
}

const struct plist_node *plist_get(const struct plist *list, const char *key)
{
    if (list->count == 0 || list->nodes[0].type != PLIST_DICT)
        return NULL;
    for (size_t i = list->nodes[0].first; i != PLIST_NONE; i = list->nodes[i].next)
        if (strcmp(list->nodes[i].key, key) == 0)
            return &list->nodes[i];
    return NULL;
}

bool plist_add(struct plist *list, enum plist_type type, size_t *index)
{
    if (list->count >= PLIST_NODES_MAX)
        return false;
    list->nodes = mem_grow(list->nodes, list->count, &list->capacity, sizeof(*list->nodes));
    list->nodes[list->count] =
        (struct plist_node){.type = type, .first = PLIST_NONE, .next = PLIST_NONE};
    *index = list->count++;
    return true;
}

void plist_link(struct plist *list, size_t parent, size_t *last, size_t child)
{
    if (*last == PLIST_NONE)
        list->nodes[parent].first = child;
    else
        list->nodes[*last].next = child;
    *last = child;
}

/* A copy that counts; NULL when there are too many bytes. */
static char *keep(struct plist *list, const void *bytes, size_t len)
{
    if (len > PLIST_BYTES_MAX - list->byte_count)
        return NULL;
    list->byte_count += len;
    return mem_copy(bytes, len);
}

bool plist_set_key(struct plist *list, size_t index, const void *key, size_t len)
{
    list->nodes[index].key = keep(list, key, len);
    return list->nodes[index].key;
}

bool plist_set_bytes(struct plist *list, size_t index, const void *bytes, size_t len)
{
    list->nodes[index].bytes = keep(list, bytes, len);
    list->nodes[index].len = len;
    return list->nodes[index].bytes;
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct plist_entry *)a)->key, ((const struct plist_entry *)b)->key);
}

struct plist_entry *plist_sorted(const struct plist *list, size_t dict, size_t *count)
{
    *count = 0;
    for (size_t i = list->nodes[dict].first; i != PLIST_NONE; i = list->nodes[i].next)
        (*count)++;
    struct plist_entry *entries = mem_new(*count, sizeof(*entries));
    size_t filled = 0;
    for (size_t i = list->nodes[dict].first; i != PLIST_NONE; i = list->nodes[i].next)
        entries[filled++] = (struct plist_entry){.key = list->nodes[i].key, .index = i};
    qsort(entries, filled, sizeof(*entries), compare_keys);
    return entries;
}

bool plist_repeats_key(const struct plist *list, size_t dict)
{
    size_t count = 0;
    own_mem struct plist_entry *entries = plist_sorted(list, dict, &count);
    for (size_t i = 1; i < count; i++)
        if (strcmp(entries[i - 1].key, entries[i].key) == 0)
            return true;
    return false;
}

bool plist_is_text(const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t at = 0; at < len;) {
        uint32_t code = 0;
        size_t step = utf8_decode(&code, bytes + at, len - at);
        if (step == 0 || code == 0)
            return false;
        at += step;
    }
    return true;
}

#define YEAR_0_SINCE_1970     INT64_C(-62167219200)
#define YEAR_10000_SINCE_1970 INT64_C(253402300800)

bool plist_date_fits(int64_t seconds)
{
    return seconds >= YEAR_0_SINCE_1970 && seconds < YEAR_10000_SINCE_1970;
}

void plist_put_date(struct buf *out, int64_t seconds)
{
    const time_t time = seconds;
    struct tm tm = {0};
    if (!plist_date_fits(seconds) || !gmtime_r(&time, &tm)) {
        buf_puts(out, "?");
        return;
    }
    buf_printf(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
               tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* `count` digits; -1 when others are among them. */
static int digits(const char *text, unsigned count)
{
    int number = 0;
    for (unsigned i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = 10 * number + (text[i] - '0');
    }
    return number;
}

bool plist_parse_date(int64_t *out, const char *text)
{
    if (strlen(text) != PLIST_DATE_LEN)
        return false;
    struct tm tm = {.tm_year = digits(text, 4) - 1900,
                    .tm_mon = digits(text + 5, 2) - 1,
                    .tm_mday = digits(text + 8, 2),
                    .tm_hour = digits(text + 11, 2),
                    .tm_min = digits(text + 14, 2),
                    .tm_sec = digits(text + 17, 2)};
    *out = timegm(&tm);
    /* What is no date comes back as another one. */
    own_buf struct buf back = {0};
    plist_put_date(&back, *out);
    return strcmp(buf_text(&back), text) == 0;
}
