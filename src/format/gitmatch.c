#include "format/gitmatch.h"

#include <stdint.h>
#include <string.h>

/* What one element of the pattern makes of one byte of the text. */
enum outcome { MISS, HIT };

struct matcher {
    const uint8_t *pattern;
    size_t pattern_len;
    const uint8_t *text;
    size_t text_len;
    bool path;
    bool fold;
    bool doubtful;
};

/* Where to go on when what follows a star did not match. */
struct retry {
    bool active;
    bool whole_names; /* the star was a "**" + "/": go on behind the next slash only */
    size_t pattern;
    size_t text;
};

static bool is_lower(uint8_t c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(uint8_t c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static uint8_t to_lower(uint8_t c)
{
    return is_upper(c) ? (uint8_t)(c + 32) : c;
}

static uint8_t to_upper(uint8_t c)
{
    return is_lower(c) ? (uint8_t)(c - 32) : c;
}

static bool is_alpha(uint8_t c)
{
    return is_lower(c) || is_upper(c);
}

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r'; /* git's own idea: no \v, \f */
}

static bool is_graph(uint8_t c)
{
    return c > ' ' && c < 127;
}

static bool is_hex(uint8_t c)
{
    return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f');
}

/* Whether a byte is of a POSIX class, in the C locale: 1, 0, or -1 for an unknown class. */
static int class_has(const uint8_t *name, size_t len, uint8_t c)
{
    const struct {
        const char *name;
        bool has;
    } classes[] = {
        {"alnum", is_alpha(c) || is_digit(c)},
        {"alpha", is_alpha(c)},
        {"blank", c == ' ' || c == '\t'},
        {"cntrl", c < ' ' || c == 127},
        {"digit", is_digit(c)},
        {"graph", is_graph(c)},
        {"lower", is_lower(c)},
        {"print", is_graph(c) || c == ' '},
        {"punct", is_graph(c) && !is_alpha(c) && !is_digit(c)},
        {"space", is_space(c)},
        {"upper", is_upper(c)},
        {"xdigit", is_hex(c)},
    };
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (strlen(classes[i].name) == len && memcmp(classes[i].name, name, len) == 0)
            return classes[i].has;
    }
    return -1;
}

/*
 * "[:name:]" at `at`, which points to its "[": sets *next behind it and answers as class_has();
 * 2 when it is no class but a plain "[".
 */
static int posix_class(const struct matcher *m, size_t at, size_t *next, uint8_t c)
{
    size_t begin = at + 2;
    size_t end = begin;
    while (end < m->pattern_len && m->pattern[end] != ']')
        end++;
    if (end == m->pattern_len)
        return -1;
    if (end == begin || m->pattern[end - 1] != ':')
        return 2;
    *next = end + 1;
    return class_has(m->pattern + begin, end - 1 - begin, c);
}

/*
 * A bracket whose members begin at `at`: whether it has the byte; *next is set behind the "]".
 * -1 when it is malformed.
 */
static int bracket_has(const struct matcher *m, size_t at, size_t *next, uint8_t c)
{
    bool has = false;
    int before = -1; /* what a range could begin with */
    bool first = true;
    for (;; first = false) {
        if (at >= m->pattern_len)
            return -1;
        uint8_t p = m->pattern[at];
        if (p == ']' && !first)
            break;
        if (p == '-' && before >= 0 && at + 1 < m->pattern_len && m->pattern[at + 1] != ']') {
            uint8_t last = m->pattern[++at];
            if (last == '\\') {
                if (++at >= m->pattern_len)
                    return -1;
                last = m->pattern[at];
            }
            has |= c >= before && c <= last;
            before = -1;
            at++;
            continue;
        }
        if (p == '[' && at + 1 < m->pattern_len && m->pattern[at + 1] == ':') {
            int answer = posix_class(m, at, &at, c);
            if (answer < 0)
                return -1;
            if (answer < 2) {
                has |= answer == 1;
                before = -1;
                continue;
            }
        } else if (p == '\\') {
            if (++at >= m->pattern_len)
                return -1;
            p = m->pattern[at];
        }
        has |= c == p;
        before = p;
        at++;
    }
    *next = at + 1;
    return has;
}

/* A whole "[...]" at `at` against one byte; malformed is a miss. */
static enum outcome match_bracket(struct matcher *m, size_t at, size_t *next, uint8_t c)
{
    at++;
    bool negated = at < m->pattern_len && (m->pattern[at] == '!' || m->pattern[at] == '^');
    if (negated)
        at++;
    int has = bracket_has(m, at, next, c);
    if (has < 0 || (m->path && c == '/'))
        return MISS;
    if (m->fold && is_alpha(c)) {
        int lower = bracket_has(m, at, next, to_lower(c));
        int upper = bracket_has(m, at, next, to_upper(c));
        m->doubtful |= lower != upper;
    }
    return (has == 1) != negated ? HIT : MISS;
}

/* One element that is no star against one byte. */
static enum outcome match_one(struct matcher *m, size_t at, size_t *next, uint8_t c)
{
    uint8_t p = m->pattern[at];
    *next = at + 1;
    if (p == '[')
        return match_bracket(m, at, next, c);
    if (p == '?')
        return m->path && c == '/' ? MISS : HIT;
    if (p == '\\') {
        if (at + 1 >= m->pattern_len)
            return MISS;
        p = m->pattern[at + 1];
        *next = at + 2;
    }
    if (m->fold)
        return to_lower(p) == to_lower(c) ? HIT : MISS;
    return p == c ? HIT : MISS;
}

/*
 * A run of stars at *at: moves *at behind it and sets up where to try again. `wide` may cross
 * slashes, `narrow` may not.
 */
static void enter_star(const struct matcher *m, size_t *at, size_t text, struct retry *narrow,
                       struct retry *wide)
{
    size_t begin = *at;
    size_t end = begin;
    while (end < m->pattern_len && m->pattern[end] == '*')
        end++;
    bool bounded = begin == 0 || m->pattern[begin - 1] == '/';
    bool at_end = end == m->pattern_len;
    bool slash = !at_end && m->pattern[end] == '/';
    bool escaped =
        end + 1 < m->pattern_len && m->pattern[end] == '\\' && m->pattern[end + 1] == '/';
    bool directories = m->path && end - begin > 1 && bounded && (at_end || slash || escaped);
    bool whole_names = directories && slash;
    if (whole_names)
        end++;
    struct retry retry = {.active = true, .whole_names = whole_names, .pattern = end, .text = text};
    if (!m->path || directories) {
        *wide = retry;
        narrow->active = false;
    } else {
        *narrow = retry;
    }
    *at = end;
}

/* Lets the last star take more; false when none can. */
static bool try_again(const struct matcher *m, size_t *at, size_t *text, struct retry *narrow,
                      struct retry *wide)
{
    if (narrow->active && narrow->text < m->text_len && m->text[narrow->text] != '/') {
        *text = ++narrow->text;
        *at = narrow->pattern;
        return true;
    }
    narrow->active = false;
    if (!wide->active)
        return false;
    if (wide->whole_names) {
        const uint8_t *slash = memchr(m->text + wide->text, '/', m->text_len - wide->text);
        if (slash == NULL)
            return false;
        wide->text = (size_t)(slash - m->text);
    }
    if (wide->text >= m->text_len)
        return false;
    *text = ++wide->text;
    *at = wide->pattern;
    return true;
}

static bool run(struct matcher *m)
{
    struct retry narrow = {0};
    struct retry wide = {0};
    size_t at = 0;
    size_t text = 0;
    for (;;) {
        if (at < m->pattern_len && m->pattern[at] == '*') {
            enter_star(m, &at, text, &narrow, &wide);
            continue;
        }
        if (at == m->pattern_len && text == m->text_len)
            return true;
        size_t next = 0;
        if (at < m->pattern_len && text < m->text_len &&
            match_one(m, at, &next, m->text[text]) == HIT) {
            at = next;
            text++;
            continue;
        }
        if (!try_again(m, &at, &text, &narrow, &wide))
            return false;
    }
}

bool gitmatch_fold(const char *pattern, size_t pattern_len, const char *text, size_t text_len,
                   unsigned flags, bool *doubtful)
{
    struct matcher m = {.pattern = (const uint8_t *)pattern,
                        .pattern_len = pattern_len,
                        .text = (const uint8_t *)text,
                        .text_len = text_len,
                        .path = (flags & GITMATCH_PATH) != 0,
                        .fold = (flags & GITMATCH_FOLD) != 0};
    bool matched = run(&m);
    if (doubtful != NULL)
        *doubtful |= m.doubtful;
    return matched;
}

bool gitmatch(const char *pattern, size_t pattern_len, const char *text, size_t text_len,
              unsigned flags)
{
    return gitmatch_fold(pattern, pattern_len, text, text_len, flags, NULL);
}

size_t gitmatch_literal_len(const char *pattern, size_t len)
{
    size_t at = 0;
    while (at < len && strchr("*?[\\", pattern[at]) == NULL)
        at++;
    return at;
}
