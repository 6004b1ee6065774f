/* format/: sums, provenance, observed, depfile; port/json and digest beneath them. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "format/depfile.h"
#include "format/observed.h"
#include "format/provenance.h"
#include "format/sums.h"
#include "port/digest.h"

#define ONES "1111111111111111111111111111111111111111111111111111111111111111"
#define TWOS "2222222222222222222222222222222222222222222222222222222222222222"

static void digest__known_answers(void **state)
{
    (void)state;
    char hex[SHA256_HEX];
    digest_sha256_hex(hex, "abc", 3);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    uint8_t sha1[SHA1_LEN];
    digest_once(sha1, DIGEST_SHA1, "", 0);
    char sha1_hex[41];
    text_hex(sha1_hex, sha1, sizeof sha1);
    assert_string_equal(sha1_hex, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
}

static void sums__round_trip_with_odd_names(void **state)
{
    (void)state;
    own_sums struct sums sums = {0}, again = {0};
    own_buf struct buf text = {0};
    own_fail struct fail fail = {0};
    sums_add(&sums, "b c", TWOS);
    sums_add(&sums, "A", ONES);
    sums_print(&text, &sums);
    assert_string_equal(buf_text(&text), ONES "  A\n" TWOS "  b c\n");
    assert_works(sums_parse(&again, unit_text(buf_text(&text)), "S", &fail), &fail);
    assert_string_equal(sums_find(&again, "b c"), TWOS);
    assert_null(sums_find(&again, "c"));
}

static void sums_parse__refuses(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "is empty"},
        {ONES "  a", "cut short"},
        {ONES " a\n", "malformed"},
        {"x\n", "malformed"},
        {"G" ONES "  a\n", "malformed"},
        {"AAAA111111111111111111111111111111111111111111111111111111111111  a\n", "lower-case"},
        {ONES "  ../a\n", "leaves the directory"},
        {ONES "  /etc/passwd\n", "leaves the directory"},
        {ONES "  a\n" TWOS "  a\n", "twice"},
        {"\\" ONES "  a\\x\n", "unknown escape"},
        {"\\" ONES "  ../a\\nb\n", "leaves the directory"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        own_sums struct sums sums = {0};
        own_fail struct fail fail = {0};
        assert_fails(sums_parse(&sums, unit_text(bad[i].text), "S", &fail), &fail, FAIL_INPUT,
                     bad[i].message);
    }
}

static void fill_texts(struct provenance *record)
{
    record->format = PROVENANCE_FORMAT;
    record->name = text_copy("Example");
    record->version = text_copy("1.0");
    record->commit = text_copy("1111111111111111111111111111111111111111");
    record->tree = text_copy("2222222222222222222222222222222222222222");
    record->commit_time = text_copy("2026-01-01T00:00:00Z");
    record->epoch = 1767225600;
    record->recipe = (struct prov_text){text_copy("a/hallmark.yaml"), text_copy(ONES),
                                        text_copy("name: \"x|y\"\n"), false};
    record->pin =
        (struct prov_text){text_copy("toolchain/t.yaml"), text_copy(TWOS), text_copy("t"), true};
    record->toolchain = text_copy("t");
    record->family = text_copy("llvm");
    record->compiler = text_copy("clang");
    record->compiler_version = text_copy("19.1.7");
    record->linker = text_copy("ld64.lld");
    record->linker_version = text_copy("19.1.7");
    record->sdk_path = text_copy("toolchain/sdk");
    record->sdk_version = text_copy("14.0");
    record->sdk_sha256 = text_copy(ONES);
    record->archive_name = text_copy("Example-source-11111111.tar.gz");
    record->archive_prefix = text_copy("it's/");
    record->archive_sha256 = text_copy(ONES);
    record->archive_len = 5;
    record->tar_sha256 = text_copy(TWOS);
    record->tar_len = 10240;
}

static void fill(struct provenance *record)
{
    fill_texts(record);
    prov_list_add(&record->environment, "LC_ALL=C");
    prov_list_add(&record->archive_paths, "a b");
    struct prov_command *command = provenance_add_command(record);
    command->artifact = text_copy("x.dylib");
    command->step = text_copy("compile");
    prov_list_add(&command->argv, "$TOOLCHAIN/clang");
    prov_list_add(&command->argv, "-DX='a b'");
    prov_files_add(&record->sources, "a/x.m", 3, TWOS);
    struct prov_artifact *artifact = provenance_add_artifact(record);
    char **texts[] = {&artifact->name,       &artifact->kind,       &artifact->sha256,
                      &artifact->arch,       &artifact->cpusubtype, &artifact->min_macos,
                      &artifact->sdk,        &artifact->linker,     &artifact->signature,
                      &artifact->identifier, &artifact->sign_flags, &artifact->cdhash};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = text_printf("value %zu", i);
    prov_list_add(&artifact->libraries, "/usr/lib/libSystem.B.dylib");
    artifact->len = 7;
    artifact->page_size = 4096;
    struct prov_rule *rule = provenance_add_rule(record);
    rule->id = text_copy("r");
    rule->reason = text_copy("because | of <this>");
    prov_list_add(&rule->artifacts, "x.dylib");
    rule->checks = 3;
    rule->passed = true;
}

static void intoto__what_is_written_is_read_back(void **state)
{
    (void)state;
    own_provenance struct provenance record = {0}, again = {0};
    own_buf struct buf first = {0}, second = {0}, md1 = {0}, md2 = {0};
    own_fail struct fail fail = {0};
    fill(&record);
    intoto_print(&first, &record);
    assert_works(intoto_parse(&again, unit_text(buf_text(&first)), "p", &fail), &fail);
    intoto_print(&second, &again);
    assert_string_equal(buf_text(&first), buf_text(&second));
    provmd_print(&md1, &record);
    provmd_print(&md2, &again);
    assert_string_equal(buf_text(&md1), buf_text(&md2));
}

static void provmd__escapes_markup_and_quotes_commands(void **state)
{
    (void)state;
    own_provenance struct provenance record = {0};
    own_buf struct buf text = {0};
    fill(&record);
    provmd_print(&text, &record);
    unit_assert_contains(buf_text(&text), "because \\| of \\<this\\>", __FILE__, __LINE__);
    unit_assert_contains(buf_text(&text), "'-DX='\\''a b'\\'''", __FILE__, __LINE__);
    unit_assert_contains(buf_text(&text), "'--prefix=it'\\''s/'", __FILE__, __LINE__);
    unit_assert_contains(buf_text(&text), "-- 'a b'", __FILE__, __LINE__);
    unit_assert_contains(buf_text(&text), "none: no policy was checked", __FILE__, __LINE__);
}

static void intoto_parse__a_document_that_is_none(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "not valid JSON"},
        {"{", "not valid JSON"},
        {"[]", "'_type'"},
        {"{\"_type\": 1, \"_type\": 2}", "not valid JSON"},
        {"{\"_type\": \"https://in-toto.io/Statement/v1\"}", "'predicateType'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        own_provenance struct provenance record = {0};
        own_fail struct fail fail = {0};
        assert_fails(intoto_parse(&record, unit_text(bad[i].text), "p", &fail), &fail, FAIL_INPUT,
                     bad[i].message);
    }
}

/* A change is refused, or shows when what was read is printed again. No crash, no leak. */
static void intoto_parse__any_byte_changed(void **state)
{
    (void)state;
    own_provenance struct provenance record = {0};
    own_buf struct buf text = {0};
    fill(&record);
    intoto_print(&text, &record);
    for (size_t i = 0; i < text.len; i++) {
        own_provenance struct provenance again = {0};
        own_fail struct fail fail = {0};
        uint8_t kept = text.data[i];
        text.data[i] ^= 1;
        if (intoto_parse(&again, (struct view){text.data, text.len}, "p", &fail) < 0) {
            assert_int_equal(fail.code, FAIL_INPUT);
        } else {
            own_buf struct buf printed = {0};
            intoto_print(&printed, &again);
            /* The reader may overlook it, but then printing it again does not. */
            bool same = printed.len == text.len && memcmp(printed.data, text.data, text.len) == 0;
            own_buf struct buf original = {0};
            intoto_print(&original, &record);
            assert_true(!same || memcmp(printed.data, original.data, original.len) != 0);
        }
        text.data[i] = kept;
    }
}

static void intoto_parse__another_format_number(void **state)
{
    (void)state;
    own_provenance struct provenance record = {0}, again = {0};
    own_buf struct buf text = {0};
    own_fail struct fail fail = {0};
    fill(&record);
    record.format = 3;
    intoto_print(&text, &record);
    assert_fails(intoto_parse(&again, unit_text(buf_text(&text)), "p", &fail), &fail, FAIL_INPUT,
                 "has format 3, expected 1 to 2");
}

static void observed__any_change_is_found(void **state)
{
    (void)state;
    own_json json_t *object = js_object();
    own_buf struct buf text = {0};
    js_set(object, "host", js_text("x"));
    observed_seal(&text, object, ONES);
    own_findings struct findings none = {0}, other = {0};
    observed_check(&none, "o", (struct view){text.data, text.len}, ONES);
    assert_int_equal(none.count, 0);
    observed_check(&other, "o", (struct view){text.data, text.len}, TWOS);
    assert_int_equal(unit_count_findings(&other, "observed.subject"), 1);
    for (size_t i = 0; i < text.len; i++) {
        own_findings struct findings found = {0};
        text.data[i] ^= 1;
        observed_check(&found, "o", (struct view){text.data, text.len}, ONES);
        text.data[i] ^= 1;
        assert_true(found.error_count > 0);
    }
}

static void depfile__escapes_and_joints(void **state)
{
    (void)state;
    own_prov_list struct prov_list paths = {0};
    const char *text =
        "../obj/x.o: src/a.m ../sdk/usr/include/b\\ c.h \\\n  d\\#e.h f$$g.h\n\nother: h\n";
    assert_int_equal(depfile_parse(&paths, text, strlen(text)), 0);
    assert_int_equal(paths.count, 4);
    assert_string_equal(paths.list[1], "../sdk/usr/include/b c.h");
    assert_string_equal(paths.list[2], "d#e.h");
    assert_string_equal(paths.list[3], "f$g.h");
    assert_int_equal(depfile_parse(&paths, "no rule", 7), -1);
    assert_int_equal(depfile_parse(&paths, "a: b\0c", 6), -1);
}

static void js_text__bytes_that_are_not_utf8(void **state)
{
    (void)state;
    own_json json_t *array = js_array();
    own_buf struct buf text = {0};
    js_push(array, js_text("a\xff\"b"));
    js_push(array, js_text(NULL));
    js_push(array, js_uint(UINT64_MAX));
    js_print(&text, array);
    assert_string_equal(buf_text(&text),
                        "[\n  \"a\\\\xff\\\"b\",\n  null,\n  \"18446744073709551615\"\n]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digest__known_answers),
        cmocka_unit_test(sums__round_trip_with_odd_names),
        cmocka_unit_test(sums_parse__refuses),
        cmocka_unit_test(intoto__what_is_written_is_read_back),
        cmocka_unit_test(provmd__escapes_markup_and_quotes_commands),
        cmocka_unit_test(intoto_parse__a_document_that_is_none),
        cmocka_unit_test(intoto_parse__any_byte_changed),
        cmocka_unit_test(intoto_parse__another_format_number),
        cmocka_unit_test(observed__any_change_is_found),
        cmocka_unit_test(depfile__escapes_and_joints),
        cmocka_unit_test(js_text__bytes_that_are_not_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
