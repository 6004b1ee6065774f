/* Binary property lists. */
#include <string.h>

#include "unit/plist_hex.h"
#include "unit/unit.h"

/* Binary lists, by the description of the format: objects, offsets, and the 32 bytes at the end.
 * `refs` are one byte long, offsets too. */
static void binary_list(struct buf *out, const char *const *objects, size_t count, uint8_t top)
{
    uint8_t offsets[64] = {0};
    buf_puts(out, "bplist00");
    for (size_t i = 0; i < count; i++) {
        offsets[i] = (uint8_t)out->len;
        plist_hex_put(out, objects[i]);
    }
    size_t table = out->len;
    buf_append(out, offsets, count);
    buf_zeros(out, 6);
    buf_putc(out, 1);
    buf_putc(out, 1);
    buf_u64be(out, count);
    buf_u64be(out, top);
    buf_u64be(out, table);
}

static void plist_parse__binary(void **state)
{
    static const char *const objects[] = {
        "d2 01 02 03 04",                                  /* 0: { "a": array, "é": {} } */
        "51 61",                                           /* 1 */
        "61 00 e9",                                        /* 2 */
        "af 10 0d 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 04", /* 3: 13 values */
        "d0",                                              /* 4, used twice */
        "08",                                              /* 5 */
        "09",
        "10 ff",                      /* 7: 255: one byte has no sign */
        "13 ff ff ff ff ff ff ff ff", /* 8: -1 */
        "14 00 00 00 00 00 00 00 00 7f ff ff ff ff ff ff ff",
        "23 3f f8 00 00 00 00 00 00", /* 10: 1.5 */
        "22 bf 80 00 00",
        "33 41 b8 73 a6 00 00 00 00", /* 12: 410232320 s after 2001 */
        "33 bf e0 00 00 00 00 00 00", /* half a second before 2001 */
        "43 01 02 03",                /* 14 */
        "62 d8 3d de 00",             /* one character outside of the first 65536 */
        "72 c3 a9",
    };
    own_buf struct buf bytes = {0};
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    (void)state;
    binary_list(&bytes, objects, sizeof(objects) / sizeof(objects[0]), 0);
    assert_works(plist_parse(&list, (struct view){bytes.data, bytes.len}, &fail), &fail);
    own_mem char *text = plist_hex_text(&list);
    assert_int_equal(list.form, PLIST_FORM_BINARY);
    assert_string_equal(text, "a =\n"
                              "  - false\n"
                              "  - true\n"
                              "  - 255\n"
                              "  - -1\n"
                              "  - 9223372036854775807\n"
                              "  - 1.5\n"
                              "  - -1\n"
                              "  - 2014-01-01T01:25:20Z\n"
                              "  - 2000-12-31T23:59:59Z\n"
                              "  - <010203>\n"
                              "  - \"\xf0\x9f\x98\x80\"\n"
                              "  - \"\xc3\xa9\"\n"
                              "  - {}\n"
                              "\xc3\xa9 = {}\n");
}

static void plist_parse__binary_malformed(void **state)
{
    static const struct {
        const char *objects[4];
        const char *words;
    } cases[] = {
        {{"00"}, "offset 8: an object that is no value"},
        {{"80 01"}, "offset 8: an object that is no value"},
        {{"c0"}, "offset 8: an object that is no value"},
        {{"a1 01"}, "a reference to an object that is not there"},
        {{"a1 00"}, "nested too deeply"}, /* it holds itself */
        {{"a4 01 01 01 01", "a4 02 02 02 02", "5f 11 ff ff 61"}, "reaches into the offset table"},
        {{"a2 00"}, "reaches into the offset table"},
        {{"d1 00"}, "reaches into the offset table"},
        {{"d1 01 00", "08"}, "nested too deeply"},
        {{"d1 01 01", "08"}, "a key that is no text"},
        {{"d2 01 01 02 02", "51 61", "08"}, "a key occurs twice"},
        {{"12 00 00"}, "reaches into the offset table"},
        {{"15 00"}, "an integer of an unknown size"},
        {{"14 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00"}, "more than 64 bits"},
        {{"14 00 00 00 00 00 00 00 00 80 00 00 00 00 00 00 00"}, "more than 64 bits"},
        {{"21 00 00"}, "a real number of an unknown size"},
        {{"33 7f f8 00 00 00 00 00 00"}, "a date outside"},
        {{"33 43 00 00 00 00 00 00 00"}, "a date outside"},
        {{"5f 13 ff ff ff ff ff ff ff ff 61"}, "a negative count"},
        {{"5f 51 61"}, "a count that is no integer"},
        {{"4f 13 7f ff ff ff ff ff ff ff 61"}, "a count that is too large"},
        {{"6f 13 7f ff ff ff ff ff ff ff 61"}, "a count that is too large"},
        {{"af 13 7f ff ff ff ff ff ff ff 61"}, "too many values"},
        {{"51 e9"}, "not ASCII"},
        {{"51 00"}, "without NUL"},
        {{"61 00 00"}, "without NUL"},
        {{"61 d8 00"}, "not UTF-16"},
        {{"61 dc 00"}, "not UTF-16"},
        {{"62 d8 00 00 61"}, "not UTF-16"},
        {{"71 ff"}, "not Unicode"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_buf struct buf bytes = {0};
        own_plist struct plist list = {0};
        own_fail struct fail fail = {0};
        size_t count = 0;
        while (count < 4 && cases[i].objects[count])
            count++;
        binary_list(&bytes, cases[i].objects, count, 0);
        print_message("%s\n", cases[i].objects[0]);
        assert_fails(plist_parse(&list, (struct view){bytes.data, bytes.len}, &fail), &fail,
                     FAIL_INPUT, cases[i].words);
        assert_null(list.nodes);
    }
}

/* The end of the file: each field that can be wrong. */
static void plist_parse__binary_trailer(void **state)
{
    static const struct {
        size_t from_end; /* of the byte that is changed */
        uint8_t byte;
        const char *words;
    } cases[] = {
        {26, 0, "numbers of an unknown size"},       {26, 9, "numbers of an unknown size"},
        {25, 0, "numbers of an unknown size"},       {24, 1, "the offset table is too short"},
        {17, 2, "the offset table is too short"},    {9, 1, "a reference to an object"},
        {8, 0x80, "the offset table is not inside"}, {1, 7, "the offset table is not inside"},
        {1, 11, "the offset table is not inside"},   {33, 7, "an offset that is not among"},
        {33, 9, "an offset that is not among"},      {36, 'x', "an unknown version"},
    };
    static const char *const objects[] = {"08"};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_buf struct buf bytes = {0};
        own_plist struct plist list = {0};
        own_fail struct fail fail = {0};
        binary_list(&bytes, objects, 1, 0);
        bytes.data[bytes.len - cases[i].from_end] = cases[i].byte;
        print_message("case %zu\n", i);
        assert_fails(plist_parse(&list, (struct view){bytes.data, bytes.len}, &fail), &fail,
                     FAIL_INPUT, cases[i].words);
    }
    own_buf struct buf bytes = {0};
    binary_list(&bytes, objects, 1, 0);
    for (size_t len = 6; len < bytes.len; len++) {
        own_plist struct plist list = {0};
        own_fail struct fail fail = {0};
        own_mem uint8_t *exact = mem_copy(bytes.data, len);
        assert_int_equal(plist_parse(&list, (struct view){exact, len}, &fail), -1);
    }
}

/* An object that is used often is copied often: what that takes is limited. */
static void plist_parse__binary_expansion(void **state)
{
    own_buf struct buf bytes = {0};
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    const size_t text_len = 0x10000;
    (void)state;
    buf_puts(&bytes, "bplist00");
    plist_hex_put(&bytes, "af 10 80"); /* 128 times the same text of 64 KiB */
    for (unsigned i = 0; i < 128; i++)
        buf_putc(&bytes, 1);
    size_t text = bytes.len;
    plist_hex_put(&bytes, "5f 12 00 01 00 00");
    for (size_t i = 0; i < text_len; i++)
        buf_putc(&bytes, 'a');
    size_t table = bytes.len;
    buf_u32be(&bytes, 8);
    buf_u32be(&bytes, (uint32_t)text);
    buf_zeros(&bytes, 6);
    plist_hex_put(&bytes, "04 01");
    buf_u64be(&bytes, 2);
    buf_u64be(&bytes, 0);
    buf_u64be(&bytes, table);
    assert_fails(plist_parse(&list, (struct view){bytes.data, bytes.len}, &fail), &fail, FAIL_INPUT,
                 "too long together");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plist_parse__binary),
        cmocka_unit_test(plist_parse__binary_malformed),
        cmocka_unit_test(plist_parse__binary_trailer),
        cmocka_unit_test(plist_parse__binary_expansion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
