/*
 * Purpose: code requirements in the requirement language, as `csreq -r FILE -t` and
 *     `codesign -d -r-` print them.
 *
 * Layer: macho.
 *
 * Calling sequence: give the blob, header included (struct codesig_blob has it in `bytes`):
 *         own_buf struct buf text = {0};
 *         if (requirements_text(&text, blob->bytes, &fail) < 0) ...
 *     or requirements_read() and requirement_text() for one after the other.
 *
 * Ownership: entries borrow from the blob.
 *
 * Errors: FAIL_INPUT with the offset in the blob. What could be written before stays in `out`.
 *
 * Determinism: pure functions.
 *
 * Texts are quoted where the language asks for it, and bytes that cannot be printed are written as
 * hexadecimal numbers; white space inside of quotes stays as it is, line ends included.
 *
 * Opcodes that are not known, but are marked as such that may be skipped, are shown as codesign
 * does: "false / * opcode 99 * /" and "/ * opcode 99 * / identifier x" (without these blanks).
 */
#ifndef HALLMARK_MACHO_REQUIREMENT_H
#define HALLMARK_MACHO_REQUIREMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

/* Appends one requirement (magic fade0c00): `identifier "a.b" and anchor apple`. No line end. */
int requirement_text(struct buf *out, struct view blob, struct fail *fail) must_check;

/* Appends a set (magic fade0c01), each as a line: "designated => anchor apple\n". */
int requirements_text(struct buf *out, struct view blob, struct fail *fail) must_check;

#define REQUIREMENTS_MAX 32u /* in a set; there are five kinds */

struct requirement_entry {
    uint32_t type;
    struct view blob; /* of one requirement, header included */
};

struct requirements {
    struct requirement_entry list[REQUIREMENTS_MAX];
    uint32_t count;
};

/* The index of a set. Entries lie inside of the blob; they are not decoded. */
int requirements_read(struct requirements *out, struct view blob, struct fail *fail) must_check;

/* "host", "guest", "designated", "library", "plugin"; NULL for another number. */
const char *requirement_type_name(uint32_t type);

#endif
