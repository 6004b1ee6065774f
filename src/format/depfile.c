#include "format/depfile.h"

#include <string.h>

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Length of the line joint ("\" and the end of the line) at the position, 0 for none. */
static size_t joint(const char *at, const char *end)
{
    if (end - at >= 2 && at[0] == '\\' && at[1] == '\n')
        return 2;
    if (end - at >= 3 && at[0] == '\\' && at[1] == '\r' && at[2] == '\n')
        return 3;
    return 0;
}

/* Takes one word; returns where it ends. */
static const char *take_word(struct buf *word, const char *at, const char *end)
{
    while (at < end && !is_blank(*at) && *at != '\n' && joint(at, end) == 0) {
        bool escaped =
            *at == '\\' && at + 1 < end && (is_blank(at[1]) || at[1] == '#' || at[1] == '\\');
        bool doubled = *at == '$' && at + 1 < end && at[1] == '$';
        if (escaped || doubled)
            at++;
        buf_putc(word, *at++);
    }
    return at;
}

int depfile_parse(struct prov_list *out, const char *text, size_t len)
{
    const char *end = text + len;
    if (memchr(text, 0, len) != NULL)
        return -1;
    const char *at = strstr(text, ": ");
    if (at == NULL)
        return -1;
    at++;
    while (at < end && *at != '\n') {
        size_t skip = joint(at, end);
        if (skip == 0 && is_blank(*at))
            skip = 1;
        if (skip != 0) {
            at += skip;
            continue;
        }
        own_buf struct buf word = {0};
        at = take_word(&word, at, end);
        if (word.len != 0)
            prov_list_add(out, buf_text(&word));
    }
    return 0;
}
