/*
 * Purpose: what the readers and printers of describe.h share.
 *
 * Layer: macho; for describe*.c alone.
 *
 * Calling sequence: functions over an opened description; describe_text() and describe_json()
 *     call the put_ and _json ones.
 *
 * Ownership: caller's buffers.
 *
 * Errors: kept in the faults of the slice.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_MACHO_DESCRIBE_PARTS_H
#define HALLMARK_MACHO_DESCRIBE_PARTS_H

#include "macho/describe.h"

/* Reading (describe_signature.c). */
void describe_read_signature(struct description_slice *slice,
                             const struct describe_options *options);
void describe_release_signature(struct description_signature *signature);

/* Names (describe_names.c). */

/* "symbols", "entitlements", ...: what a fault is in. */
const char *describe_fault_name(size_t fault);

/* "XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX" */
#define UUID_TEXT_MAX 37
void describe_uuid(char out[UUID_TEXT_MAX], const uint8_t uuid[16]);

/* "chained", "dyld-info", "relocations", "none". */
const char *describe_fixup_kind(const struct image *image);

/* Numbers of entries: of the image's own two tables, and of those of its sections. */
struct describe_relocations {
    uint32_t external, local;
    uint64_t sections;
};
struct describe_relocations describe_relocations(const struct image *image);

/* "weak", "re-export", ...; "load" for an ordinary library. */
const char *describe_library_kind(const struct image_library *library);

/* The names of the bits of a signature's flags, and of its execution segment's; NULL when the bit
 * has no name. */
const char *describe_signature_flag(unsigned bit);
const char *describe_exec_flag(unsigned bit);

/* "Info.plist", "requirements", ...: what a special slot seals, or a blob is; NULL: unknown. */
const char *describe_slot_name(uint32_t slot);

/* The hash of a special slot in hexadecimal; false when it is zero: the slot seals nothing. */
bool describe_special_hash(char hex[2 * DIGEST_MAX + 1], const struct codesig_directory *directory,
                           uint32_t slot);

/* The slot of a property list. */
uint32_t describe_list_slot(size_t list);

/* Text (describe_text.c). */

/* One line "  LABEL  value" begins: indentation, label, padding. "": a further line. */
#define DESCRIBE_INDENT 17
void describe_label(struct buf *out, const char *label);

/* A line "  LABEL  NAME"; nothing when the name is NULL. */
void describe_line(struct buf *out, const char *label, const char *name);

/* Text from a file: safe on a terminal. The second one fills up with blanks. */
void describe_put_name(struct buf *out, const char *name);
void describe_put_padded(struct buf *out, const char *name, size_t width);

/* Columns that a name takes. */
size_t describe_width(const char *name);

/* "8739218 bytes (8.3 MiB)" */
void describe_put_size(struct buf *out, uint64_t size);

/* " (adhoc, linker-signed)"; unknown bits as numbers, nothing for no bit. */
void describe_put_bits(struct buf *out, uint64_t bits, const char *(*name)(unsigned));

/* "cannot be read: ..." when the part has a fault; false when it has none. */
bool describe_put_fault(struct buf *out, const struct description_slice *slice, size_t fault);

void describe_put_symbols(struct buf *out, const struct description_slice *slice, bool listed);
void describe_put_fixups(struct buf *out, const struct description_slice *slice);
void describe_put_segments(struct buf *out, const struct image *image);
void describe_put_members(struct buf *out, const struct description_slice *slice);
void describe_put_signature(struct buf *out, const struct description_slice *slice);
void describe_put_cms(struct buf *out, const struct cms *cms);

/* JSON. */
json_t *describe_version_json(uint32_t version);
void describe_set_tables(json_t *object, const struct description_slice *slice, bool listed);
json_t *describe_fixups_json(const struct description_slice *slice);
json_t *describe_members_json(const struct ar *ar);
json_t *describe_signature_json(const struct description_slice *slice);
void describe_set_cms(json_t *object, const struct description_signature *signature);

#endif
