#include "port/cms_ber.h"

struct header {
    uint8_t tag;
    bool indefinite;
    uint64_t len; /* of the header */
    uint64_t content_len;
};

/* Lengths of up to four bytes, in as many bytes as the writer liked. */
static bool read_header(struct header *out, struct view view, uint64_t at)
{
    struct view rest = {0};
    *out = (struct header){.len = 2};
    if (at > view.len || !view_slice(&rest, view, at, view.len - at) || rest.len < 2)
        return false;
    out->tag = rest.data[0];
    uint8_t first = rest.data[1];
    if ((out->tag & 0x1f) == 0x1f)
        return false;
    if (first == 0x80) {
        out->indefinite = true;
        return (out->tag & BER_CONSTRUCTED) != 0;
    }
    out->content_len = first;
    if (first > 0x80) {
        uint64_t count = first & 0x7f;
        if (count > 4 || rest.len < 2 + count)
            return false;
        out->content_len = 0;
        for (uint64_t i = 0; i < count; i++)
            out->content_len = out->content_len << 8 | rest.data[2 + i];
        out->len += count;
    }
    return range_fits(out->len, out->content_len, rest.len);
}

/* Where the two zeros are that end an indefinite length whose content begins at `at`. */
static bool find_end(uint64_t *out, struct view view, uint64_t at)
{
    unsigned depth = 1;
    struct header header = {0};
    while (read_header(&header, view, at)) {
        if (header.tag == 0 && header.len == 2 && header.content_len == 0 && --depth == 0) {
            *out = at;
            return true;
        }
        if (header.indefinite && ++depth > BER_DEPTH_MAX)
            return false;
        at += header.len + header.content_len;
    }
    return false;
}

bool ber_next(struct ber *out, struct view *rest)
{
    struct header header = {0};
    *out = (struct ber){0};
    if (!read_header(&header, *rest, 0) || header.tag == 0)
        return false;
    uint64_t end = header.len + header.content_len;
    uint64_t mark_len = 0;
    if (header.indefinite) {
        if (!find_end(&end, *rest, header.len))
            return false;
        mark_len = 2;
    }
    out->tag = header.tag;
    out->indefinite = header.indefinite;
    return view_slice(&out->whole, *rest, 0, end + mark_len) &&
           view_slice(&out->content, *rest, header.len, end - header.len) &&
           view_slice(rest, *rest, end + mark_len, rest->len - end - mark_len);
}

uint8_t ber_peek(struct view rest)
{
    return rest.len == 0 ? 0 : rest.data[0];
}

bool ber_take(struct ber *out, struct view *rest, uint8_t tag)
{
    *out = (struct ber){0};
    return ber_peek(*rest) == tag && ber_next(out, rest);
}

bool ber_octets(struct buf *out, const struct ber *element)
{
    struct view rest = element->content;
    struct ber piece = {0};
    if ((element->tag & BER_CONSTRUCTED) == 0) {
        buf_append(out, rest.data, rest.len);
        return true;
    }
    while (ber_take(&piece, &rest, BER_OCTETS))
        buf_append(out, piece.content.data, piece.content.len);
    return rest.len == 0;
}
