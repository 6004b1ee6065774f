/*
 * Bytes of packs and of pack indexes. The first byte tells which: even: the rest is a list of
 * offsets and the objects of a pack, for which this file makes header, index and trailer (they
 * would keep every mutation from the parser behind them); odd: the rest is a whole index.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz/fuzz.h"
#include "port/odb_store.h"

#define OBJECTS    4u
#define OUTPUT_MAX (8u << 20) /* a sink that has seen more gives up */

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void fill(struct body *file, const void *data, size_t len)
{
    own_fail struct fail fail = {0};
    if (file->fd < 0)
        check(body_file_open(file, &fail) == 0);
    check(ftruncate(file->fd, 0) == 0 && lseek(file->fd, 0, SEEK_SET) == 0);
    check(body_file_append(file, data, len, &fail) == 0);
}

static int count_bytes(void *context, const void *data, size_t len, struct fail *fail)
{
    volatile uint8_t last = ((const uint8_t *)data)[len - 1]; /* for ASan */
    uint64_t *total = context;
    (void)last;
    *total += len;
    return *total > OUTPUT_MAX ? fail_set(fail, FAIL_INPUT, "enough") : 0;
}

static void read_object(struct packfile *pack, struct unpacker *unpacker, const struct odb_id *id)
{
    own_fail struct fail fail = {0};
    struct chain chain = {0};
    uint64_t offset = 0;
    uint64_t total = 0;
    int found = packfile_find(&offset, pack, &unpacker->index_blocks, id, &fail);
    if (found > 0 && chain_follow(&chain, unpacker, pack, offset, &fail) == 0 &&
        chain_stream(&chain, unpacker, count_bytes, &total, &fail) == 0)
        check(total == chain.len);
    check(found == 0 || fail.code == FAIL_NONE || fail.code == FAIL_INPUT);
    chain_release(&chain);
}

static void read_all(struct body *pack_file, struct body *index_file)
{
    static char name[] = "fuzz.pack";
    own_fail struct fail fail = {0};
    struct packfile pack = {.path = name, .pack_fd = pack_file->fd, .index_fd = index_file->fd};
    struct unpacker unpacker = {0};
    if (packfile_check(&pack, &fail) == 0) {
        for (unsigned i = 0; i < 2 * OBJECTS; i++) {
            struct odb_id id;
            memset(id.bytes, (int)(i % OBJECTS), sizeof id.bytes);
            read_object(&pack, &unpacker, &id);
        }
    } else {
        check(fail.code == FAIL_INPUT);
    }
    free(pack.fanout);
    unpacker_release(&unpacker);
}

/* An index of OBJECTS ids (00..., 01..., ...) with the given offsets. */
static void make_index(struct buf *out, const uint32_t offsets[OBJECTS])
{
    buf_append(out, "\377tOc\0\0\0\2", 8);
    for (unsigned i = 0; i < 256; i++)
        buf_u32be(out, i < OBJECTS ? i + 1 : OBJECTS);
    for (unsigned i = 0; i < OBJECTS; i++) {
        for (unsigned j = 0; j < ODB_ID_LEN; j++)
            buf_putc(out, (char)i);
    }
    buf_zeros(out, 4 * OBJECTS); /* CRCs */
    for (unsigned i = 0; i < OBJECTS; i++)
        buf_u32be(out, offsets[i]);
    buf_zeros(out, 40);
}

static void make_pack(struct buf *out, const uint8_t *objects, size_t len)
{
    buf_append(out, "PACK\0\0\0\2\0\0\0\4", 12);
    buf_append(out, objects, len);
    buf_zeros(out, 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct body pack_file = BODY_INIT;
    static struct body index_file = BODY_INIT;
    own_buf struct buf pack = {0};
    own_buf struct buf index = {0};
    uint32_t offsets[OBJECTS] = {0};
    if (size < 1 + 2 * OBJECTS)
        return 0;
    if (data[0] & 1u) {
        make_pack(&pack, data + 1, size - 1);
        buf_append(&index, data + 1, size - 1);
    } else {
        for (unsigned i = 0; i < OBJECTS; i++)
            offsets[i] = 12u + ((uint32_t)data[1 + 2 * i] << 8 | data[2 + 2 * i]);
        make_pack(&pack, data + 1 + 2 * (size_t)OBJECTS, size - 1 - 2 * (size_t)OBJECTS);
        make_index(&index, offsets);
    }
    fill(&pack_file, pack.data, pack.len);
    fill(&index_file, index.data, index.len);
    read_all(&pack_file, &index_file);
    return 0;
}

/* ---- seeds ---- */

/* Type, length, base and compressed data of one object. */
static void add_object(struct buf *out, unsigned type, const void *base, size_t base_len,
                       const void *data, size_t len)
{
    uint8_t packed[512];
    uLongf packed_len = sizeof packed;
    check(compress(packed, &packed_len, data, len) == Z_OK);
    size_t rest = len >> 4;
    buf_putc(out, (char)(type << 4 | (len & 15u) | (rest > 0 ? 0x80u : 0)));
    for (; rest > 0; rest >>= 7)
        buf_putc(out, (char)((rest & 0x7fu) | (rest > 0x7f ? 0x80u : 0)));
    buf_append(out, base, base_len);
    buf_append(out, packed, packed_len);
}

static void set_offset(struct buf *out, unsigned object)
{
    size_t at = out->len - 1 - 2 * (size_t)OBJECTS;
    out->data[1 + 2 * object] = (uint8_t)(at >> 8);
    out->data[2 + 2 * object] = (uint8_t)at;
}

/* A blob, a delta by distance, a delta by id on top of it, and one that is its own base. */
static void seed_objects(struct buf *out)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    static const uint8_t delta[] = {44, 20, 0x90, 10, 3, 'a', 'b', 'c', 0x91, 20, 7};
    static const uint8_t next[] = {20, 8, 0x90, 4, 4, 'w', 'x', 'y', 'z'};
    static const uint8_t by_id[ODB_ID_LEN] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                              1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint8_t itself[ODB_ID_LEN] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                               3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    buf_zeros(out, 1 + 2 * (size_t)OBJECTS);
    set_offset(out, 0);
    size_t first = out->len;
    add_object(out, ODB_BLOB, "", 0, text, sizeof text);
    set_offset(out, 1);
    uint8_t distance = (uint8_t)(out->len - first);
    add_object(out, PACK_OFS_DELTA, &distance, 1, delta, sizeof delta);
    set_offset(out, 2);
    add_object(out, PACK_REF_DELTA, by_id, sizeof by_id, next, sizeof next);
    set_offset(out, 3);
    add_object(out, PACK_REF_DELTA, itself, sizeof itself, next, sizeof next);
}

size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    static const uint32_t offsets[OBJECTS] = {12, 20, 30, 0x80000000u};
    own_buf struct buf seed = {0};
    if (index == 0) {
        seed_objects(&seed);
    } else if (index == 1) {
        buf_putc(&seed, 1);
        make_index(&seed, offsets);
    } else {
        return 0;
    }
    check(seed.len <= out_size);
    memcpy(out, seed.data, seed.len);
    return seed.len;
}
