/*
 * Purpose: strings that tables of numbers point to, read under a budget: in sound files each
 *     name is stored once, so that the names together are hardly longer than the strings they
 *     lie in. A hostile table with many references into one long string would make reading
 *     and sorting take quadratic time; the budget ends that.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         struct names names = names_start(strings);
 *         const char *name = names_at(&names, offset); // NULL: outside, or over budget
 *
 * Ownership: borrows the bytes.
 *
 * Errors: NULL; names_fail() makes the failure.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_MACHO_NAMES_H
#define HALLMARK_MACHO_NAMES_H

#include <stdbool.h>

#include "base/cursor.h"
#include "base/fail.h"

struct names {
    struct view strings;
    uint64_t left; /* bytes that may still be looked at */
};

struct names names_start(struct view strings);
const char *names_at(struct names *names, uint64_t offset);

/* FAIL_INPUT: why names_at() gave NULL for the name of `what` number `index`; returns -1. */
int names_fail(const struct names *names, const char *what, uint64_t index, uint64_t offset,
               struct fail *fail);

#endif
