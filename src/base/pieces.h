/*
 * Purpose: a file to be written, as the list of its pieces: ranges of a mapping, bytes that were
 *     made, and zeros. A large file that is changed in a few places is never copied in memory.
 *
 * Layer: base.
 *
 * Calling sequence:
 *         own_pieces struct pieces file = {0};
 *         pieces_take(&file, &header);
 *         pieces_borrow(&file, rest_of_the_mapping);
 *         pieces_zeros(&file, 12);
 *         if (pieces_write(&file, fd, "out.dylib", &fail) < 0) ...
 *
 * Ownership: the list owns what it took; what it borrowed must outlive it.
 *
 * Errors: pieces_write(): FAIL_SYSTEM, FAIL_SIGNAL.
 *
 * Determinism: the bytes are those of the pieces, in order.
 */
#ifndef HALLMARK_BASE_PIECES_H
#define HALLMARK_BASE_PIECES_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

struct piece {
    struct view bytes; /* data NULL: so many zeros */
    uint8_t *owned;    /* the same bytes when they are the list's own; else NULL */
};

struct pieces {
    struct piece *list;
    size_t count;
    size_t capacity;
    uint64_t len; /* of all together */
};

#define own_pieces __attribute__((cleanup(pieces_release)))

/* Empty pieces leave no entry. */
void pieces_borrow(struct pieces *pieces, struct view bytes);
void pieces_take(struct pieces *pieces, struct buf *bytes); /* `bytes` is empty then */
void pieces_zeros(struct pieces *pieces, uint64_t len);

/* Moves all of `from` to the end of `to`; `from` is empty then. */
void pieces_move(struct pieces *to, struct pieces *from);

/* Appends all bytes to one buffer, for what is small enough. */
void pieces_join(struct buf *out, const struct pieces *pieces);

/* Writes all bytes; `name` is for messages. */
int pieces_write(const struct pieces *pieces, int fd, const char *name,
                 struct fail *fail) must_check;

void pieces_release(struct pieces *pieces);

#endif
