/*
 * What a fuzz target (tests/fuzz/fuzz_<name>.c) defines. It is linked with replay.c for
 * `make test`, and with libFuzzer for `make fuzz`.
 */
#ifndef HALLMARK_TESTS_FUZZ_H
#define HALLMARK_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

/* One input. Returns 0; aborts when something that must hold does not. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Optional: makes the seed of that number, so that a seed is code instead of an opaque file.
 * Returns its size, at most out_size; 0 when there are no more.
 */
size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size);

/* Optional: the same for seeds that differ in each run (with new keys); only written for
 * libFuzzer, never replayed. */
size_t fuzz_fresh_seed(size_t index, uint8_t *out, size_t out_size);

static inline void fuzz_must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: does not hold: %s\n", what);
    abort();
}

/* A refusal names the input as the cause, and says what is wrong with it. */
static inline void fuzz_must_say_why(const struct fail *fail)
{
    fuzz_must(fail->code == FAIL_INPUT && fail->message != NULL, "a refusal says why");
}

static inline struct view fuzz_view(const struct buf *buf)
{
    return (struct view){buf->data, buf->len};
}

static inline bool fuzz_same(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

/* fuzz_seed() for seeds that are texts. */
static inline size_t fuzz_give_text(const char *const *seeds, size_t count, size_t index,
                                    uint8_t *out, size_t out_size)
{
    size_t len = index < count ? strlen(seeds[index]) : 0;
    if (len > out_size)
        abort();
    if (len > 0)
        memcpy(out, seeds[index], len);
    return len;
}

/* A seed that is in a buffer. */
static inline size_t fuzz_give(const struct buf *seed, uint8_t *out, size_t out_size)
{
    if (seed->len > out_size)
        abort();
    if (seed->len > 0)
        memcpy(out, seed->data, seed->len);
    return seed->len;
}

#endif
