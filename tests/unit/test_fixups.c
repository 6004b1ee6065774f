/* Locations that the loader writes: opcode streams, threads, and the rarer pointer formats. The
 * common chains are in test_symbols.c. */
#include "macho/fixups.h"
#include "unit/macho_builder.h"
#include "unit/unit.h"

enum { DATA_AT = 0x400, DATA_LEN = 0x100, ZEROS_LEN = 0x40, BASE = 0x10000 };
enum { REBASE_AT = 0x500, BIND_AT = 0x580, WEAK_AT = 0x600, LAZY_AT = 0x680 };

/* Opcode streams as the source of a test writes them. */
struct streams {
    const char *rebase, *bind, *weak, *lazy;
    size_t rebase_len, bind_len, weak_len, lazy_len;
};
#define STREAM(field, text) .field = (text), .field##_len = sizeof(text) - 1

struct reading {
    struct macho_builder b;
    struct image image;
    struct fixup_list list;
    struct fail fail;
    int result;
};

static void release_reading(struct reading *r)
{
    fixups_release(&r->list);
    image_release(&r->image);
    fail_release(&r->fail);
    macho_release(&r->b);
}
#define own_reading __attribute__((cleanup(release_reading)))

/* Counting alone says the same as reading. */
static int read_and_count(struct reading *r)
{
    own_fixups struct fixup_list counted = {0};
    own_fail struct fail fail = {0};
    int result = fixups_read(&r->list, &r->image, &r->fail);
    assert_int_equal(fixups_count(&counted, &r->image, &fail), result);
    assert_int_equal(counted.bind_count, r->list.bind_count);
    assert_int_equal(counted.rebase_count, r->list.rebase_count);
    assert_int_equal(counted.auth_count, r->list.auth_count);
    assert_int_equal(counted.count, 0);
    if (result < 0)
        assert_string_equal(fail.message, r->fail.message);
    return result;
}

/* __TEXT, __DATA with numbered pointers and zeros behind them, __LINKEDIT with the streams. */
static void read_streams(struct reading *r, const struct streams *s, bool is64)
{
    const uint32_t info[10] = {REBASE_AT, (uint32_t)s->rebase_len,
                               BIND_AT,   (uint32_t)s->bind_len,
                               WEAK_AT,   (uint32_t)s->weak_len,
                               LAZY_AT,   (uint32_t)s->lazy_len,
                               0,         0};
    *r = (struct reading){0};
    macho_begin(&r->b);
    r->b.base_address = BASE;
    if (!is64) {
        r->b.is64 = false;
        r->b.cputype = CPU_TYPE_POWERPC;
        r->b.order = BIG_ENDIAN_BYTES;
    }
    macho_segment(&r->b, "__TEXT", 0, DATA_AT, 5);
    size_t data = macho_segment(&r->b, "__DATA", DATA_AT, DATA_LEN, 3);
    macho_segment(&r->b, "__LINKEDIT", REBASE_AT, 0x300, 1);
    macho_set_u32(&r->b, data + (is64 ? 32 : 28), DATA_LEN + ZEROS_LEN); /* size in memory */
    macho_command_words(&r->b, LC_DYLD_INFO_ONLY, info, 10);
    macho_library(&r->b, LC_LOAD_DYLIB, "/usr/lib/libA.dylib", 1, 1);
    for (uint32_t i = 0; i < DATA_LEN / 4; i++)
        macho_put_u32(&r->b, DATA_AT + 4 * (uint64_t)i, is64 && i % 2 == 1 ? 0 : BASE + i);
    macho_put(&r->b, REBASE_AT, s->rebase, s->rebase_len);
    macho_put(&r->b, BIND_AT, s->bind, s->bind_len);
    macho_put(&r->b, WEAK_AT, s->weak, s->weak_len);
    macho_put(&r->b, LAZY_AT, s->lazy, s->lazy_len);
    macho_finish(&r->b, 0x800);
    assert_int_equal(image_open_any(&r->image, macho_view(&r->b), &r->fail), 0);
    r->result = read_and_count(r);
}

static void expect_bind(const struct reading *r, size_t index, uint64_t offset, const char *name,
                        int ordinal)
{
    const struct fixup *fixup = &r->list.list[index];
    assert_true(index < r->list.count);
    assert_true(fixup->bind);
    assert_int_equal(fixup->segment, 1);
    assert_int_equal(fixup->address, BASE + DATA_AT + offset);
    assert_int_equal(fixup->offset, DATA_AT + offset);
    assert_string_equal(r->list.imports[fixup->import].name, name);
    assert_int_equal(r->list.imports[fixup->import].ordinal, ordinal);
}

static void expect_rebase(const struct reading *r, size_t index, uint64_t offset, uint64_t target)
{
    const struct fixup *fixup = &r->list.list[index];
    assert_true(index < r->list.count);
    assert_false(fixup->bind);
    assert_int_equal(fixup->address, BASE + DATA_AT + offset);
    assert_int_equal(fixup->target, target);
}

static void fixups_read__follows_bind_opcodes(void **state)
{
    static const struct streams s = {
        /* _a at 0 and 8; _b with addend -2 at 32, then at 48 and 72; 80 + 16 back is 64 */
        STREAM(bind, "\x11\x40_a\0\x51\x71\x00\x90\x90\x3e\x41_b\0\x60\x7e\x71\x20\xa0\x08"
                     "\xc0\x02\x10\x11\x80\xe8\xff\xff\xff\xff\xff\xff\xff\xff\x01\x40_c\0\xb1"
                     "\x90\x00"),
        STREAM(weak, "\x40_a\0\x71\x00\x90\x00"),
        STREAM(lazy, "\x71\x80\x01\x11\x40_l\0\x90\x00\x71\x88\x01\x40_m\0\x90\x00\x00"),
    };
    own_reading struct reading r;
    (void)state;
    read_streams(&r, &s, true);
    assert_int_equal(r.result, 0);
    assert_int_equal(r.list.count, 10);
    expect_bind(&r, 0, 0, "_a", 1);
    expect_bind(&r, 1, 8, "_a", 1);
    expect_bind(&r, 2, 32, "_b", ORDINAL_FLAT_LOOKUP);
    assert_int_equal(r.list.list[2].addend, -2);
    assert_true(r.list.imports[r.list.list[2].import].weak);
    expect_bind(&r, 3, 48, "_b", ORDINAL_FLAT_LOOKUP);
    expect_bind(&r, 4, 72, "_b", ORDINAL_FLAT_LOOKUP);
    expect_bind(&r, 5, 72, "_c", 1);
    expect_bind(&r, 6, 88, "_c", 1);
    expect_bind(&r, 7, 0, "_a", ORDINAL_WEAK_LOOKUP);
    expect_bind(&r, 8, 128, "_l", 1);
    expect_bind(&r, 9, 136, "_m", 1);
    assert_int_equal(r.list.import_count, 6);
}

static void fixups_read__follows_rebase_opcodes(void **state)
{
    static const struct streams s = {
        /* 0 and 8; 24; 32, 40; 48; 80 and 104; the last in memory that the file does not fill */
        STREAM(rebase, "\x11\x21\x00\x52\x41\x51\x60\x02\x70\x18\x80\x02\x10\x21\x80\x02\x51\x00"),
    };
    static const uint64_t offsets[] = {0, 8, 24, 32, 40, 48, 80, 104};
    own_reading struct reading r;
    (void)state;
    read_streams(&r, &s, true);
    assert_int_equal(r.result, 0);
    assert_int_equal(r.list.count, 9);
    for (size_t i = 0; i < 8; i++)
        expect_rebase(&r, i, offsets[i], BASE + offsets[i] / 4);
    expect_rebase(&r, 8, DATA_LEN, 0);
    assert_int_equal(r.list.list[8].offset, 0);
}

/* Words of four bytes, in the order of the image. */
static void fixups_read__follows_opcodes_of_32_bits(void **state)
{
    static const struct streams s = {
        STREAM(rebase, "\x11\x21\x04\x52\x41\x51\x00"),
        STREAM(bind, "\x11\x40_a\0\x71\x00\x90\x90\x00"),
    };
    own_reading struct reading r;
    (void)state;
    read_streams(&r, &s, false);
    assert_int_equal(r.result, 0);
    assert_int_equal(r.list.count, 5);
    expect_bind(&r, 0, 0, "_a", 1);
    expect_bind(&r, 1, 4, "_a", 1);
    expect_rebase(&r, 2, 4, BASE + 1);
    expect_rebase(&r, 3, 8, BASE + 2);
    expect_rebase(&r, 4, 16, BASE + 4);
}

/* A table of ordinals, and chains that begin where an opcode says. */
static void fixups_read__follows_threads(void **state)
{
    static const struct streams s = {
        STREAM(bind, "\xd0\x02\x11\x40_a\0\x90\x40_b\0\x60\x03\x90\x71\x10\xd1\x00"),
    };
    own_reading struct reading r;
    (void)state;
    read_streams(&r, &s, true);
    fixups_release(&r.list);
    /* the pointers of read_streams() end the chain; now a bind of import 1, then the end */
    macho_put_u64(&r.b, DATA_AT + 0x10, UINT64_C(1) << 62 | UINT64_C(2) << 51 | 1);
    macho_put_u64(&r.b, DATA_AT + 0x20, UINT64_C(3) << 62 | UINT64_C(0x1234) << 32);
    macho_finish(&r.b, 0x800);
    image_release(&r.image);
    assert_int_equal(image_open(&r.image, macho_view(&r.b), &r.fail), 0);
    assert_int_equal(fixups_read(&r.list, &r.image, &r.fail), 0);
    assert_int_equal(r.list.import_count, 2);
    assert_int_equal(r.list.count, 2);
    expect_bind(&r, 0, 0x10, "_b", 1);
    assert_int_equal(r.list.list[0].addend, 3);
    expect_bind(&r, 1, 0x20, "_a", 1);
    assert_true(r.list.list[1].auth);
    assert_int_equal(r.list.list[1].diversity, 0x1234);
}

static void fixups_read__refuses_broken_opcodes(void **state)
{
    static const struct {
        struct streams streams;
        const char *message;
    } cases[] = {
        {{STREAM(rebase, "\x21\x00\x90")}, "the rebase table has the unknown opcode 0x90"},
        {{STREAM(rebase, "\x21\x80")}, "the rebase table ends inside of an opcode (0x21"},
        {{STREAM(rebase, "\x29\x00\x51")}, "the rebase table is for segment 9, but there are 3"},
        {{STREAM(rebase, "\x21\xb9\x02\x51")}, "leaves segment '__DATA' (offset 0x139 of 0x140)"},
        {{STREAM(rebase, "\x21\x00\x60\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")},
         "has more fix-ups than room"},
        {{STREAM(rebase, "\x21\x00\x80\xff\x03\xf8\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                         "\x80\xff\x03\xf8\xff\xff\xff\xff\xff\xff\xff\xff\x01")},
         "has more fix-ups than room"},
        {{STREAM(bind, "\x11\x40_a\0\x7f\x00\x90")}, "the bind table is for segment 15"},
        {{STREAM(bind, "\x11\x40_a\0\x71\x00\xb0\x80\xff\x03\x90")}, "leaves segment '__DATA'"},
        {{STREAM(bind, "\xd0\x01\x71\x00\xd2")}, "the bind table has the unknown opcode 0xd2"},
        {{STREAM(bind, "\xd0\x01\x71\xff\x01\xd1")}, "leaves page 0 of segment '__DATA'"},
        {{STREAM(bind, "\x79\x00\xd1")}, "the bind table is for segment 9"},
        {{STREAM(lazy, "\x71\x00\x90")}, "the lazy bind table binds before it names a symbol"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        own_reading struct reading r;
        read_streams(&r, &cases[i].streams, true);
        assert_fails(r.result, &r.fail, FAIL_INPUT, cases[i].message);
        assert_int_equal(r.list.count, 0);
    }
}

/* The chains of the small dylib, in another pointer format. */
static void read_format(struct reading *r, uint32_t format)
{
    *r = (struct reading){0};
    macho_small_dylib(&r->b);
    macho_put_u32(&r->b, 0xa34, format << 16 | 0x4000);
    macho_finish(&r->b, MACHO_SMALL_SIZE);
    assert_int_equal(image_open(&r->image, macho_view(&r->b), &r->fail), 0);
    r->result = read_and_count(r);
}

static void put_and_read(struct reading *r, uint64_t first, uint64_t second_at, uint64_t second)
{
    macho_put_u64(&r->b, 0x800, first);
    macho_put_u64(&r->b, second_at, second);
    macho_finish(&r->b, MACHO_SMALL_SIZE);
    image_release(&r->image);
    fixups_release(&r->list);
    fail_release(&r->fail);
    assert_int_equal(image_open(&r->image, macho_view(&r->b), &r->fail), 0);
    assert_int_equal(fixups_read(&r->list, &r->image, &r->fail), 0);
}

static void fixups_read__decodes_kernel_caches(void **state)
{
    static const struct {
        uint32_t format;
        unsigned stride;
    } cases[] = {{CHAINED_64_KERNEL_CACHE, 4}, {CHAINED_X86_64_CACHE, 1}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        own_reading struct reading r;
        read_format(&r, cases[i].format);
        /* 0x660, signed: diversity 0x55, by address, key DB; 12 bytes on; offset 0x40 of level 1 */
        put_and_read(&r,
                     UINT64_C(1) << 63 | UINT64_C(12) / cases[i].stride << 51 | UINT64_C(3) << 49 |
                         UINT64_C(1) << 48 | UINT64_C(0x55) << 32 | 0x660,
                     0x80c, UINT64_C(1) << 30 | 0x40);
        assert_int_equal(r.list.pointer_format, cases[i].format);
        assert_int_equal(r.list.count, 2);
        assert_true(r.list.list[0].auth && r.list.list[0].address_diversity);
        assert_int_equal(r.list.list[0].key, FIXUP_DB);
        assert_int_equal(r.list.list[0].diversity, 0x55);
        assert_int_equal(r.list.list[0].target, 0x660);
        assert_int_equal(r.list.list[1].address, 0x80c);
        assert_int_equal(r.list.list[1].target, 0x40);
        assert_false(r.list.list[1].auth || r.list.list[1].bind);
    }
}

static void fixups_read__decodes_small_caches_and_firmware(void **state)
{
    own_reading struct reading cache;
    own_reading struct reading firmware;
    (void)state;
    read_format(&cache, CHAINED_32_CACHE);
    put_and_read(&cache, UINT64_C(3) << 30 | 0x660, 0x80c, 0x664);
    assert_int_equal(cache.list.count, 2);
    assert_int_equal(cache.list.list[0].target, 0x660);
    assert_int_equal(cache.list.list[1].address, 0x80c);
    assert_int_equal(cache.list.list[1].target, 0x664);
    read_format(&firmware, CHAINED_32_FIRMWARE);
    put_and_read(&firmware, UINT64_C(63) << 26 | 0x3ffffff, 0x8fc, 0x10);
    assert_int_equal(firmware.list.count, 2);
    assert_int_equal(firmware.list.list[0].target, 0x3ffffff);
    assert_int_equal(firmware.list.list[1].address, 0x8fc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixups_read__follows_bind_opcodes),
        cmocka_unit_test(fixups_read__follows_rebase_opcodes),
        cmocka_unit_test(fixups_read__follows_opcodes_of_32_bits),
        cmocka_unit_test(fixups_read__follows_threads),
        cmocka_unit_test(fixups_read__refuses_broken_opcodes),
        cmocka_unit_test(fixups_read__decodes_kernel_caches),
        cmocka_unit_test(fixups_read__decodes_small_caches_and_firmware),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
