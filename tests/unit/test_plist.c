/* XML property lists and the DER form of entitlements. */
#include "macho/plist.h"

#include <string.h>

#include "unit.h"

/* DER of a property list, in hexadecimal; or the failure's message. */
static char *der_of(const char *xml)
{
    own_plist struct plist list = {0};
    own_buf struct buf der = {0};
    own_fail struct fail fail = {0};
    struct view view = {(const uint8_t *)xml, strlen(xml)};
    if (plist_parse(&list, view, &fail) < 0 || plist_encode_der(&der, &list, &fail) < 0)
        return text_copy(fail.message);
    char *hex = mem_new(2 * der.len + 1, 1);
    text_hex(hex, der.data, der.len);
    return hex;
}

static void plist_encode_der__values(void **state)
{
    static const struct {
        const char *xml;
        const char *der;
    } cases[] = {
        {"<plist><dict/></plist>", "7005020101b000"},
        {"<dict></dict>", "7005020101b000"},
        {"<plist><dict><key>b</key><false/><key>a</key><integer>-129</integer></dict></plist>",
         "7016020101b01130070c01610202ff7f30060c0162010100"}, /* sorted: a before b */
        {"<dict><key>&lt;&#65;&#x20ac;</key><string> x&amp;y </string></dict>",
         "7015020101b010300e0c053c41e282ac0c052078267920"},
        {"<dict><key>k</key><array><string>s</string><true></true><dict><key>i</key>"
         "<integer>0x80</integer></dict></array></dict>",
         "701d020101b01830160c016b30110c01730101ffb00930070c016902020080"},
        {"<dict><key>a</key><data>AAEC</data></dict>", "700f020101b00a30080c01610403000102"},
        {"<!-- c --><!DOCTYPE plist PUBLIC \"x\" \"y\"><plist><!-- d --><dict/></plist>\n",
         "7005020101b000"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_mem char *der = der_of(cases[i].xml);
        if (strcmp(der, cases[i].der) != 0)
            print_message("case %zu: %s\n", i, der);
        assert_string_equal(der, cases[i].der);
    }
}

static void plist_encode_der__refused(void **state)
{
    static const struct {
        const char *xml;
        const char *words;
    } cases[] = {
        {"<plist><array/></plist>", "no dictionary"},
        {"<dict><key>a</key><date>2024-01-01T00:00:00Z</date></dict>", "no date"},
        {"<dict><key>a</key><array><real>1</real></array></dict>", "no date and no real"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_mem char *message = der_of(cases[i].xml);
        unit_assert_contains(message, cases[i].words, __FILE__, __LINE__);
    }
}

static struct view view_of(const char *text)
{
    return (struct view){(const uint8_t *)text, strlen(text)};
}

static char *text_of(const struct plist *list)
{
    own_buf struct buf text = {0};
    plist_text(&text, list, 0);
    return text_copy(buf_text(&text));
}

/* One value alone, as plist_text() shows it. */
static void plist_parse_xml__values(void **state)
{
    static const struct {
        const char *xml;
        const char *text;
    } cases[] = {
        {"<integer>0</integer>", "0\n"},
        {"<integer> \n+7</integer>", "7\n"},
        {"<integer>010</integer>", "10\n"}, /* not octal */
        {"<integer>-0x10</integer>", "-16\n"},
        {"<integer>0XfF</integer>", "255\n"},
        {"<integer>9223372036854775807</integer>", "9223372036854775807\n"},
        {"<integer>-9223372036854775808</integer>", "-9223372036854775808\n"},
        {"<integer>-0x8000000000000000</integer>", "-9223372036854775808\n"},
        {"<real>-1.5e3</real>", "-1500\n"},
        {"<real>+infinity</real>", "inf\n"},
        {"<real>NaN</real>", "nan\n"},
        {"<string/>", "\"\"\n"},
        {"<string></string >", "\"\"\n"},
        {"<string>a<![CDATA[<&>]]]>b</string>", "\"a<&>]b\"\n"},
        {"<string><![CDATA[]]></string>", "\"\"\n"},
        {"<string>&amp;lt;</string>", "\"&lt;\"\n"},
        {"<string>&#x1F600;</string>", "\"\xf0\x9f\x98\x80\"\n"},
        {"<string>\n x \n</string>", "\"\\x0a x \\x0a\"\n"},
        {"<data>AAEC</data>", "<000102>\n"},
        {"<data>\n\tA A\n==\n</data>", "<00>\n"},
        {"<data>AAE=</data>", "<0001>\n"},
        {"<data/>", "<>\n"},
        {"<date>2024-02-29T23:59:59Z</date>", "2024-02-29T23:59:59Z\n"},
        {"<date>0001-01-01T00:00:00Z</date>", "0001-01-01T00:00:00Z\n"},
        {"<true/>", "true\n"},
        {"<false></false>", "false\n"},
        {"<array/>", "[]\n"},
        {"<dict></dict>", "{}\n"},
        {"\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><plist version=\"1.0\"><true/>"
         "</plist>",
         "true\n"},
        {"<?xml version='1.0' encoding='US-ASCII'?><true/>", "true\n"},
        {"<?xml version='1.0'?><!--><!-- --><?x?><true/>\n<!-- -->", "true\n"},
        {"<array><!-- <true/> --><false/><?x <true/> ?></array>", "- false\n"},
        {"<plist a='\"' b=\"'\"><true/></plist>", "true\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_plist struct plist list = {0};
        own_fail struct fail fail = {0};
        print_message("%s\n", cases[i].xml);
        assert_works(plist_parse(&list, view_of(cases[i].xml), &fail), &fail);
        assert_int_equal(list.form, PLIST_FORM_XML);
        own_mem char *text = text_of(&list);
        assert_string_equal(text, cases[i].text);
    }
}

/* Nothing behind the document but white space and NULs. */
static void plist_parse_xml__padding(void **state)
{
    own_plist struct plist list = {0};
    own_plist struct plist other = {0};
    own_fail struct fail fail = {0};
    (void)state;
    assert_works(plist_parse_xml(&list, (struct view){(const uint8_t *)"<true/>\n\0\0", 10}, &fail),
                 &fail);
    assert_fails(plist_parse_xml(&other, (struct view){(const uint8_t *)"<true/>\0x", 9}, &fail),
                 &fail, FAIL_INPUT, "offset 8");
}

static void plist_parse_xml__malformed(void **state)
{
    static const struct {
        const char *xml;
        const char *words;
    } cases[] = {
        {"", "(offset 0): it ends early"},
        {"bplist00", "binary"},
        {"<plist>", "it ends early"},
        {"<plist><dict>\n\n<key>a</key></dict></plist>",
         "line 3 (offset 34): a tag that is no value"},
        {"<plist><dict><string>a</string></dict></plist>", "without a key"},
        {"<plist><dict/><dict/></plist>", "more than one value"},
        {"<plist><dict/></plist>x", "(offset 22): bytes behind"},
        {"<plist><nothing/></plist>", "no value"},
        {"<plist/>", "no value"},
        {"</true>", "no value"},
        {"<plist><plist><true/></plist></plist>", "no value"},
        {"<plist><dict><key>a</key><string>b</dict></plist>", "a tag inside of text"},
        {"<string>a<!-- -->b</string>", "(offset 9): a tag inside of text"},
        {"<string>a<b/></string>", "(offset 9): a tag inside of text"},
        {"<plist><dict></array></plist>", "cross"},
        {"<plist><dict><key>&bad;</key><true/></dict></plist>", "entity"},
        {"<string>&amp</string>", "entity"},
        {"<plist><dict><key>&#0;</key><true/></dict></plist>", "character reference"},
        {"<string>&#x110000;</string>", "character reference"},
        {"<string>&#;</string>", "character reference"},
        {"<string>&#x;</string>", "character reference"},
        {"<string>&#-1;</string>", "character reference"},
        {"<string>&#4294967361;</string>", "character reference"},
        {"<plist><dict><key>&#xd800;</key><true/></dict></plist>", "character reference"},
        {"<plist><dict><key>\xff</key><true/></dict></plist>", "not UTF-8"},
        {"<plist><dict><key>\xc0\x80</key><true/></dict></plist>", "not UTF-8"},
        {"<string>\xed\xa0\x80</string>", "not UTF-8"},
        {"<string><![CDATA[\xff]]></string>", "CDATA section that is not UTF-8"},
        {"<string><![CDATA[</string>", "CDATA section does not end"},
        {"<string>a", "it ends early"},
        {"<plist><dict><key>a</key><integer>x</integer></dict></plist>", "integer"},
        {"<integer/>", "integer"},
        {"<integer>0x</integer>", "integer"},
        {"<integer>--1</integer>", "integer"},
        {"<integer>1 </integer>", "integer"},
        {"<integer>9223372036854775808</integer>", "integer"},
        {"<integer>-9223372036854775809</integer>", "integer"},
        {"<integer>0x10000000000000000</integer>", "integer"},
        {"<real></real>", "number"},
        {"<real>0x1p3</real>", "number"},
        {"<real>1e</real>", "number"},
        {"<real>nan(1)</real>", "number"},
        {"<date>2023-02-29T00:00:00Z</date>", "date"},
        {"<date>2024-01-01T24:00:00Z</date>", "date"},
        {"<date>2024-01-01 00:00:00Z</date>", "date"},
        {"<date>2024-1-1T0:0:0Z</date>", "date"},
        {"<date>-024-01-01T00:00:00Z</date>", "date"},
        {"<data>A</data>", "base 64"},
        {"<data>AA==AAAA</data>", "base 64"},
        {"<data>A===</data>", "base 64"},
        {"<data>AA=A</data>", "base 64"},
        {"<data>AA*A</data>", "base 64"},
        {"<true>x</true>", "truth"},
        {"<true></false>", "a tag inside of text"},
        {"<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>", "internal subset"},
        {"<!DOCTYPE plist", "document type does not end"},
        {"<!-- ", "comment"},
        {"<!-->", "comment"},
        {"<?x", "processing instruction"},
        {"<?xml version='1.0' encoding='UTF-16'?><true/>", "(offset 0): an encoding"},
        {"<?xml version='1.0' encoding='utf-8x'?><true/>", "an encoding"},
        {"<?xml version='1.0' encoding=", "XML declaration does not end"},
        {"<plist version=\"<\"><true/></plist>", "bracket"},
        {"<plist version=\">\"><true/></plist>", "bracket"},
        {"<plist version=\"1", "tag does not end"},
        {"<string a=\"b\">c</string>", "attributes"},
        {"</plist/>", "closing tag that is empty"},
        {"<integerintegerinteger>", "unknown name"},
        {"<dict><key>a</key><true/><key>b</key><true/><key>&#97;</key><true/></dict>", "twice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_plist struct plist list = {0};
        own_fail struct fail fail = {0};
        print_message("%s\n", cases[i].xml);
        assert_fails(plist_parse_xml(&list, view_of(cases[i].xml), &fail), &fail, FAIL_INPUT,
                     cases[i].words);
        assert_null(list.nodes);
    }
}

static void plist_parse_xml__limits(void **state)
{
    own_buf struct buf deep = {0};
    own_buf struct buf many = {0};
    (void)state;
    for (unsigned i = 0; i < PLIST_DEPTH_MAX + 1; i++)
        buf_puts(&deep, "<array>");
    own_mem char *too_deep = der_of(buf_text(&deep));
    assert_non_null(strstr(too_deep, "nested too deeply"));
    buf_puts(&many, "<array>");
    for (unsigned i = 0; i < PLIST_NODES_MAX; i++)
        buf_puts(&many, "<true/>");
    own_mem char *too_many = der_of(buf_text(&many));
    assert_non_null(strstr(too_many, "too many values"));
    buf_zeros(&many, PLIST_LEN_MAX);
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    assert_fails(plist_parse_xml(&list, (struct view){many.data, many.len}, &fail), &fail,
                 FAIL_INPUT, "too large");
    assert_fails(plist_parse_der(&list, (struct view){many.data, many.len}, &fail), &fail,
                 FAIL_INPUT, "too large");
}

/* Bytes of the notation "70 05 ..." (blanks anywhere). */
static void put_hex(struct buf *out, const char *hex)
{
    for (; *hex; hex++) {
        unsigned char byte = 0;
        if (*hex == ' ')
            continue;
        own_mem char *digits = mem_copy(hex, 2);
        assert_int_equal(text_unhex(&byte, 1, digits), 0);
        buf_putc(out, (char)byte);
        hex++;
    }
}

static int parse_hex(struct plist *out, const char *hex, bool der, struct fail *fail)
{
    own_buf struct buf bytes = {0};
    put_hex(&bytes, hex);
    /* A copy of its own size, so that a read behind it is seen. */
    own_mem uint8_t *exact = mem_copy(buf_text(&bytes), bytes.len);
    const struct view view = {exact, bytes.len};
    return der ? plist_parse_der(out, view, fail) : plist_parse(out, view, fail);
}

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
        assert_works(parse_hex(&list, cases[i].hex, true, &fail), &fail);
        own_mem char *text = text_of(&list);
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
    assert_works(parse_hex(&list,
                           "31 1c 30 06 0c 01 62 01 01 01"
                           "      30 12 0c 01 61 31 0d 30 0b 0c 01 63 30 06 0c 01 78 0c 01 79",
                           true, &fail),
                 &fail);
    own_mem char *text = text_of(&list);
    assert_string_equal(text, "b = true\n"
                              "a =\n"
                              "  c =\n"
                              "    - \"x\"\n"
                              "    - \"y\"\n");
    assert_works(plist_parse(&same,
                             view_of("<dict><key>a</key><dict><key>c</key><array><string>x"
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
        assert_fails(parse_hex(&list, cases[i].hex, true, &fail), &fail, FAIL_INPUT,
                     cases[i].words);
        assert_null(list.nodes);
    }
}

static void plist_parse_der__limits(void **state)
{
    own_buf struct buf inner = {0};
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    (void)state;
    /* Sets in pairs in sets, 33 of them. */
    buf_append(&inner, "\x31\0", 2);
    for (unsigned i = 0; i < PLIST_DEPTH_MAX; i++) {
        own_buf struct buf outer = {0};
        bool wide = inner.len > 110;
        buf_append(&outer, wide ? "\x31\x82" : "\x31", wide ? 2 : 1);
        size_t len = inner.len + (wide ? 6 : 4);
        if (wide)
            buf_putc(&outer, (char)(len >> 8));
        buf_putc(&outer, (char)len);
        buf_append(&outer, wide ? "\x30\x82" : "\x30", wide ? 2 : 1);
        if (wide)
            buf_putc(&outer, (char)((inner.len + 2) >> 8));
        buf_putc(&outer, (char)(inner.len + 2));
        buf_append(&outer, "\x0c\0", 2);
        buf_append(&outer, inner.data, inner.len);
        buf_release(&inner);
        inner = outer;
        outer = (struct buf){0};
    }
    assert_fails(plist_parse_der(&list, (struct view){inner.data, inner.len}, &fail), &fail,
                 FAIL_INPUT, "");
}

static void plist_equal__differences(void **state)
{
    static const struct {
        const char *a;
        const char *b;
        const char *path; /* NULL: they are equal */
        const char *first;
        const char *second;
    } cases[] = {
        {"<dict/>", "<dict></dict>", NULL, NULL, NULL},
        {"<dict><key>b</key><true/><key>a</key><true/></dict>",
         "<dict><key>a</key><true/><key>b</key><true/></dict>", NULL, NULL, NULL},
        {"<real>nan</real>", "<real>nan</real>", NULL, NULL, NULL},
        {"<dict/>", "<array/>", "", "a dictionary of 0 values", "an array of 0 values"},
        {"<true/>", "<integer>1</integer>", "", "true", "1"},
        {"<string>a</string>", "<data>YQ==</data>", "", "\"a\"", "<61>"},
        {"<string>ab</string>", "<string>a</string>", "", "\"ab\"", "\"a\""},
        {"<date>2024-01-01T00:00:00Z</date>", "<date>2024-01-01T00:00:01Z</date>", "",
         "2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z"},
        {"<dict><key>a</key><true/></dict>", "<dict><key>a</key><false/></dict>", "a", "true",
         "false"},
        {"<dict><key>a</key><true/></dict>", "<dict/>", "a", "true", NULL},
        {"<dict/>", "<dict><key>a</key><array><true/></array></dict>", "a", NULL,
         "an array of 1 value"},
        {"<dict><key>b</key><true/></dict>", "<dict><key>a</key><true/></dict>", "a", NULL, "true"},
        {"<dict><key>k</key><array><true/><dict><key>i</key><integer>1</integer></dict></array>"
         "</dict>",
         "<dict><key>k</key><array><true/><dict><key>i</key><integer>2</integer></dict></array>"
         "</dict>",
         "k[1] > i", "1", "2"},
        {"<array><array><true/></array></array>", "<array><array/></array>", "[0][0]", "true",
         NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_plist struct plist a = {0};
        own_plist struct plist b = {0};
        own_plist_difference struct plist_difference difference = {0};
        own_fail struct fail fail = {0};
        assert_works(plist_parse(&a, view_of(cases[i].a), &fail), &fail);
        assert_works(plist_parse(&b, view_of(cases[i].b), &fail), &fail);
        print_message("%s %s\n", cases[i].a, cases[i].b);
        assert_int_equal(plist_equal(&difference, &a, &b), cases[i].path == NULL);
        const char *const expected[] = {cases[i].path, cases[i].first, cases[i].second};
        const char *const actual[] = {difference.path, difference.first, difference.second};
        for (size_t j = 0; j < 3; j++) {
            assert_int_equal(!actual[j], !expected[j]);
            if (expected[j])
                assert_string_equal(actual[j], expected[j]);
        }
    }
}

/* Binary lists, by the description of the format: objects, offsets, and the 32 bytes at the end.
 * `refs` are one byte long, offsets too. */
static void binary_list(struct buf *out, const char *const *objects, size_t count, uint8_t top)
{
    uint8_t offsets[64] = {0};
    buf_puts(out, "bplist00");
    for (size_t i = 0; i < count; i++) {
        offsets[i] = (uint8_t)out->len;
        put_hex(out, objects[i]);
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
    own_mem char *text = text_of(&list);
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
    put_hex(&bytes, "af 10 80"); /* 128 times the same text of 64 KiB */
    for (unsigned i = 0; i < 128; i++)
        buf_putc(&bytes, 1);
    size_t text = bytes.len;
    put_hex(&bytes, "5f 12 00 01 00 00");
    for (size_t i = 0; i < text_len; i++)
        buf_putc(&bytes, 'a');
    size_t table = bytes.len;
    buf_u32be(&bytes, 8);
    buf_u32be(&bytes, (uint32_t)text);
    buf_zeros(&bytes, 6);
    put_hex(&bytes, "04 01");
    buf_u64be(&bytes, 2);
    buf_u64be(&bytes, 0);
    buf_u64be(&bytes, table);
    assert_fails(plist_parse(&list, (struct view){bytes.data, bytes.len}, &fail), &fail, FAIL_INPUT,
                 "too long together");
}

static void plist_json__values(void **state)
{
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    (void)state;
    assert_works(
        plist_parse(&list,
                    view_of("<dict><key>s</key><string>\xc3\xa9</string><key>i</key><integer>-1"
                            "</integer><key>b</key><array><true/><false/></array><key>d</key>"
                            "<data>AP8=</data><key>t</key><date>2024-01-31T23:59:59Z</date>"
                            "<key>r</key><real>0.5</real><key>n</key><real>nan</real>"
                            "<key>o</key><dict/></dict>"),
                    &fail),
        &fail);
    own_json json_t *json = plist_json(&list);
    js_print(&out, json);
    assert_string_equal(buf_text(&out), "{\n"
                                        "  \"s\": \"\xc3\xa9\",\n"
                                        "  \"i\": -1,\n"
                                        "  \"b\": [\n    true,\n    false\n  ],\n"
                                        "  \"d\": \"00ff\",\n"
                                        "  \"t\": \"2024-01-31T23:59:59Z\",\n"
                                        "  \"r\": 0.5,\n"
                                        "  \"n\": \"nan\",\n"
                                        "  \"o\": {}\n"
                                        "}\n");
}

static void plist_value_text__shortened(void **state)
{
    own_buf struct buf xml = {0};
    own_buf struct buf out = {0};
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    (void)state;
    buf_puts(&xml, "<array><string>a");
    for (unsigned i = 0; i < 150; i++)
        buf_puts(&xml, "\xc3\xa9");
    buf_puts(&xml, "</string><string>\x1b[31m</string></array>");
    assert_works(plist_parse(&list, (struct view){xml.data, xml.len}, &fail), &fail);
    plist_value_text(&out, &list, &list.nodes[1]);
    assert_int_equal(out.len, 1 + 199 + 1 + strlen("... (301 bytes)")); /* no half character */
    buf_truncate(&out, 0);
    plist_value_text(&out, &list, &list.nodes[2]);
    assert_string_equal(buf_text(&out), "\"\\x1b[31m\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plist_encode_der__values),
        cmocka_unit_test(plist_encode_der__refused),
        cmocka_unit_test(plist_parse_xml__values),
        cmocka_unit_test(plist_parse_xml__padding),
        cmocka_unit_test(plist_parse_xml__malformed),
        cmocka_unit_test(plist_parse_xml__limits),
        cmocka_unit_test(plist_parse_der__values),
        cmocka_unit_test(plist_parse_der__set),
        cmocka_unit_test(plist_parse_der__malformed),
        cmocka_unit_test(plist_parse_der__limits),
        cmocka_unit_test(plist_parse__binary),
        cmocka_unit_test(plist_parse__binary_malformed),
        cmocka_unit_test(plist_parse__binary_trailer),
        cmocka_unit_test(plist_parse__binary_expansion),
        cmocka_unit_test(plist_equal__differences),
        cmocka_unit_test(plist_json__values),
        cmocka_unit_test(plist_value_text__shortened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
