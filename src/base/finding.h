/*
 * Purpose: what is wrong with an artifact: the job was done and the result is
 *     bad. All findings are reported, not the first. (A job that could not be
 *     done is a failure: fail.h.)
 *
 * Layer: base.
 *
 * Calling sequence:
 *         struct finding *f = finding_add(&list, FINDING_ERROR, "sig.page-hash");
 *         finding_place(f, "%s: slice %s, page %u at offset %llu", ...);
 *         finding_expected(f, "%s", hex_a);
 *         finding_actual(f, "%s", hex_b);
 *         finding_remedy(f, "sign the file again");
 *     The pointer is valid until the next finding_add() on the same list.
 *
 * Ownership: the list owns copies of everything but the id, which must be a
 *     string constant. findings_release() frees.
 *
 * Errors: none. The list holds at most FINDINGS_MAX entries; further ones are
 *     counted in `dropped` and one entry says so, so that a hostile file
 *     cannot fill memory. Nothing is ever taken for "no finding".
 *
 * Determinism: order of the calls.
 */
#ifndef HALLMARK_BASE_FINDING_H
#define HALLMARK_BASE_FINDING_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/own.h"

#define FINDINGS_MAX 10000u

enum finding_level {
    FINDING_ERROR,   /* the artifact is bad: exit code 1 */
    FINDING_WARNING, /* worth knowing, does not change the exit code */
};

struct finding {
    enum finding_level level;
    const char *id;  /* stable, e.g. "sig.page-hash" */
    char *slice;     /* the architecture of the image that it is about; NULL when not said */
    char *place;     /* file, slice, structure, offset, for people; NULL when not said */
    char *structure; /* the part of the file; NULL when not said */
    bool has_offset;
    uint64_t offset; /* of it in the file */
    char *expected;
    char *actual;
    char *remedy;
};

struct findings {
    struct finding *list;
    size_t count;
    size_t capacity;
    size_t dropped;
    size_t error_count; /* FINDING_ERROR entries, dropped ones included */
    struct finding overflow;
};

#define own_findings __attribute__((cleanup(findings_release)))

/* Appends a finding; never NULL. */
struct finding *finding_add(struct findings *findings, enum finding_level level, const char *id);

/* Fill the texts (each replaces what was there). */
void finding_place(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_expected(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_actual(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void finding_remedy(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says which part of the file it is about, and where that lies: also sets the place, to "STRUCTURE
 * at offset N". */
void finding_at(struct finding *finding, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void finding_vat(struct finding *finding, uint64_t offset, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* Appends to the place. */
void finding_detail(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One call for the usual case: an error with a place and, where they are not NULL, both values. */
void finding_error(struct findings *findings, const char *id, const char *place,
                   const char *expected, const char *actual);

/* Puts "PREFIX: " before the place of each finding from index `first` on. */
void findings_prefix(struct findings *findings, size_t first, const char *prefix);

/* The offset of each finding from index `first` on counted from elsewhere: adds where that lies. */
void findings_shift(struct findings *findings, size_t first, uint64_t base);

/* Says of each finding from index `first` on which slice it is about. */
void findings_slice(struct findings *findings, size_t first, const char *slice);

/* Makes errors of the warnings from index `first` on. */
void findings_be_strict(struct findings *findings, size_t first);

/* Moves all of `from` to the end of `to`; `from` is empty afterwards. */
void findings_take(struct findings *to, struct findings *from);

/*
 * For people: one finding in one block, e.g.
 *     finding sig.page-hash: lib.dylib: page 3 at offset 12288
 *       expected: 12ab...
 *       actual:   77fe...
 *       remedy:   sign the file again
 * Control bytes are escaped.
 */
void finding_print(const struct finding *finding, FILE *stream, bool color);
void findings_print(const struct findings *findings, FILE *stream, bool color);

/* "1 finding", "2 findings": a text that lives until the next call in the same thread. */
const char *findings_count_text(const struct findings *findings);

void findings_release(struct findings *findings);

#endif
