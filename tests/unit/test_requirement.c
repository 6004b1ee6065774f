/* Requirements in the requirement language. The expected texts are those of the language's
 * documentation and of what `codesign -d -r-` prints for the same requirements. */
#include "macho/requirement.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "unit.h"

/* Builds expressions: a word is a number of 32 bits, a text is counted and padded. */
static void put_text(struct buf *out, const char *text)
{
    buf_u32be(out, (uint32_t)strlen(text));
    buf_puts(out, text);
    buf_zeros(out, -strlen(text) & 3u);
}

/* A small notation for expressions, so that a case is one line: words in decimal or 0x...,
 * 'text', and "bytes in hexadecimal" after a #. */
static void put_notation(struct buf *out, const char *notation)
{
    for (const char *at = notation; *at;) {
        size_t len = strcspn(at, " ");
        if (*at == '\'') {
            len = strcspn(at + 1, "'") + 2;
            own_mem char *text = mem_copy(at + 1, len - 2);
            put_text(out, text);
        } else if (*at == '#') {
            own_buf struct buf bytes = {0};
            for (size_t i = 1; i + 1 < len; i += 2) {
                unsigned char byte = 0;
                own_mem char *hex = mem_copy(at + i, 2);
                assert_int_equal(text_unhex(&byte, 1, hex), 0);
                buf_putc(&bytes, (char)byte);
            }
            buf_u32be(out, (uint32_t)bytes.len);
            if (bytes.len > 0)
                buf_append(out, bytes.data, bytes.len);
            buf_zeros(out, -bytes.len & 3u);
        } else {
            buf_u32be(out, (uint32_t)strtoll(at, NULL, 0));
        }
        at += len;
        at += strspn(at, " ");
    }
}

static void wrap(struct buf *out, uint32_t kind, struct view expression)
{
    buf_u32be(out, 0xfade0c00);
    buf_u32be(out, (uint32_t)(12 + expression.len));
    buf_u32be(out, kind);
    if (expression.len > 0)
        buf_append(out, expression.data, expression.len);
}

/* What is read, in the notation, and its text, or words of the refusal. */
struct sample {
    const char *notation, *text;
};
#define SAMPLES(samples) (samples), sizeof(samples) / sizeof((samples)[0])

typedef int decoder(struct buf *out, struct view blob, struct fail *fail);

/* The text of one requirement, of which the blob is the expression alone. */
static int expression_text(struct buf *out, struct view expression, struct fail *fail)
{
    own_buf struct buf blob = {0};
    wrap(&blob, 1, expression);
    return requirement_text(out, unit_view(&blob), fail);
}

static int decode(struct buf *out, decoder *read, const char *notation, struct fail *fail)
{
    own_buf struct buf blob = {0};
    print_message("%s\n", notation);
    put_notation(&blob, notation);
    return read(out, unit_view(&blob), fail);
}

static void expect_texts(decoder *read, const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        own_buf struct buf text = {0};
        own_fail struct fail fail = {0};
        assert_works(decode(&text, read, samples[i].notation, &fail), &fail);
        assert_string_equal(buf_text(&text), samples[i].text);
    }
}

static void expect_refusals(decoder *read, const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        own_buf struct buf text = {0};
        own_fail struct fail fail = {0};
        assert_fails(decode(&text, read, samples[i].notation, &fail), &fail, FAIL_INPUT,
                     samples[i].text);
    }
}

static void requirement_text__language(void **state)
{
    static const struct sample cases[] = {
        {"0", "never"},
        {"1", "always"},
        {"2 'com.apple.Safari'", "identifier \"com.apple.Safari\""},
        {"2 'grep'", "identifier grep"},
        {"2 '7zip'", "identifier \"7zip\""}, /* a word does not begin with a digit */
        {"2 'a1'", "identifier a1"},
        {"2 ''", "identifier \"\""},
        {"2 'a b'", "identifier \"a b\""},
        {"2 #225c", "identifier \"\\\"\\\\\""},
        {"2 #00ff", "identifier 0x00ff"},
        {"2 #c3a9", "identifier 0xc3a9"},
        {"2 #610a", "identifier \"a\n\""},
        {"3", "anchor apple"},
        {"15", "anchor apple generic"},
        {"13", "anchor trusted"},
        {"18 'iphone'", "anchor apple iphone"},
        {"19 'security'", "(security)"},
        {"4 0 #0123456789abcdef0123456789abcdef01234567",
         "certificate leaf = H\"0123456789abcdef0123456789abcdef01234567\""},
        {"4 -1 #00", "certificate root = H\"00\""},
        {"12 1", "certificate 1 trusted"},
        {"12 -2", "certificate -2 trusted"},
        {"5 'CFBundleName' 'x y'", "info[CFBundleName] = \"x y\""},
        {"10 'CFBundleShortVersionString' 8 '17.4'",
         "info[CFBundleShortVersionString] >= \"17.4\""},
        {"10 'a-b' 0", "info[\"a-b\"] /* exists */"},
        {"16 'com.apple.security.app-sandbox' 1 'x'",
         "entitlement[\"com.apple.security.app-sandbox\"] = x"},
        {"16 'get.task' 14", "entitlement[get.task] absent "},
        {"8 #aabbcc", "cdhash H\"aabbcc\""},
        {"11 0 'subject.OU' 1 'EQHXZ8M8AV'", "certificate leaf[subject.OU] = EQHXZ8M8AV"},
        {"11 0 'subject.CN' 2 'Mac'", "certificate leaf[subject.CN] ~ Mac"},
        {"11 0 'subject.CN' 3 'Mac'", "certificate leaf[subject.CN] = Mac*"},
        {"11 0 'subject.CN' 4 'Mac'", "certificate leaf[subject.CN] = *Mac"},
        {"11 0 'subject.CN' 5 'Mac'", "certificate leaf[subject.CN] < Mac"},
        {"11 0 'subject.CN' 6 'Mac'", "certificate leaf[subject.CN] > Mac"},
        {"11 0 'subject.CN' 7 'Mac'", "certificate leaf[subject.CN] <= Mac"},
        {"14 0 #2a864886f763640601 0 ",
         "certificate leaf[field.1.2.840.113635.100.6.1] /* exists */"},
        {"14 0 #8837 0", "certificate leaf[field.2.999] /* exists */"},
        {"14 0 #27 0", "certificate leaf[field.0.39] /* exists */"},
        {"14 0 #81ffffffffffffffff7f 0",
         "certificate leaf[field.2.18446744073709551535] /* exists */"},
        {"17 2 #2a864886f7636405 1 'x'", "certificate 2[policy.1.2.840.113635.100.5] = x"},
        {"22 0 #2a864886f763640601 9 0 0",
         "certificate leaf[timestamp.1.2.840.113635.100.6.1] = <2001-01-01 00:00:00 +0000>"},
        {"22 0 #2a03 10 0 86399",
         "certificate leaf[timestamp.1.2.3] < <2001-01-01 23:59:59 +0000>"},
        {"22 0 #2a03 11 -1 -1", "certificate leaf[timestamp.1.2.3] > <2000-12-31 23:59:59 +0000>"},
        {"22 0 #2a03 12 0 410227200", /* 2014-01-01 is 4748 days later */
         "certificate leaf[timestamp.1.2.3] <= <2014-01-01 00:00:00 +0000>"},
        {"22 0 #2a03 13 0 410227200",
         "certificate leaf[timestamp.1.2.3] >= <2014-01-01 00:00:00 +0000>"},
        {"20 1", "platform = 1"},
        {"20 -1", "platform = -1"},
        {"21", "notarized"},
        {"23", "legacy"},
        {"0x80000063 4 7", "false /* opcode 99 */"},
        {"0x40000063 4 7 3", "/* opcode 99 */ anchor apple"},
    };
    (void)state;
    expect_texts(expression_text, SAMPLES(cases));
}

/* "or" binds less than "and", "and" less than "!"; operators of one kind need no parentheses. */
static void requirement_text__precedence(void **state)
{
    static const struct sample cases[] = {
        {"6 3 21", "anchor apple and notarized"},
        {"7 3 21", "anchor apple or notarized"},
        {"9 3", "! anchor apple"},
        {"9 9 3", "! ! anchor apple"},
        {"9 6 3 21", "! (anchor apple and notarized)"},
        {"9 7 3 21", "! (anchor apple or notarized)"},
        {"6 9 3 21", "! anchor apple and notarized"},
        {"6 7 0 1 23", "(never or always) and legacy"},
        {"6 23 7 0 1", "legacy and (never or always)"},
        {"7 6 0 1 23", "never and always or legacy"},
        {"7 23 6 0 1", "legacy or never and always"},
        {"6 6 0 1 23", "never and always and legacy"},
        {"6 0 6 1 23", "never and always and legacy"},
        {"7 7 0 1 23", "never or always or legacy"},
        {"6 0x40000001 0 7 0 1 23", "/* opcode 1 */ (never or always) and legacy"},
    };
    (void)state;
    expect_texts(expression_text, SAMPLES(cases));
}

/* Nesting takes no stack: as deep as the largest blob can say it, and no larger blob. */
static void requirement_text__deep(void **state)
{
    own_buf struct buf expression = {0};
    own_buf struct buf blob = {0};
    own_buf struct buf text = {0};
    own_fail struct fail fail = {0};
    (void)state;
    for (unsigned i = 0; i < 130000; i++)
        buf_u32be(&expression, 7);
    for (unsigned i = 0; i < 130001; i++)
        buf_u32be(&expression, 0);
    wrap(&blob, 1, unit_view(&expression));
    assert_works(requirement_text(&text, unit_view(&blob), &fail), &fail);
    assert_int_equal(text.len, 130001 * strlen("never") + 130000 * strlen(" or "));
    buf_zeros(&blob, 1u << 20);
    buf_set_u32be(&blob, 4, (uint32_t)blob.len);
    assert_fails(requirement_text(&text, unit_view(&blob), &fail), &fail, FAIL_INPUT, "too large");
}

static void requirement_text__malformed(void **state)
{
    static const struct sample cases[] = {
        {"", "offset 12: it ends early"},
        {"6 3", "offset 20: it ends early"},
        {"2", "it ends early"},
        {"2 0x7fffffff", "it ends early"},
        {"2 0xffffffff", "it ends early"},
        {"2 4", "it ends early"},
        {"10 'a' 9 0", "it ends early"}, /* half of a date */
        {"4 0", "it ends early"},
        {"20", "it ends early"},
        {"3 3", "offset 16: bytes behind"},
        {"24", "offset 12: an unknown opcode"},
        {"0x20000001", "offset 12: an unknown opcode"},
        {"0x80000063 8 0", "it ends early"},
        {"0x40000063 0", "it ends early"}, /* nothing follows what is skipped */
        {"10 'a' 15", "offset 24: an unknown match"},
        {"14 0 #80 0", "offset 20: an object identifier that does not end"},
        {"14 0 # 0", "an object identifier that does not end"},
        {"14 0 #2a83ffffffffffffffff7f 0", "over 64 bits"},
        {"22 0 #2a03 9 0x7fffffff 0", "outside of the years"},
        {"22 0 #2a03 9 -2147483648 0", "outside of the years"},
    };
    (void)state;
    expect_refusals(expression_text, SAMPLES(cases));
}

static void requirement_text__headers(void **state)
{
    static const struct sample cases[] = {
        {"0xfade0c00", "too short"},
        {"0xfade0c01 12 1", "fade0c01 instead of fade0c00"},
        {"0xfade0c00 17 1 3", "17 bytes; there are 16"},
        {"0xfade0c00 8", "offset 8: it ends early"},
        {"0xfade0c00 16 2 3", "offset 8: it is of a kind"},
        {"0xfade0c00 16 0 3", "offset 8: it is of a kind"},
    };
    (void)state;
    expect_refusals(requirement_text, SAMPLES(cases));
    own_buf struct buf text = {0};
    own_fail struct fail fail = {0};
    assert_fails(requirement_text(&text, (struct view){0}, &fail), &fail, FAIL_INPUT, "too short");
}

/* The sets of real signatures, which are facts of these files: by codesign a Developer ID
 * application and a library whose team begins with a digit; by ldid, without a certificate. */
static void requirements_text__real(void **state)
{
    static const struct sample cases[] = {
        {"0xfade0c01 236 1 3 20 0xfade0c00 216 1 6 6 15 2 "
         "'nl.superalloy.oss.notify.terminal-notifier' 7 14 0 #2a864886f76364060109 0 "
         "6 6 14 1 #2a864886f76364060206 0 14 0 #2a864886f7636406010d 0 "
         "11 0 'subject.OU' 1 'LS4R756LZZ'",
         "designated => anchor apple generic and identifier "
         "\"nl.superalloy.oss.notify.terminal-notifier\" and (certificate "
         "leaf[field.1.2.840.113635.100.6.1.9] /* exists */ or certificate "
         "1[field.1.2.840.113635.100.6.2.6] /* exists */ and certificate "
         "leaf[field.1.2.840.113635.100.6.1.13] /* exists */ and certificate leaf[subject.OU] = "
         "LS4R756LZZ)\n"},
        {"0xfade0c01 172 1 3 20 0xfade0c00 152 1 6 2 'libosxfuse.2' 6 15 6 6 "
         "14 1 #2a864886f76364060206 0 14 0 #2a864886f7636406010d 0 "
         "11 0 'subject.OU' 1 '3T5GSNBU6W'",
         "designated => identifier \"libosxfuse.2\" and anchor apple generic and certificate "
         "1[field.1.2.840.113635.100.6.2.6] /* exists */ and certificate "
         "leaf[field.1.2.840.113635.100.6.1.13] /* exists */ and certificate leaf[subject.OU] = "
         "\"3T5GSNBU6W\"\n"},
        {"0xfade0c01 120 1 3 20 0xfade0c00 100 1 6 2 'pnpm' 6 15 6 11 0 'subject.CN' 1 '' "
         "14 1 #2a864886f76364060201 0",
         "designated => identifier pnpm and anchor apple generic and certificate leaf[subject.CN] "
         "= \"\" and certificate 1[field.1.2.840.113635.100.6.2.1] /* exists */\n"},
    };
    (void)state;
    expect_texts(requirements_text, SAMPLES(cases));
}

static void requirements_text__kinds(void **state)
{
    own_buf struct buf blob = {0};
    own_buf struct buf out = {0};
    own_buf struct buf empty = {0};
    own_buf struct buf nothing = {0};
    own_fail struct fail fail = {0};
    (void)state;
    put_notation(&blob, "0xfade0c01 92 6 1 60 2 60 3 76 4 60 5 60 9 76 "
                        "0xfade0c00 16 1 3 0xfade0c00 16 1 21");
    assert_works(requirements_text(&out, unit_view(&blob), &fail), &fail);
    assert_string_equal(buf_text(&out), "host => anchor apple\n"
                                        "guest => anchor apple\n"
                                        "designated => notarized\n"
                                        "library => anchor apple\n"
                                        "plugin => anchor apple\n"
                                        "/*unknown type*/ 9 => notarized\n");
    put_notation(&empty, "0xfade0c01 12 0");
    assert_works(requirements_text(&nothing, unit_view(&empty), &fail), &fail);
    assert_int_equal(nothing.len, 0);
}

static void requirements_text__malformed(void **state)
{
    static const struct sample cases[] = {
        {"0xfade0c01 8", "too short for its count"},
        {"0xfade0c00 12 0", "fade0c00 instead of fade0c01"},
        {"0xfade0c01 12 1", "entry 0 at offset 12 lies outside"},
        {"0xfade0c01 12 33", "33 entries"},
        {"0xfade0c01 12 0xffffffff", "4294967295 entries"},
        {"0xfade0c01 20 1 3 20", "entry 0 at offset 12 lies outside"},
        {"0xfade0c01 20 1 3 0xfffffffc", "entry 0 at offset 12 lies outside"},
        {"0xfade0c01 36 1 3 20 0xfade0c00 20 1 3", "entry 0 at offset 12 lies outside"},
        {"0xfade0c01 36 1 3 20 0xfade0c00 12 1 3", "offset 12: it ends early"},
        {"0xfade0c01 20 1 3 0", "fade0c01 instead of fade0c00"},
    };
    (void)state;
    expect_refusals(requirements_text, SAMPLES(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requirement_text__language),
        cmocka_unit_test(requirement_text__precedence),
        cmocka_unit_test(requirement_text__deep),
        cmocka_unit_test(requirement_text__malformed),
        cmocka_unit_test(requirement_text__headers),
        cmocka_unit_test(requirements_text__real),
        cmocka_unit_test(requirements_text__kinds),
        cmocka_unit_test(requirements_text__malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
