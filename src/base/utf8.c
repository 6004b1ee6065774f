#include "base/utf8.h"

size_t utf8_decode(uint32_t *code, const uint8_t *data, uint64_t len)
{
    if (len == 0)
        return 0;
    uint8_t lead = data[0];
    size_t need = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (need == 0 || lead > 0xf4 || need > len)
        return 0;
    uint32_t value = need == 1 ? lead : lead & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if ((data[i] & 0xc0u) != 0x80u)
            return 0;
        value = value << 6 | (data[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[need] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *code = value;
    return need;
}

void utf8_put(struct buf *out, uint32_t code)
{
    static const uint8_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    unsigned tail = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    buf_putc(out, (char)(lead[tail] | (code >> (6 * tail))));
    while (tail > 0) {
        tail--;
        buf_putc(out, (char)(0x80 | ((code >> (6 * tail)) & 0x3f)));
    }
}

const char *utf8_code_problem(uint32_t code)
{
    if (code == 0)
        return "a NUL byte";
    if (code == '\t')
        return "a tab";
    if (code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029)
        return "a line end";
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
        return "a control character";
    if (code == 0xfeff)
        return "a byte order mark";
    if (code == 0x200e || code == 0x200f || code == 0x061c || (code >= 0x202a && code <= 0x202e) ||
        (code >= 0x2066 && code <= 0x2069))
        return "a character that changes the direction of writing";
    return NULL;
}

const char *utf8_problem(struct view text)
{
    for (uint64_t at = 0; at < text.len;) {
        uint32_t code = 0;
        size_t len = utf8_decode(&code, text.data + at, text.len - at);
        if (len == 0)
            return "bytes that are not UTF-8";
        const char *problem = utf8_code_problem(code);
        if (problem != NULL)
            return problem;
        at += len;
    }
    return NULL;
}
