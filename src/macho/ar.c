#include "macho/ar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/constants.h"
#include "macho/image.h"

#define MAGIC_LEN   8u
#define HEADER_LEN  60u
#define NAME_LEN    16u
#define SIZE_AT     48u
#define SIZE_LEN    10u
#define END_AT      58u
#define NAME_MAX_AR 4096u /* real names are file names */

/* What is known of an archive while it is read. */
struct reader {
    struct view file;
    struct view names; /* the System V table of long names */
    uint64_t at;
    uint64_t names_left; /* bytes that names may still have: many can lead to one long text */
};

/* A decimal number that blanks follow up to the end of the field. */
static bool read_number(uint64_t *out, struct view field)
{
    uint64_t i = 0;
    *out = 0;
    for (; i < field.len && field.data[i] >= '0' && field.data[i] <= '9'; i++)
        *out = *out * 10 + (field.data[i] - '0'); /* at most fifteen digits */
    if (i == 0)
        return false;
    while (i < field.len && field.data[i] == ' ')
        i++;
    return i == field.len;
}

/* The bytes up to one of `ends`, or all. */
static char *text_until(struct view field, const char *ends)
{
    uint64_t len = 0;
    while (len < field.len && field.data[len] != '\0' &&
           strchr(ends, (char)field.data[len]) == NULL)
        len++;
    return mem_copy(field.data, len);
}

static bool has_prefix(struct view field, const char *prefix)
{
    size_t len = strlen(prefix);
    return field.len >= len && memcmp(field.data, prefix, len) == 0;
}

/* A table of symbols, whoever wrote it. */
static bool is_index(const char *name)
{
    return strncmp(name, "__.SYMDEF", 9) == 0;
}

/* Short name: blanks or, in the System V form, a slash follow it. */
static char *short_name(struct view field)
{
    char *name = text_until(field, "/");
    size_t len = strlen(name);
    while (len != 0 && name[len - 1] == ' ')
        name[--len] = '\0';
    return name;
}

/* A BSD name lies in front of the content, which loses it. NULL: it is longer than that. */
static char *bsd_name(uint64_t len, struct view *content)
{
    struct view name = {0};
    if (len > NAME_MAX_AR || !view_slice(&name, *content, 0, len) ||
        !view_slice(content, *content, len, content->len - len))
        return NULL;
    return text_until(name, "");
}

/* A System V name lies in a table, where a slash and a newline end it. NULL: outside of it. */
static char *table_name(uint64_t offset, struct view names)
{
    struct view rest = {0};
    uint64_t left = offset < names.len ? names.len - offset : 0;
    if (left == 0 || !view_slice(&rest, names, offset, left < NAME_MAX_AR ? left : NAME_MAX_AR))
        return NULL;
    char *name = text_until(rest, "\n");
    size_t len = strlen(name);
    if (len != 0 && name[len - 1] == '/')
        name[len - 1] = '\0';
    return name;
}

/* A table of System V, by its whole name. */
static bool is_table(struct view field)
{
    return has_prefix(field, "// ") || has_prefix(field, "/ ") || has_prefix(field, "/SYM64/ ");
}

/* The member's name, NULL for a table; -1 when a long name is outside of its table. */
static int read_name(char **out, struct reader *r, struct view field, struct view *content)
{
    struct view rest = {0};
    uint64_t number = 0;
    bool bsd = has_prefix(field, "#1/");
    *out = NULL;
    if (is_table(field)) {
        if (has_prefix(field, "// "))
            r->names = *content;
        return 0;
    }
    if (bsd || field.data[0] == '/') {
        uint64_t skip = bsd ? 3 : 1;
        if (!view_slice(&rest, field, skip, NAME_LEN - skip) || !read_number(&number, rest))
            return -1;
        *out = bsd ? bsd_name(number, content) : table_name(number, r->names);
        if (*out == NULL)
            return -1;
    } else {
        *out = short_name(field);
    }
    if (is_index(*out)) {
        free(*out);
        *out = NULL;
    }
    return 0;
}

static void look_inside(struct ar_member *member, struct view content)
{
    uint32_t magic = 0;
    enum byte_order order = LITTLE_ENDIAN_BYTES;
    if (image_kind(content) != IMAGE_THIN)
        return;
    (void)view_u32(&magic, content, 0, order);
    if (magic != MH_MAGIC && magic != MH_MAGIC_64)
        order = BIG_ENDIAN_BYTES;
    member->is_image = view_u32(&member->cputype, content, 4, order) &&
                       view_u32(&member->cpusubtype, content, 8, order) &&
                       view_u32(&member->filetype, content, 12, order);
}

/* Takes the name. -1: the names are longer than the archive. */
static int add_member(struct ar *ar, struct reader *r, char *name, uint64_t offset,
                      struct view content)
{
    uint64_t name_len = strlen(name) + 1;
    if (name_len > r->names_left) {
        free(name);
        return -1;
    }
    r->names_left -= name_len;
    ar->list = mem_grow(ar->list, ar->count, &ar->capacity, sizeof *ar->list);
    struct ar_member *member = &ar->list[ar->count++];
    *member = (struct ar_member){.name = name, .offset = offset, .size = content.len};
    look_inside(member, content);
    return 0;
}

static int malformed(const struct reader *r, const char *what, struct fail *fail)
{
    return fail_set(fail, FAIL_INPUT, "the static archive is malformed: %s at offset %" PRIu64,
                    what, r->at);
}

static int read_member(struct ar *ar, struct reader *r, struct fail *fail)
{
    struct view header = {0};
    struct view field = {0};
    struct view content = {0};
    uint64_t size = 0;
    char *name = NULL;
    if (!view_slice(&header, r->file, r->at, HEADER_LEN))
        return malformed(r, "truncated header", fail);
    (void)view_slice(&field, header, SIZE_AT, SIZE_LEN);
    if (header.data[END_AT] != '`' || header.data[END_AT + 1] != '\n' || !read_number(&size, field))
        return malformed(r, "no member header", fail);
    (void)view_slice(&field, header, 0, NAME_LEN);
    /* A thin archive holds its tables, which have a name that begins with a slash. */
    bool held = !ar->is_thin || is_table(field);
    uint64_t begin = r->at + HEADER_LEN;
    if (held && !view_slice(&content, r->file, begin, size))
        return malformed(r, "truncated member", fail);
    if (read_name(&name, r, field, &content) < 0)
        return malformed(r, "member name outside of its table", fail);
    if (name != NULL && add_member(ar, r, name, begin + (size - content.len), content) < 0)
        return malformed(r, "member names longer than the archive", fail);
    if (name != NULL && !held) {
        ar->list[ar->count - 1].offset = 0;
        ar->list[ar->count - 1].size = size;
    }
    r->at = begin + (held ? size + (size & 1) : 0);
    return 0;
}

int ar_read(struct ar *out, struct view file, struct fail *fail)
{
    struct reader r = {.file = file, .at = MAGIC_LEN, .names_left = file.len};
    *out = (struct ar){0};
    if (image_kind(file) != IMAGE_ARCHIVE)
        return fail_set(fail, FAIL_INPUT, "%s is no static archive",
                        image_kind_name(image_kind(file)));
    out->is_thin = has_prefix(file, "!<thin>");
    while (r.at < file.len) {
        if (read_member(out, &r, fail) < 0)
            return -1;
    }
    return 0;
}

void ar_release(struct ar *ar)
{
    for (size_t i = 0; i < ar->count; i++)
        free(ar->list[i].name);
    free(ar->list);
    *ar = (struct ar){0};
}

bool ar_arch(uint32_t *cputype, uint32_t *cpusubtype, const struct ar *ar)
{
    const struct ar_member *first = NULL;
    for (size_t i = 0; i < ar->count; i++) {
        const struct ar_member *member = &ar->list[i];
        if (!member->is_image)
            continue;
        if (first == NULL)
            first = member;
        if (member->cputype != first->cputype || member->cpusubtype != first->cpusubtype)
            return false;
    }
    if (first == NULL)
        return false;
    *cputype = first->cputype;
    *cpusubtype = first->cpusubtype;
    return true;
}
