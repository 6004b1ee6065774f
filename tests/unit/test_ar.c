/* Static archives: the three forms of names, tables that are no members, and what is malformed. */
#include "macho/ar.h"

#include <stdio.h>
#include <string.h>

#include "unit/macho_builder.h"
#include "unit/unit.h"

/* A header with the name as it stands, and the content, padded. */
static void put_member(struct buf *out, const char *name, const void *content, size_t len)
{
    char header[61];
    (void)snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", name, 0, 0, 0, 0644,
                   len);
    buf_append(out, header, 60);
    buf_append(out, content, len);
    if (len % 2 != 0)
        buf_putc(out, '\n');
}

static struct view bytes_of(const struct buf *buf)
{
    return (struct view){.data = buf->data, .len = buf->len};
}

static void ar_read__lists_members_of_every_form(void **state)
{
    static const char names[] = "a_name_that_is_longer_than_it_may_be.o/\nother.o/\n";
    own_buf struct buf file = {0};
    own_ar struct ar ar = {0};
    own_fail struct fail fail = {0};
    struct macho_builder b;
    (void)state;
    macho_small_dylib(&b);
    buf_puts(&file, "!<arch>\n");
    put_member(&file, "/", "\0\0\0\0", 4);
    put_member(&file, "#1/20", "__.SYMDEF SORTED\0\0\0\0table", 25);
    put_member(&file, "//", names, sizeof names - 1);
    put_member(&file, "short.o/", b.out.data, b.out.len);
    put_member(&file, "blank name", "text", 4);
    put_member(&file, "/0", "odd", 3);
    put_member(&file, "/40", "", 0);
    size_t before = file.len;
    put_member(&file, "#1/12", "bsd name.o\0\0content", 19);
    assert_works(ar_read(&ar, bytes_of(&file), &fail), &fail);
    assert_int_equal(ar.count, 5);
    assert_false(ar.is_thin);
    assert_string_equal(ar.list[0].name, "short.o");
    assert_true(ar.list[0].is_image);
    assert_int_equal(ar.list[0].cputype, CPU_TYPE_ARM64);
    assert_int_equal(ar.list[0].filetype, MH_DYLIB);
    assert_int_equal(ar.list[0].size, b.out.len);
    assert_string_equal(ar.list[1].name, "blank name");
    assert_false(ar.list[1].is_image);
    assert_string_equal(ar.list[2].name, "a_name_that_is_longer_than_it_may_be.o");
    assert_int_equal(ar.list[2].size, 3);
    assert_string_equal(ar.list[3].name, "other.o");
    assert_string_equal(ar.list[4].name, "bsd name.o");
    assert_int_equal(ar.list[4].offset, before + 60 + 12);
    assert_int_equal(ar.list[4].size, 7);
    macho_release(&b);
}

static void ar_read__takes_a_thin_archive(void **state)
{
    own_buf struct buf file = {0};
    own_ar struct ar ar = {0};
    own_fail struct fail fail = {0};
    (void)state;
    buf_puts(&file, "!<thin>\n");
    put_member(&file, "//", "dir/one.o/\n", 11);
    put_member(&file, "/0", "", 0);
    memcpy(file.data + file.len - 60 + 48, "123456    ", 10);
    assert_works(ar_read(&ar, bytes_of(&file), &fail), &fail);
    assert_true(ar.is_thin);
    assert_int_equal(ar.count, 1);
    assert_string_equal(ar.list[0].name, "dir/one.o");
    assert_int_equal(ar.list[0].size, 123456);
    assert_int_equal(ar.list[0].offset, 0);
}

static void ar_arch__is_that_of_all_images(void **state)
{
    struct ar_member list[] = {
        {.name = NULL, .is_image = false},
        {.is_image = true, .cputype = CPU_TYPE_ARM64},
        {.is_image = true, .cputype = CPU_TYPE_ARM64},
    };
    struct ar ar = {.list = list, .count = 3};
    uint32_t cputype = 0;
    uint32_t cpusubtype = 0;
    (void)state;
    assert_true(ar_arch(&cputype, &cpusubtype, &ar));
    assert_int_equal(cputype, CPU_TYPE_ARM64);
    list[2].cpusubtype = 2;
    assert_false(ar_arch(&cputype, &cpusubtype, &ar));
    ar.count = 1;
    assert_false(ar_arch(&cputype, &cpusubtype, &ar));
}

/* One member "a" with the name and the size field as given. */
static void expect_malformed(const char *name, const char *size, const char *message)
{
    own_buf struct buf file = {0};
    own_ar struct ar ar = {0};
    own_fail struct fail fail = {0};
    buf_puts(&file, "!<arch>\n");
    put_member(&file, "good.o/", "text", 4);
    put_member(&file, name, "content ", 8);
    if (size != NULL)
        memcpy(file.data + 8 + 64 + 48, size, 10);
    assert_fails(ar_read(&ar, bytes_of(&file), &fail), &fail, FAIL_INPUT, message);
    assert_int_equal(ar.count, 1); /* what comes before is kept */
}

static void ar_read__refuses_what_is_malformed(void **state)
{
    (void)state;
    expect_malformed("a", "x         ", "no member header at offset 72");
    expect_malformed("a", "          ", "no member header at offset 72");
    expect_malformed("a", "8 8       ", "no member header");
    expect_malformed("a", "9         ", "truncated member at offset 72");
    expect_malformed("a", "9999999999", "truncated member");
    expect_malformed("#1/9", NULL, "member name outside of its table");
    expect_malformed("#1/x", NULL, "member name outside of its table");
    expect_malformed("/0", NULL, "member name outside of its table");
    expect_malformed("/99999999999999", NULL, "member name outside of its table");
}

/* Every truncation is refused, but those between two members. */
static void ar_read__refuses_truncations(void **state)
{
    own_buf struct buf file = {0};
    (void)state;
    buf_puts(&file, "!<arch>\n");
    put_member(&file, "#1/4", "a.o\0text", 8);
    put_member(&file, "b.o/", "text", 4);
    for (size_t len = 8; len < file.len; len++) {
        own_mem uint8_t *heap = mem_new(len, 1); /* no byte behind it: ASan watches */
        own_ar struct ar ar = {0};
        own_fail struct fail fail = {0};
        memcpy(heap, file.data, len);
        bool between = len == 8 || len == 8 + 68;
        int result = ar_read(&ar, (struct view){.data = heap, .len = len}, &fail);
        assert_int_equal(result, between ? 0 : -1);
    }
}

/* Many members with one long name: what is kept stays below the size of the file. */
static void ar_read__bounds_the_names(void **state)
{
    own_buf struct buf file = {0};
    own_buf struct buf names = {0};
    own_ar struct ar ar = {0};
    own_fail struct fail fail = {0};
    (void)state;
    for (size_t i = 0; i < 4000; i++)
        buf_putc(&names, 'n');
    buf_puts(&file, "!<arch>\n");
    put_member(&file, "//", names.data, names.len);
    for (size_t i = 0; i < 1000; i++)
        put_member(&file, "/0", "", 0);
    assert_fails(ar_read(&ar, bytes_of(&file), &fail), &fail, FAIL_INPUT,
                 "member names longer than the archive");
    assert_true(ar.count <= file.len / 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ar_read__lists_members_of_every_form),
        cmocka_unit_test(ar_read__takes_a_thin_archive),
        cmocka_unit_test(ar_arch__is_that_of_all_images),
        cmocka_unit_test(ar_read__refuses_what_is_malformed),
        cmocka_unit_test(ar_read__refuses_truncations),
        cmocka_unit_test(ar_read__bounds_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
