#include "format/sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void sums_release(struct sums *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        free(sums->list[i].name);
    free(sums->list);
    *sums = (struct sums){0};
}

static void add_owned(struct sums *sums, char *name, const char *sha256)
{
    sums->list = mem_grow(sums->list, sums->count, &sums->capacity, sizeof *sums->list);
    struct sums_entry *entry = &sums->list[sums->count++];
    entry->name = name;
    memcpy(entry->sha256, sha256, 64);
    entry->sha256[64] = '\0';
}

void sums_add(struct sums *sums, const char *name, const char *sha256)
{
    add_owned(sums, text_copy(name), sha256);
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct sums_entry *)a)->name, ((const struct sums_entry *)b)->name);
}

static void print_escaped(struct buf *out, const char *name)
{
    for (; *name != '\0'; name++) {
        if (*name == '\n')
            buf_puts(out, "\\n");
        else if (*name == '\r')
            buf_puts(out, "\\r");
        else if (*name == '\\')
            buf_puts(out, "\\\\");
        else
            buf_putc(out, *name);
    }
}

static void sort_entries(struct sums *sums)
{
    if (sums->count > 1)
        qsort(sums->list, sums->count, sizeof *sums->list, compare_entries);
}

void sums_print(struct buf *out, struct sums *sums)
{
    sort_entries(sums);
    for (size_t i = 0; i < sums->count; i++) {
        const struct sums_entry *entry = &sums->list[i];
        if (strpbrk(entry->name, "\n\r\\") != NULL)
            buf_putc(out, '\\');
        buf_printf(out, "%s  ", entry->sha256);
        print_escaped(out, entry->name);
        buf_putc(out, '\n');
    }
}

/* Undoes print_escaped() in place; false for an escape that does not exist. */
static bool unescape(char *name)
{
    char *to = name;
    for (const char *from = name; *from != '\0'; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        if (*from == 'n')
            *to++ = '\n';
        else if (*from == 'r')
            *to++ = '\r';
        else if (*from == '\\')
            *to++ = '\\';
        else
            return false;
    }
    *to = '\0';
    return true;
}

/* Any name that a directory can hold; sha256sum would follow the others out of it. */
static bool name_is_inside(const char *name)
{
    for (const char *at = name;; at++) {
        size_t len = strcspn(at, "/");
        if (len == 0 || (len <= 2 && strspn(at, ".") == len))
            return false;
        at += len;
        if (*at == '\0')
            return strlen(name) < 4096;
    }
}

static int parse_line(struct sums *out, char *line, size_t number, const char *file,
                      struct fail *fail)
{
    bool escaped = line[0] == '\\';
    if (escaped)
        line++;
    unsigned char digest[32];
    size_t len = strlen(line);
    if (len < 67 || line[64] != ' ' || (line[65] != ' ' && line[65] != '*'))
        return fail_set(fail, FAIL_INPUT,
                        "line %zu of '%s' is malformed, expected 64 hexadecimal digits, two blanks "
                        "and a name",
                        number, file);
    line[64] = '\0';
    char *name = line + 66;
    if (text_unhex(digest, sizeof digest, line) < 0)
        return fail_set(fail, FAIL_INPUT,
                        "line %zu of '%s' does not begin with 64 lower-case hexadecimal digits",
                        number, file);
    if (escaped && !unescape(name))
        return fail_set(fail, FAIL_INPUT, "line %zu of '%s' has an unknown escape", number, file);
    if (!name_is_inside(name))
        return fail_set(fail, FAIL_INPUT, "line %zu of '%s' names '%s', which leaves the directory",
                        number, file, name);
    sums_add(out, name, line);
    return 0;
}

int sums_parse(struct sums *out, struct view text, const char *name, struct fail *fail)
{
    if (text.len > SUMS_MAX)
        return fail_set(fail, FAIL_INPUT, "'%s' has %llu bytes, expected at most %u", name,
                        (unsigned long long)text.len, SUMS_MAX);
    if (text.len == 0)
        return fail_set(fail, FAIL_INPUT, "'%s' is empty, expected a sum for each file", name);
    if (memchr(text.data, 0, (size_t)text.len) != NULL)
        return fail_set(fail, FAIL_INPUT, "'%s' holds a NUL byte", name);
    if (text.data[text.len - 1] != '\n')
        return fail_set(fail, FAIL_INPUT, "'%s' is cut short: the last line has no end", name);
    own_mem char *copy = mem_copy(text.data, (size_t)text.len);
    size_t number = 1;
    for (char *line = copy; *line != '\0'; number++) {
        char *end = strchr(line, '\n');
        *end = '\0';
        if (parse_line(out, line, number, name, fail) < 0)
            return -1;
        line = end + 1;
    }
    sort_entries(out);
    for (size_t i = 1; i < out->count; i++) {
        if (strcmp(out->list[i - 1].name, out->list[i].name) == 0)
            return fail_set(fail, FAIL_INPUT, "'%s' names '%s' twice", name, out->list[i].name);
    }
    return 0;
}

const char *sums_find(const struct sums *sums, const char *name)
{
    size_t low = 0;
    size_t high = sums->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, sums->list[middle].name);
        if (order == 0)
            return sums->list[middle].sha256;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
