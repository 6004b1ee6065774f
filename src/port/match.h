/*
 * Purpose: find many byte patterns in one range.
 *
 * Layer: port.
 *
 * Calling sequence: match_all() calls back for each occurrence, in the order
 *     of offset, then of pattern index; the callback returns false to stop.
 *
 * Errors: none. (Own code while a policy has tens of patterns and a file some megabytes;
 *     vectorscan takes its place when `scan` brings many patterns over whole trees.)
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_PORT_MATCH_H
#define HALLMARK_PORT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"

typedef bool match_callback(void *context, size_t pattern, uint64_t offset);

/* Patterns must not be empty (empty ones are never found). */
void match_all(struct view text, const struct view *patterns, size_t count,
               match_callback *callback, void *context);

#endif
