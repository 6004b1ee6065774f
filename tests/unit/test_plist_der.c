/* Property lists in DER, in both forms. */
#include <string.h>

#include "unit/plist_hex.h"
#include "unit/unit.h"

static void plist_parse_der__values(void **state)
{
    static const struct {
        const char *hex;
        enum plist_form form;
        const char *text;
    } cases[] = {
        {"70 05 020101 b0 00", PLIST_FORM_DER, "{}\n"},
        {"70 0f 020101 b0 0a 30 08 0c 01 61 04 03 00 01 02", PLIST_FORM_DER, "a = <000102>\n"},
        {"70 0d 020101 b0 08 30 06 0c 01 61 01 01 ff", PLIST_FORM_DER, "a = true\n"},
        {"70 0d 020101 b0 08 30 06 0c 01 61 01 01 01", PLIST_FORM_DER, "a = true\n"},
        {"70 0d 020101 b0 08 30 06 0c 01 61 01 01 00", PLIST_FORM_DER, "a = false\n"},
        {"70 14 020101 b0 0f 30 0d 0c 01 61 02 08 80 00 00 00 00 00 00 00", PLIST_FORM_DER,
         "a = -9223372036854775808\n"},
        {"70 0c 020101 b0 07 30 05 0c 01 61 0c 00", PLIST_FORM_DER, "a = \"\"\n"},
        {"70 0c 020101 b0 07 30 05 0c 01 61 30 00", PLIST_FORM_DER, "a = []\n"},
        {"70 18 020101 b0 13 30 11 0c 01 61 30 0c b0 08 30 06 0c 01 62 02 01 ff b0 00",
         PLIST_FORM_DER, "a =\n  -\n    b = -1\n  - {}\n"},
        {"31 00", PLIST_FORM_DER_SET, "{}\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_plist struct plist list = {0};
        own_fail struct fail fail = {0};
        print_message("%s\n", cases[i].hex);
        assert_works(plist_hex_parse(&list, cases[i].hex, true, &fail), &fail);
        own_mem char *text = plist_hex_text(&list);
        assert_int_equal(list.form, cases[i].form);
        assert_string_equal(text, cases[i].text);
    }
}

/* The older form: sets, truth is 01, keys in any order. */
static void plist_parse_der__set(void **state)
{
    own_plist struct plist list = {0};
    own_plist struct plist same = {0};
    own_plist_difference struct plist_difference difference = {0};
    own_fail struct fail fail = {0};
    (void)state;
    assert_works(
        plist_hex_parse(&list,
                        "31 1c 30 06 0c 01 62 01 01 01"
                        "      30 12 0c 01 61 31 0d 30 0b 0c 01 63 30 06 0c 01 78 0c 01 79",
                        true, &fail),
        &fail);
    own_mem char *text = plist_hex_text(&list);
    assert_string_equal(text, "b = true\n"
                              "a =\n"
                              "  c =\n"
                              "    - \"x\"\n"
                              "    - \"y\"\n");
    assert_works(plist_parse(&same,
                             unit_text("<dict><key>a</key><dict><key>c</key><array><string>x"
                                       "</string><string>y</string></array></dict><key>b</key>"
                                       "<true/></dict>"),
                             &fail),
                 &fail);
    assert_true(plist_equal(&difference, &list, &same));
}

static void plist_parse_der__malformed(void **state)
{
    static const struct {
        const char *hex;
        const char *words;
    } cases[] = {
        {"", "offset 0: it ends early"},
        {"70", "offset 0: it ends early"},
        {"70 05 020101 b0", "offset 0: an element reaches"},
        {"70 05 020101 b0 00 00", "offset 7: bytes behind"},
        {"30 00", "root is no dictionary"},
        {"b0 00", "root is no dictionary"},
        {"70 00", "offset 2: it ends early"},
        {"70 02 b0 00", "offset 2: no version"},
        {"70 05 020102 b0 00", "offset 2: a version other"},
        {"70 05 020101 30 00", "offset 5: the root is no dictionary"},
        {"70 05 020101 31 00", "offset 5: the root is no dictionary"},
        {"70 07 020101 b0 00 b0 00", "offset 7: more than one"},
        {"70 06 020101 b0 81 00", "offset 5: a length that is not minimal"},
        {"70 80 020101 b0 00 00 00", "offset 0: a length that DER does not have"},
        {"70 85 00 00 00 00 05 020101 b0 00", "offset 0: a length that DER does not have"},
        {"70 84 ff ff ff ff 020101 b0 00", "offset 0: an element reaches"},
        {"70 82 00 85 020101 b0 00", "offset 0: a length that is not minimal"},
        {"70 83 05", "offset 0: it ends early"},
        {"70 06 020101 b0 01 30", "offset 7: it ends early"},
        {"70 07 020101 b0 02 0c 00", "offset 7: a dictionary with something"},
        {"70 0a 020101 b0 05 30 03 0c 01 61", "offset 12: it ends early"},
        {"70 0c 020101 b0 07 30 05 04 01 61 30 00", "offset 9: a key that is no UTF-8"},
        {"70 0c 020101 b0 07 30 05 0c 01 ff 30 00", "offset 9: a key that is no UTF-8"},
        {"70 0c 020101 b0 07 30 05 0c 01 00 30 00", "offset 9: a key that is no UTF-8"},
        {"70 0e 020101 b0 09 30 07 0c 01 61 30 00 30 00", "offset 14: a pair with more"},
        {"70 0c 020101 b0 07 30 05 0c 01 61 31 00", "offset 12: an element that is no value"},
        {"70 0c 020101 b0 07 30 05 0c 01 61 05 00", "offset 12: an element that is no value"},
        {"70 0c 020101 b0 07 30 05 0c 01 61 70 00", "offset 12: an element that is no value"},
        {"31 07 30 05 0c 01 61 b0 00", "offset 7: an element that is no value"},
        {"70 0d 020101 b0 08 30 06 0c 01 61 01 01 02", "offset 12: a malformed truth"},
        {"70 0c 020101 b0 07 30 05 0c 01 61 01 00", "offset 12: a malformed truth"},
        {"70 0e 020101 b0 09 30 07 0c 01 61 02 02 00 7f", "offset 12: an integer that is not"},
        {"70 0e 020101 b0 09 30 07 0c 01 61 02 02 ff 80", "offset 12: an integer that is not"},
        {"70 0c 020101 b0 07 30 05 0c 01 61 02 00", "offset 12: an integer of no"},
        {"70 15 020101 b0 10 30 0e 0c 01 61 02 09 00 80 00 00 00 00 00 00 00",
         "offset 12: an integer of no or of more"},
        {"70 0d 020101 b0 08 30 06 0c 01 61 0c 01 80", "offset 12: a text that is not UTF-8"},
        {"70 13 020101 b0 0e 30 05 0c 01 61 30 00 30 05 0c 01 61 30 00",
         "offset 5: a key occurs twice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_plist struct plist list = {0};
        own_fail struct fail fail = {0};
        print_message("%s\n", cases[i].hex);
        assert_fails(plist_hex_parse(&list, cases[i].hex, true, &fail), &fail, FAIL_INPUT,
                     cases[i].words);
        assert_null(list.nodes);
    }
}

/* Puts an element around the bytes, with the shortest length. */
static void enclose(struct buf *bytes, uint8_t tag)
{
    own_buf struct buf outer = {0};
    buf_putc(&outer, (char)tag);
    if (bytes->len > 0xff)
        buf_append(&outer, "\x82", 1);
    else if (bytes->len > 0x7f)
        buf_append(&outer, "\x81", 1);
    if (bytes->len > 0xff)
        buf_putc(&outer, (char)(bytes->len >> 8));
    buf_putc(&outer, (char)bytes->len);
    if (bytes->len > 0)
        buf_append(&outer, bytes->data, bytes->len);
    buf_release(bytes);
    *bytes = outer;
    outer = (struct buf){0};
}

/* Sets in pairs in sets. */
static void nest(struct buf *out, unsigned depth)
{
    enclose(out, 0x31);
    for (unsigned i = 1; i < depth; i++) {
        own_buf struct buf pair = {0};
        buf_append(&pair, "\x0c\0", 2);
        buf_append(&pair, out->data, out->len);
        enclose(&pair, 0x30);
        enclose(&pair, 0x31);
        buf_release(out);
        *out = pair;
        pair = (struct buf){0};
    }
}

static void plist_parse_der__depth(void **state)
{
    own_buf struct buf deepest = {0};
    own_buf struct buf deeper = {0};
    own_plist struct plist list = {0};
    own_plist struct plist none = {0};
    own_fail struct fail fail = {0};
    (void)state;
    nest(&deepest, PLIST_DEPTH_MAX);
    nest(&deeper, PLIST_DEPTH_MAX + 1);
    assert_works(plist_parse_der(&list, (struct view){deepest.data, deepest.len}, &fail), &fail);
    assert_int_equal(list.count, PLIST_DEPTH_MAX);
    assert_fails(plist_parse_der(&none, (struct view){deeper.data, deeper.len}, &fail), &fail,
                 FAIL_INPUT, "nested too deeply");
}

/* 16384 values in one array: one too many with the dictionary. */
static void plist_parse_der__count(void **state)
{
    own_buf struct buf bytes = {0};
    own_buf struct buf pair = {0};
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    (void)state;
    for (unsigned i = 0; i < PLIST_NODES_MAX - 1; i++)
        buf_append(&bytes, "\x0c\0", 2);
    enclose(&bytes, 0x30);
    buf_append(&pair, "\x0c\0", 2);
    buf_append(&pair, bytes.data, bytes.len);
    enclose(&pair, 0x30);
    enclose(&pair, 0x31);
    assert_fails(plist_parse_der(&list, (struct view){pair.data, pair.len}, &fail), &fail,
                 FAIL_INPUT, "too many values");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plist_parse_der__values),    cmocka_unit_test(plist_parse_der__set),
        cmocka_unit_test(plist_parse_der__malformed), cmocka_unit_test(plist_parse_der__depth),
        cmocka_unit_test(plist_parse_der__count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
