/*
 * Policies: reading them, and what they find in an image that is made here.
 */
#include <string.h>

#include "base/own.h"
#include "config/policy.h"
#include "config/policy_check.h"
#include "unit/macho_builder.h"
#include "unit/unit.h"

static const char good[] =
    "rules:\n"
    "  - id: strings\n"
    "    reason: must never ship\n"
    "    artifacts: [\"lib*.dylib\", probe]\n"
    "    forbid: {strings: [FORBIDDEN], imports: [_system]}\n"
    "  - id: linkage\n"
    "    reason: these and nothing else\n"
    "    allow: {libraries: [/usr/lib/libSystem.B.dylib], imports: [_getenv]}\n";

static void parse__good(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_policy struct policy policy = {0};
    assert_int_equal(policy_parse(&policy, unit_text(good), "p", &fail), 0);
    assert_int_equal(policy.rules_count, 2);
    assert_string_equal(policy.rules[0].forbid.strings[0], "FORBIDDEN");
    assert_string_equal(policy.rules[0].forbid.imports[0], "_system");
    assert_string_equal(policy.rules[1].allow.libraries[0], "/usr/lib/libSystem.B.dylib");
    assert_string_equal(policy.rules[1].reason, "these and nothing else");
    assert_true(policy_rule_applies(&policy.rules[0], "libx.dylib"));
    assert_true(policy_rule_applies(&policy.rules[0], "lib.dylib"));
    assert_true(policy_rule_applies(&policy.rules[0], "probe"));
    assert_false(policy_rule_applies(&policy.rules[0], "probe2"));
    assert_false(policy_rule_applies(&policy.rules[0], "xlib.dylib"));
    assert_true(policy_rule_applies(&policy.rules[1], "anything"));
}

static void parse__refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"rules: []\n", "'rules' is an empty list in 'p' line 1 column 8"},
        {"{}\n", "key 'rules' is missing"},
        {"rules:\n- {id: a, reason: r}\n", "rule 'a' forbids and allows nothing in 'p' line 2"},
        {"rules:\n- {id: a, reason: r, forbid: {}}\n", "rule 'a' forbids and allows nothing"},
        {"rules:\n- {id: a, reason: r, forbid: {strings: []}}\n",
         "'rules[0].forbid.strings' is an empty list"},
        {"rules:\n- {id: a, reason: r, forbid: {strings: [\"\"]}}\n",
         "'rules[0].forbid.strings[0]' is empty"},
        {"rules:\n- {id: a, reason: r, forbid: {string: [x]}}\n",
         "unknown key 'string' in 'p' line 2 column 31"},
        {"rules:\n- {id: a, reason: r, artifacts: [], forbid: {strings: [x]}}\n",
         "'rules[0].artifacts' is an empty list"},
        {"rules:\n- {id: a, forbid: {strings: [x]}}\n", "key 'reason' of 'rules[0]' is missing"},
        {"rules:\n- {reason: a, forbid: {strings: [x]}}\n", "key 'id' of 'rules[0]' is missing"},
        {"rules:\n- {id: a b, reason: r, forbid: {strings: [x]}}\n",
         "rule id 'a b' has a character"},
        {"rules:\n- {id: a, reason: r, forbid: {strings: [x]}}\n- {id: a, reason: r, forbid: "
         "{strings: [x]}}\n",
         "rule id 'a' occurs twice in 'p' line 3 column 4"},
        {"rules:\n- {id: a, reason: r, forbid: {imports: [_x, _y]}, allow: {imports: [_y]}}\n",
         "'_y' is both forbidden and allowed in 'p' line 2 column 45"},
        {"rules:\n- {id: a, reason: r, forbid: {libraries: [/x]}, allow: {libraries: [/x]}}\n",
         "'/x' is both forbidden and allowed"},
        {"rules:\n- {id: a, reason: r, allow: {strings: [x]}}\n", "unknown key 'strings'"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_fail struct fail fail = {0};
        own_policy struct policy policy = {0};
        if (policy_parse(&policy, unit_text(cases[i].text), "p", &fail) == 0)
            fail_msg("accepted, expected: %s", cases[i].message);
        if (fail.code != FAIL_INPUT || strstr(fail.message, cases[i].message) == NULL)
            fail_msg("expected '%s', got '%s'", cases[i].message, fail.message);
        assert_int_equal(policy.rules_count, 0);
    }
}

static void covers__every_rule(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_policy struct policy policy = {0};
    assert_int_equal(policy_parse(&policy, unit_text(good), "p", &fail), 0);
    const char *const names[] = {"x", "probe"};
    assert_int_equal(policy_covers(&policy, names, 2, &fail), 0);
    assert_int_equal(policy_covers(&policy, names, 1, &fail), -1);
    assert_int_equal(fail.code, FAIL_INPUT);
    assert_string_equal(fail.message,
                        "policy rule 'strings' applies to no artifact, so it checks nothing");
}

/* A policy that was applied to the small dylib under the name "lib.dylib". */
struct checked {
    struct fail fail;
    struct policy policy;
    struct macho_builder builder;
    struct image image;
    struct policy_results results;
    struct findings findings;
};

static void check_policy(struct checked *c, const char *text, const char *name)
{
    assert_int_equal(policy_parse(&c->policy, unit_text(text), "p", &c->fail), 0);
    if (image_open(&c->image, macho_view(&c->builder), &c->fail) < 0)
        fail_msg("%s", c->fail.message);
    if (policy_check(&c->results, &c->findings, &c->policy, name, macho_view(&c->builder),
                     &c->image, &c->fail) < 0)
        fail_msg("%s", c->fail.message);
}

static void checked_release(struct checked *c)
{
    policy_results_release(&c->results);
    findings_release(&c->findings);
    image_release(&c->image);
    macho_release(&c->builder);
    policy_release(&c->policy);
    fail_release(&c->fail);
}
#define own_checked __attribute__((cleanup(checked_release)))

/* Finding `index` has that id, and its texts contain these. */
static void expect_finding(const struct checked *c, size_t index, const char *id, const char *place,
                           const char *actual)
{
    if (index >= c->findings.count)
        fail_msg("expected finding %zu (%s), there are %zu", index, id, c->findings.count);
    const struct finding *f = &c->findings.list[index];
    if (strcmp(f->id, id) != 0 || strstr(f->place, place) == NULL ||
        strstr(f->actual, actual) == NULL)
        fail_msg("expected %s '%s' '%s', got %s '%s' '%s'", id, place, actual, f->id, f->place,
                 f->actual);
    assert_int_equal(f->level, FINDING_ERROR);
    assert_non_null(f->remedy);
    assert_non_null(f->expected);
}

static void check__sound_image_passes(void **state)
{
    (void)state;
    own_checked struct checked c = {0};
    macho_small_dylib(&c.builder);
    check_policy(&c, good, "lib.dylib");
    assert_int_equal(c.findings.count, 0);
    assert_int_equal(policy_check_finish(&c.results, true, &c.fail), 0);
    assert_true(c.results.passed);
    assert_int_equal(c.results.count, 2);
    assert_string_equal(c.results.list[0].id, "strings");
    assert_int_equal(c.results.list[0].bytes_searched, MACHO_SMALL_SIZE);
    assert_int_equal(c.results.list[0].strings, 1);
    assert_int_equal(c.results.list[0].imports, 1);
    assert_int_equal(c.results.list[1].libraries, 2);
    assert_true(c.results.list[0].passed && c.results.list[1].passed);
}

#define STRING_RULE \
    "rules:\n- {id: s, reason: why, forbid: {strings: [FORBIDDEN, \"\\xe9\\U0001F600\"]}}\n"

static const uint8_t utf16le[] = "F\0O\0R\0B\0I\0D\0D\0E\0N\0";
static const uint8_t utf16be[] = "\0F\0O\0R\0B\0I\0D\0D\0E\0N";

/* Wherever a string lies, in whatever encoding and at whatever alignment. */
static void check__strings_everywhere(void **state)
{
    (void)state;
    static const struct {
        uint64_t at;
        const void *bytes;
        size_t len;
        const char *place, *actual;
    } cases[] = {
        {0x621, "FORBIDDEN", 9, "lib.dylib: rule s, offset 1569, __TEXT,__cstring+0x1",
         "'FORBIDDEN' as UTF-8"},
        {0x700, "FORBIDDEN", 9, "offset 1792", "as UTF-8"}, /* padding of __TEXT */
        {0x820, "FORBIDDEN", 9, "offset 2080", "as UTF-8"}, /* __DATA, no section */
        {0xaf5, "FORBIDDEN", 9, "offset 2805, __LINKEDIT+0xf5", "as UTF-8"},
        {0x1000 - 4, "FORBIDDEN", 9, "offset 4092", "as UTF-8"}, /* across two pages */
        {0x2ff7, "FORBIDDEN", 9, "offset 12279", "as UTF-8"},    /* the last bytes */
        {0x700, utf16le, 18, "offset 1792", "'FORBIDDEN' as UTF-16LE"},
        {0x701, utf16le, 18, "offset 1793", "as UTF-16LE"},
        {0x700, utf16be, 18, "offset 1792", "as UTF-16BE"},
        {0x1fff, utf16be, 18, "offset 8191", "as UTF-16BE"},
        {0x700, "\xc3\xa9\xf0\x9f\x98\x80", 6, "offset 1792", "as UTF-8"},
        {0x700, "\xe9\x00\x3d\xd8\x00\xde", 6, "offset 1792", "as UTF-16LE"},
        {0x700, "\x00\xe9\xd8\x3d\xde\x00", 6, "offset 1792", "as UTF-16BE"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_checked struct checked c = {0};
        macho_small_dylib(&c.builder);
        buf_zeros(&c.builder.out, 0x3000 - c.builder.out.len);
        /* between zeros, UTF-16 of one byte order is also that of the other, a byte on */
        c.builder.out.data[cases[i].at - 1] = 0xff;
        if (cases[i].at + cases[i].len < 0x3000)
            c.builder.out.data[cases[i].at + cases[i].len] = 0xff;
        memcpy(c.builder.out.data + cases[i].at, cases[i].bytes, cases[i].len);
        check_policy(&c, STRING_RULE, "lib.dylib");
        expect_finding(&c, 0, "policy.string", cases[i].place, cases[i].actual);
        assert_int_equal(c.findings.count, 1);
        assert_non_null(strstr(c.findings.list[0].expected, "nowhere in the bytes (why)"));
        assert_int_equal(policy_check_finish(&c.results, true, &c.fail), 0);
        assert_false(c.results.passed);
        assert_int_equal(c.results.list[0].findings, 1);
    }
}

/* A few of very many are shown, the rest is counted. */
static void check__many_strings(void **state)
{
    (void)state;
    own_checked struct checked c = {0};
    macho_small_dylib(&c.builder);
    for (int i = 0; i < 1000; i++)
        buf_puts(&c.builder.out, "FORBIDDEN");
    check_policy(&c, STRING_RULE, "lib.dylib");
    assert_int_equal(c.findings.count, 21);
    expect_finding(&c, 20, "policy.string", "further offsets", "as UTF-8 980 more times");
}

static void check__imports(void **state)
{
    (void)state;
    own_checked struct checked c = {0};
    macho_small_dylib(&c.builder);
    check_policy(&c,
                 "rules:\n"
                 "- {id: a, reason: r, forbid: {imports: [_getenv]}}\n"
                 "- {id: b, reason: r, allow: {imports: [_malloc]}}\n"
                 "- {id: c, reason: r, forbid: {imports: [_get, getenv, _getenv2]}}\n",
                 "lib.dylib");
    expect_finding(&c, 0, "policy.import", "rule a", "_getenv is imported (libSystem.B.dylib)");
    expect_finding(&c, 1, "policy.import", "rule b", "_getenv is imported");
    assert_int_equal(c.findings.count, 2);
}

/* An import that only the symbol table names, or only the fix-ups. */
static void check__imports_of_either_table(void **state)
{
    (void)state;
    for (int in_fixups = 0; in_fixups < 2; in_fixups++) {
        own_checked struct checked c = {0};
        macho_small_dylib(&c.builder);
        /* both tables have their own copy of the name: change one of them */
        uint64_t at = in_fixups ? 0xa55 : 0xb00 + 18;
        assert_memory_equal(c.builder.out.data + at, "_getenv", 8);
        memcpy(c.builder.out.data + at, "_system", 7);
        check_policy(&c, "rules:\n- {id: a, reason: r, forbid: {imports: [_system]}}\n",
                     "lib.dylib");
        expect_finding(&c, 0, "policy.import", "rule a", "_system is imported");
        assert_int_equal(c.findings.count, 1);
        assert_int_equal(c.results.list[0].imports, 2);
    }
}

static void check__selectors(void **state)
{
    (void)state;
    own_checked struct checked c = {0};
    macho_small_dylib(&c.builder);
    check_policy(&c,
                 "rules:\n- {id: a, reason: r, forbid: {selectors: [featureProfile, "
                 "\"supportsFamily:\", \"supportsFamily\"]}}\n",
                 "lib.dylib");
    expect_finding(&c, 0, "policy.selector", "rule a", "selector supportsFamily: is there");
    assert_int_equal(c.findings.count, 1);
    assert_int_equal(c.results.list[0].selectors, 2);
}

static void check__libraries(void **state)
{
    (void)state;
    own_checked struct checked c = {0};
    macho_small_dylib(&c.builder);
    check_policy(&c,
                 "rules:\n"
                 "- {id: own, reason: r, allow: {libraries: [\"@rpath/small.dylib\", "
                 "/usr/lib/libSystem.B.dylib]}}\n"
                 "- {id: other, reason: r, allow: {libraries: [/usr/lib/libobjc.A.dylib]}}\n"
                 "- {id: bad, reason: r, forbid: {libraries: [/usr/lib/libSystem.B.dylib]}}\n"
                 "- {id: none, reason: r, forbid: {libraries: [/usr/lib/libSystem]}}\n",
                 "lib.dylib");
    expect_finding(&c, 0, "policy.library", "rule other", "/usr/lib/libSystem.B.dylib is linked");
    expect_finding(&c, 1, "policy.library", "rule other", "/usr/lib/libobjc.A.dylib is not linked");
    expect_finding(&c, 2, "policy.library", "rule bad", "/usr/lib/libSystem.B.dylib is linked");
    assert_int_equal(c.findings.count, 3);
    assert_int_equal(policy_check_finish(&c.results, true, &c.fail), 0);
    assert_true(c.results.list[0].passed && c.results.list[3].passed);
}

/* A weak, re-exported, upward or lazy library is linked too. */
static void check__library_kinds(void **state)
{
    (void)state;
    static const struct {
        uint32_t cmd;
        const char *actual;
    } kinds[] = {
        {LC_LOAD_WEAK_DYLIB, "/x is linked weakly"},
        {LC_REEXPORT_DYLIB, "/x is re-exported"},
        {LC_LOAD_UPWARD_DYLIB, "/x is linked upward"},
        {LC_LAZY_LOAD_DYLIB, "/x is linked lazily"},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        own_checked struct checked c = {0};
        macho_small_dylib(&c.builder);
        macho_library(&c.builder, kinds[i].cmd, "/x", 1, 1);
        buf_truncate(&c.builder.out, 0);
        macho_finish(&c.builder, MACHO_SMALL_SIZE);
        check_policy(
            &c, "rules:\n- {id: a, reason: r, allow: {libraries: [/usr/lib/libSystem.B.dylib]}}\n",
            "lib.dylib");
        expect_finding(&c, 0, "policy.library", "rule a", kinds[i].actual);
        assert_int_equal(c.findings.count, 1);
    }
}

static void check__uncovered_artifact(void **state)
{
    (void)state;
    own_checked struct checked c = {0};
    macho_small_dylib(&c.builder);
    check_policy(&c, "rules:\n- {id: a, reason: r, artifacts: [other], forbid: {strings: [x]}}\n",
                 "lib.dylib");
    expect_finding(&c, 0, "policy.uncovered", "lib.dylib", "none of the 1 rules does");
    assert_int_equal(policy_check_finish(&c.results, false, &c.fail), 0);
    assert_false(c.results.passed);
    assert_int_equal(policy_check_finish(&c.results, true, &c.fail), -1);
    assert_int_equal(c.fail.code, FAIL_INPUT);
    assert_string_equal(c.fail.message,
                        "policy rule 'a' applies to no artifact, so it checks nothing");
}

static void finish__nothing_checked(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_policy_results struct policy_results results = {0};
    assert_int_equal(policy_check_finish(&results, false, &fail), -1);
    assert_int_equal(fail.code, FAIL_INPUT);
    assert_string_equal(fail.message, "the policy was applied to no image, so nothing was checked");
    assert_false(results.passed);
}

/* A table that cannot be read is a failure, not a pass. */
static void check__broken_table(void **state)
{
    (void)state;
    own_checked struct checked c = {0};
    macho_small_dylib(&c.builder);
    /* the symbol table's name of _getenv begins outside of the strings */
    memset(c.builder.out.data + 0xac0 + 32, 0xff, 4);
    assert_int_equal(policy_parse(&c.policy, unit_text(good), "p", &c.fail), 0);
    assert_int_equal(image_open(&c.image, macho_view(&c.builder), &c.fail), 0);
    assert_int_equal(policy_check(&c.results, &c.findings, &c.policy, "lib.dylib",
                                  macho_view(&c.builder), &c.image, &c.fail),
                     -1);
    assert_int_equal(c.fail.code, FAIL_INPUT);
    assert_string_equal(c.fail.context[c.fail.context_count - 1], "checking policy rule 'strings'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse__good),
        cmocka_unit_test(parse__refuses),
        cmocka_unit_test(covers__every_rule),
        cmocka_unit_test(check__sound_image_passes),
        cmocka_unit_test(check__strings_everywhere),
        cmocka_unit_test(check__many_strings),
        cmocka_unit_test(check__imports),
        cmocka_unit_test(check__imports_of_either_table),
        cmocka_unit_test(check__selectors),
        cmocka_unit_test(check__libraries),
        cmocka_unit_test(check__library_kinds),
        cmocka_unit_test(check__uncovered_artifact),
        cmocka_unit_test(finish__nothing_checked),
        cmocka_unit_test(check__broken_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
