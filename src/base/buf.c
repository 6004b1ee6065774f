#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_reserve(struct buf *buf, size_t more)
{
    if (buf->data != NULL && buf->capacity - buf->len > more)
        return;
    size_t wanted = buf->len + more + 1;
    if (wanted < more) /* overflow: let mem_resize() stop */
        wanted = SIZE_MAX;
    size_t capacity = buf->capacity < 32 ? 64 : buf->capacity * 2;
    if (capacity < wanted)
        capacity = wanted;
    buf->data = mem_resize(buf->data, capacity, 1);
    buf->capacity = capacity;
}

void buf_append(struct buf *buf, const void *data, size_t len)
{
    buf_reserve(buf, len);
    if (len != 0)
        memcpy(buf->data + buf->len, data, len);
    buf->len += len;
    buf->data[buf->len] = 0;
}

void buf_puts(struct buf *buf, const char *text)
{
    buf_append(buf, text, strlen(text));
}

void buf_putc(struct buf *buf, char byte)
{
    buf_append(buf, &byte, 1);
}

void buf_printf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *text = text_vprintf(format, args);
    va_end(args);
    buf_puts(buf, text);
}

void buf_zeros(struct buf *buf, size_t count)
{
    buf_reserve(buf, count);
    memset(buf->data + buf->len, 0, count + 1);
    buf->len += count;
}

void buf_align(struct buf *buf, size_t alignment)
{
    size_t over = buf->len % alignment;
    if (over != 0)
        buf_zeros(buf, alignment - over);
}

static void store(uint8_t *out, uint64_t value, size_t bytes, int big_endian)
{
    for (size_t i = 0; i < bytes; i++) {
        size_t shift = 8 * (big_endian ? bytes - 1 - i : i);
        out[i] = (uint8_t)(value >> shift);
    }
}

static void append_integer(struct buf *buf, uint64_t value, size_t bytes, int big_endian)
{
    uint8_t encoded[8];
    store(encoded, value, bytes, big_endian);
    buf_append(buf, encoded, bytes);
}

void buf_u32be(struct buf *buf, uint32_t value)
{
    append_integer(buf, value, 4, 1);
}

void buf_u64be(struct buf *buf, uint64_t value)
{
    append_integer(buf, value, 8, 1);
}

void buf_u32le(struct buf *buf, uint32_t value)
{
    append_integer(buf, value, 4, 0);
}

void buf_u64le(struct buf *buf, uint64_t value)
{
    append_integer(buf, value, 8, 0);
}

static void overwrite(struct buf *buf, size_t offset, uint64_t value, size_t bytes, int big_endian)
{
    if (offset > buf->len || buf->len - offset < bytes)
        abort();
    store(buf->data + offset, value, bytes, big_endian);
}

void buf_set_u32be(struct buf *buf, size_t offset, uint32_t value)
{
    overwrite(buf, offset, value, 4, 1);
}

void buf_set_u32le(struct buf *buf, size_t offset, uint32_t value)
{
    overwrite(buf, offset, value, 4, 0);
}

void buf_set_u64le(struct buf *buf, size_t offset, uint64_t value)
{
    overwrite(buf, offset, value, 8, 0);
}

void buf_truncate(struct buf *buf, size_t len)
{
    if (len > buf->len)
        abort();
    buf->len = len;
    if (buf->data != NULL)
        buf->data[len] = 0;
}

const char *buf_text(const struct buf *buf)
{
    return buf->data == NULL ? "" : (const char *)buf->data;
}

char *buf_steal(struct buf *buf)
{
    if (buf->data == NULL)
        buf_append(buf, "", 0);
    char *text = (char *)buf->data;
    *buf = (struct buf){0};
    return text;
}

void buf_release(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){0};
}
