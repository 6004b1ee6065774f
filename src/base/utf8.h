/*
 * Purpose: characters of UTF-8 (Unicode 15, table 3-7), and which of them may stand in a name or a
 *     line that people read.
 *
 * Layer: base.
 *
 * Calling sequence: utf8_decode() walks over bytes; utf8_problem() judges a whole text.
 *     text_clean() (own.h) makes any text fit to be shown.
 *
 * Errors: none; the caller makes the failure or finding.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_BASE_UTF8_H
#define HALLMARK_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"

/*
 * The character that begins the `len` bytes at `data`. Returns how many bytes it has; 0 when they
 * do not begin with one: no overlong forms, no surrogates, nothing above U+10FFFF, no bytes.
 */
size_t utf8_decode(uint32_t *code, const uint8_t *data, uint64_t len);

/* Appends a code point, which must be one. */
void utf8_put(struct buf *out, uint32_t code);

/*
 * Why a character may not stand in a line of text, as "a control character" or "a line end"; NULL
 * for one that may. What does not show, or changes how what follows shows, is not text.
 */
const char *utf8_code_problem(uint32_t code);

/* The same of a whole text; "bytes that are not UTF-8" as well. */
const char *utf8_problem(struct view text);

#endif
