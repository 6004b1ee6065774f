#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static char *printed(const struct fail *fail, const char *command)
{
    char *text = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&text, &len);
    assert_non_null(stream);
    fail_print(fail, command, stream);
    fclose(stream);
    return text;
}

static void fail_print__message_contexts_and_hint(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    assert_int_equal(fail_set(&fail, FAIL_INPUT, "load command %d is truncated", 7), -1);
    fail_while(&fail, "signing slice %s", "arm64");
    fail_hint(&fail, "run the build again");
    fail_hint(&fail, "not this one");
    own_mem char *text = printed(&fail, "sign");
    assert_string_equal(text, "hallmark: sign: load command 7 is truncated\n"
                              "  while signing slice arm64\n"
                              "  hint: run the build again\n");
}

static void fail_set__the_first_one_counts(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    fail_set(&fail, FAIL_PIN, "first");
    fail_set(&fail, FAIL_BUG, "second");
    assert_int_equal(fail.code, FAIL_PIN);
    assert_string_equal(fail.message, "first");
}

static void fail_errno__keeps_it(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    errno = ENOSPC;
    fail_errno(&fail, "cannot write '%s'", "x");
    assert_int_equal(fail.code, FAIL_SYSTEM);
    assert_int_equal(fail.sys_errno, ENOSPC);
    assert_string_equal(fail.message, "cannot write 'x': No space left on device");
}

static void fail_print__control_bytes_are_escaped(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    fail_set(&fail, FAIL_INPUT, "no file '%s'", "a\x1b[31m\nb");
    fail_output(&fail, "two\nlines\x07", 10);
    own_mem char *text = printed(&fail, NULL);
    assert_string_equal(text, "hallmark: no file 'a\\x1b[31m\\x0ab'\ntwo\nlines\\x07\n");
}

static void fail_move__takes_all(void **state)
{
    (void)state;
    own_fail struct fail from = {0}, to = {0};
    fail_set(&from, FAIL_CHILD, "x");
    fail_while(&from, "y");
    assert_int_equal(fail_move(&to, &from), -1);
    assert_int_equal(from.code, FAIL_NONE);
    assert_null(from.message);
    assert_int_equal(to.code, FAIL_CHILD);
    assert_int_equal(to.context_count, 1);
}

static void findings__counts_levels_and_order(void **state)
{
    (void)state;
    own_findings struct findings list = {0}, more = {0};
    finding_place(finding_add(&list, FINDING_ERROR, "a"), "file %d", 1);
    finding_add(&list, FINDING_WARNING, "b");
    finding_add(&more, FINDING_ERROR, "c");
    findings_prefix(&list, 0, "dir");
    findings_take(&list, &more);
    assert_int_equal(list.count, 3);
    assert_int_equal(list.error_count, 2);
    assert_int_equal(more.count, 0);
    assert_string_equal(list.list[0].place, "dir: file 1");
    assert_string_equal(list.list[1].place, "dir");
    assert_string_equal(list.list[2].id, "c");
}

static void findings__are_capped_and_still_counted(void **state)
{
    (void)state;
    own_findings struct findings list = {0}, more = {0};
    for (size_t i = 0; i < FINDINGS_MAX + 5u; i++)
        finding_place(finding_add(&list, FINDING_ERROR, "x"), "%zu", i);
    assert_int_equal(list.count, FINDINGS_MAX);
    assert_int_equal(list.dropped, 5);
    assert_int_equal(list.error_count, FINDINGS_MAX + 5u);
    finding_add(&more, FINDING_WARNING, "w");
    findings_take(&more, &list);
    assert_int_equal(more.error_count, FINDINGS_MAX + 5u);
    assert_int_equal(more.count + more.dropped, FINDINGS_MAX + 6u);
}

static void finding_print__escapes(void **state)
{
    (void)state;
    own_findings struct findings list = {0};
    struct finding *finding = finding_add(&list, FINDING_ERROR, "x.y");
    finding_place(finding, "a\rb");
    finding_expected(finding, "1");
    finding_actual(finding, "2");
    char *text = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&text, &len);
    findings_print(&list, stream, false);
    fclose(stream);
    assert_string_equal(text, "finding x.y: a\\x0db\n  expected: 1\n  actual:   2\n");
    free(text);
}

static void buf__grows_and_writes_both_orders(void **state)
{
    (void)state;
    own_buf struct buf buf = {0};
    assert_string_equal(buf_text(&buf), "");
    buf_u32be(&buf, 0x01020304);
    buf_u64le(&buf, 0x0a);
    buf_align(&buf, 16);
    buf_set_u32le(&buf, 0, 0x01020304);
    static const uint8_t expected[16] = {4, 3, 2, 1, 0x0a};
    assert_int_equal(buf.len, 16);
    assert_memory_equal(buf.data, expected, 16);
    for (int i = 0; i < 10000; i++)
        buf_printf(&buf, "%d,", i % 10);
    assert_int_equal(buf.len, 16 + 20000);
    assert_int_equal(buf.data[buf.len], 0);
    buf_truncate(&buf, 16);
    buf_append(&buf, "x", 1);
    own_mem char *stolen = buf_steal(&buf);
    assert_int_equal(stolen[16], 'x');
    assert_null(buf.data);
}

static void text_unhex__is_strict(void **state)
{
    (void)state;
    unsigned char bytes[2];
    assert_int_equal(text_unhex(bytes, 2, "0aff"), 0);
    assert_int_equal(bytes[1], 0xff);
    assert_int_equal(text_unhex(bytes, 2, "0aFF"), -1);
    assert_int_equal(text_unhex(bytes, 2, "0af"), -1);
    assert_int_equal(text_unhex(bytes, 2, "0aff0"), -1);
    assert_int_equal(text_unhex(bytes, 2, "0ag0"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_print__message_contexts_and_hint),
        cmocka_unit_test(fail_set__the_first_one_counts),
        cmocka_unit_test(fail_errno__keeps_it),
        cmocka_unit_test(fail_print__control_bytes_are_escaped),
        cmocka_unit_test(fail_move__takes_all),
        cmocka_unit_test(findings__counts_levels_and_order),
        cmocka_unit_test(findings__are_capped_and_still_counted),
        cmocka_unit_test(finding_print__escapes),
        cmocka_unit_test(buf__grows_and_writes_both_orders),
        cmocka_unit_test(text_unhex__is_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
