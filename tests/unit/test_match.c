/*
 * match_all() against the plainest search there is, and on the edges.
 */
#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "port/match.h"
#include "unit/unit.h"

struct hits {
    size_t pattern[4096];
    uint64_t offset[4096];
    size_t count;
    size_t stop_after; /* 0: never */
};

static bool keep(void *context, size_t pattern, uint64_t offset)
{
    struct hits *hits = context;
    assert_true(hits->count < 4096);
    hits->pattern[hits->count] = pattern;
    hits->offset[hits->count++] = offset;
    return hits->stop_after == 0 || hits->count < hits->stop_after;
}

static void plain_search(struct hits *out, struct view text, const struct view *patterns,
                         size_t count)
{
    for (uint64_t at = 0; at < text.len; at++)
        for (size_t i = 0; i < count; i++)
            if (patterns[i].len != 0 && patterns[i].len <= text.len - at &&
                memcmp(text.data + at, patterns[i].data, patterns[i].len) == 0)
                keep(out, i, at);
}

static void expect_same(struct view text, const struct view *patterns, size_t count)
{
    struct hits *expected = mem_new(1, sizeof(*expected));
    struct hits *actual = mem_new(1, sizeof(*actual));
    plain_search(expected, text, patterns, count);
    match_all(text, patterns, count, keep, actual);
    assert_int_equal(actual->count, expected->count);
    assert_memory_equal(actual->pattern, expected->pattern, sizeof(actual->pattern));
    assert_memory_equal(actual->offset, expected->offset, sizeof(actual->offset));
    free(expected);
    free(actual);
}

static void match__finds_in_order(void **state)
{
    (void)state;
    const struct view patterns[] = {unit_text("bcd"), unit_text("abcd"), unit_text(""),
                                    unit_text("bc"), unit_text("bcd")};
    struct hits hits = {0};
    match_all(unit_text("xabcdbc"), patterns, 5, keep, &hits);
    assert_int_equal(hits.count, 5);
    assert_int_equal(hits.pattern[0], 1);
    assert_int_equal(hits.offset[0], 1);
    assert_int_equal(hits.pattern[1], 0);
    assert_int_equal(hits.pattern[2], 3);
    assert_int_equal(hits.pattern[3], 4);
    assert_int_equal(hits.offset[3], 2);
    assert_int_equal(hits.pattern[4], 3);
    assert_int_equal(hits.offset[4], 5);
}

static void match__edges(void **state)
{
    (void)state;
    const struct view one[] = {unit_text("a")};
    const struct view whole[] = {unit_text("abc"), unit_text("abcd")};
    struct hits hits = {0};
    match_all(unit_text(""), one, 1, keep, &hits);
    match_all((struct view){NULL, 0}, one, 1, keep, &hits);
    match_all(unit_text("abc"), NULL, 0, keep, &hits);
    match_all(unit_text("abc"), (const struct view[]){unit_text("")}, 1, keep, &hits);
    assert_int_equal(hits.count, 0);
    match_all(unit_text("abc"), whole, 2, keep, &hits);
    assert_int_equal(hits.count, 1);
    match_all(unit_text("bbba"), one, 1, keep, &hits);
    assert_int_equal(hits.count, 2);
    assert_int_equal(hits.offset[1], 3);
}

static void match__stops(void **state)
{
    (void)state;
    const struct view one[] = {unit_text("aa")};
    struct hits hits = {.stop_after = 2};
    match_all(unit_text("aaaaaaaa"), one, 1, keep, &hits);
    assert_int_equal(hits.count, 2);
    assert_int_equal(hits.offset[1], 1);
}

/* A pattern longer than the tables can express, at the very end of the text. */
static void match__long_pattern(void **state)
{
    (void)state;
    size_t len = 70000;
    own_mem uint8_t *text = mem_new(len + 5, 1);
    for (size_t i = 0; i < len + 5; i++)
        text[i] = (uint8_t)(i * 7 + i / 251);
    const struct view pattern[] = {{text + 5, len}};
    expect_same((struct view){text, len + 5}, pattern, 1);
}

/* Random texts over small alphabets, so that there is much to find. */
static void match__equals_plain_search(void **state)
{
    (void)state;
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int round = 0; round < 3000; round++) {
        uint8_t text[200];
        uint8_t bytes[12][8];
        struct view patterns[12];
        random = random * 6364136223846793005u + 1442695040888963407u;
        unsigned letters = 1 + (unsigned)(random >> 60) % 5;
        size_t text_len = (random >> 40) % sizeof(text);
        size_t count = (random >> 32) % 12;
        size_t least = (random >> 50) % 3;
        for (size_t i = 0; i < text_len; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            text[i] = (uint8_t)((random >> 33) % letters);
        }
        for (size_t i = 0; i < count; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            patterns[i] = (struct view){bytes[i], least + (random >> 33) % (9 - least)};
            patterns[i].len = patterns[i].len > 8 ? 8 : patterns[i].len;
            for (size_t j = 0; j < patterns[i].len; j++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                bytes[i][j] = (uint8_t)((random >> 33) % letters);
            }
        }
        expect_same((struct view){text, text_len}, patterns, count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(match__finds_in_order),
        cmocka_unit_test(match__edges),
        cmocka_unit_test(match__stops),
        cmocka_unit_test(match__long_pattern),
        cmocka_unit_test(match__equals_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
