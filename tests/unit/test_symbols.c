/* Imports, exports, fix-ups and Objective-C names: the union of all tables, and broken ones. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "macho/fixups.h"
#include "macho/objcmeta.h"
#include "macho/symbols.h"
#include "unit/reading.h"

enum { CHAINS_AT = 0xa00, TRIE_AT = 0xa80, SYMBOLS_AT = 0xac0, STRINGS_AT = 0xb00 };

static void start(struct reading *r)
{
    *r = (struct reading){0};
    macho_small_dylib(&r->b);
    reading_open(r);
}

static void symbols_imports__merges_chains_and_symbol_table(void **state)
{
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start(&r);
    assert_int_equal(symbols_imports(&list, &r.image, &r.fail), 0);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.list[0].name, "_getenv");
    assert_int_equal(list.list[0].sources, SYMBOL_FROM_CHAINS | SYMBOL_FROM_SYMTAB);
    assert_int_equal(list.list[0].ordinal, 1);
    assert_string_equal(list.list[0].library, "/usr/lib/libSystem.B.dylib");
    assert_non_null(symbols_find(&list, "_getenv"));
    assert_null(symbols_find(&list, "_other"));
}

/* What only one of the tables names is an import all the same. */
static void symbols_imports__is_the_union(void **state)
{
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start(&r);
    memcpy(r.b.out.data + CHAINS_AT + 0x55, "_hidden", 7);
    assert_int_equal(symbols_imports(&list, &r.image, &r.fail), 0);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.list[0].name, "_getenv");
    assert_int_equal(list.list[0].sources, SYMBOL_FROM_SYMTAB);
    assert_string_equal(list.list[1].name, "_hidden");
    assert_int_equal(list.list[1].sources, SYMBOL_FROM_CHAINS);
}

/* A value makes an undefined symbol a common one in object files only: here it hides nothing. */
static void symbols_imports__has_no_common_symbols_in_a_dylib(void **state)
{
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start(&r);
    buf_set_u64le(&r.b.out, SYMBOLS_AT + 32 + 8, 8);
    memcpy(r.b.out.data + CHAINS_AT + 0x55, "_hidden", 7);
    assert_int_equal(symbols_imports(&list, &r.image, &r.fail), 0);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.list[0].name, "_getenv");
    assert_int_equal(list.list[0].sources, SYMBOL_FROM_SYMTAB);
}

/* A dylib whose imports are in bind opcodes: `bind`, `weak` and `lazy` follow each other. */
static void start_opcodes(struct reading *r, const void *bind, uint32_t bind_len, const void *weak,
                          uint32_t weak_len, const void *lazy, uint32_t lazy_len)
{
    const uint32_t info[10] = {0, 0, 0x400, bind_len, 0x500, weak_len, 0x600, lazy_len, 0, 0};
    *r = (struct reading){0};
    macho_begin(&r->b);
    macho_segment(&r->b, "__TEXT", 0, 0x400, 5);
    macho_segment(&r->b, "__LINKEDIT", 0x400, 0x400, 1);
    macho_command_words(&r->b, LC_DYLD_INFO_ONLY, info, 10);
    macho_library(&r->b, LC_LOAD_DYLIB, "/usr/lib/libA.dylib", 1, 1);
    macho_library(&r->b, LC_LOAD_WEAK_DYLIB, "/usr/lib/libB.dylib", 1, 1);
    macho_put(&r->b, 0x400, bind, bind_len);
    macho_put(&r->b, 0x500, weak, weak_len);
    macho_put(&r->b, 0x600, lazy, lazy_len);
    macho_finish(&r->b, 0x800);
    reading_open(r);
}

static void symbols_imports__reads_bind_opcodes(void **state)
{
    /* ordinal 1, _a bound twice; ordinal 2 weak _b; flat lookup _c; ordinal by ULEB, _d unbound */
    static const char bind[] = "\x11\x40_a\0\x72\x00\x90\x90\x12\x41_b\0\xa0\x08"
                               "\x3e\x40_c\0\x61\x7f\xc0\x02\x08\x20\x81\x00\x40_d\0\x00";
    static const char weak[] = "\x40_a\0\x90\x40_w\0\x90";
    static const char lazy[] = "\x11\x40_l\0\x90\x00\x12\x40_m\0\x90\x00\x00";
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start_opcodes(&r, bind, sizeof bind - 1, weak, sizeof weak - 1, lazy, sizeof lazy - 1);
    assert_int_equal(symbols_imports(&list, &r.image, &r.fail), 0);
    static const struct {
        const char *name;
        int ordinal;
        bool weak;
    } expected[] = {{"_a", 1, false}, {"_b", 2, true},  {"_c", ORDINAL_FLAT_LOOKUP, false},
                    {"_l", 1, false}, {"_m", 2, false}, {"_w", ORDINAL_WEAK_LOOKUP, false}};
    assert_int_equal(list.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(list.list[i].name, expected[i].name);
        assert_int_equal(list.list[i].ordinal, expected[i].ordinal);
        assert_int_equal(list.list[i].weak, expected[i].weak);
    }
    assert_string_equal(list.list[1].library, "/usr/lib/libB.dylib");
}

static void symbols_imports__refuses_broken_opcodes(void **state)
{
    static const struct {
        const char *bytes;
        uint32_t len;
        const char *message;
    } cases[] = {
        {"\x90", 1, "the bind table binds before it names a symbol"},
        {"\x40_a", 3, "the bind table ends inside of an opcode (0x40, 3 bytes in all)"},
        {"\x20\x80", 2, "the bind table ends inside of an opcode (0x20, 2 bytes in all)"},
        {"\x60\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 12, "ends inside of an opcode (0x60"},
        {"\xe5", 1, "the bind table has the unknown opcode 0xe5 at offset 0"},
        {"\xd2", 1, "the bind table has the unknown opcode 0xd2 at offset 0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        own_reading struct reading r;
        own_symbols struct symbol_list list = {0};
        start_opcodes(&r, cases[i].bytes, cases[i].len, "", 0, "", 0);
        assert_fails(symbols_imports(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                     cases[i].message);
    }
}

static void symbols_imports__refuses_names_outside(void **state)
{
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start(&r);
    buf_set_u32le(&r.b.out, SYMBOLS_AT + 32, 0x20);
    assert_fails(symbols_imports(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                 "the name of symbol 2 at offset 32 does not end inside the 32 bytes");
}

/* Counting alone says the same as reading. */
static void read_exports(struct symbol_list *list, struct reading *r)
{
    size_t count = 0;
    assert_int_equal(symbols_exports(list, &r->image, &r->fail), 0);
    assert_int_equal(symbols_count_exports(&count, &r->image, &r->fail), 0);
    assert_int_equal(count, list->count);
}

static void symbols_exports__reads_the_trie(void **state)
{
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start(&r);
    read_exports(&list, &r);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.list[0].name, "_exported");
    assert_int_equal(list.list[0].address, 0x604);
    assert_int_equal(list.list[0].sources, SYMBOL_FROM_TRIE | SYMBOL_FROM_SYMTAB);
    own_symbols struct symbol_list locals = {0};
    assert_int_equal(symbols_locals(&locals, &r.image, &r.fail), 0);
    assert_int_equal(locals.count, 1);
    assert_string_equal(locals.list[0].name, "_local");
}

static void symbols_exports__reads_branches_and_reexports(void **state)
{
    /* root: "_"; there "a" (weak, 0x610) and "b" (re-export of c from library 1) */
    static const uint8_t trie[24] = {0, 1, '_',  0,    5,              /* at 0 */
                                     0, 2, 'a',  0,    13, 'b', 0, 18, /* at 5 */
                                     3, 4, 0x90, 0x0c, 0,              /* at 13 */
                                     4, 8, 1,    'c',  0,  0};         /* at 18 */
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start(&r);
    memcpy(r.b.out.data + TRIE_AT, trie, sizeof trie);
    read_exports(&list, &r);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.list[0].name, "_a");
    assert_true(list.list[0].weak);
    assert_int_equal(list.list[0].address, 0x610);
    assert_string_equal(list.list[1].name, "_b");
    assert_true(list.list[1].reexport);
    assert_string_equal(list.list[1].import_name, "c");
    assert_string_equal(list.list[1].library, "/usr/lib/libSystem.B.dylib");
}

/* Names that somebody chose so that a table of digests would fill one place only. */
static void symbols_exports__counts_chosen_names(void **state)
{
    enum { NAMES = 200, NAMES_AT = 0x1000, ENTRIES_AT = 0x4000 };
    own_reading struct reading r = {0};
    own_symbols struct symbol_list list = {0};
    const uint32_t symtab[] = {ENTRIES_AT, NAMES, NAMES_AT, ENTRIES_AT - NAMES_AT};
    size_t found = 0;
    (void)state;
    macho_begin(&r.b);
    macho_segment(&r.b, "__TEXT", 0, NAMES_AT, 5);
    macho_segment(&r.b, "__LINKEDIT", NAMES_AT, 0x6000 - NAMES_AT, 1);
    macho_command_words(&r.b, LC_SYMTAB, symtab, 4);
    /* Eight letters or less are one step of the digest: the same multiplication. */
    for (uint64_t i = 1; found < NAMES; i++) {
        char name[16];
        uint64_t word = 0;
        int len = snprintf(name, sizeof name, "%" PRIx64, i);
        memcpy(&word, name, (size_t)len);
        word = ((uint64_t)len ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        word ^= word >> 32;
        if ((word & 511) != 7)
            continue;
        uint64_t at = ENTRIES_AT + 16 * (uint64_t)found;
        macho_put(&r.b, NAMES_AT + 16 * ((uint64_t)found + 1), name, (size_t)len + 1);
        macho_put_u32(&r.b, at, (uint32_t)(16 * (found + 1)));
        macho_put_u32(&r.b, at + 4, 0x0103); /* absolute, external; section 1 */
        found++;
    }
    macho_finish(&r.b, 0x6000);
    reading_open(&r);
    read_exports(&list, &r);
    assert_int_equal(list.count, NAMES);
}

/* One name twice, from two libraries: both are told, and both are counted. */
static void symbols_exports__tells_all_origins_of_a_name(void **state)
{
    static const uint8_t trie[20] = {0, 2, 'a', 0,   8, 'a', 0, 14, /* at 0 */
                                     4, 8, 1,   'c', 0, 0,          /* at 8 */
                                     4, 8, 2,   'c', 0, 0};         /* at 14 */
    own_reading struct reading r;
    own_symbols struct symbol_list list = {0};
    (void)state;
    start(&r);
    memcpy(r.b.out.data + TRIE_AT, trie, sizeof trie);
    read_exports(&list, &r);
    assert_true(list.count > 2);
    for (size_t i = 0; i < 2; i++) {
        const struct symbol *symbol = &list.list[list.count - 2 + i];
        assert_string_equal(symbol->name, "a");
        assert_int_equal(symbol->ordinal, i + 1);
    }
}

static void symbols_exports__refuses_broken_tries(void **state)
{
    static const struct {
        size_t at;
        uint8_t value;
        const char *message;
    } cases[] = {
        {12, 0, "node at offset 0 is reached twice"},
        {12, 24, "node at offset 0 has a child outside of the trie"},
        {12, 12, "node at offset 12 is truncated"},
        {0, 24, "node at offset 0 is truncated"},
        {1, 255, "node at offset 0"},
        {12, 1, "node at offset 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        own_reading struct reading r;
        own_symbols struct symbol_list list = {0};
        start(&r);
        r.b.out.data[TRIE_AT + cases[i].at] = cases[i].value;
        assert_fails(symbols_exports(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                     cases[i].message);
    }
}

static void fixups_read__lists_binds_and_rebases(void **state)
{
    own_reading struct reading r;
    own_fixups struct fixup_list list = {0};
    (void)state;
    start(&r);
    assert_int_equal(fixups_read(&list, &r.image, &r.fail), 0);
    assert_int_equal(list.pointer_format, CHAINED_64);
    assert_int_equal(list.import_format, 1);
    assert_int_equal(list.count, 2);
    assert_true(list.list[0].bind);
    assert_int_equal(list.list[0].address, 0x800);
    assert_string_equal(list.imports[list.list[0].import].name, "_getenv");
    assert_false(list.list[1].bind);
    assert_int_equal(list.list[1].target, 0x660);
}

static void fixups_read__decodes_arm64e(void **state)
{
    own_reading struct reading r;
    own_fixups struct fixup_list list = {0};
    (void)state;
    start(&r);
    buf_set_u32le(&r.b.out, CHAINS_AT + 0x34, CHAINED_ARM64E_USERLAND24 << 16 | 0x4000);
    /* signed bind: import 0, diversity 0x6ae1, by address, key DA, next 1 * 8 */
    buf_set_u64le(&r.b.out, 0x800,
                  UINT64_C(3) << 62 | UINT64_C(1) << 51 | UINT64_C(2) << 49 | UINT64_C(1) << 48 |
                      UINT64_C(0x6ae1) << 32);
    /* signed rebase: 0x604, key IB, next 1 * 8 */
    buf_set_u64le(&r.b.out, 0x808,
                  UINT64_C(1) << 63 | UINT64_C(1) << 51 | UINT64_C(1) << 49 | 0x604);
    /* bind with addend -2, next; rebase with a tag */
    buf_set_u64le(&r.b.out, 0x810, UINT64_C(1) << 62 | UINT64_C(1) << 51 | UINT64_C(0x7fffe) << 32);
    buf_set_u64le(&r.b.out, 0x818, UINT64_C(0x80) << 43 | 0x660);
    assert_int_equal(fixups_read(&list, &r.image, &r.fail), 0);
    assert_int_equal(list.count, 4);
    assert_true(list.list[0].auth && list.list[0].bind && list.list[0].address_diversity);
    assert_int_equal(list.list[0].diversity, 0x6ae1);
    assert_int_equal(list.list[0].key, FIXUP_DA);
    assert_true(list.list[1].auth && !list.list[1].bind && !list.list[1].address_diversity);
    assert_int_equal(list.list[1].key, FIXUP_IB);
    assert_int_equal(list.list[1].target, 0x604);
    assert_int_equal(list.list[2].addend, -2);
    assert_false(list.list[2].auth);
    assert_true(list.list[3].target == (UINT64_C(0x80) << 56 | 0x660));
}

static void fixups_read_imports__reads_all_formats(void **state)
{
    own_reading struct reading r;
    own_fixups struct fixup_list list = {0};
    (void)state;
    start(&r);
    buf_set_u32le(&r.b.out, CHAINS_AT + 20, 2);    /* with addend */
    buf_set_u32le(&r.b.out, CHAINS_AT + 12, 0x60); /* names */
    memcpy(r.b.out.data + CHAINS_AT + 0x60, "\0_getenv", 9);
    buf_set_u32le(&r.b.out, CHAINS_AT + 0x50, 0xfe | 1u << 8 | 1u << 9);
    buf_set_u32le(&r.b.out, CHAINS_AT + 0x54, 0xfffffff0u);
    assert_int_equal(fixups_read_imports(&list, &r.image, &r.fail), 0);
    assert_int_equal(list.imports[0].ordinal, ORDINAL_FLAT_LOOKUP);
    assert_true(list.imports[0].weak);
    assert_int_equal(list.imports[0].addend, -16);
    fixups_release(&list);
    buf_set_u32le(&r.b.out, CHAINS_AT + 20, 3); /* 64 bits with addend */
    buf_set_u64le(&r.b.out, CHAINS_AT + 0x50, 0xfffd | UINT64_C(1) << 32);
    buf_set_u64le(&r.b.out, CHAINS_AT + 0x58, UINT64_C(1) << 40);
    assert_int_equal(fixups_read_imports(&list, &r.image, &r.fail), 0);
    assert_int_equal(list.imports[0].ordinal, ORDINAL_WEAK_LOOKUP);
    assert_false(list.imports[0].weak);
    assert_true(list.imports[0].addend == INT64_C(1) << 40);
    assert_string_equal(list.imports[0].name, "_getenv");
}

static void fixups_read__refuses_broken_tables(void **state)
{
    static const struct {
        size_t at;
        uint32_t value;
        const char *message;
    } cases[] = {
        {CHAINS_AT, 1, "chained fix-ups of version 1, not 0"},
        {CHAINS_AT + 4, 0x7d, "the starts of the fix-up chains are outside of their table"},
        {CHAINS_AT + 8, 0x7d, "the table of 1 chained imports is truncated"},
        {CHAINS_AT + 12, 0x81, "the names of the chained imports are outside of their table"},
        {CHAINS_AT + 16, 0xffffffffu, "the table of 4294967295 chained imports is truncated"},
        {CHAINS_AT + 20, 4, "chained imports of unknown format 4"},
        {CHAINS_AT + 24, 1, "compressed symbol names"},
        {CHAINS_AT + 0x20, 4, "are for 4 segments, but there are 3"},
        {CHAINS_AT + 0x28, 0x1000, "the starts of the fix-up chains of segment '__DATA' are "},
        {CHAINS_AT + 0x34, CHAINED_64 << 16, "have pages of 0 bytes"},
        {CHAINS_AT + 0x34, 99u << 16 | 0x4000, "pointer format 99, which is unknown"},
        {CHAINS_AT + 0x38, 0x900, "are for offset 0x900, but it is at 0x800"},
        {CHAINS_AT + 0x44, 0x4000001u, "leaves page 0 of segment '__DATA' (offset 0x400)"},
        {CHAINS_AT + 0x50, 1u | 0x7fffffu << 9, "the name of chained import 0 at offset 8388607"},
        {0x800, 1, "the fix-up at address 0x800 binds import 1 of 1"},
        {0x804, 0xfff80000u, "a chain of fix-ups leaves page 0 of segment '__DATA'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        own_reading struct reading r;
        own_fixups struct fixup_list list = {0};
        start(&r);
        buf_set_u32le(&r.b.out, cases[i].at, cases[i].value);
        assert_fails(fixups_read(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT, cases[i].message);
    }
}

static void objcmeta__lists_selectors_and_classes(void **state)
{
    own_reading struct reading r;
    own_texts struct text_list selectors = {0};
    own_texts struct text_list classes = {0};
    (void)state;
    start(&r);
    assert_int_equal(objcmeta_selectors(&selectors, &r.image, &r.fail), 0);
    assert_int_equal(selectors.count, 2);
    assert_string_equal(selectors.list[0], "initGPUFamilySupport");
    assert_string_equal(selectors.list[1], "supportsFamily:");
    assert_int_equal(objcmeta_classes(&classes, &r.image, &r.fail), 0);
    assert_int_equal(classes.count, 1);
    assert_string_equal(classes.list[0], "SmallClass");
}

/* A selector reference may lead to a string anywhere: it is a selector all the same. */
static void objcmeta_selectors__follows_references(void **state)
{
    own_reading struct reading r;
    own_texts struct text_list selectors = {0};
    (void)state;
    start(&r);
    buf_set_u64le(&r.b.out, 0x808, 0x62d); /* "HALLMARK_VARIABLE" in __cstring */
    assert_int_equal(objcmeta_selectors(&selectors, &r.image, &r.fail), 0);
    assert_int_equal(selectors.count, 3);
    assert_string_equal(selectors.list[0], "HALLMARK_VARIABLE");
    text_list_release(&selectors);
    buf_set_u64le(&r.b.out, 0x808, 0x123456);
    assert_fails(objcmeta_selectors(&selectors, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                 "the selector reference at address 0x808 leads to 0x123456, outside");
}

static void objcmeta_selectors__refuses_an_open_end(void **state)
{
    own_reading struct reading r;
    own_texts struct text_list selectors = {0};
    (void)state;
    start(&r);
    r.b.out.data[0x660 + 36] = 'x';
    assert_fails(objcmeta_selectors(&selectors, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                 "section '__TEXT,__objc_methname' does not end with a NUL");
}

/* Programs from the App Store: cipher text where the names would be. */
static void objcmeta__reads_nothing_encrypted(void **state)
{
    own_reading struct reading r;
    own_texts struct text_list list = {0};
    (void)state;
    start(&r);
    r.b.out.data[0x660 + 36] = 'x';
    assert_false(objcmeta_encrypted(&r.image));
    r.image.encryption.range = (struct image_range){.offset = 0x600, .size = 0x200};
    assert_false(objcmeta_encrypted(&r.image));
    r.image.encryption.crypt_id = 1;
    assert_true(objcmeta_encrypted(&r.image));
    assert_fails(objcmeta_selectors(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                 "the Objective-C names are encrypted");
    fail_release(&r.fail);
    assert_fails(objcmeta_classes(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                 "the Objective-C names are encrypted");
    r.image.section_count = 0;
    assert_false(objcmeta_encrypted(&r.image));
}

/* Many symbols that share one long name would take quadratic time to read and to sort. */
static void symbols_imports__bounds_shared_names(void **state)
{
    enum { COUNT = 4096, LEN = 1 << 16 };
    own_reading struct reading r = {0};
    own_symbols struct symbol_list list = {0};
    const uint32_t symtab[] = {0x400, COUNT, 0x400 + COUNT * 16, LEN};
    own_mem char *name = mem_new(LEN, 1);
    (void)state;
    memset(name, 'a', LEN - 1);
    macho_begin(&r.b);
    macho_segment(&r.b, "__LINKEDIT", 0x400, COUNT * 16 + LEN, 1);
    macho_command_words(&r.b, LC_SYMTAB, symtab, 4);
    for (uint32_t i = 0; i < COUNT; i++) {
        macho_put_u32(&r.b, 0x400 + 16 * (uint64_t)i, i);
        macho_put(&r.b, 0x404 + 16 * (uint64_t)i, "\1", 1);
    }
    macho_put(&r.b, 0x400 + COUNT * 16, name, LEN);
    macho_finish(&r.b, 0x400 + COUNT * 16 + LEN);
    reading_open(&r);
    assert_fails(symbols_imports(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT,
                 "are far longer than the 65536 bytes that they lie in");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_imports__merges_chains_and_symbol_table),
        cmocka_unit_test(symbols_imports__is_the_union),
        cmocka_unit_test(symbols_imports__has_no_common_symbols_in_a_dylib),
        cmocka_unit_test(symbols_imports__reads_bind_opcodes),
        cmocka_unit_test(symbols_imports__refuses_broken_opcodes),
        cmocka_unit_test(symbols_imports__refuses_names_outside),
        cmocka_unit_test(symbols_imports__bounds_shared_names),
        cmocka_unit_test(symbols_exports__reads_the_trie),
        cmocka_unit_test(symbols_exports__reads_branches_and_reexports),
        cmocka_unit_test(symbols_exports__tells_all_origins_of_a_name),
        cmocka_unit_test(symbols_exports__counts_chosen_names),
        cmocka_unit_test(symbols_exports__refuses_broken_tries),
        cmocka_unit_test(fixups_read__lists_binds_and_rebases),
        cmocka_unit_test(fixups_read__decodes_arm64e),
        cmocka_unit_test(fixups_read_imports__reads_all_formats),
        cmocka_unit_test(fixups_read__refuses_broken_tables),
        cmocka_unit_test(objcmeta__lists_selectors_and_classes),
        cmocka_unit_test(objcmeta_selectors__follows_references),
        cmocka_unit_test(objcmeta_selectors__refuses_an_open_end),
        cmocka_unit_test(objcmeta__reads_nothing_encrypted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
