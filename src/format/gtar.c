#include "format/gtar.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* The ustar header (POSIX.1-2017, pax, "ustar Interchange Format"): offsets and widths. */
enum {
    NAME_OFF = 0,
    NAME_LEN = 100,
    MODE_OFF = 100,
    UID_OFF = 108,
    GID_OFF = 116,
    SIZE_OFF = 124,
    MTIME_OFF = 136,
    CHECKSUM_OFF = 148,
    CHECKSUM_LEN = 8,
    TYPE_OFF = 156,
    LINK_OFF = 157,
    LINK_LEN = 100,
    MAGIC_OFF = 257,
    VERSION_OFF = 263,
    OWNER_OFF = 265,
    GROUP_OFF = 297,
    MAJOR_OFF = 329,
    MINOR_OFF = 337,
    PREFIX_OFF = 345,
    PREFIX_LEN = 155,
};

struct block {
    char bytes[GTAR_BLOCK];
};

static const struct block zero_block;

static int emit(struct gtar *tar, const void *data, size_t len, struct fail *fail)
{
    if (len == 0)
        return 0;
    tar->written += len;
    return tar->sink(tar->context, data, len, fail);
}

static size_t padding_of(uint64_t len)
{
    return (size_t)((GTAR_BLOCK - len % GTAR_BLOCK) % GTAR_BLOCK);
}

/* `digits` octal digits and a NUL. */
static void put_octal(struct block *header, size_t offset, unsigned digits, uint64_t value)
{
    for (unsigned i = digits; i-- > 0; value >>= 3)
        header->bytes[offset + i] = (char)('0' + (value & 7));
    header->bytes[offset + digits] = '\0';
}

static void put_text(struct block *header, size_t offset, const char *text)
{
    memcpy(header->bytes + offset, text, strlen(text));
}

static void put_checksum(struct block *header)
{
    memset(header->bytes + CHECKSUM_OFF, ' ', CHECKSUM_LEN);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof header->bytes; i++)
        sum += (unsigned char)header->bytes[i];
    put_octal(header, CHECKSUM_OFF, 7, sum);
}

/* Everything but name, prefix and link, which the caller has put there. */
static void finish_header(struct block *header, char type, unsigned mode, uint64_t size,
                          uint64_t time)
{
    header->bytes[TYPE_OFF] = type;
    put_octal(header, MODE_OFF, 7, mode);
    put_octal(header, UID_OFF, 7, 0);
    put_octal(header, GID_OFF, 7, 0);
    put_octal(header, SIZE_OFF, 11, size);
    put_octal(header, MTIME_OFF, 11, time);
    put_text(header, MAGIC_OFF, "ustar");
    put_text(header, VERSION_OFF, "00");
    put_text(header, OWNER_OFF, "root");
    put_text(header, GROUP_OFF, "root");
    put_octal(header, MAJOR_OFF, 7, 0);
    put_octal(header, MINOR_OFF, 7, 0);
    put_checksum(header);
}

/* One pax record: its own decimal length, which counts itself, a blank, key=value, newline. */
static void add_record(struct buf *records, const char *key, const char *value, size_t value_len)
{
    size_t rest = strlen(key) + value_len + 3;
    size_t digits = 1;
    for (size_t bound = 10; rest + digits >= bound; bound *= 10)
        digits++;
    buf_printf(records, "%zu %s=", rest + digits, key);
    buf_append(records, value, value_len);
    buf_putc(records, '\n');
}

static void add_number(struct buf *records, const char *key, uint64_t value)
{
    char text[24] = {0};
    int len = snprintf(text, sizeof text, "%" PRIu64, value);
    add_record(records, key, text, (size_t)len);
}

/* An extended header: a header block of its own with the records as its body. */
static int emit_records(struct gtar *tar, char type, const char *name, const struct buf *records,
                        struct fail *fail)
{
    struct block header = {0};
    put_text(&header, NAME_OFF, name);
    finish_header(&header, type, 0666, records->len, tar->time);
    if (emit(tar, &header, sizeof header, fail) < 0 ||
        emit(tar, records->data, records->len, fail) < 0)
        return -1;
    return emit(tar, &zero_block, padding_of(records->len), fail);
}

int gtar_begin(struct gtar *tar, const char *commit, uint64_t time, struct fail *fail)
{
    own_buf struct buf records = {0};
    add_record(&records, "comment", commit, strlen(commit));
    tar->time = time;
    if (time > GTAR_SIZE_MAX) {
        add_number(&records, "mtime", time);
        tar->time = GTAR_SIZE_MAX;
    }
    return emit_records(tar, 'g', "pax_global_header", &records, fail);
}

/*
 * Where to cut a path that is too long for the name field: the last "/" that has fewer than
 * PREFIX_LEN bytes before it (git never fills the field), a trailing "/" not counted. 0 when
 * there is none.
 */
static size_t split_point(const char *path, size_t path_len)
{
    size_t at = path_len;
    if (at > 1 && path[at - 1] == '/')
        at--;
    if (at > PREFIX_LEN)
        at = PREFIX_LEN;
    while (--at > 0 && path[at] != '/')
        continue;
    return at;
}

static void put_path(struct block *header, struct buf *records, const struct gtar_entry *entry)
{
    if (entry->path_len <= NAME_LEN) {
        memcpy(header->bytes + NAME_OFF, entry->path, entry->path_len);
        return;
    }
    size_t cut = split_point(entry->path, entry->path_len);
    size_t rest = entry->path_len - cut - 1;
    if (cut > 0 && rest <= NAME_LEN) {
        memcpy(header->bytes + PREFIX_OFF, entry->path, cut);
        memcpy(header->bytes + NAME_OFF, entry->path + cut + 1, rest);
        return;
    }
    put_text(header, NAME_OFF, entry->id);
    put_text(header, NAME_OFF + strlen(entry->id), ".data");
    add_record(records, "path", entry->path, entry->path_len);
}

static void put_link(struct block *header, struct buf *records, const struct gtar_entry *entry)
{
    if (entry->target_len <= LINK_LEN) {
        memcpy(header->bytes + LINK_OFF, entry->target, entry->target_len);
        return;
    }
    put_text(header, LINK_OFF, "see ");
    put_text(header, LINK_OFF + 4, entry->id);
    put_text(header, LINK_OFF + 4 + strlen(entry->id), ".paxheader");
    add_record(records, "linkpath", entry->target, entry->target_len);
}

/* Type and mode; the modes are those of the default tar.umask, 0002. */
static char type_of(enum gtar_kind kind, unsigned *mode)
{
    switch (kind) {
    case GTAR_FILE:
        *mode = 0664;
        return '0';
    case GTAR_EXECUTABLE:
        *mode = 0775;
        return '0';
    case GTAR_DIRECTORY:
        *mode = 0775;
        return '5';
    case GTAR_SYMLINK:
        *mode = 0777;
        return '2';
    }
    return '\0';
}

static int check_entry(const struct gtar *tar, const struct gtar_entry *entry, struct fail *fail)
{
    if (tar->due > 0)
        return fail_set(fail, FAIL_BUG, "a tar entry is %" PRIu64 " bytes short", tar->due);
    size_t id_len = strlen(entry->id);
    if (id_len < 40 || id_len > 64)
        return fail_set(fail, FAIL_BUG, "object id of %zu digits in a tar entry", id_len);
    if (entry->path_len == 0 || entry->path_len > GTAR_TARGET_MAX ||
        (entry->kind == GTAR_SYMLINK && entry->target_len > GTAR_TARGET_MAX))
        return fail_set(fail, FAIL_BUG, "tar entry with a path of %zu and a target of %zu bytes",
                        entry->path_len, entry->target_len);
    return 0;
}

int gtar_entry(struct gtar *tar, const struct gtar_entry *entry, struct fail *fail)
{
    if (check_entry(tar, entry, fail) < 0)
        return -1;
    struct block header = {0};
    own_buf struct buf records = {0};
    bool is_file = entry->kind == GTAR_FILE || entry->kind == GTAR_EXECUTABLE;
    uint64_t size = is_file ? entry->size : 0;
    put_path(&header, &records, entry);
    if (entry->kind == GTAR_SYMLINK)
        put_link(&header, &records, entry);
    if (size > GTAR_SIZE_MAX)
        add_number(&records, "size", size);
    unsigned mode = 0;
    char type = type_of(entry->kind, &mode);
    finish_header(&header, type, mode, size > GTAR_SIZE_MAX ? 0 : size, tar->time);
    if (records.len > 0) {
        char name[NAME_LEN] = {0};
        snprintf(name, sizeof name, "%.64s.paxheader", entry->id);
        if (emit_records(tar, 'x', name, &records, fail) < 0)
            return -1;
    }
    tar->due = size;
    tar->padding = padding_of(size);
    return emit(tar, &header, sizeof header, fail);
}

int gtar_data(struct gtar *tar, const void *data, size_t len, struct fail *fail)
{
    if (len > tar->due)
        return fail_set(fail, FAIL_BUG, "a tar entry got %zu bytes too many",
                        (size_t)(len - tar->due));
    if (emit(tar, data, len, fail) < 0)
        return -1;
    tar->due -= len;
    if (tar->due > 0 || len == 0)
        return 0;
    return emit(tar, &zero_block, tar->padding, fail);
}

int gtar_end(struct gtar *tar, struct fail *fail)
{
    if (tar->due > 0)
        return fail_set(fail, FAIL_BUG, "a tar entry is %" PRIu64 " bytes short", tar->due);
    uint64_t tail = tar->written % GTAR_RECORD;
    uint64_t zeros = GTAR_RECORD - tail;
    if (zeros < (uint64_t)2 * GTAR_BLOCK)
        zeros += GTAR_RECORD;
    for (; zeros > 0; zeros -= GTAR_BLOCK) {
        if (emit(tar, &zero_block, GTAR_BLOCK, fail) < 0)
            return -1;
    }
    return 0;
}
