#include "config/docbytes.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/*
 * One code point from at least one byte. Returns its length, 0 when the bytes are not UTF-8
 * (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
 */
static size_t decode(uint32_t *out, const uint8_t *data, uint64_t len)
{
    uint8_t lead = data[0];
    size_t need = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (need == 0 || lead > 0xf4 || need > len)
        return 0;
    uint32_t code = need == 1 ? lead : lead & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if ((data[i] & 0xc0u) != 0x80u)
            return 0;
        code = code << 6 | (data[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[need] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    *out = code;
    return need;
}

static const char *code_problem(uint32_t code)
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

const char *docbytes_text_problem(struct view text)
{
    for (uint64_t at = 0; at < text.len;) {
        uint32_t code = 0;
        size_t len = decode(&code, text.data + at, text.len - at);
        if (len == 0)
            return "bytes that are not UTF-8";
        const char *problem = code_problem(code);
        if (problem != NULL)
            return problem;
        at += len;
    }
    return NULL;
}

int docbytes_check(struct view text, const char *name, uint64_t max_len, struct fail *fail)
{
    if (text.len > max_len)
        return fail_set(fail, FAIL_INPUT,
                        "'%s' has %" PRIu64 " bytes (at most %" PRIu64 " are allowed)", name,
                        text.len, max_len);
    uint64_t line = 1;
    uint64_t line_start = 0;
    for (uint64_t at = 0; at < text.len;) {
        uint32_t code = 0;
        size_t len = decode(&code, text.data + at, text.len - at);
        const char *problem = len == 0 ? "bytes that are not UTF-8" : code_problem(code);
        if (problem != NULL && (code == '\n' || code == '\r'))
            problem = NULL;
        if (problem != NULL) {
            fail_set(fail, FAIL_INPUT, "'%s' has %s in line %" PRIu64 " column %" PRIu64, name,
                     problem, line, at - line_start + 1);
            return code == '\t' ? fail_hint(fail, "indent with blanks") : -1;
        }
        at += len;
        if (code == '\n') {
            line++;
            line_start = at;
        }
    }
    return 0;
}
