#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "format/gtar.h"

#define ID "0123456789abcdef0123456789abcdef01234567"

static int collect(void *context, const void *data, size_t len, struct fail *fail)
{
    (void)fail;
    buf_append(context, data, len);
    return 0;
}

static int refuse(void *context, const void *data, size_t len, struct fail *fail)
{
    (void)context;
    (void)data;
    return fail_set(fail, FAIL_SYSTEM, "no room for %zu bytes", len);
}

static const char *at(const struct buf *out, size_t offset)
{
    return (const char *)out->data + offset;
}

/* One entry of that path, without a beginning. */
static void one_entry(struct buf *out, struct gtar_entry entry, struct fail *fail)
{
    struct gtar tar = {.sink = collect, .context = out, .time = 0};
    entry.id = ID;
    assert_works(gtar_entry(&tar, &entry, fail), fail);
}

static char *repeat(char byte, size_t len)
{
    char *text = mem_new(len + 1, 1);
    memset(text, byte, len);
    return text;
}

static void gtar_begin__is_the_comment_of_52_bytes(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    struct gtar tar = {.sink = collect, .context = &out};
    assert_works(gtar_begin(&tar, ID, 01234, &fail), &fail);
    assert_int_equal(out.len, 1024);
    assert_string_equal(at(&out, 0), "pax_global_header");
    assert_memory_equal(at(&out, 100),
                        "0000666\0"
                        "0000000\0"
                        "0000000\0"
                        "00000000064\0"
                        "00000001234\0",
                        48);
    assert_int_equal(*at(&out, 156), 'g');
    assert_memory_equal(at(&out, 257),
                        "ustar\0"
                        "00"
                        "root",
                        12);
    assert_memory_equal(at(&out, 512), "52 comment=" ID "\n\0", 53);
}

static void gtar_begin__a_time_of_12_digits_gets_a_record(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    struct gtar tar = {.sink = collect, .context = &out};
    assert_works(gtar_begin(&tar, ID, (uint64_t)GTAR_SIZE_MAX + 1, &fail), &fail);
    assert_memory_equal(at(&out, 136), "77777777777\0", 12);
    assert_memory_equal(at(&out, 512 + 52), "20 mtime=8589934592\n\0", 21);
}

static void gtar_entry__kinds_and_modes(void **state)
{
    (void)state;
    const struct {
        enum gtar_kind kind;
        char type;
        const char *mode;
    } kinds[] = {{GTAR_FILE, '0', "0000664"},
                 {GTAR_EXECUTABLE, '0', "0000775"},
                 {GTAR_DIRECTORY, '5', "0000775"},
                 {GTAR_SYMLINK, '2', "0000777"}};
    for (size_t i = 0; i < 4; i++) {
        own_fail struct fail fail = {0};
        own_buf struct buf out = {0};
        one_entry(
            &out,
            (struct gtar_entry){
                .kind = kinds[i].kind, .path = "x/", .path_len = 2, .target = "t", .target_len = 1},
            &fail);
        assert_int_equal(out.len, 512);
        assert_int_equal(*at(&out, 156), kinds[i].type);
        assert_string_equal(at(&out, 100), kinds[i].mode);
        assert_string_equal(at(&out, 157), kinds[i].kind == GTAR_SYMLINK ? "t" : "");
    }
}

static void gtar_entry__checksum_counts_itself_as_blanks(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    one_entry(&out, (struct gtar_entry){.kind = GTAR_FILE, .path = "\xff", .path_len = 1}, &fail);
    unsigned sum = 8 * ' ';
    for (size_t i = 0; i < 512; i++)
        sum += i >= 148 && i < 156 ? 0 : out.data[i];
    assert_int_equal(strtoul(at(&out, 148), NULL, 8), sum);
    assert_int_equal(*at(&out, 155), '\0');
}

static void gtar_entry__100_bytes_fill_the_name(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    own_mem char *path = repeat('a', 100);
    one_entry(&out, (struct gtar_entry){.kind = GTAR_FILE, .path = path, .path_len = 100}, &fail);
    assert_int_equal(out.len, 512);
    assert_memory_equal(at(&out, 0), path, 100);
    assert_string_equal(at(&out, 345), "");
}

static void gtar_entry__101_bytes_are_split_or_get_a_record(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf split = {0};
    own_buf struct buf whole = {0};
    own_mem char *path = repeat('a', 101);
    one_entry(&whole, (struct gtar_entry){.kind = GTAR_FILE, .path = path, .path_len = 101}, &fail);
    assert_int_equal(whole.len, 3 * 512);
    assert_string_equal(at(&whole, 0), ID ".paxheader");
    assert_int_equal(*at(&whole, 156), 'x');
    assert_memory_equal(at(&whole, 512), "111 path=a", 10);
    assert_int_equal(*at(&whole, 512 + 110), '\n');
    assert_int_equal(*at(&whole, 512 + 111), '\0');
    assert_string_equal(at(&whole, 1024), ID ".data");
    path[50] = '/';
    one_entry(&split, (struct gtar_entry){.kind = GTAR_FILE, .path = path, .path_len = 101}, &fail);
    assert_int_equal(split.len, 512);
    assert_int_equal(strlen(at(&split, 345)), 50);
    assert_int_equal(strlen(at(&split, 0)), 50);
}

static void gtar_entry__prefix_of_154_bytes_is_the_longest(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_mem char *path = repeat('a', 255);
    own_buf struct buf fits = {0};
    own_buf struct buf does_not = {0};
    path[154] = '/';
    one_entry(&fits, (struct gtar_entry){.kind = GTAR_FILE, .path = path, .path_len = 255}, &fail);
    assert_int_equal(fits.len, 512);
    path[154] = 'a';
    path[155] = '/';
    one_entry(&does_not, (struct gtar_entry){.kind = GTAR_FILE, .path = path, .path_len = 255},
              &fail);
    assert_int_equal(does_not.len, 3 * 512);
}

static void gtar_entry__record_counts_its_own_digits(void **state)
{
    (void)state;
    /* 7 bytes around the value: at 92 the length goes from two digits to three. */
    for (size_t len = 101; len < 1100; len++) {
        own_fail struct fail fail = {0};
        own_buf struct buf out = {0};
        own_mem char *target = repeat('t', len);
        one_entry(&out,
                  (struct gtar_entry){.kind = GTAR_SYMLINK,
                                      .path = "l",
                                      .path_len = 1,
                                      .target = target,
                                      .target_len = len},
                  &fail);
        size_t said = strtoul(at(&out, 512), NULL, 10);
        assert_int_equal(*at(&out, 512 + said - 1), '\n');
        assert_int_equal(said, strtoul(at(&out, 124), NULL, 8));
        assert_string_equal(at(&out, out.len - 512 + 157), "see " ID ".paxheader");
    }
}

static void gtar_entry__size_over_8_gib_gets_a_record(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    one_entry(
        &out,
        (struct gtar_entry){
            .kind = GTAR_FILE, .path = "f", .path_len = 1, .size = (uint64_t)GTAR_SIZE_MAX + 1},
        &fail);
    assert_int_equal(out.len, 3 * 512);
    assert_memory_equal(at(&out, 512), "19 size=8589934592\n", 19);
    assert_string_equal(at(&out, 1024 + 124), "00000000000");
    own_buf struct buf fits = {0};
    one_entry(
        &fits,
        (struct gtar_entry){.kind = GTAR_FILE, .path = "f", .path_len = 1, .size = GTAR_SIZE_MAX},
        &fail);
    assert_int_equal(fits.len, 512);
    assert_string_equal(at(&fits, 124), "77777777777");
}

static void gtar_data__pads_to_a_block_and_counts(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    struct gtar tar = {.sink = collect, .context = &out};
    struct gtar_entry entry = {.kind = GTAR_FILE, .path = "f", .path_len = 1, .id = ID, .size = 5};
    assert_works(gtar_entry(&tar, &entry, &fail), &fail);
    assert_works(gtar_data(&tar, "he", 2, &fail), &fail);
    assert_fails(gtar_end(&tar, &fail), &fail, FAIL_BUG, "3 bytes short");
    fail_release(&fail);
    assert_works(gtar_data(&tar, "llo", 3, &fail), &fail);
    assert_int_equal(out.len, 1024);
    assert_fails(gtar_data(&tar, "!", 1, &fail), &fail, FAIL_BUG, "1 bytes too many");
}

static void gtar_end__at_least_two_blocks_of_zeros(void **state)
{
    (void)state;
    for (size_t headers = 1; headers <= 45; headers++) {
        own_fail struct fail fail = {0};
        own_buf struct buf out = {0};
        struct gtar tar = {.sink = collect, .context = &out};
        struct gtar_entry entry = {.kind = GTAR_FILE, .path = "f", .path_len = 1, .id = ID};
        for (size_t i = 0; i < headers; i++)
            assert_works(gtar_entry(&tar, &entry, &fail), &fail);
        assert_works(gtar_end(&tar, &fail), &fail);
        assert_int_equal(out.len % GTAR_RECORD, 0);
        assert_true(out.len >= (headers + 2) * 512);
        assert_true(out.len < (headers + 2) * 512 + GTAR_RECORD);
    }
}

static void gtar_entry__nonsense_is_a_bug(void **state)
{
    (void)state;
    struct gtar tar = {.sink = refuse};
    own_fail struct fail fail = {0};
    struct gtar_entry entry = {.kind = GTAR_FILE, .path = "f", .path_len = 1, .id = "12"};
    assert_fails(gtar_entry(&tar, &entry, &fail), &fail, FAIL_BUG, "object id of 2 digits");
    fail_release(&fail);
    entry = (struct gtar_entry){.kind = GTAR_FILE, .path = "", .id = ID};
    assert_fails(gtar_entry(&tar, &entry, &fail), &fail, FAIL_BUG, "path of 0");
    fail_release(&fail);
    entry = (struct gtar_entry){.kind = GTAR_FILE, .path = "f", .path_len = 1, .id = ID};
    assert_fails(gtar_entry(&tar, &entry, &fail), &fail, FAIL_SYSTEM, "no room for 512 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gtar_begin__is_the_comment_of_52_bytes),
        cmocka_unit_test(gtar_begin__a_time_of_12_digits_gets_a_record),
        cmocka_unit_test(gtar_entry__kinds_and_modes),
        cmocka_unit_test(gtar_entry__checksum_counts_itself_as_blanks),
        cmocka_unit_test(gtar_entry__100_bytes_fill_the_name),
        cmocka_unit_test(gtar_entry__101_bytes_are_split_or_get_a_record),
        cmocka_unit_test(gtar_entry__prefix_of_154_bytes_is_the_longest),
        cmocka_unit_test(gtar_entry__record_counts_its_own_digits),
        cmocka_unit_test(gtar_entry__size_over_8_gib_gets_a_record),
        cmocka_unit_test(gtar_data__pads_to_a_block_and_counts),
        cmocka_unit_test(gtar_end__at_least_two_blocks_of_zeros),
        cmocka_unit_test(gtar_entry__nonsense_is_a_bug),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
