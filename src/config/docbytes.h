/*
 * Purpose: what the bytes of a configuration file may be.
 *
 * Layer: config.
 *
 * Calling sequence: docbytes_check() before parsing; utf8_problem() for each text that the parser
 *     made, since escapes can produce what the file itself does not have.
 *
 * Errors: FAIL_INPUT with line and column.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_CONFIG_DOCBYTES_H
#define HALLMARK_CONFIG_DOCBYTES_H

#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"

/* UTF-8 without NUL, control bytes (other than line ends), tabs or a byte order mark. */
int docbytes_check(struct view text, const char *name, uint64_t max_len,
                   struct fail *fail) must_check;

#endif
