#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"
#include "port/odb_store.h"

/* gitformat-pack(5): a pack is a header, objects and a trailer; an index (version 2) is a
 * header, a fan-out, ids, CRCs, offsets, 64-bit offsets and two check sums. */
#define PACK_HEADER     12u
#define PACK_TRAILER    20u
#define INDEX_HEADER    8u
#define INDEX_FANOUT    1024u
#define INDEX_IDS       (INDEX_HEADER + INDEX_FANOUT)
#define INDEX_PER_ID    28u /* id, CRC, offset */
#define INDEX_TRAILER   40u
#define OFFSET_IS_LARGE 0x80000000u

static int read_at(int fd, void *out, size_t len, uint64_t offset, const char *path,
                   struct fail *fail)
{
    for (size_t done = 0; done < len;) {
        ssize_t got = pread(fd, (uint8_t *)out + done, len - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR && stop_pending() == 0)
            continue;
        if (got < 0)
            return fail_errno(fail, "cannot read '%s'", path);
        if (got == 0)
            return fail_set(fail, FAIL_INPUT, "'%s' became shorter while it was read", path);
        done += (size_t)got;
    }
    return 0;
}

static uint32_t big32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int broken(const struct packfile *pack, const char *reason, struct fail *fail)
{
    fail_set(fail, FAIL_INPUT, "pack '%s' is corrupt (%s)", pack->path, reason);
    return fail_hint(fail, "run 'git fsck' there, or clone the repository again");
}

/* ---- opening ---- */

static int check_fanout(struct packfile *pack, struct fail *fail)
{
    uint8_t raw[INDEX_FANOUT];
    if (read_at(pack->index_fd, raw, sizeof raw, INDEX_HEADER, pack->path, fail) < 0)
        return -1;
    free(pack->fanout);
    pack->fanout = mem_new(256, sizeof *pack->fanout);
    for (unsigned i = 0; i < 256; i++) {
        pack->fanout[i] = big32(raw + 4 * (size_t)i);
        if (i > 0 && pack->fanout[i] < pack->fanout[i - 1])
            return broken(pack, "the fan-out of its index goes down", fail);
    }
    pack->count = pack->fanout[255];
    return 0;
}

static int check_index(struct packfile *pack, struct fail *fail)
{
    static const uint8_t magic[INDEX_HEADER] = {0xff, 't', 'O', 'c', 0, 0, 0, 2};
    uint8_t head[INDEX_HEADER];
    if (pack->index_len < INDEX_IDS + INDEX_TRAILER)
        return broken(pack, "its index is cut short", fail);
    if (read_at(pack->index_fd, head, sizeof head, 0, pack->path, fail) < 0)
        return -1;
    if (memcmp(head, magic, sizeof magic) != 0) {
        fail_set(fail, FAIL_INPUT, "the index of pack '%s' is not of version 2", pack->path);
        return fail_hint(fail, "run 'git index-pack' on the pack to write it again");
    }
    if (check_fanout(pack, fail) < 0)
        return -1;
    uint64_t least = INDEX_IDS + (uint64_t)pack->count * INDEX_PER_ID + INDEX_TRAILER;
    uint64_t most = least + (uint64_t)pack->count * 8;
    if (pack->index_len < least || pack->index_len > most || (pack->index_len - least) % 8 != 0)
        return broken(pack, "its index has a wrong length", fail);
    return 0;
}

static int check_pack(struct packfile *pack, struct fail *fail)
{
    uint8_t head[PACK_HEADER];
    uint8_t trailer[PACK_TRAILER];
    uint8_t expected[PACK_TRAILER];
    if (pack->pack_len < PACK_HEADER + PACK_TRAILER)
        return broken(pack, "it is cut short", fail);
    if (read_at(pack->pack_fd, head, sizeof head, 0, pack->path, fail) < 0 ||
        read_at(pack->pack_fd, trailer, sizeof trailer, pack->pack_len - PACK_TRAILER, pack->path,
                fail) < 0 ||
        read_at(pack->index_fd, expected, sizeof expected, pack->index_len - INDEX_TRAILER,
                pack->path, fail) < 0)
        return -1;
    uint32_t version = big32(head + 4);
    if (memcmp(head, "PACK", 4) != 0 || (version != 2 && version != 3))
        return broken(pack, "it does not begin like a pack", fail);
    if (big32(head + 8) != pack->count)
        return broken(pack, "it and its index count different numbers of objects", fail);
    if (memcmp(trailer, expected, sizeof trailer) != 0)
        return broken(pack, "its index belongs to another pack", fail);
    return 0;
}

int packfile_check(struct packfile *pack, struct fail *fail)
{
    struct stat pack_info;
    struct stat index_info;
    if (fstat(pack->pack_fd, &pack_info) < 0 || fstat(pack->index_fd, &index_info) < 0)
        return fail_errno(fail, "cannot look at '%s'", pack->path);
    if (!S_ISREG(pack_info.st_mode) || !S_ISREG(index_info.st_mode))
        return broken(pack, "it is not a regular file", fail);
    pack->pack_len = (uint64_t)pack_info.st_size;
    pack->index_len = (uint64_t)index_info.st_size;
    if (check_index(pack, fail) < 0)
        return -1;
    return check_pack(pack, fail);
}

int packfile_open(struct packfile *pack, struct fail *fail)
{
    size_t stem = strlen(pack->path) - strlen(".pack");
    own_mem char *index_path = text_printf("%.*s.idx", (int)stem, pack->path);
    own_fd int index_fd = open(index_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (index_fd < 0)
        return errno == ENOENT ? 0 : fail_errno(fail, "cannot open '%s'", index_path);
    own_fd int pack_fd = open(pack->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (pack_fd < 0)
        return errno == ENOENT ? 0 : fail_errno(fail, "cannot open '%s'", pack->path);
    pack->index_fd = steal_fd(&index_fd);
    pack->pack_fd = steal_fd(&pack_fd);
    if (packfile_check(pack, fail) < 0) {
        packfile_close(pack);
        return -1;
    }
    return 1;
}

void packfile_close(struct packfile *pack)
{
    if (pack->pack_fd >= 0)
        (void)close(pack->pack_fd);
    if (pack->index_fd >= 0)
        (void)close(pack->index_fd);
    pack->pack_fd = -1;
    pack->index_fd = -1;
}

/* ---- blocks ---- */

/* What a file has at `offset` < end, up to the end of a block. */
static int file_bytes(const int *file, const char *path, uint64_t end, struct blocks *blocks,
                      uint64_t offset, struct view *out, struct fail *fail)
{
    uint64_t number = offset / STORE_BLOCK;
    uint64_t mixed = number + ((uint64_t)(uintptr_t)file >> 6);
    struct block *block = &blocks->list[mixed % STORE_BLOCKS];
    if (block->file != file || block->number != number) {
        uint64_t start = number * STORE_BLOCK;
        uint64_t left = end - start;
        if (block->data == NULL)
            block->data = mem_new(STORE_BLOCK, 1);
        block->file = NULL;
        block->len = left < STORE_BLOCK ? (size_t)left : STORE_BLOCK;
        if (read_at(*file, block->data, block->len, start, path, fail) < 0)
            return -1;
        block->file = file;
        block->number = number;
    }
    uint64_t skip = offset % STORE_BLOCK;
    *out = (struct view){.data = block->data + skip, .len = block->len - skip};
    return 0;
}

int packfile_bytes(struct packfile *pack, struct blocks *blocks, uint64_t offset,
                   const uint8_t **data, size_t *len, struct fail *fail)
{
    uint64_t end = pack->pack_len - PACK_TRAILER;
    struct view view = {0};
    *len = 0;
    if (offset >= end)
        return 0;
    if (file_bytes(&pack->pack_fd, pack->path, end, blocks, offset, &view, fail) < 0)
        return -1;
    *data = view.data;
    *len = (size_t)view.len;
    return 0;
}

/* ---- the index ---- */

/* Bytes of the index that check_index() has found to be inside. */
static int index_bytes(uint8_t *out, size_t len, struct packfile *pack, struct blocks *blocks,
                       uint64_t offset, struct fail *fail)
{
    for (size_t done = 0; done < len;) {
        struct view view = {0};
        if (file_bytes(&pack->index_fd, pack->path, pack->index_len, blocks, offset + done, &view,
                       fail) < 0)
            return -1;
        size_t part = view.len < len - done ? (size_t)view.len : len - done;
        memcpy(out + done, view.data, part);
        done += part;
    }
    return 0;
}

int packfile_id(struct odb_id *id, struct packfile *pack, struct blocks *blocks, uint32_t position,
                struct fail *fail)
{
    return index_bytes(id->bytes, ODB_ID_LEN, pack, blocks,
                       INDEX_IDS + (uint64_t)position * ODB_ID_LEN, fail);
}

int packfile_lower_bound(uint32_t *position, struct packfile *pack, struct blocks *blocks,
                         const struct odb_id *id, struct fail *fail)
{
    uint32_t low = id->bytes[0] == 0 ? 0 : pack->fanout[id->bytes[0] - 1];
    uint32_t high = pack->fanout[id->bytes[0]];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct odb_id found;
        if (packfile_id(&found, pack, blocks, middle, fail) < 0)
            return -1;
        if (memcmp(found.bytes, id->bytes, ODB_ID_LEN) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *position = low;
    return 0;
}

static int index_offset(uint64_t *offset, struct packfile *pack, struct blocks *blocks,
                        uint32_t position, struct fail *fail)
{
    uint64_t offsets = INDEX_IDS + (uint64_t)pack->count * (INDEX_PER_ID - 4);
    uint8_t raw[8];
    if (index_bytes(raw, 4, pack, blocks, offsets + (uint64_t)position * 4, fail) < 0)
        return -1;
    *offset = big32(raw);
    if (*offset & OFFSET_IS_LARGE) {
        uint64_t large = offsets + (uint64_t)pack->count * 4 + (*offset & ~OFFSET_IS_LARGE) * 8;
        if (!range_fits(large, 8, pack->index_len - INDEX_TRAILER))
            return broken(pack, "its index names a 64-bit offset that it does not have", fail);
        if (index_bytes(raw, 8, pack, blocks, large, fail) < 0)
            return -1;
        *offset = (uint64_t)big32(raw) << 32 | big32(raw + 4);
    }
    if (*offset < PACK_HEADER || *offset >= pack->pack_len - PACK_TRAILER)
        return broken(pack, "its index points outside of it", fail);
    return 0;
}

int packfile_find(uint64_t *offset, struct packfile *pack, struct blocks *blocks,
                  const struct odb_id *id, struct fail *fail)
{
    uint32_t position = 0;
    struct odb_id found;
    if (packfile_lower_bound(&position, pack, blocks, id, fail) < 0)
        return -1;
    if (position >= pack->fanout[id->bytes[0]])
        return 0;
    if (packfile_id(&found, pack, blocks, position, fail) < 0)
        return -1;
    if (!odb_id_equal(&found, id))
        return 0;
    return index_offset(offset, pack, blocks, position, fail) < 0 ? -1 : 1;
}

/* ---- objects ---- */

struct byte_reader {
    struct packfile *pack;
    struct blocks *blocks;
    uint64_t offset;
};

static int next_byte(uint8_t *out, struct byte_reader *reader, struct fail *fail)
{
    const uint8_t *data = NULL;
    size_t len = 0;
    if (packfile_bytes(reader->pack, reader->blocks, reader->offset, &data, &len, fail) < 0)
        return -1;
    if (len == 0)
        return fail_set(fail, FAIL_INPUT, "it is cut short");
    *out = data[0];
    reader->offset++;
    return 0;
}

/* Type and length: 3 and 4 bits, then groups of 7, the lowest first. */
static int read_type_len(struct pack_header *out, struct byte_reader *reader, struct fail *fail)
{
    uint8_t byte = 0;
    if (next_byte(&byte, reader, fail) < 0)
        return -1;
    out->type = byte >> 4 & 7;
    out->len = byte & 15u;
    for (unsigned shift = 4; byte & 0x80u; shift += 7) {
        if (next_byte(&byte, reader, fail) < 0)
            return -1;
        uint64_t bits = byte & 0x7fu;
        if (shift > 60 || (shift == 60 && bits > 7)) /* 63 bits are enough */
            return fail_set(fail, FAIL_INPUT, "its length is absurd");
        out->len |= bits << shift;
    }
    return 0;
}

/* The distance to the base: groups of 7, the highest first, each further one adds 1. */
static int read_distance(struct pack_header *out, struct byte_reader *reader, uint64_t offset,
                         struct fail *fail)
{
    uint8_t byte = 0;
    if (next_byte(&byte, reader, fail) < 0)
        return -1;
    uint64_t distance = byte & 0x7fu;
    while (byte & 0x80u) {
        if (next_byte(&byte, reader, fail) < 0)
            return -1;
        if (distance >= UINT64_MAX >> 8)
            return fail_set(fail, FAIL_INPUT, "the distance to its delta base is absurd");
        distance = (distance + 1) << 7 | (byte & 0x7fu);
    }
    if (distance == 0 || distance > offset - PACK_HEADER)
        return fail_set(fail, FAIL_INPUT, "its delta base lies outside of the pack");
    out->base_off = offset - distance;
    return 0;
}

int packfile_header(struct pack_header *out, struct packfile *pack, struct blocks *blocks,
                    uint64_t offset, struct fail *fail)
{
    struct byte_reader reader = {.pack = pack, .blocks = blocks, .offset = offset};
    *out = (struct pack_header){0};
    if (read_type_len(out, &reader, fail) < 0)
        return -1;
    switch (out->type) {
    case ODB_COMMIT:
    case ODB_TREE:
    case ODB_BLOB:
    case ODB_TAG:
        break;
    case PACK_OFS_DELTA:
        if (read_distance(out, &reader, offset, fail) < 0)
            return -1;
        break;
    case PACK_REF_DELTA:
        for (unsigned i = 0; i < ODB_ID_LEN; i++) {
            if (next_byte(&out->base_id.bytes[i], &reader, fail) < 0)
                return -1;
        }
        break;
    default:
        return fail_set(fail, FAIL_INPUT, "its type %d is unknown", out->type);
    }
    out->data_off = reader.offset;
    return 0;
}
