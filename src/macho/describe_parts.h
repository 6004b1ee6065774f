/*
 * Purpose: what the printers of describe.h share.
 *
 * Layer: macho; for describe*.c alone.
 *
 * Calling sequence: pure functions over an opened description.
 *
 * Ownership: caller's buffers.
 *
 * Errors: none.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_MACHO_DESCRIBE_PARTS_H
#define HALLMARK_MACHO_DESCRIBE_PARTS_H

#include "macho/describe.h"

/* Text from a file, control bytes as \xNN. */
void describe_put_name(struct buf *out, const char *name);

/* "XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX" */
#define UUID_TEXT_MAX 37
void describe_uuid(char out[UUID_TEXT_MAX], const uint8_t uuid[16]);

/* "chained", "dyld-info", "none" */
const char *describe_fixup_kind(const struct image *image);

/* "weak", "re-export", ...; "" for an ordinary library. */
const char *describe_library_kind(enum library_kind kind);

/* The names of the signature's flag bits, one by one: index from 0 on; NULL when the bit has
 * no name. */
const char *describe_signature_flag(unsigned bit);

void describe_signature_text(struct buf *out, const struct description_slice *slice);
json_t *describe_signature_json(const struct description_slice *slice);

/* One line "  LABEL  value" begins: indentation, label, padding. */
void describe_label(struct buf *out, const char *label);

#endif
