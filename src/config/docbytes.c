#include "config/docbytes.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/utf8.h"

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
        size_t len = utf8_decode(&code, text.data + at, text.len - at);
        const char *problem = len == 0 ? "bytes that are not UTF-8" : utf8_code_problem(code);
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
