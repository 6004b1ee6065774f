#include "unit.h"

#include <string.h>

#include "base/cursor.h"

static const uint8_t bytes[] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
static const struct view eight = {bytes, sizeof bytes};

static void range_fits__edges_and_overflow(void **state)
{
    (void)state;
    assert_true(range_fits(0, 8, 8));
    assert_true(range_fits(8, 0, 8));
    assert_false(range_fits(9, 0, 8));
    assert_false(range_fits(1, 8, 8));
    assert_false(range_fits(UINT64_MAX, 2, 8));
    assert_false(range_fits(2, UINT64_MAX, 8));
}

static void view_uint__both_orders_and_no_byte_further(void **state)
{
    (void)state;
    uint16_t u16 = 0;
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    assert_true(view_u16(&u16, eight, 6, LITTLE_ENDIAN_BYTES));
    assert_int_equal(u16, 0x0807);
    assert_true(view_u32(&u32, eight, 4, BIG_ENDIAN_BYTES));
    assert_int_equal(u32, 0x05060708);
    assert_true(view_u64(&u64, eight, 0, LITTLE_ENDIAN_BYTES));
    assert_true(u64 == 0x0807060504030201);
    assert_false(view_u16(&u16, eight, 7, LITTLE_ENDIAN_BYTES));
    assert_false(view_u32(&u32, eight, 5, LITTLE_ENDIAN_BYTES));
    assert_false(view_u64(&u64, eight, UINT64_MAX, LITTLE_ENDIAN_BYTES));
}

static void view_text__needs_a_nul_inside(void **state)
{
    (void)state;
    struct view text = {(const uint8_t *)"ab\0cd", 5};
    assert_string_equal(view_text(text, 1), "b");
    assert_string_equal(view_text(text, 2), "");
    assert_null(view_text(text, 3));
    assert_null(view_text(text, 5));
    char fixed[4];
    assert_true(view_fixed_text(fixed, text, 2, 3));
    assert_string_equal(fixed, "");
    assert_false(view_fixed_text(fixed, text, 3, 3));
}

static void cursor__error_is_sticky(void **state)
{
    (void)state;
    struct cursor cursor = cursor_start(eight, BIG_ENDIAN_BYTES);
    assert_int_equal(cursor_u8(&cursor), 1);
    assert_int_equal(cursor_u32(&cursor), 0x02030405);
    assert_int_equal(cursor_left(&cursor), 3);
    assert_int_equal(cursor_u32(&cursor), 0);
    assert_true(cursor.failed);
    assert_int_equal(cursor_u8(&cursor), 0);
    assert_int_equal(cursor_left(&cursor), 0);
    assert_string_equal(cursor_text(&cursor), "");
}

static uint64_t uleb(const char *data, size_t len, bool *failed)
{
    struct cursor cursor = cursor_start((struct view){(const uint8_t *)data, len}, 0);
    uint64_t value = cursor_uleb(&cursor);
    *failed = cursor.failed;
    return value;
}

static void cursor_uleb__limits(void **state)
{
    (void)state;
    bool failed = false;
    assert_int_equal(uleb("\xe5\x8e\x26", 3, &failed), 624485);
    assert_false(failed);
    assert_true(uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, &failed) == UINT64_MAX);
    assert_false(failed);
    uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, &failed);
    assert_true(failed);
    uleb("\x80\x80", 2, &failed);
    assert_true(failed);
    uleb("", 0, &failed);
    assert_true(failed);
}

static int64_t sleb(const char *data, size_t len, bool *failed)
{
    struct cursor cursor = cursor_start((struct view){(const uint8_t *)data, len}, 0);
    int64_t value = cursor_sleb(&cursor);
    *failed = cursor.failed;
    return value;
}

static void cursor_sleb__signs(void **state)
{
    (void)state;
    bool failed = false;
    assert_true(sleb("\x7e", 1, &failed) == -2);
    assert_true(sleb("\xff\x00", 2, &failed) == 127);
    assert_true(sleb("\x80\x7f", 2, &failed) == -128);
    assert_true(sleb("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10, &failed) == INT64_MIN);
    assert_false(failed);
    sleb("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11, &failed);
    assert_true(failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_fits__edges_and_overflow),
        cmocka_unit_test(view_uint__both_orders_and_no_byte_further),
        cmocka_unit_test(view_text__needs_a_nul_inside),
        cmocka_unit_test(cursor__error_is_sticky),
        cmocka_unit_test(cursor_uleb__limits),
        cmocka_unit_test(cursor_sleb__signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
