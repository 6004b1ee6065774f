#include "port/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/own.h"

/*
 * A set of patterns is searched in one pass, by the method of Wu and Manber: the text is looked
 * at through a window as long as the shortest pattern. The last one or two bytes of the window
 * say how far it may move before any pattern can begin there; only when that is nowhere are the
 * patterns compared whose beginning ends in these bytes. Long patterns thus skip most of the
 * text, and no text takes longer than (length x patterns with the same two bytes).
 */
#define TABLE_SIZE 65536u
#define NO_PATTERN UINT32_MAX

struct matcher {
    const struct view *patterns;
    size_t window;   /* length of the shortest pattern */
    size_t block;    /* bytes that index the tables: 1 or 2 */
    uint16_t *shift; /* by block: how far the window may move; 0: compare */
    uint32_t *first; /* by block: the first pattern to compare */
    uint32_t *next;  /* by pattern: the next one with the same block, in ascending order */
};

static size_t block_at(const struct matcher *matcher, const uint8_t *at)
{
    return matcher->block == 1 ? at[0] : (size_t)at[0] << 8 | at[1];
}

/* Patterns are entered from the last to the first, so that each list ascends. */
static void matcher_start(struct matcher *matcher, size_t count)
{
    uint64_t window = UINT16_MAX;
    for (size_t i = 0; i < count; i++)
        if (matcher->patterns[i].len != 0 && matcher->patterns[i].len < window)
            window = matcher->patterns[i].len;
    matcher->window = (size_t)window;
    matcher->block = window == 1 ? 1 : 2;
    matcher->shift = mem_new(TABLE_SIZE, sizeof(*matcher->shift));
    matcher->first = mem_new(TABLE_SIZE, sizeof(*matcher->first));
    matcher->next = mem_new(count, sizeof(*matcher->next));
    uint16_t most = (uint16_t)(matcher->window - matcher->block + 1);
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        matcher->shift[i] = most;
        matcher->first[i] = NO_PATTERN;
    }
    for (size_t i = count; i-- > 0;) {
        if (matcher->patterns[i].len == 0)
            continue;
        const uint8_t *bytes = matcher->patterns[i].data;
        for (size_t end = matcher->block; end <= matcher->window; end++) {
            size_t block = block_at(matcher, bytes + end - matcher->block);
            uint16_t shift = (uint16_t)(matcher->window - end);
            if (shift < matcher->shift[block])
                matcher->shift[block] = shift;
            if (shift == 0) {
                matcher->next[i] = matcher->first[block];
                matcher->first[block] = (uint32_t)i;
            }
        }
    }
}

static void matcher_release(struct matcher *matcher)
{
    free(matcher->shift);
    free(matcher->first);
    free(matcher->next);
}

static void matcher_run(const struct matcher *matcher, struct view text, match_callback *callback,
                        void *context)
{
    const size_t last = matcher->window - matcher->block;
    uint64_t at = 0;
    while (text.len - at >= matcher->window) {
        size_t block = block_at(matcher, text.data + at + last);
        uint16_t shift = matcher->shift[block];
        if (shift != 0) {
            at += shift;
            if (at > text.len)
                return;
            continue;
        }
        for (uint32_t i = matcher->first[block]; i != NO_PATTERN; i = matcher->next[i]) {
            const struct view *pattern = &matcher->patterns[i];
            if (pattern->len <= text.len - at &&
                memcmp(text.data + at, pattern->data, (size_t)pattern->len) == 0 &&
                !callback(context, i, at))
                return;
        }
        at++;
    }
}

void match_all(struct view text, const struct view *patterns, size_t count,
               match_callback *callback, void *context)
{
    bool any = false;
    for (size_t i = 0; i < count && !any; i++)
        any = patterns[i].len != 0;
    if (!any || text.len == 0)
        return;
    __attribute__((cleanup(matcher_release))) struct matcher matcher = {.patterns = patterns};
    matcher_start(&matcher, count);
    matcher_run(&matcher, text, callback, context);
}
