/* Texts that come from input, on their way to a terminal. */
#include "base/own.h"
#include "unit/unit.h"

static void expect_clean(const char *text, const char *clean)
{
    own_mem char *made = text_clean(text);
    assert_string_equal(made, clean);
}

static void text_clean__keeps_what_is_harmless(void **state)
{
    (void)state;
    expect_clean("", "");
    expect_clean("plain ~ \\x41", "plain ~ \\x41");
    expect_clean("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
                 "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    expect_clean("\xc2\xa0\xef\xbf\xbd\xf4\x8f\xbf\xbf", "\xc2\xa0\xef\xbf\xbd\xf4\x8f\xbf\xbf");
}

static void text_clean__escapes_control_characters(void **state)
{
    (void)state;
    expect_clean("a\nb\x1b[31m\x7f", "a\\x0ab\\x1b[31m\\x7f");
    expect_clean("\xc2\x9b"
                 "31m\xc2\x85",
                 "\\xc2\\x9b31m\\xc2\\x85");
    expect_clean("\x9b"
                 "31m",
                 "\\x9b31m");
}

static void text_clean__escapes_what_turns_text_round(void **state)
{
    (void)state;
    expect_clean("a\xe2\x80\xae"
                 "b",
                 "a\\xe2\\x80\\xaeb"); /* U+202E */
    expect_clean("\xe2\x81\xa6\xe2\x80\x8f\xd8\x9c", "\\xe2\\x81\\xa6\\xe2\\x80\\x8f\\xd8\\x9c");
    expect_clean("a\xef\xbb\xbf", "a\\xef\\xbb\\xbf");                       /* U+FEFF */
    expect_clean("\xe2\x80\xa8\xe2\x80\xa7", "\\xe2\\x80\\xa8\xe2\x80\xa7"); /* U+2028, U+2027 */
}

static void text_clean__escapes_what_is_no_utf8(void **state)
{
    (void)state;
    expect_clean("\xff\xfe"
                 "a\x80",
                 "\\xff\\xfea\\x80");
    expect_clean("\xc3", "\\xc3");
    expect_clean("\xe2\x82", "\\xe2\\x82");
    expect_clean("\xe2"
                 "a\xc3\xa9",
                 "\\xe2"
                 "a\xc3\xa9");
    expect_clean("\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf"); /* too long */
    expect_clean("\xed\xa0\x80\xf4\x90\x80\x80",
                 "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"); /* outside */
    expect_clean("\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_clean__keeps_what_is_harmless),
        cmocka_unit_test(text_clean__escapes_control_characters),
        cmocka_unit_test(text_clean__escapes_what_turns_text_round),
        cmocka_unit_test(text_clean__escapes_what_is_no_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
