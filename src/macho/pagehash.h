/*
 * Purpose: the hashes of all code pages, on all processors, straight from the bytes (a mapped file
 *     is not copied), for several CodeDirectories in one pass: to be written, or to be compared.
 *
 * Layer: macho.
 *
 * Calling sequence, signing (two directories, one pass):
 *         struct pagehash sets[2] = {
 *             {.hash_type = CODESIG_HASH_SHA1, .page_len = 4096, .limit = code.len,
 *              .count = pagehash_count(code.len, 4096), .out = sha1_hashes},
 *             {.hash_type = CODESIG_HASH_SHA256, ..., .out = sha256_hashes}};
 *         if (pagehash_run(sets, 2, code, 0, &fail) < 0) ...
 *     Verifying: `expected` instead of `out`; afterwards `bad_count` and `bad` tell the pages that
 *     have another hash. The slices of a universal file are run one after the other.
 *
 * Ownership: everything is borrowed for the call. Sets must not write where `code` is.
 *
 * Errors: FAIL_SIGNAL when a signal asked to stop (looked for every few hundred kilobytes); the
 *     results are worth nothing then. Threads that cannot be made are done without.
 *
 * Determinism: results depend on the bytes and the sets alone, not on the number of threads.
 *
 * Memory: none that grows with the file. Pages of a mapped file are given back to the system as
 *     soon as they were hashed (fs_map_forget()), so that what is resident stays small too.
 */
#ifndef HALLMARK_MACHO_PAGEHASH_H
#define HALLMARK_MACHO_PAGEHASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"

#define PAGEHASH_LISTED 100u /* bad pages that are remembered by number */

/* What one CodeDirectory says of the pages. */
struct pagehash {
    uint8_t hash_type; /* enum codesig_hash, a known one */
    uint64_t page_len; /* codesig_page_len(): not 0; UINT64_MAX for one page of everything */
    uint64_t limit;    /* the code limit; what it counts beyond the code is not there */
    uint64_t count;    /* hashes at `out` or `expected`, codesig_hash_len() bytes each */
    uint8_t *out;      /* hashes are written here; those of pages without a byte are left alone */
    const uint8_t *expected; /* or are compared with these; a page without a byte is bad */

    uint64_t bad_count;            /* result: how many pages are bad, and the numbers of */
    uint64_t bad[PAGEHASH_LISTED]; /* the first of them, ascending */
};

/* How many pages `len` bytes make. */
uint64_t pagehash_count(uint64_t len, uint64_t page_len);

/* The bytes of one page, none when it is behind limit or code. */
struct view pagehash_page(const struct pagehash *set, struct view code, uint64_t page);

/* Fills in `out` or `bad` of every set; `threads` at most, 0: one for each processor. */
int pagehash_run(struct pagehash *sets, size_t set_count, struct view code, unsigned threads,
                 struct fail *fail) must_check;

#endif
