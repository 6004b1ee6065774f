#include "format/gitsubst.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define OPENING "$Format:"

#define YEAR_9999_END INT64_C(253402300799)

/* ---- dates ---- */

struct civil {
    int year;
    int month; /* 0 to 11 */
    int day;
    int weekday; /* 0 is Sunday */
    int hour;
    int minute;
    int second;
};

/* The proleptic Gregorian date, by counting days from 1 March of year 0. */
static struct civil civil_of(int64_t seconds)
{
    int64_t days = seconds / 86400;
    int rest = (int)(seconds % 86400);
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    int64_t day = days + 719468;
    int64_t era = day / 146097; /* 400 years */
    int64_t of_era = day % 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153; /* 0 is March */
    struct civil civil = {
        .year = (int)(year + era * 400 + (month >= 10)),
        .month = (int)((month + 2) % 12),
        .day = (int)(of_year - (153 * month + 2) / 5 + 1),
        .weekday = (int)(((days % 7) + 11) % 7),
        .hour = rest / 3600,
        .minute = rest / 60 % 60,
        .second = rest % 60,
    };
    return civil;
}

static void add_zone(struct buf *out, int offset_min, const char *between)
{
    int size = offset_min < 0 ? -offset_min : offset_min;
    buf_printf(out, "%c%02d%s%02d", offset_min < 0 ? '-' : '+', size / 60, between, size % 60);
}

static void add_clock(struct buf *out, const struct civil *t)
{
    buf_printf(out, "%02d:%02d:%02d", t->hour, t->minute, t->second);
}

static void add_day(struct buf *out, const struct civil *t)
{
    buf_printf(out, "%04d-%02d-%02d", t->year, t->month + 1, t->day);
}

/* d: "Thu Apr 7 15:13:13 2005 -0700"; D: RFC 2822; i: ISO-like; I: ISO 8601; s: the day. */
static void add_date(struct buf *out, const struct gitsubst_person *person, char form)
{
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    static const char weekdays[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    struct civil t = civil_of(person->time + (int64_t)person->offset_min * 60);
    switch (form) {
    case 'd':
        buf_printf(out, "%s %s %d ", weekdays[t.weekday], months[t.month], t.day);
        add_clock(out, &t);
        buf_printf(out, " %d ", t.year);
        add_zone(out, person->offset_min, "");
        break;
    case 'D':
        buf_printf(out, "%s, %d %s %d ", weekdays[t.weekday], t.day, months[t.month], t.year);
        add_clock(out, &t);
        buf_putc(out, ' ');
        add_zone(out, person->offset_min, "");
        break;
    case 'i':
        add_day(out, &t);
        buf_putc(out, ' ');
        add_clock(out, &t);
        buf_putc(out, ' ');
        add_zone(out, person->offset_min, "");
        break;
    case 'I':
        add_day(out, &t);
        buf_putc(out, 'T');
        add_clock(out, &t);
        /* git 2.45 and later write "Z" for UTC; the bytes here are those of the versions before */
        add_zone(out, person->offset_min, ":");
        break;
    default:
        add_day(out, &t);
        break;
    }
}

/* ---- the message ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* One line with its newline; *text_len is without the blanks at its end. */
static size_t line_len(const char *text, size_t *text_len)
{
    const char *newline = strchr(text, '\n');
    size_t len = newline != NULL ? (size_t)(newline - text) + 1 : strlen(text);
    *text_len = len;
    while (*text_len > 0 && is_blank(text[*text_len - 1]))
        --*text_len;
    return len;
}

static const char *skip_blank_lines(const char *text)
{
    while (*text != '\0') {
        size_t text_len = 0;
        size_t len = line_len(text, &text_len);
        if (text_len > 0)
            break;
        text += len;
    }
    return text;
}

/* The subject is the first paragraph, its lines joined by blanks; returns what follows it. */
static const char *add_subject(struct buf *out, const char *message)
{
    const char *at = skip_blank_lines(message);
    for (bool first = true; *at != '\0'; first = false) {
        size_t text_len = 0;
        size_t len = line_len(at, &text_len);
        if (text_len == 0)
            break;
        if (!first)
            buf_putc(out, ' ');
        buf_append(out, at, text_len);
        at += len;
    }
    return skip_blank_lines(at);
}

/* %f: the first line as a file name: other bytes than letters, digits, "." and "_" become "-". */
static void add_file_name(struct buf *out, const char *message)
{
    const char *at = skip_blank_lines(message);
    size_t begin = out->len;
    bool gap = false;
    for (; *at != '\0' && *at != '\n'; at++) {
        unsigned char c = (unsigned char)*at;
        if (!(c < 128 && isalnum(c)) && c != '.' && c != '_') {
            gap = true;
            continue;
        }
        if (gap && out->len > begin)
            buf_putc(out, '-');
        gap = false;
        buf_putc(out, (char)c);
        while (c == '.' && at[1] == '.')
            at++;
    }
    size_t end = out->len;
    while (end > begin && (out->data[end - 1] == '.' || out->data[end - 1] == '-'))
        end--;
    buf_truncate(out, end);
}

/* ---- placeholders ---- */

static int refuse(const char *at, struct fail *fail)
{
    size_t len = 0;
    while (at[len] != '\0' && len < 12 && at[len] > ' ' && at[len] != '$')
        len++;
    char shown[16] = {0};
    if (*at != '(' && len > 2)
        len = strchr("acCGgxwN<>+-", *at) != NULL ? 2 : 1;
    for (size_t i = 0; i < len; i++)
        shown[i] = (unsigned char)at[i] < 127 ? at[i] : '?';
    fail_set(fail, FAIL_INPUT, "placeholder '%%%s' of export-subst is not supported", shown);
    return fail_hint(fail, "its answer does not depend on the commit alone; use %%H and %%cI, "
                           "say, or drop export-subst for this file");
}

/* %a? and %c?: returns how many bytes behind the "%" were used, or -1. */
static int add_person(struct buf *out, const struct gitsubst_person *person, const char *at,
                      struct fail *fail)
{
    if (at[1] == '\0' || strchr("nealtdDiIs", at[1]) == NULL || at[1] == 'a')
        return refuse(at, fail);
    if (!person->valid)
        return fail_set(fail, FAIL_INPUT, "%s line of the commit is malformed",
                        *at == 'a' ? "author" : "committer");
    const char *sign = strchr(person->email, '@');
    switch (at[1]) {
    case 'n':
        buf_puts(out, person->name);
        break;
    case 'e':
        buf_puts(out, person->email);
        break;
    case 'l':
        buf_append(out, person->email,
                   sign != NULL ? (size_t)(sign - person->email) : strlen(person->email));
        break;
    case 't':
        buf_printf(out, "%" PRId64, person->time);
        break;
    default:
        /* git refuses to print a local time before 1970 as well */
        if (person->time < 0 || person->time > YEAR_9999_END ||
            person->time + (int64_t)person->offset_min * 60 < 0)
            return fail_set(fail, FAIL_INPUT, "time %" PRId64 " of the commit is out of range",
                            person->time);
        add_date(out, person, at[1]);
        break;
    }
    return 2;
}

static int hex_value(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* One placeholder, `at` behind its "%": how many bytes were used, or -1. */
static int add_placeholder(struct buf *out, const struct gitsubst_commit *commit, const char *at,
                           struct fail *fail)
{
    own_buf struct buf subject = {0};
    int high = 0;
    int low = 0;
    switch (*at) {
    case '%':
        buf_putc(out, '%');
        return 1;
    case 'n':
        buf_putc(out, '\n');
        return 1;
    case 'x':
        high = hex_value(at[1]);
        low = high < 0 ? -1 : hex_value(at[2]);
        if (low < 0)
            return refuse(at, fail);
        buf_putc(out, (char)(high * 16 + low));
        return 3;
    case 'H':
        buf_puts(out, commit->id);
        return 1;
    case 'T':
        buf_puts(out, commit->tree);
        return 1;
    case 'P':
        if (commit->parents == NULL)
            return fail_set(fail, FAIL_INPUT,
                            "placeholder '%%P' cannot be expanded: the parents of the commit are "
                            "cut off or replaced in this repository");
        buf_puts(out, commit->parents);
        return 1;
    case 'a':
        return add_person(out, &commit->author, at, fail);
    case 'c':
        return add_person(out, &commit->committer, at, fail);
    case 's':
        add_subject(out, commit->message);
        return 1;
    case 'b':
        buf_puts(out, add_subject(&subject, commit->message));
        return 1;
    case 'B':
        buf_puts(out, commit->message);
        return 1;
    case 'f':
        add_file_name(out, commit->message);
        return 1;
    default:
        return refuse(at, fail);
    }
}

static int add_format(struct buf *out, const struct gitsubst_commit *commit, const char *format,
                      size_t max_len, struct fail *fail)
{
    for (const char *at = format; *at != '\0';) {
        if (*at != '%') {
            buf_putc(out, *at++);
            continue;
        }
        int used = add_placeholder(out, commit, at + 1, fail);
        if (used < 0)
            return -1;
        if (out->len > max_len)
            return fail_set(fail, FAIL_INPUT, "export-subst expands to more than %zu bytes",
                            max_len);
        at += 1 + used;
    }
    return 0;
}

/* The next "$Format:...$"; false when there is none. */
static bool find_format(const char *data, size_t len, size_t *begin, size_t *end)
{
    const char *opening = memmem(data, len, OPENING, strlen(OPENING));
    if (opening == NULL)
        return false;
    *begin = (size_t)(opening - data);
    size_t body = *begin + strlen(OPENING);
    const char *closing = memchr(data + body, '$', len - body);
    if (closing == NULL)
        return false;
    *end = (size_t)(closing - data) + 1;
    return true;
}

bool gitsubst_needed(const void *data, size_t len)
{
    size_t begin = 0;
    size_t end = 0;
    return len > 0 && find_format(data, len, &begin, &end);
}

static int check_commit(const struct gitsubst_commit *commit, struct fail *fail)
{
    if (commit->encoding != NULL && strcasecmp(commit->encoding, "utf-8") != 0 &&
        strcasecmp(commit->encoding, "utf8") != 0)
        return fail_set(fail, FAIL_INPUT, "commit message in '%s' cannot be used by export-subst",
                        commit->encoding);
    if (memchr(commit->message, '\0', commit->message_len) != NULL)
        return fail_set(fail, FAIL_INPUT,
                        "commit message with a NUL byte cannot be used by export-subst");
    return 0;
}

int gitsubst_expand(struct buf *out, const void *data, size_t len,
                    const struct gitsubst_commit *commit, size_t max_len, struct fail *fail)
{
    const char *at = data;
    size_t begin = 0;
    size_t end = 0;
    while (len > 0 && find_format(at, len, &begin, &end)) {
        if (check_commit(commit, fail) < 0)
            return -1;
        size_t body = begin + strlen(OPENING);
        own_mem char *format = mem_copy(at + body, end - 1 - body);
        buf_append(out, at, begin);
        if (add_format(out, commit, format, max_len, fail) < 0)
            return -1;
        at += end;
        len -= end;
    }
    buf_append(out, at, len);
    return 0;
}
