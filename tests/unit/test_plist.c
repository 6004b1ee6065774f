/* XML property lists and the DER form of entitlements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "macho/plist.h"

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

static void plist_parse__malformed(void **state)
{
    static const struct {
        const char *xml;
        const char *words;
    } cases[] = {
        {"", "it ends early"},
        {"bplist00", "binary"},
        {"<plist>", "it ends early"},
        {"<plist><dict>\n\n<key>a</key></dict></plist>", "line 3: a tag that is no value"},
        {"<plist><dict><string>a</string></dict></plist>", "without a key"},
        {"<plist><dict/><dict/></plist>", "more than one value"},
        {"<plist><dict/></plist>x", "bytes behind"},
        {"<plist><nothing/></plist>", "no value"},
        {"<plist><dict><key>a</key><string>b</dict></plist>", "a tag inside of text"},
        {"<plist><dict></array></plist>", "cross"},
        {"<plist><dict><key>&bad;</key><true/></dict></plist>", "entity"},
        {"<plist><dict><key>&#0;</key><true/></dict></plist>", "character reference"},
        {"<plist><dict><key>&#xd800;</key><true/></dict></plist>", "character reference"},
        {"<plist><dict><key>\xff</key><true/></dict></plist>", "not UTF-8"},
        {"<plist><dict><key>\xc0\x80</key><true/></dict></plist>", "not UTF-8"},
        {"<plist><dict><key>a</key><integer>x</integer></dict></plist>", "integer"},
        {"<plist><dict><key>a</key><integer>99999999999999999999</integer></dict></plist>",
         "integer"},
        {"<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>", "internal subset"},
        {"<!-- ", "comment"},
        {"<plist><array/></plist>", "no dictionary"},
        {"<plist><dict><key>a</key><data>AAAA</data></dict></plist>", "no dictionary, array"},
        {"<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", "twice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_mem char *message = der_of(cases[i].xml);
        if (!strstr(message, cases[i].words))
            print_message("case %zu: %s\n", i, message);
        assert_non_null(strstr(message, cases[i].words));
    }
}

static void plist_parse__limits(void **state)
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
    assert_int_equal(plist_parse(&list, (struct view){many.data, many.len}, &fail), -1);
    assert_non_null(strstr(fail.message, "too large"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plist_encode_der__values),
        cmocka_unit_test(plist_parse__malformed),
        cmocka_unit_test(plist_parse__limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
