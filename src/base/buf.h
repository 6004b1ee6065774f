/*
 * Purpose: a growing byte buffer, and writers for the byte orders of file formats.
 *
 * Layer: base.
 *
 * Calling sequence: declare `own_buf struct buf out = {0};`, append, read
 *     out.data / out.len. The bytes are always followed by one NUL that is not
 *     counted, so that text in a buffer is a C string (data is NULL while
 *     nothing was ever appended: use buf_text()).
 *
 * Ownership: the struct owns its bytes; buf_steal() gives them away.
 *
 * Errors: none (out of memory stops, own.h).
 *
 * Determinism: output is what was appended.
 */
#ifndef HALLMARK_BASE_BUF_H
#define HALLMARK_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/own.h"

struct buf {
    uint8_t *data;
    size_t len;
    size_t capacity;
};

#define own_buf __attribute__((cleanup(buf_release)))

void buf_append(struct buf *buf, const void *data, size_t len);
void buf_puts(struct buf *buf, const char *text);
void buf_putc(struct buf *buf, char byte);
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_zeros(struct buf *buf, size_t count);

/* Appends zeros until len is a multiple of `alignment` (a power of two or not; not 0). */
void buf_align(struct buf *buf, size_t alignment);

void buf_u32be(struct buf *buf, uint32_t value);
void buf_u64be(struct buf *buf, uint64_t value);
void buf_u32le(struct buf *buf, uint32_t value);
void buf_u64le(struct buf *buf, uint64_t value);

/* Overwrites 4 or 8 bytes at `offset`, which must lie inside (else: abort, a bug). */
void buf_set_u32be(struct buf *buf, size_t offset, uint32_t value);
void buf_set_u32le(struct buf *buf, size_t offset, uint32_t value);
void buf_set_u64le(struct buf *buf, size_t offset, uint64_t value);

/* Makes room for at least `more` further bytes. */
void buf_reserve(struct buf *buf, size_t more);

/* Shortens to `len`. */
void buf_truncate(struct buf *buf, size_t len);

/* The bytes as a C string; "" for an empty buffer. Valid until the next append. */
const char *buf_text(const struct buf *buf);

/* Gives the NUL-terminated bytes to the caller (free()); the buffer is empty then. */
char *buf_steal(struct buf *buf);

void buf_release(struct buf *buf);

#endif
