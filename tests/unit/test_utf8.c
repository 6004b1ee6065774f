/* One decoder of UTF-8 for all that is read; text_clean() in test_own.c shows what it refuses. */
#include "base/utf8.h"
#include "unit/unit.h"

static const uint8_t *bytes(const char *text)
{
    return (const uint8_t *)text;
}

/* Each code point comes back from its own bytes, and from no part of them. */
static void utf8_put__is_read_back(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        own_buf struct buf out = {0};
        uint32_t back = ~code;
        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        utf8_put(&out, code);
        assert_int_equal(utf8_decode(&back, out.data, out.len), out.len);
        assert_int_equal(back, code);
        for (size_t len = 0; len < out.len; len++)
            assert_int_equal(utf8_decode(&back, out.data, len), 0);
    }
}

static void utf8_decode__leaves_what_follows(void **state)
{
    uint32_t code = 0;
    (void)state;
    assert_int_equal(utf8_decode(&code, bytes("\xc3\xa9\xff"), 3), 2);
    assert_int_equal(code, 0xe9);
}

static void utf8_decode__refuses(void **state)
{
    static const char *const bad[] = {"\x80\x80\x80\x80", "\xc1\xbf\x80\x80", "\xe0\x9f\xbf\x80",
                                      "\xed\xa0\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80", "\xf8\x88\x80\x80", "\xc3(\x80\x80",
                                      "\xe2\x82(\x80",    "\xf0\x9f\x98(",    "\xff\xff\xff\xff"};
    uint32_t code = 7;
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(utf8_decode(&code, bytes(bad[i]), 4), 0);
    assert_int_equal(code, 7);
}

static void expect_problem(const char *text, size_t len, const char *problem)
{
    const char *found = utf8_problem((struct view){bytes(text), len});
    if (problem == NULL)
        assert_null(found);
    else
        assert_string_equal(found, problem);
}

static void utf8_problem__names_the_first(void **state)
{
    (void)state;
    expect_problem("", 0, NULL);
    expect_problem("caf\xc3\xa9", 5, NULL);
    expect_problem("a\0b", 3, "a NUL byte");
    expect_problem("a\tb", 3, "a tab");
    expect_problem("a\xe2\x80\xa8", 4, "a line end");
    expect_problem("\x1b", 1, "a control character");
    expect_problem("\xef\xbb\xbf\x1b", 4, "a byte order mark");
    expect_problem("\xe2\x80\xae", 3, "a character that changes the direction of writing");
    expect_problem("a\xc3", 2, "bytes that are not UTF-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_put__is_read_back),
        cmocka_unit_test(utf8_decode__leaves_what_follows),
        cmocka_unit_test(utf8_decode__refuses),
        cmocka_unit_test(utf8_problem__names_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
