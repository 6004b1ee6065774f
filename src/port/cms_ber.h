/*
 * Purpose: bounded reading of BER (X.690), as far as CMS needs it: definite and indefinite
 *     lengths, tag numbers below 31. The bytes of an element stay as they are, which decoders
 *     that encode again do not promise.
 *
 * Layer: port, private to src/port/cms*.c.
 *
 * Calling sequence: what is left to read is a view that shrinks:
 *         struct ber set = {0};
 *         struct ber item = {0};
 *         if (!ber_take(&set, &rest, BER_SET)) ...
 *         while (ber_next(&item, &set.content)) ...
 *     At the end of a loop, a view that is not empty holds something malformed.
 *
 * Ownership: elements borrow from the bytes.
 *
 * Errors: false; the caller knows the name of the structure.
 */
#ifndef HALLMARK_PORT_CMS_BER_H
#define HALLMARK_PORT_CMS_BER_H

#include "base/buf.h"
#include "base/cursor.h"

/* Identifier octets: class, the bit for constructed, number. */
enum ber_tag {
    BER_INTEGER = 0x02,
    BER_OCTETS = 0x04,
    BER_OID = 0x06,
    BER_SEQUENCE = 0x30,
    BER_SET = 0x31,
    BER_CONSTRUCTED = 0x20,
    BER_CONTEXT = 0x80,             /* [n] primitive: BER_CONTEXT | n */
    BER_CONTEXT_CONSTRUCTED = 0xa0, /* [n] constructed */
};

#define BER_DEPTH_MAX 16u /* indefinite lengths inside of each other */

struct ber {
    uint8_t tag;
    bool indefinite;
    struct view whole; /* header and, behind an indefinite length, the end mark included */
    struct view content;
};

/* Takes the element at the front; false when there is none, or a malformed one. */
bool ber_next(struct ber *out, struct view *rest);

/* The same, and false when the tag is another one; then nothing is taken. */
bool ber_take(struct ber *out, struct view *rest, uint8_t tag);

/* The tag at the front; 0 when nothing is left. */
uint8_t ber_peek(struct view rest);

/* Appends the bytes of an OCTET STRING, in one piece or in several; `tag` BER_OCTETS, or what
 * stands implicitly for it. */
bool ber_octets(struct buf *out, const struct ber *element);

#endif
