/*
 * Purpose: bounded reading of untrusted bytes. A view is a borrowed range; no
 *     function here reads outside of one, whatever offset it is given.
 *
 * Layer: base.
 *
 * Calling sequence: random access with view_*() (each returns false when the
 *     range is not inside the view); sequential access with a cursor, whose
 *     error is sticky: read many fields, then ask cursor_failed() once.
 *
 * Ownership: views and cursors borrow; they must not outlive the bytes.
 *
 * Errors: false / sticky flag; the caller makes the failure or finding, since
 *     only it knows the name of the structure.
 *
 * Determinism: pure functions.
 */
#ifndef HALLMARK_BASE_CURSOR_H
#define HALLMARK_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view {
    const uint8_t *data;
    uint64_t len;
};

enum byte_order { LITTLE_ENDIAN_BYTES, BIG_ENDIAN_BYTES };

/* True when [offset, offset + len) lies inside a range of `total` bytes; no overflow. */
bool range_fits(uint64_t offset, uint64_t len, uint64_t total);

/* The range [offset, offset + len) of `whole`; `out` may be `&whole`. */
bool view_slice(struct view *out, struct view whole, uint64_t offset, uint64_t len);

/* Whether all bytes are zero, as those of an empty view are. */
bool view_is_zero(struct view view);

bool view_u16(uint16_t *out, struct view view, uint64_t offset, enum byte_order order);
bool view_u32(uint32_t *out, struct view view, uint64_t offset, enum byte_order order);
bool view_u64(uint64_t *out, struct view view, uint64_t offset, enum byte_order order);

/* The NUL-terminated string at `offset`; NULL when no NUL follows inside the view. */
const char *view_text(struct view view, uint64_t offset);
const char *view_text_len(uint64_t *len, struct view view, uint64_t offset);

/* A string in a fixed field of `field_len` bytes, NUL-padded but perhaps without a NUL:
 * copies at most field_len bytes to out[field_len + 1]; false when outside. */
bool view_fixed_text(char *out, struct view view, uint64_t offset, uint64_t field_len);

struct cursor {
    struct view view;
    uint64_t offset;
    enum byte_order order;
    bool failed;
};

struct cursor cursor_start(struct view view, enum byte_order order);
uint8_t cursor_u8(struct cursor *cursor);
uint16_t cursor_u16(struct cursor *cursor);
uint32_t cursor_u32(struct cursor *cursor);
uint64_t cursor_u64(struct cursor *cursor);
/* ULEB128 and SLEB128; more than 64 bits is a failure. */
uint64_t cursor_uleb(struct cursor *cursor);
int64_t cursor_sleb(struct cursor *cursor);
/* A NUL-terminated string; "" and failed when there is none. */
const char *cursor_text(struct cursor *cursor);
void cursor_skip(struct cursor *cursor, uint64_t len);
/* The next `len` bytes; an empty view when failed. */
struct view cursor_bytes(struct cursor *cursor, uint64_t len);
uint64_t cursor_left(const struct cursor *cursor);

#endif
