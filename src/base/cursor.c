#include "base/cursor.h"

#include <string.h>

bool range_fits(uint64_t offset, uint64_t len, uint64_t total)
{
    return offset <= total && len <= total - offset;
}

bool view_slice(struct view *out, struct view whole, uint64_t offset, uint64_t len)
{
    if (!range_fits(offset, len, whole.len))
        return false;
    *out = (struct view){.data = whole.data == NULL ? NULL : whole.data + offset, .len = len};
    return true;
}

/* Written out so that compilers see one load each. */
static uint64_t load_little(const uint8_t *data, size_t bytes)
{
    uint64_t value = data[0];
    if (bytes > 1)
        value |= (uint64_t)data[1] << 8;
    if (bytes > 2)
        value |= (uint64_t)data[2] << 16 | (uint64_t)data[3] << 24;
    if (bytes > 4)
        value |= (uint64_t)data[4] << 32 | (uint64_t)data[5] << 40 | (uint64_t)data[6] << 48 |
                 (uint64_t)data[7] << 56;
    return value;
}

static inline uint64_t load(const uint8_t *data, size_t bytes, enum byte_order order)
{
    uint64_t value = load_little(data, bytes);
    return order == LITTLE_ENDIAN_BYTES ? value : __builtin_bswap64(value) >> (64 - 8 * bytes);
}

bool view_is_zero(struct view view)
{
    for (uint64_t i = 0; i < view.len; i++)
        if (view.data[i] != 0)
            return false;
    return true;
}

bool view_u16(uint16_t *out, struct view view, uint64_t offset, enum byte_order order)
{
    if (!range_fits(offset, 2, view.len))
        return false;
    *out = (uint16_t)load(view.data + offset, 2, order);
    return true;
}

bool view_u32(uint32_t *out, struct view view, uint64_t offset, enum byte_order order)
{
    if (!range_fits(offset, 4, view.len))
        return false;
    *out = (uint32_t)load(view.data + offset, 4, order);
    return true;
}

bool view_u64(uint64_t *out, struct view view, uint64_t offset, enum byte_order order)
{
    if (!range_fits(offset, 8, view.len))
        return false;
    *out = load(view.data + offset, 8, order);
    return true;
}

const char *view_text_len(uint64_t *len, struct view view, uint64_t offset)
{
    if (offset >= view.len)
        return NULL;
    const uint8_t *text = view.data + offset;
    const uint8_t *end = memchr(text, 0, (size_t)(view.len - offset));
    if (end == NULL)
        return NULL;
    *len = (uint64_t)(end - text);
    return (const char *)text;
}

const char *view_text(struct view view, uint64_t offset)
{
    uint64_t len = 0;
    return view_text_len(&len, view, offset);
}

bool view_fixed_text(char *out, struct view view, uint64_t offset, uint64_t field_len)
{
    if (!range_fits(offset, field_len, view.len))
        return false;
    memcpy(out, view.data + offset, (size_t)field_len);
    out[field_len] = '\0';
    return true;
}

struct cursor cursor_start(struct view view, enum byte_order order)
{
    return (struct cursor){.view = view, .order = order};
}

struct view cursor_bytes(struct cursor *cursor, uint64_t len)
{
    struct view bytes = {0};
    if (cursor->failed || !view_slice(&bytes, cursor->view, cursor->offset, len)) {
        cursor->failed = true;
        return (struct view){0};
    }
    cursor->offset += len;
    return bytes;
}

static uint64_t cursor_integer(struct cursor *cursor, size_t bytes)
{
    struct view field = cursor_bytes(cursor, bytes);
    return field.data == NULL ? 0 : load(field.data, bytes, cursor->order);
}

uint8_t cursor_u8(struct cursor *cursor)
{
    if (cursor->failed || cursor->offset >= cursor->view.len) {
        cursor->failed = true;
        return 0;
    }
    return cursor->view.data[cursor->offset++];
}

uint16_t cursor_u16(struct cursor *cursor)
{
    return (uint16_t)cursor_integer(cursor, 2);
}

uint32_t cursor_u32(struct cursor *cursor)
{
    return (uint32_t)cursor_integer(cursor, 4);
}

uint64_t cursor_u64(struct cursor *cursor)
{
    return cursor_integer(cursor, 8);
}

uint64_t cursor_uleb(struct cursor *cursor)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = cursor_u8(cursor);
        uint64_t bits = byte & 0x7fu;
        if (shift == 63 && bits > 1)
            break;
        value |= bits << shift;
        if ((byte & 0x80u) == 0)
            return cursor->failed ? 0 : value;
    }
    cursor->failed = true;
    return 0;
}

int64_t cursor_sleb(struct cursor *cursor)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = cursor_u8(cursor);
        value |= (uint64_t)(byte & 0x7fu) << shift;
        if ((byte & 0x80u) != 0)
            continue;
        if ((byte & 0x40u) != 0 && shift + 7 < 64)
            value |= UINT64_MAX << (shift + 7);
        return cursor->failed ? 0 : (int64_t)value;
    }
    cursor->failed = true;
    return 0;
}

const char *cursor_text(struct cursor *cursor)
{
    uint64_t len = 0;
    const char *text = cursor->failed ? NULL : view_text_len(&len, cursor->view, cursor->offset);
    if (text == NULL) {
        cursor->failed = true;
        return "";
    }
    cursor->offset += len + 1;
    return text;
}

void cursor_skip(struct cursor *cursor, uint64_t len)
{
    (void)cursor_bytes(cursor, len);
}

uint64_t cursor_left(const struct cursor *cursor)
{
    return cursor->failed ? 0 : cursor->view.len - cursor->offset;
}
