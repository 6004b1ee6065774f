/*
 * Purpose: where two files part, in words: how many bytes differ, the offset of the first, and what
 *     lies there in a Mach-O image.
 *
 * Layer: stage; used by audit and by the witnesses.
 *
 * Calling sequence: own_mem char *text = difference_text(expected, given);
 *
 * Ownership: free the result.
 *
 * Errors: none. Both views must differ.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_STAGE_DIFFERENCE_H
#define HALLMARK_STAGE_DIFFERENCE_H

#include "base/cursor.h"

/* Places are named by the structure of the expected file. */
char *difference_text(struct view expected, struct view given);

#endif
