#include "format/gitconv.h"

#include <string.h>

/* What `text`, or else the older `crlf`, says. */
enum text_kind { TEXT_UNSAID, TEXT_BINARY, TEXT_YES, TEXT_INPUT, TEXT_AUTO };

static enum text_kind text_kind(const struct gitattr_value *value)
{
    switch (value->state) {
    case GITATTR_TRUE:
        return TEXT_YES;
    case GITATTR_FALSE:
        return TEXT_BINARY;
    case GITATTR_TEXTUAL:
        if (strcmp(value->text, "input") == 0)
            return TEXT_INPUT;
        return strcmp(value->text, "auto") == 0 ? TEXT_AUTO : TEXT_UNSAID;
    case GITATTR_UNKNOWN:
    case GITATTR_UNSET:
        return TEXT_UNSAID;
    }
    return TEXT_UNSAID;
}

static enum text_kind kind_of(const struct gitattr_value values[GITATTR_COUNT])
{
    enum text_kind kind = text_kind(&values[GITATTR_TEXT]);
    return kind != TEXT_UNSAID ? kind : text_kind(&values[GITATTR_CRLF]);
}

static bool eol_is(const struct gitattr_value values[GITATTR_COUNT], const char *what)
{
    const struct gitattr_value *eol = &values[GITATTR_EOL];
    return eol->state == GITATTR_TEXTUAL && strcmp(eol->text, what) == 0;
}

enum gitconv_eol gitconv_eol(const struct gitattr_value values[GITATTR_COUNT])
{
    enum text_kind kind = kind_of(values);
    if (kind == TEXT_BINARY || !eol_is(values, "crlf"))
        return GITCONV_EOL_KEEP;
    return kind == TEXT_AUTO ? GITCONV_EOL_AUTO_CRLF : GITCONV_EOL_CRLF;
}

bool gitconv_eol_by_config(const struct gitattr_value values[GITATTR_COUNT])
{
    enum text_kind kind = kind_of(values);
    if (eol_is(values, "crlf") || eol_is(values, "lf"))
        return false;
    return kind == TEXT_UNSAID || kind == TEXT_YES || kind == TEXT_AUTO;
}

bool gitconv_ident(const struct gitattr_value values[GITATTR_COUNT])
{
    return values[GITATTR_IDENT].state == GITATTR_TRUE;
}

static void count_plain(struct gitconv_stats *stats, uint8_t c)
{
    bool control = c < 32 || c == 127;
    if (!control || c == '\b' || c == '\t' || c == 033 || c == 014)
        stats->printable++;
    else
        stats->unprintable++;
    stats->nul += c == 0;
}

void gitconv_count(struct gitconv_stats *stats, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++) {
        uint8_t c = bytes[i];
        bool after_cr = stats->last == '\r' + 1;
        if (c == '\n' && after_cr) {
            stats->crlf++;
            stats->lone_cr--;
        } else if (c == '\n') {
            stats->lone_lf++;
        } else if (c == '\r') {
            stats->lone_cr++;
        } else {
            count_plain(stats, c);
        }
        stats->last = c + 1;
    }
}

bool gitconv_wants_crlf(const struct gitconv_stats *stats, enum gitconv_eol eol)
{
    if (eol == GITCONV_EOL_KEEP || stats->lone_lf == 0)
        return false;
    if (eol == GITCONV_EOL_CRLF)
        return true;
    /* A ^Z at the very end, as DOS wrote it, does not make a file binary. */
    uint64_t unprintable = stats->unprintable - (stats->last == 032 + 1);
    bool binary = stats->nul > 0 || stats->printable / 128 < unprintable;
    return stats->lone_cr == 0 && stats->crlf == 0 && !binary;
}

void gitconv_crlf_piece(struct buf *out, uint8_t *last, const void *data, size_t len)
{
    const char *at = data;
    const char *end = at + len;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t line_len = (size_t)((newline != NULL ? newline : end) - at);
        buf_append(out, at, line_len);
        if (line_len > 0)
            *last = (uint8_t)at[line_len - 1];
        if (newline == NULL)
            return;
        if (*last != '\r')
            buf_putc(out, '\r');
        buf_putc(out, '\n');
        *last = '\n';
        at = newline + 1;
    }
}

bool gitconv_add_crlf(struct buf *out, const void *data, size_t len, enum gitconv_eol eol)
{
    struct gitconv_stats stats = {0};
    if (eol == GITCONV_EOL_KEEP)
        return false;
    gitconv_count(&stats, data, len);
    if (!gitconv_wants_crlf(&stats, eol))
        return false;
    buf_reserve(out, len + (size_t)stats.lone_lf);
    uint8_t last = 0;
    gitconv_crlf_piece(out, &last, data, len);
    return true;
}

/*
 * Behind a "$": how many bytes belong to a keyword that is to be expanded, its closing "$"
 * included; 0 when it is none. `*finished` when an "Id:" has no "$" behind it at all: then no
 * later one can be closed either.
 */
static size_t keyword_len(const char *text, size_t len, bool *finished)
{
    if (len < 3 || memcmp(text, "Id", 2) != 0)
        return 0;
    if (text[2] == '$')
        return 3;
    if (text[2] != ':')
        return 0;
    const char *dollar = memchr(text + 3, '$', len - 3);
    if (dollar == NULL) {
        *finished = true;
        return 0;
    }
    const char *value = text + 3;
    size_t value_len = (size_t)(dollar - value);
    if (memchr(value, '\n', value_len) != NULL)
        return 0;
    /* Behind the first byte a blank may stand only right before the "$": else it is the
     * expansion of another system, which is kept. */
    const char *blank = value_len > 1 ? memchr(value + 1, ' ', value_len - 1) : NULL;
    if (blank != NULL && blank < dollar - 1)
        return 0;
    return (size_t)(dollar + 1 - text);
}

bool gitconv_add_ident(struct buf *out, const void *data, size_t len, const char *id)
{
    if (len == 0)
        return false;
    const char *at = data;
    const char *end = at + len;
    const char *copied = at;
    bool changed = false;
    bool finished = false;
    while (at < end && !finished) {
        const char *dollar = memchr(at, '$', (size_t)(end - at));
        if (dollar == NULL)
            break;
        at = dollar + 1;
        size_t keyword = keyword_len(at, (size_t)(end - at), &finished);
        if (keyword == 0)
            continue;
        buf_append(out, copied, (size_t)(at - copied));
        buf_printf(out, "Id: %s $", id);
        at += keyword;
        copied = at;
        changed = true;
    }
    if (changed)
        buf_append(out, copied, (size_t)(end - copied));
    return changed;
}
