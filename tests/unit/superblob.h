/*
 * Purpose: the outer form of embedded signatures, written independently of the signer: the
 *     SuperBlob and the headers of what is in it.
 *
 * Layer: tests.
 *
 * Calling sequence:
 *         struct superblob super = superblob_begin(&out, 2);
 *         superblob_add(&super, CODESIG_SLOT_DIRECTORY, directory);
 *         superblob_add(&super, CODESIG_SLOT_CMS, cms);       // as many as were announced
 *
 * Ownership: the caller's buffer, which outlives the struct; bytes are copied.
 *
 * Errors: none. Nothing is checked: slots may be in any order, and blobs need not be sound.
 *
 * Determinism: bytes depend on the arguments alone.
 */
#ifndef HALLMARK_TESTS_SUPERBLOB_H
#define HALLMARK_TESTS_SUPERBLOB_H

#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"

struct superblob {
    struct buf *out;
    size_t start; /* where it begins in out */
    size_t entry; /* where in out the next entry of the index is */
};

/* A SuperBlob at the end of `out`, with the index of `count` blobs. */
struct superblob superblob_begin(struct buf *out, size_t count);

/* The next blob, whole, behind those before it. */
void superblob_add(struct superblob *super, uint32_t slot, struct view blob);

/* Appends the header that blobs of the slot have, and the payload. */
void superblob_put_blob(struct buf *out, uint32_t slot, struct view payload);

#endif
