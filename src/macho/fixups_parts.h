/*
 * Purpose: what the readers of the two forms of fix-ups share.
 *
 * Layer: macho; for fixups*.c alone.
 *
 * Calling sequence: each reader appends to the list.
 *
 * Ownership: as in fixups.h.
 *
 * Errors: FAIL_INPUT.
 *
 * Determinism: a pure function of the bytes.
 */
#ifndef HALLMARK_MACHO_FIXUPS_PARTS_H
#define HALLMARK_MACHO_FIXUPS_PARTS_H

#include "macho/fixups.h"

/* No file has more fix-ups than this: a bound for time and memory, not for sound files. */
uint64_t fixups_limit(const struct image *image);

/* Counts one, and keeps it unless they are counted only. */
void fixups_add(struct fixup_list *out, const struct fixup *fixup);

/* Fix-ups stated by the opcodes of LC_DYLD_INFO. */
int fixups_read_opcodes(struct fixup_list *out, const struct image *image,
                        struct fail *fail) must_check;

/* A chain of arm64e pointers that begins at `offset` of the segment, as opcodes can state one;
 * binds count in the list's imports. Takes what it used off `steps_left`. */
int fixups_walk_thread(struct fixup_list *out, const struct image *image, uint32_t segment,
                       uint64_t offset, uint64_t *steps_left, struct fail *fail) must_check;

#endif
