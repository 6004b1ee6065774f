/* The bounded reader: what it reads of a sound image, and that nothing broken gets past it. */
#include <stdlib.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/describe.h"
#include "macho/fat.h"
#include "macho/image.h"
#include "unit/macho_builder.h"
#include "unit/unit.h"

static const struct macho_fat_slice x86_64 = {.cputype = CPU_TYPE_X86_64, .cpusubtype = 3};
static const struct macho_fat_slice arm64 = {.cputype = CPU_TYPE_ARM64};
static const struct macho_fat_slice arm64e = {.cputype = CPU_TYPE_ARM64, .cpusubtype = 0x80000002u};

/* A universal file of the small dylib, twice, for what these say. */
static void put_pair(struct buf *out, struct macho_fat_slice first, struct macho_fat_slice second,
                     bool is64, uint32_t align_log2)
{
    struct macho_builder b;
    macho_small_dylib(&b);
    struct macho_fat_slice slices[] = {first, second};
    slices[0].data = slices[1].data = macho_view(&b);
    macho_fat(out, slices, 2, is64, align_log2);
    macho_release(&b);
}

/* Opens and expects a refusal whose message has `text` in it. */
static void expect_refused(const struct macho_builder *b, const char *text)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    assert_fails(image_open(&image, macho_view(b), &fail), &fail, FAIL_INPUT, text);
}

static void expect_refused_bytes(const char *bytes, size_t len, const char *text)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    struct view file = {.data = (const uint8_t *)bytes, .len = len};
    assert_int_equal(image_open_any(&image, file, &fail), -1);
    assert_int_equal(fail.code, FAIL_INPUT);
    assert_string_equal(fail.message, text);
}

static void image_open__reads_the_small_dylib(void **state)
{
    struct macho_builder b;
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    (void)state;
    macho_small_dylib(&b);
    assert_int_equal(image_open(&image, macho_view(&b), &fail), 0);
    assert_true(image.is64);
    assert_int_equal(image.cputype, CPU_TYPE_ARM64);
    assert_int_equal(image.filetype, MH_DYLIB);
    assert_int_equal(image.command_count, 12);
    assert_int_equal(image.segment_count, 3);
    assert_int_equal(image.section_count, 6);
    assert_string_equal(image.sections[3].name, "__objc_classname");
    assert_int_equal(image.segments[1].first_section, 4);
    assert_string_equal(image.id.path, "@rpath/small.dylib");
    assert_int_equal(image.library_count, 1);
    assert_string_equal(image.libraries[0].path, "/usr/lib/libSystem.B.dylib");
    assert_int_equal(image.libraries[0].current_version, 1319u << 16);
    assert_int_equal(image.build_count, 1);
    assert_int_equal(image.builds[0].min_os, 13u << 16);
    assert_int_equal(image.tools[0].tool, 4);
    assert_true(image.has_uuid);
    assert_int_equal(image.uuid[15], 0x1f);
    assert_string_equal(image.rpaths[0].path, "@loader_path/lib");
    assert_int_equal(image.symtab.count, 3);
    assert_true(image_has(&image.chained_fixups));
    assert_true(image_has(&image.exports_trie));
    assert_false(image_has(&image.code_signature));
    assert_int_equal(image_header_room(&image), 0x600 - 32 - 1024);
    macho_release(&b);
}

static void image_open__says_what_a_file_is(void **state)
{
    (void)state;
    expect_refused_bytes("", 0, "an empty file is no Mach-O file");
    expect_refused_bytes("\xcf\xfa\xed", 3, "a file of less than 4 bytes is no Mach-O file");
    expect_refused_bytes("\xcf\xfa\xed\xfe", 4,
                         "the Mach-O header is truncated (needs 32 bytes, 4 left)");
    expect_refused_bytes("\xfe\xed\xfa\xce\0\0", 6,
                         "the Mach-O header is truncated (needs 28 bytes, 6 left)");
    expect_refused_bytes("!<arch>\nlib", 11, "a static archive is no Mach-O file");
    expect_refused_bytes("\177ELF\2\1\1", 7, "an ELF file is no Mach-O file");
    expect_refused_bytes("MZ\220\0", 4, "a Windows or DOS executable is no Mach-O file");
    expect_refused_bytes("#!/bin/sh\n", 10, "a text file is no Mach-O file");
    expect_refused_bytes("\xca\xfe\xba\xbe\0\0\0\x37", 8, "a Java class file is no Mach-O file");
    expect_refused_bytes("\1\2\3\4\5", 5, "a file of unknown format is no Mach-O file");
    expect_refused_bytes("\xca\xfe\xba\xbe\0\0\0\1", 8, "a universal file is no thin Mach-O image");
}

static void image_open__names_the_slices_of_a_universal_file(void **state)
{
    own_buf struct buf fat = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    (void)state;
    put_pair(&fat, x86_64, arm64e, false, 12);
    assert_int_equal(image_open(&image, unit_view(&fat), &fail), -1);
    assert_string_equal(fail.message, "a universal file of x86_64, arm64e is no thin Mach-O image");
    assert_non_null(fail.hint);
}

static void image_open__accepts_only_64_bit_little_endian(void **state)
{
    struct macho_builder b;
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    (void)state;
    macho_begin(&b);
    b.is64 = false;
    b.order = BIG_ENDIAN_BYTES;
    b.cputype = CPU_TYPE_POWERPC;
    macho_segment(&b, "__TEXT", 0, 0x200, 5);
    macho_section(&b, "__TEXT", "__text", 0x180, 8, 0);
    macho_library(&b, LC_LOAD_DYLIB, "/usr/lib/libz.dylib", 0x10203, 0x10000);
    macho_finish(&b, 0x200);
    expect_refused(&b, "a 32-bit big-endian image (ppc) is not supported");
    assert_int_equal(image_open_any(&image, macho_view(&b), &fail), 0);
    assert_false(image.is64);
    assert_int_equal(image.sections[0].offset, 0x180);
    assert_int_equal(image.libraries[0].current_version, 0x10203);
    macho_release(&b);
}

/* Offset in b->commands of the first command with this number. */
static size_t find(const struct macho_builder *b, uint32_t cmd)
{
    for (size_t at = 0; at + 8 <= b->commands.len;) {
        uint32_t word[2] = {0};
        memcpy(word, b->commands.data + at, 8);
        if (word[0] == cmd)
            return at;
        at += word[1];
    }
    abort();
}

static void image_open__refuses_absurd_fields(void **state)
{
    static const struct {
        uint32_t cmd;
        size_t offset;
        uint32_t value;
        const char *message;
    } cases[] = {
        {LC_UUID, 4, 4096, "load command 8 (LC_UUID) is truncated (needs 4096 bytes, 144 left)"},
        {LC_UUID, 4, 0, "has a size of 0"},
        {LC_UUID, 4, 0xfffffff8u, "is truncated (needs 4294967288 bytes"},
        {LC_UUID, 4, 28, "not a multiple of 8"},
        {LC_RPATH, 0, LC_SEGMENT_64, "is too short for its fields"},
        {LC_SEGMENT_64, 0, LC_SEGMENT, "is not for 64-bit images"},
        {LC_SEGMENT_64, 32, 0x7ff, "more bytes in the file than in memory (2048 and 2047)"},
        {LC_SEGMENT_64, 48, 0x7fffffffu, "segment '__TEXT' is truncated"},
        {LC_SEGMENT_64, 28, 0xffffffffu, "does not map its address 0x600"},
        {LC_SEGMENT_64, 64, 5, "counts 5 sections, but has room for 4"},
        {LC_SEGMENT_64, 72 + 40, 0xffffff, "is outside of the file"},
        {LC_SEGMENT_64, 72 + 44, 0xffffffffu, "is outside of the file"},
        {LC_SEGMENT_64, 72 + 48, 0x604, "does not map its address 0x600"},
        {LC_ID_DYLIB, 8, 4, "does not end inside the command"},
        {LC_ID_DYLIB, 8, 0xffffffffu, "does not end inside the command"},
        {LC_SYMTAB, 8, 0xfffffff0u, "the symbol table is outside of the file"},
        {LC_SYMTAB, 12, 0xffffffffu, "the symbol table is outside of the file"},
        {LC_SYMTAB, 20, 0xffffffffu, "the string table is outside of the file"},
        {LC_DYSYMTAB, 12, 4, "counts symbols that the symbol table of 3 does not have"},
        {LC_DYSYMTAB, 60, 0xffffffffu, "the indirect symbol table is outside of the file"},
        {LC_BUILD_VERSION, 20, 2, "counts 2 tools, but has room for 1"},
        {LC_DYLD_CHAINED_FIXUPS, 12, 0xc00, "the table of chained fix-ups is outside of the file"},
        {LC_DYLD_EXPORTS_TRIE, 8, 0xffffffffu, "the export trie is outside of the file"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct macho_builder b;
        macho_small_dylib(&b);
        macho_set_u32(&b, find(&b, cases[i].cmd) + cases[i].offset, cases[i].value);
        if (cases[i].cmd == LC_DYSYMTAB && cases[i].offset == 60)
            macho_set_u32(&b, find(&b, LC_DYSYMTAB) + 56, 0xb00);
        macho_finish(&b, MACHO_SMALL_SIZE);
        expect_refused(&b, cases[i].message);
        macho_release(&b);
    }
}

/* A segment that is in the file alone: Go's __DWARF, or one that says that nothing is to be done. */
static void image_open__reads_segments_without_memory(void **state)
{
    static const struct {
        uint32_t filetype, protection, flags;
        bool good;
    } cases[] = {
        {MH_EXECUTE, 0, 0, true},  {MH_DYLIB, 0, 0, true},  {MH_DYLIB, 1, SG_NORELOC, true},
        {MH_EXECUTE, 1, 0, false}, {MH_DYLIB, 5, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct macho_builder b;
        own_image struct image image = {0};
        own_fail struct fail fail = {0};
        macho_begin(&b);
        b.filetype = cases[i].filetype;
        macho_segment(&b, "__TEXT", 0, 0x1000, 5);
        size_t at = macho_segment(&b, "__DWARF", 0x1000, 0x10, cases[i].protection);
        macho_set_u32(&b, at + 32, 0);
        macho_set_u32(&b, at + 68, cases[i].flags);
        macho_section(&b, "__DWARF", "__debug_line", 0x1000, 0x10, 0);
        macho_segment(&b, "__LINKEDIT", 0x1010, 0x10, 1);
        macho_finish(&b, 0x1020);
        if (cases[i].good) {
            assert_works(image_open(&image, macho_view(&b), &fail), &fail);
            assert_int_equal(image.segments[1].file_size, 0x10);
        } else {
            expect_refused(&b, "more bytes in the file than in memory (16 and 0)");
        }
        macho_release(&b);
    }
}

static void image_open__refuses_repeated_commands(void **state)
{
    static const uint32_t commands[] = {
        LC_UUID, LC_SYMTAB, LC_DYSYMTAB, LC_ID_DYLIB, LC_DYLD_CHAINED_FIXUPS, LC_DYLD_EXPORTS_TRIE};
    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct macho_builder b;
        uint32_t size = 0;
        macho_small_dylib(&b);
        size_t at = find(&b, commands[i]);
        memcpy(&size, b.commands.data + at + 4, 4);
        own_mem void *copy = mem_copy(b.commands.data + at + 8, size - 8);
        macho_command(&b, commands[i], copy, size - 8);
        macho_finish(&b, MACHO_SMALL_SIZE);
        expect_refused(&b, "repeats load command");
        macho_release(&b);
    }
}

/* Everything that is read of a file anywhere, over exactly `len` bytes on the heap. */
static int read_all(const uint8_t *data, size_t len)
{
    own_mem uint8_t *heap = mem_new(len, 1); /* no byte behind it: ASan watches */
    own_description struct description description = {0};
    struct describe_options options = {.symbols = true, .judge = true};
    own_fail struct fail fail = {0};
    memcpy(heap, data, len);
    struct view file = {.data = heap, .len = len};
    if (describe_open(&description, "file", file, &options, &fail) < 0) {
        assert_int_equal(fail.code, FAIL_INPUT);
        assert_non_null(fail.message);
        return -1;
    }
    own_buf struct buf text = {0};
    describe_text(&text, &description);
    json_t *json = describe_json(&description);
    json_decref(json);
    return describe_fault(&description, &fail);
}

static void image_open__refuses_every_truncation(void **state)
{
    struct macho_builder b;
    (void)state;
    macho_small_dylib(&b);
    for (size_t len = 0; len < b.out.len; len++) {
        if (read_all(b.out.data, len) == 0)
            fail_msg("the first %zu of %zu bytes were accepted", len, b.out.len);
    }
    assert_int_equal(read_all(b.out.data, b.out.len), 0);
    macho_release(&b);
}

static void image_open__survives_every_byte_flip(void **state)
{
    static const uint8_t masks[] = {0xff, 0x01, 0x80};
    struct macho_builder b;
    (void)state;
    macho_small_dylib(&b);
    for (size_t at = 0; at < b.out.len; at++) {
        for (size_t i = 0; i < sizeof masks; i++) {
            b.out.data[at] ^= masks[i];
            (void)read_all(b.out.data, b.out.len);
            b.out.data[at] ^= masks[i];
        }
    }
    macho_release(&b);
}

static void image_locate_offset__names_every_part(void **state)
{
    static const struct {
        uint64_t offset;
        const char *place;
    } cases[] = {
        {4, "header+0x4"},
        {32 + 72 + 4 * 80, "load command 1 (LC_SEGMENT_64)+0x0"},
        {0x5ff, "__TEXT+0x5ff"},
        {0x632, "__TEXT,__cstring+0x12"},
        {0x808, "__DATA,__objc_selrefs+0x0"},
        {0xa04, "chained fix-ups+0x4"},
        {0xa80, "export trie+0x0"},
        {0xac1, "symbol table+0x1"},
        {0xb05, "string table+0x5"},
        {0xbff, "__LINKEDIT+0x1ff"},
        {0xc00, "offset 0xc00"},
        {UINT64_MAX, "offset 0xffffffffffffffff"},
    };
    struct macho_builder b;
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    (void)state;
    macho_small_dylib(&b);
    assert_int_equal(image_open(&image, macho_view(&b), &fail), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char place[IMAGE_PLACE_MAX];
        image_locate_offset(place, &image, cases[i].offset);
        assert_string_equal(place, cases[i].place);
    }
    macho_release(&b);
}

static void image_offset_of_address__is_the_inverse(void **state)
{
    struct macho_builder b;
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    uint64_t value = 0;
    (void)state;
    macho_small_dylib(&b);
    assert_int_equal(image_open(&image, macho_view(&b), &fail), 0);
    for (uint64_t offset = 0; offset < MACHO_SMALL_SIZE; offset++) {
        assert_true(image_address_of_offset(&value, &image, offset));
        assert_true(image_offset_of_address(&value, &image, value));
        assert_int_equal(value, offset);
    }
    assert_false(image_address_of_offset(&value, &image, MACHO_SMALL_SIZE));
    assert_false(image_offset_of_address(&value, &image, UINT64_MAX));
    macho_release(&b);
}

/* A universal file of the small dylib and another, with one byte of the table changed. */
static void expect_fat(size_t at, uint8_t value, bool is64, const char *message)
{
    own_buf struct buf bytes = {0};
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    put_pair(&bytes, x86_64, arm64, is64, 12);
    if (at != 0)
        bytes.data[at] = value;
    int result = fat_open(&fat, unit_view(&bytes), &fail);
    if (message == NULL) {
        assert_int_equal(result, 0);
        assert_int_equal(fat.slice_count, 2);
        assert_int_equal(fat.slices[1].offset, 0x2000);
        assert_int_equal(fat.slices[1].data.len, MACHO_SMALL_SIZE);
    } else {
        assert_int_equal(result, -1);
        assert_string_equal(fail.message, message);
    }
}

static void fat_open__checks_its_table(void **state)
{
    (void)state;
    expect_fat(0, 0, false, NULL);
    expect_fat(0, 0, true, NULL);
    expect_fat(7, 0, false, "the universal file has no slices");
    expect_fat(4, 0xff, false,
               "the table of 4278190082 slices is truncated (needs 85563801640 bytes, 11256 left)");
    expect_fat(8 + 8 + 2, 0, false,
               "slice 1 (x86_64) overlaps the table of slices (offset 0, the "
               "table ends at 48)");
    expect_fat(8 + 8 + 3, 1, false,
               "slice 1 (x86_64) is not aligned (offset 4097, alignment 2^12)");
    expect_fat(8 + 19, 200, false, "slice 1 (x86_64) has an absurd alignment (2^200)");
    expect_fat(8 + 20 + 8 + 2, 0x10, false,
               "slice 2 (arm64) overlaps slice 1 (3072 bytes at offset 4096; its own offset is "
               "4096)");
    expect_fat(8 + 20 + 12, 0xff, false,
               "slice 2 (arm64) is truncated (needs 4278193152 bytes at offset 8192, the file has "
               "11264)");
    expect_fat(8 + 32 + 8, 0xff, true,
               "slice 2 (arm64) is truncated (needs 3072 bytes at offset 18374686479671631872, the "
               "file has 11264)");
}

/* Every entry of a table costs much more memory than its bytes in the file. */
static void fat_read__refuses_an_absurd_number_of_slices(void **state)
{
    static uint8_t bytes[8 + 1025 * 20] = {0xca, 0xfe, 0xba, 0xbe, 0, 0, 4, 1};
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    (void)state;
    struct view file = {bytes, sizeof bytes};
    assert_int_equal(fat_read(&fat, file, &fail), -1);
    assert_string_equal(fail.message,
                        "the universal file counts 1025 slices, more than the 1024 that are read");
    fail_release(&fail);
    bytes[7] = 0;
    assert_int_equal(fat_read(&fat, file, &fail), 0);
    assert_int_equal(fat.slice_count, 1024);
    assert_null(fat.slices[1023].data.data);
    assert_int_equal(fat_check(&fat, &fail), -1);
    assert_string_equal(fail.message, "slice 1 (cputype 0x0 cpusubtype 0x0) overlaps the table of "
                                      "slices (offset 0, the table ends at 20488)");
}

/* The third begins inside of the first, behind the second: it must not be read either. */
static void fat_read__keeps_what_overlaps_nothing(void **state)
{
    struct macho_builder b;
    own_buf struct buf bytes = {0};
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    (void)state;
    macho_small_dylib(&b);
    const struct macho_fat_slice slices[] = {{CPU_TYPE_X86_64, 3, macho_view(&b)},
                                             {CPU_TYPE_ARM64, 0, macho_view(&b)},
                                             {CPU_TYPE_ARM, 9, macho_view(&b)},
                                             {CPU_TYPE_POWERPC, 10, macho_view(&b)}};
    macho_fat(&bytes, slices, 4, false, 4);
    uint64_t first = (8 + 4 * 20 + 15) / 16 * 16;
    buf_set_u32be(&bytes, 8 + 12, 64);                       /* the first is short */
    buf_set_u32be(&bytes, 8 + 20 + 8, (uint32_t)first + 32); /* the second begins in it */
    buf_set_u32be(&bytes, 8 + 40 + 8, (uint32_t)first + 48); /* the third too */
    assert_works(fat_read(&fat, (struct view){bytes.data, bytes.len}, &fail), &fail);
    assert_null(fat.slices[0].fault);
    assert_int_equal(fat.slices[0].data.len, 64);
    assert_non_null(fat.slices[1].fault);
    assert_string_equal(fat.slices[2].fault, "overlaps slice 1 (64 bytes at offset 96; its own "
                                             "offset is 144)");
    assert_int_equal(fat.slices[2].data.len, 0);
    assert_null(fat.slices[3].fault);
    assert_int_equal(fat.slices[3].data.len, MACHO_SMALL_SIZE);
    assert_int_equal(fat_check(&fat, &fail), -1);
    assert_string_equal(fail.message, "slice 2 (arm64) overlaps slice 1 (64 bytes at offset 96; "
                                      "its own offset is 128)");
    macho_release(&b);
}

static void fat_open__refuses_two_slices_of_one_architecture(void **state)
{
    own_buf struct buf bytes = {0};
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    (void)state;
    put_pair(&bytes, arm64, arm64, false, 12);
    assert_int_equal(fat_open(&fat, unit_view(&bytes), &fail), -1);
    assert_string_equal(fail.message, "slice 2 (arm64) is for the architecture of slice 1");
    /* Capability bits make no other one. */
    struct macho_fat_slice capable = x86_64;
    capable.cpusubtype |= CPU_SUBTYPE_LIB64;
    fail_release(&fail);
    buf_truncate(&bytes, 0);
    put_pair(&bytes, x86_64, capable, false, 12);
    assert_int_equal(fat_open(&fat, unit_view(&bytes), &fail), -1);
    assert_string_equal(fail.message, "slice 2 (x86_64) is for the architecture of slice 1");
}

static void fat_open__survives_every_change_of_its_table(void **state)
{
    own_buf struct buf bytes = {0};
    (void)state;
    put_pair(&bytes, x86_64, arm64, true, 4);
    for (size_t at = 0; at < 8 + 2 * 32; at++) {
        for (unsigned value = 0; value < 256; value += 5) {
            uint8_t before = bytes.data[at];
            bytes.data[at] = (uint8_t)value;
            (void)read_all(bytes.data, bytes.len);
            bytes.data[at] = before;
        }
    }
}

static void arch__names_are_those_of_lipo(void **state)
{
    char text[MACHO_FLAGS_MAX];
    uint32_t type = 0;
    uint32_t subtype = 0;
    (void)state;
    assert_string_equal(macho_arch_name(CPU_TYPE_ARM64, 0x80000002u), "arm64e");
    assert_string_equal(macho_arch_name(CPU_TYPE_ARM64, 0), "arm64");
    assert_string_equal(macho_arch_name(CPU_TYPE_X86_64, 0x80000003u), "x86_64");
    assert_string_equal(macho_arch_name(CPU_TYPE_X86_64, 8), "x86_64h");
    assert_string_equal(macho_arch_name(CPU_TYPE_ARM, 9), "armv7");
    assert_string_equal(macho_arch_name(CPU_TYPE_POWERPC, 10), "ppc");
    assert_string_equal(macho_arch_name(99, 0), "unknown");
    macho_caps_text(text, CPU_TYPE_ARM64, 0x80000002u);
    assert_string_equal(text, "PAC00");
    macho_caps_text(text, CPU_TYPE_ARM64, 0xc1000002u);
    assert_string_equal(text, "PAK01");
    macho_caps_text(text, CPU_TYPE_X86_64, 0x80000003u);
    assert_string_equal(text, "LIB64");
    assert_true(macho_arch_parse(&type, &subtype, "arm64e"));
    assert_int_equal(type, CPU_TYPE_ARM64);
    assert_int_equal(subtype, 2);
    assert_false(macho_arch_parse(&type, &subtype, "z80"));
    macho_flags_text(text, 0xffffffffu);
    assert_string_equal(text + strlen(text) - 14, "DYLIB_IN_CACHE");
    macho_version_text(text, 13u << 16 | 2u << 8 | 1);
    assert_string_equal(text, "13.2.1");
    macho_source_version_text(text, UINT64_C(1200) << 40 | UINT64_C(3) << 30);
    assert_string_equal(text, "1200.3");
    macho_source_version_text(text, UINT64_MAX);
    assert_string_equal(text, "16777215.1023.1023.1023.1023");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(image_open__reads_the_small_dylib),
        cmocka_unit_test(image_open__says_what_a_file_is),
        cmocka_unit_test(image_open__names_the_slices_of_a_universal_file),
        cmocka_unit_test(image_open__accepts_only_64_bit_little_endian),
        cmocka_unit_test(image_open__refuses_absurd_fields),
        cmocka_unit_test(image_open__reads_segments_without_memory),
        cmocka_unit_test(image_open__refuses_repeated_commands),
        cmocka_unit_test(image_open__refuses_every_truncation),
        cmocka_unit_test(image_open__survives_every_byte_flip),
        cmocka_unit_test(image_locate_offset__names_every_part),
        cmocka_unit_test(image_offset_of_address__is_the_inverse),
        cmocka_unit_test(fat_open__checks_its_table),
        cmocka_unit_test(fat_read__refuses_an_absurd_number_of_slices),
        cmocka_unit_test(fat_read__keeps_what_overlaps_nothing),
        cmocka_unit_test(fat_open__refuses_two_slices_of_one_architecture),
        cmocka_unit_test(fat_open__survives_every_change_of_its_table),
        cmocka_unit_test(arch__names_are_those_of_lipo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
