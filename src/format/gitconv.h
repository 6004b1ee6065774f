/*
 * Purpose: what a checkout does to the content of a file, by its attributes: line endings
 *     (text, crlf, eol) and `$Id$` (ident). git archive does the same.
 *
 * Layer: format.
 *
 * Calling sequence: gitconv_eol() and gitconv_ident() say what the attributes ask for; then
 *     either gitconv_add_ident() and gitconv_add_crlf() on content in memory, in this order, or,
 *     for content too large for that, two passes:
 *         struct gitconv_stats stats = {0};
 *         gitconv_count(&stats, piece, len) for each piece
 *         if (gitconv_wants_crlf(&stats, eol)) the file grows by stats.lone_lf bytes:
 *             gitconv_crlf_piece(&out, &last, piece, len) for each piece
 *
 * Ownership: output is appended to the caller's buffer.
 *
 * Errors: none.
 *
 * Determinism: pure; core.autocrlf and core.eol count as not set.
 */
#ifndef HALLMARK_FORMAT_GITCONV_H
#define HALLMARK_FORMAT_GITCONV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "format/gitattr.h"

enum gitconv_eol {
    GITCONV_EOL_KEEP,      /* content is left alone */
    GITCONV_EOL_CRLF,      /* text: every lone LF becomes CRLF */
    GITCONV_EOL_AUTO_CRLF, /* the same for what looks like text and has no CR yet */
};

enum gitconv_eol gitconv_eol(const struct gitattr_value values[GITATTR_COUNT]);
bool gitconv_ident(const struct gitattr_value values[GITATTR_COUNT]);

/* Whether core.eol or core.autocrlf could change the answer of gitconv_eol(). */
bool gitconv_eol_by_config(const struct gitattr_value values[GITATTR_COUNT]);

struct gitconv_stats {
    uint64_t nul;
    uint64_t lone_cr;
    uint64_t lone_lf;
    uint64_t crlf;
    uint64_t printable;
    uint64_t unprintable;
    int last; /* the byte before, + 1; 0 at the beginning */
};

void gitconv_count(struct gitconv_stats *stats, const void *data, size_t len);

/* Asked after the last piece. */
bool gitconv_wants_crlf(const struct gitconv_stats *stats, enum gitconv_eol eol);

/* *last is the byte before the piece, 0 at the beginning. */
void gitconv_crlf_piece(struct buf *out, uint8_t *last, const void *data, size_t len);

/* Whole contents: true when `out` got the converted bytes, false when nothing changes. */
bool gitconv_add_crlf(struct buf *out, const void *data, size_t len, enum gitconv_eol eol);
bool gitconv_add_ident(struct buf *out, const void *data, size_t len, const char *id);

#endif
