/*
 * Purpose: SHA256SUMS: write it, read it, compatible with `sha256sum -c` and
 *     `shasum -a 256 -c`.
 *
 * Layer: format.
 *
 * Calling sequence: sums_add() in any order, sums_print() sorts by the bytes
 *     of the names; sums_parse() reads.
 *
 * Ownership: the struct owns its entries; sums_release() frees.
 *
 * Errors: sums_parse(): FAIL_INPUT with the line: a malformed line, a name
 *     twice, a name that leaves the directory (absolute, with "." or ".." or an
 *     empty component), no entries at all. Every other name is allowed.
 *
 * Determinism: C-locale order; text mode lines ("<64 hex>  <name>"). A name with
 *     a newline, a carriage return or a backslash is escaped as GNU coreutils
 *     does (a leading backslash on the line).
 */
#ifndef HALLMARK_FORMAT_SUMS_H
#define HALLMARK_FORMAT_SUMS_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

#define SUMS_NAME "SHA256SUMS"
#define SUMS_MAX  (16u << 20) /* bytes that the reader accepts */

struct sums_entry {
    char *name;
    char sha256[65];
};

struct sums {
    struct sums_entry *list;
    size_t count;
    size_t capacity;
};

#define own_sums __attribute__((cleanup(sums_release)))
void sums_release(struct sums *sums);

void sums_add(struct sums *sums, const char *name, const char *sha256);
void sums_print(struct buf *out, struct sums *sums);
int sums_parse(struct sums *out, struct view text, const char *name, struct fail *fail) must_check;

/* The digest of a name, or NULL; the list must come from sums_parse() or be printed already
 * (both sort it). */
const char *sums_find(const struct sums *sums, const char *name);

#endif
