/* XML property lists and the DER form of entitlements. */
#include "macho/plist.h"

#include <string.h>

#include "unit/plist_hex.h"
#include "unit/unit.h"

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

/* One value alone, as plist_text() shows it. */
static void plist_parse_xml__values(void **state)
{
    static const struct {
        const char *xml;
        const char *text;
    } cases[] = {
        {"<integer>0</integer>", "0\n"},
        {"<integer> \n+7</integer>", "7\n"},
        {"<integer>-1</integer>", "-1\n"},
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
        assert_works(plist_parse(&list, unit_text(cases[i].xml), &fail), &fail);
        assert_int_equal(list.form, PLIST_FORM_XML);
        own_mem char *text = plist_hex_text(&list);
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

/* A tool wrapped the list by half; Apple's readers stop at its end. */
static void plist_parse_xml__loose_ends(void **state)
{
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    (void)state;
    assert_works(plist_parse_xml(&list, unit_text("<plist><true/></plist>\n</a>\n </b>\n"), &fail),
                 &fail);
    assert_int_equal(list.nodes[0].type, PLIST_BOOL);
    assert_string_equal(list.loose, "bytes behind the document: tags that close nothing");
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
        {"<plist><dict/></plist></xml>x", "(offset 22): bytes behind"},
        {"<plist><dict/></plist></xml><dict/>", "(offset 22): bytes behind"},
        {"<dict/></xml>", "(offset 7): bytes behind"},
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
        {"<integer>9223372036854775808</integer>", "an integer out of range"},
        {"<integer>-9223372036854775809</integer>", "an integer out of range"},
        {"<integer>18446744073709551615</integer>", "an integer out of range"},
        {"<integer>18446744073709551616</integer>", "an integer out of range, which is -2^63 to"},
        {"<integer>99999999999999999999999x</integer>", "a malformed integer"},
        {"<integer>0x10000000000000000</integer>", "an integer out of range"},
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
        assert_fails(plist_parse_xml(&list, unit_text(cases[i].xml), &fail), &fail, FAIL_INPUT,
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
        assert_works(plist_parse(&a, unit_text(cases[i].a), &fail), &fail);
        assert_works(plist_parse(&b, unit_text(cases[i].b), &fail), &fail);
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

static void plist_json__values(void **state)
{
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    (void)state;
    assert_works(
        plist_parse(&list,
                    unit_text("<dict><key>s</key><string>\xc3\xa9</string><key>i</key><integer>-1"
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
        cmocka_unit_test(plist_parse_xml__loose_ends),
        cmocka_unit_test(plist_parse_xml__malformed),
        cmocka_unit_test(plist_parse_xml__limits),
        cmocka_unit_test(plist_equal__differences),
        cmocka_unit_test(plist_json__values),
        cmocka_unit_test(plist_value_text__shortened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
