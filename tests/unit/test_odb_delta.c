/* Deltas, and packs made by hand: what git never writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "odb_repo.h"
#include "port/digest.h"
#include "port/odb_store.h"

static const char base_text[] = "the quick brown fox jumps over the lazy dog"; /* 43 bytes */

#define BASE_LEN 43u

static int memory_source(void *context, uint64_t offset, const uint8_t **data, size_t *len,
                         struct fail *fail)
{
    const struct buf *packed = context;
    (void)fail;
    size_t left = offset < packed->len ? packed->len - (size_t)offset : 0;
    *data = packed->data + offset;
    *len = left < 5 ? left : 5; /* small pieces */
    return 0;
}

static int collect(void *context, const void *data, size_t len, struct fail *fail)
{
    (void)fail;
    buf_append(context, data, len);
    return 0;
}

static void deflate_into(struct buf *out, const void *data, size_t len)
{
    uint8_t packed[1024];
    uLongf packed_len = sizeof packed;
    assert_int_equal(compress(packed, &packed_len, data, len), Z_OK);
    buf_append(out, packed, packed_len);
}

/* Applies piece by piece, to a base in memory or in a file; NULL, or what is wrong. */
static char *apply_streamed(struct buf *out, const uint8_t *delta, size_t len, bool in_file)
{
    own_fail struct fail fail = {0};
    own_body struct body base = BODY_INIT;
    own_inflater struct inflater inflater = {0};
    own_buf struct buf packed = {0};
    if (in_file) {
        assert_int_equal(body_file_open(&base, &fail), 0);
        assert_int_equal(body_file_append(&base, base_text, BASE_LEN, &fail), 0);
    } else {
        base = (struct body){.data = mem_copy(base_text, BASE_LEN), .fd = -1, .len = BASE_LEN};
    }
    deflate_into(&packed, delta, len);
    inflater_start(&inflater, memory_source, &packed, 0);
    if (delta_stream(&base, &inflater, len, len > 1 ? delta[1] : 0, collect, out, &fail) == 0)
        return NULL;
    assert_int_equal(fail.code, FAIL_INPUT);
    return text_copy(fail.message);
}

/* All three ways give the same text, or the same complaint. */
static void expect_delta(const uint8_t *delta, size_t len, const char *text, const char *wrong)
{
    uint8_t out[256] = {0};
    uint64_t out_len = len > 1 ? delta[1] : 0;
    const char *got = delta_apply(
        out, out_len, (struct view){.data = (const uint8_t *)base_text, .len = BASE_LEN},
        (struct view){.data = delta, .len = len});
    if (wrong == NULL) {
        assert_null(got);
        assert_string_equal((char *)out, text);
    } else {
        assert_non_null(got);
        assert_string_equal(got, wrong);
    }
    for (unsigned in_file = 0; in_file < 2; in_file++) {
        own_buf struct buf streamed = {0};
        own_mem char *complaint = apply_streamed(&streamed, delta, len, in_file != 0);
        if (wrong == NULL) {
            assert_null(complaint);
            assert_string_equal(buf_text(&streamed), text);
        } else {
            assert_non_null(complaint);
            assert_string_equal(complaint, wrong);
        }
    }
}

#define EXPECT(text, wrong, ...)                        \
    do {                                                \
        static const uint8_t delta[] = {__VA_ARGS__};   \
        expect_delta(delta, sizeof delta, text, wrong); \
    } while (0)

static void delta__good(void **state)
{
    (void)state;
    EXPECT("the", NULL, 43, 3, 0x90, 3);
    EXPECT("quick fox", NULL, 43, 9, 0x91, 4, 6, 0x91, 16, 3);
    EXPECT("a dog", NULL, 43, 5, 2, 'a', ' ', 0x91, 40, 3);
    EXPECT("", NULL, 43, 0);
}

static void delta__bad(void **state)
{
    (void)state;
    EXPECT(NULL, "its delta copies from outside of the base", 43, 4, 0x91, 40, 4);
    EXPECT(NULL, "its delta copies from outside of the base", 43, 4, 0x98, 0xff, 4);
    EXPECT(NULL, "its delta copies from outside of the base", 43, 4, 0x80); /* 65536 bytes */
    EXPECT(NULL, "its delta makes more than it says", 43, 2, 0x90, 3);
    EXPECT(NULL, "its delta makes more than it says", 43, 2, 3, 'a', 'b', 'c');
    EXPECT(NULL, "its delta makes less than it says", 43, 4, 0x90, 3);
    EXPECT(NULL, "its delta has an unknown instruction", 43, 3, 0x90, 3, 0);
    EXPECT(NULL, "its delta is cut short", 43, 3, 0x90);
    EXPECT(NULL, "its delta is cut short", 43, 3, 5, 'a', 'b');
    EXPECT(NULL, "its delta is cut short", 43);
}

static void delta__lengths_of_many_bytes(void **state)
{
    (void)state;
    static const uint8_t absurd[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
    static const uint8_t wide[] = {0x80, 0x80, 4, 0xff, 1};
    uint64_t base_len = 0;
    uint64_t result_len = 0;
    struct cursor cursor =
        cursor_start((struct view){.data = absurd, .len = sizeof absurd}, LITTLE_ENDIAN_BYTES);
    assert_false(delta_lengths(&base_len, &result_len, &cursor));
    cursor = cursor_start((struct view){.data = wide, .len = sizeof wide}, LITTLE_ENDIAN_BYTES);
    assert_true(delta_lengths(&base_len, &result_len, &cursor));
    assert_int_equal(base_len, 65536);
    assert_int_equal(result_len, 255);
}

/* ---- packs made by hand ---- */

struct pack {
    struct buf bytes;
    struct odb_id ids[4];
    uint32_t offsets[4];
    unsigned count;
};

/* ids must be added in ascending order; `len` may lie about what follows. */
static void pack_add(struct pack *pack, const struct odb_id *id, unsigned type, size_t len,
                     const void *base, size_t base_len, const void *data, size_t data_len)
{
    if (pack->bytes.len == 0)
        buf_append(&pack->bytes, "PACK\0\0\0\2\0\0\0\0", 12);
    pack->ids[pack->count] = *id;
    pack->offsets[pack->count++] = (uint32_t)pack->bytes.len;
    size_t rest = len >> 4;
    buf_putc(&pack->bytes, (char)(type << 4 | (len & 15u) | (rest > 0 ? 0x80u : 0)));
    for (; rest > 0; rest >>= 7)
        buf_putc(&pack->bytes, (char)((rest & 0x7fu) | (rest > 0x7f ? 0x80u : 0)));
    buf_append(&pack->bytes, base, base_len);
    deflate_into(&pack->bytes, data, data_len);
}

static void pack_write(struct pack *pack, const char *repo)
{
    own_buf struct buf index = {0};
    uint8_t sum[DIGEST_MAX];
    sh("git init -q %s", repo);
    buf_set_u32be(&pack->bytes, 8, pack->count);
    digest_once(sum, DIGEST_SHA1, pack->bytes.data, pack->bytes.len);
    buf_append(&pack->bytes, sum, 20);
    buf_append(&index, "\377tOc\0\0\0\2", 8);
    for (unsigned i = 0; i < 256; i++) {
        uint32_t below = 0;
        for (unsigned j = 0; j < pack->count; j++)
            below += pack->ids[j].bytes[0] <= i;
        buf_u32be(&index, below);
    }
    for (unsigned i = 0; i < pack->count; i++)
        buf_append(&index, pack->ids[i].bytes, ODB_ID_LEN);
    buf_zeros(&index, 4 * (size_t)pack->count);
    for (unsigned i = 0; i < pack->count; i++)
        buf_u32be(&index, pack->offsets[i]);
    buf_append(&index, sum, 20);
    buf_zeros(&index, 20);
    own_mem char *pack_path = text_printf("%s/.git/objects/pack/pack-x.pack", repo);
    own_mem char *index_path = text_printf("%s/.git/objects/pack/pack-x.idx", repo);
    file_write(pack_path, pack->bytes.data, pack->bytes.len);
    file_write(index_path, index.data, index.len);
    buf_release(&pack->bytes);
}

static void expect_corrupt(const char *repo, const struct odb_id *id, const char *reason)
{
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    own_odb struct odb *odb = repo_open(repo);
    own_mem char *message = text_printf("is corrupt (%s", reason);
    assert_int_equal(odb_blob_stream(odb, id, collect, &out, &fail), -1);
    expect_failure(&fail, message, "git fsck");
}

static const struct odb_id id_a = {{0x10}};
static const struct odb_id id_b = {{0x20}};
static const uint8_t copy_delta[] = {3, 3, 0x90, 3};

static void pack__by_hand_is_read(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    struct pack pack = {0};
    uint8_t sum[DIGEST_MAX];
    struct odb_id id;
    static const uint8_t delta[] = {3, 2, 0x90, 2};
    digest_once(sum, DIGEST_SHA1, "blob 2\0ab", 9);
    memcpy(id.bytes, sum, ODB_ID_LEN);
    assert_true(id.bytes[0] > 0x10);
    pack_add(&pack, &id_a, ODB_BLOB, 3, "", 0, "abc", 3);
    pack_add(&pack, &id, PACK_REF_DELTA, sizeof delta, id_a.bytes, ODB_ID_LEN, delta, sizeof delta);
    pack_write(&pack, "hand");
    own_odb struct odb *odb = repo_open("hand");
    assert_int_equal(odb_blob_read(&out, odb, &id, 10, &fail), 0);
    assert_string_equal(buf_text(&out), "ab");
    expect_corrupt("hand", &id_a, "its SHA-1 is another one");
}

static void pack__deltas_in_a_circle(void **state)
{
    (void)state;
    struct pack pack = {0};
    pack_add(&pack, &id_a, PACK_REF_DELTA, sizeof copy_delta, id_b.bytes, ODB_ID_LEN, copy_delta,
             sizeof copy_delta);
    pack_add(&pack, &id_b, PACK_REF_DELTA, sizeof copy_delta, id_a.bytes, ODB_ID_LEN, copy_delta,
             sizeof copy_delta);
    pack_write(&pack, "circle");
    expect_corrupt("circle", &id_a, "its chain of deltas does not end");
}

static void pack__bases_that_are_not_there(void **state)
{
    (void)state;
    struct pack pack = {0};
    static const uint8_t far_away[] = {0x7f};
    static const uint8_t absurd[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
    static const struct odb_id other = {{0x77}};
    static const struct odb_id id_c = {{0x30}};
    pack_add(&pack, &id_a, PACK_OFS_DELTA, sizeof copy_delta, far_away, 1, copy_delta,
             sizeof copy_delta);
    pack_add(&pack, &id_b, PACK_REF_DELTA, sizeof copy_delta, other.bytes, ODB_ID_LEN, copy_delta,
             sizeof copy_delta);
    pack_add(&pack, &id_c, PACK_OFS_DELTA, sizeof copy_delta, absurd, sizeof absurd, copy_delta,
             sizeof copy_delta);
    pack_write(&pack, "far");
    expect_corrupt("far", &id_a, "its delta base lies outside of the pack");
    expect_corrupt("far", &id_b, "its delta base is not in the same pack");
    expect_corrupt("far", &id_c, "the distance to its delta base is absurd");
}

/* Lengths that lie: nothing of that size is allocated or written. */
static void pack__lengths_that_lie(void **state)
{
    (void)state;
    struct pack pack = {0};
    static const struct odb_id id_c = {{0x30}};
    static const struct odb_id id_d = {{0x40}};
    pack_add(&pack, &id_a, ODB_BLOB, (size_t)1 << 50, "", 0, "abc", 3);
    pack_add(&pack, &id_b, ODB_BLOB, 2, "", 0, "abc", 3);
    pack_add(&pack, &id_c, ODB_BLOB, 4, "", 0, "abc", 3);
    pack_add(&pack, &id_d, 5, 3, "", 0, "abc", 3);
    pack_write(&pack, "lies");
    expect_corrupt("lies", &id_a, "it is shorter than it says");
    expect_corrupt("lies", &id_b, "it is longer than it says");
    expect_corrupt("lies", &id_c, "it is shorter than it says");
    expect_corrupt("lies", &id_d, "its type 5 is unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delta__good),
        cmocka_unit_test(delta__bad),
        cmocka_unit_test(delta__lengths_of_many_bytes),
        cmocka_unit_test(pack__by_hand_is_read),
        cmocka_unit_test(pack__deltas_in_a_circle),
        cmocka_unit_test(pack__bases_that_are_not_there),
        cmocka_unit_test(pack__lengths_that_lie),
    };
    return cmocka_run_group_tests(tests, repo_environment, NULL);
}
