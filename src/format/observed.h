/*
 * Purpose: attestations/observed.json: what was seen on one occasion. It is
 *     outside of the sums; so that a damaged one is noticed all the same, it
 *     carries the SHA-256 of itself without that member, and that of the
 *     SHA256SUMS that it belongs to.
 *
 * Layer: format.
 *
 * Calling sequence: observed_seal() prints a finished object; observed_check()
 *     judges bytes that were read.
 *
 * Errors: observed_check(): findings observed.malformed, observed.checksum, observed.subject.
 *
 * Determinism: printing is; what the object holds is not, and is not meant to be.
 */
#ifndef HALLMARK_FORMAT_OBSERVED_H
#define HALLMARK_FORMAT_OBSERVED_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/finding.h"
#include "port/json.h"

#define OBSERVED_MAX (4u << 20)

/* Adds "sums" and "sha256" to the object and appends the document. */
void observed_seal(struct buf *out, json_t *object, const char *sums_sha256);

/* `place` names the file in findings. */
void observed_check(struct findings *findings, const char *place, struct view text,
                    const char *sums_sha256);

#endif
