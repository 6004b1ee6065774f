/* The signer: layouts, sizes and defaults of each producer, entitlements, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/signed.h"
#include "unit/unit.h"

#define UUID_SUFFIX "-55554944abcd030405060708090a0b0c0d0e0f10"

static void adhoc_sign__codesign_layout(void **state)
{
    static const uint8_t requirements[] = {0xfa, 0xde, 0x0c, 1, 0, 0, 0, 12, 0, 0, 0, 0};
    static const uint8_t cms[] = {0xfa, 0xde, 0x0b, 1, 0, 0, 0, 8};
    own_signed struct signed_file file = {0};
    (void)state;
    signed_sign(&file, &(struct signed_spec){.tool = TOOL_LLD}, &signed_codesign);
    assert_int_equal(file.sig.blob_count, 3);
    const struct codesig_directory *cd = &file.sig.directories[0];
    assert_string_equal(cd->identifier, "libfoo" UUID_SUFFIX);
    assert_int_equal(cd->offset, 36);
    assert_int_equal(cd->version, 0x20400);
    assert_int_equal(cd->flags, 2);
    assert_int_equal(cd->ident_off, 88);
    assert_int_equal(cd->special_count, 2);
    assert_int_equal(cd->hash_off, 88 + strlen(cd->identifier) + 1 + 64);
    assert_int_equal(cd->code_count, 5);
    assert_int_equal(cd->code_limit32, 0x4020);
    assert_int_equal(cd->exec_limit, CODE_LEN);
    assert_int_equal(cd->exec_flags, 0);
    const struct codesig_blob *blob = codesig_find(&file.sig, CODESIG_SLOT_REQUIREMENTS);
    assert_int_equal(blob->offset, 36 + cd->bytes.len);
    assert_int_equal(blob->bytes.len, sizeof(requirements));
    assert_memory_equal(blob->bytes.data, requirements, sizeof(requirements));
    blob = codesig_find(&file.sig, CODESIG_SLOT_CMS);
    assert_int_equal(blob->offset, 36 + cd->bytes.len + sizeof(requirements));
    assert_int_equal(blob->bytes.len, sizeof(cms));
    assert_memory_equal(blob->bytes.data, cms, sizeof(cms));
    uint64_t len = file.sig.super_blob.len;
    assert_int_equal(len, blob->offset + sizeof(cms));
    assert_int_equal(file.image.code_signature.size, (len - 8 + 18008 + 15) / 16 * 16);
}

static void adhoc_sign__lld_layout(void **state)
{
    own_signed struct signed_file file = {0};
    (void)state;
    signed_sign(&file,
                &(struct signed_spec){.tool = TOOL_LLD, .install_name = "@rpath/libbar.dylib"},
                &signed_linker);
    const struct codesig_directory *cd = &file.sig.directories[0];
    assert_int_equal(file.sig.blob_count, 1);
    assert_string_equal(cd->identifier, "libbar.dylib");
    assert_int_equal(cd->offset, 24);
    assert_int_equal((24 + cd->hash_off) % 16, 0);
    assert_int_equal(cd->flags, 0x20002);
    assert_int_equal(cd->special_count, 0);
    assert_int_equal(cd->exec_limit, CODE_LEN);
    assert_int_equal(file.sig.super_blob.len, file.image.code_signature.size);
    assert_int_equal(file.image.code_signature.size % 16, 0);
}

/* What Apple's linkers, Go and Zig write, by the tool that LC_BUILD_VERSION names. */
static void adhoc_sign__ld64_layouts(void **state)
{
    static const struct {
        uint32_t tool, major;
        bool aligned;
        uint64_t limit;
        unsigned page_shift;
    } cases[] = {
        {0, 0, false, CODE_LEN, 12},        {TOOL_LD, 609, false, CODE_LEN, 12},
        {TOOL_LD, 955, true, CODE_LEN, 12}, {TOOL_LD, 1015, true, 0x123, 12},
        {TOOL_LD, 1267, true, 0x123, 12},   {TOOL_ZIG, 0, true, CODE_LEN, 14},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_signed struct signed_file file = {0};
        signed_sign(&file,
                    &(struct signed_spec){
                        .tool = cases[i].tool, .tool_major = cases[i].major, .install_name = "x/y"},
                    &signed_linker);
        const struct codesig_directory *cd = &file.sig.directories[0];
        assert_string_equal(cd->identifier, "libfoo.dylib");
        assert_int_equal(cd->offset, 20);
        assert_int_equal(cd->hash_off, 88 + sizeof("libfoo.dylib"));
        assert_int_equal(cd->exec_limit, cases[i].limit);
        assert_int_equal(cd->page_shift, cases[i].page_shift);
        uint64_t len = file.sig.super_blob.len;
        assert_int_equal(file.image.code_signature.size,
                         cases[i].aligned ? (len + 7) / 8 * 8 : len);
    }
}

static void adhoc_sign__executables_have_the_main_flag(void **state)
{
    (void)state;
    for (enum adhoc_style style = ADHOC_CODESIGN; style <= ADHOC_LINKER; style++) {
        own_signed struct signed_file file = {0};
        signed_sign(&file, &(struct signed_spec){.filetype = MH_EXECUTE, .tool = TOOL_LLD},
                    &(struct adhoc_options){.style = style, .file_name = "tool"});
        assert_int_equal(file.sig.directories[0].exec_flags, CODESIG_EXEC_MAIN_BINARY);
        assert_string_equal(file.sig.directories[0].identifier,
                            style == ADHOC_LINKER ? "tool" : "tool" UUID_SUFFIX);
    }
}

static void adhoc_sign__default_identifiers(void **state)
{
    static const struct {
        const char *file_name;
        const char *identifier;
    } cases[] = {
        {"libfoo.dylib", "libfoo" UUID_SUFFIX},
        {"a/b/libfoo.dylib", "libfoo" UUID_SUFFIX},
        {"tool", "tool" UUID_SUFFIX},
        {"libfoo.2.dylib", "libfoo.2"},
        {"com.example.tool", "com.example"},
        {".hidden", UUID_SUFFIX},
        {"libz.1.2.3.dylib", "libz.1"},
        {"libfrotz7.3.5.dylib", "libfrotz7" UUID_SUFFIX},
        {"tool.9", "tool.9"},
        {"7za.1.2", "7za.1.2"},
        {"end.", "end."},
        {"v-2", "v-2" UUID_SUFFIX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_signed struct signed_file file = {0};
        signed_sign(
            &file, &(struct signed_spec){0},
            &(struct adhoc_options){.style = ADHOC_CODESIGN, .file_name = cases[i].file_name});
        assert_string_equal(file.sig.directories[0].identifier, cases[i].identifier);
    }
}

static void adhoc_sign__info_plist_is_sealed(void **state)
{
    static const char plist[] = "<plist><dict><key>CFBundleIdentifier</key>"
                                "<string>com.example.tool</string><key>when</key>"
                                "<date>2020-01-01T00:00:00Z</date></dict></plist>";
    own_signed struct signed_file file = {0};
    own_signed struct signed_file quiet = {0};
    uint8_t expected[SHA256_LEN] = {0};
    struct view hash = {0};
    (void)state;
    signed_sign(&file, &(struct signed_spec){.info_plist = plist}, &signed_codesign);
    const struct codesig_directory *cd = &file.sig.directories[0];
    assert_string_equal(cd->identifier, "com.example.tool");
    assert_true(codesig_special_hash(&hash, cd, CODESIG_SLOT_INFO));
    digest_once(expected, DIGEST_SHA256, plist, sizeof(plist) - 1);
    assert_memory_equal(hash.data, expected, sizeof(expected));
    signed_sign(&quiet, &(struct signed_spec){.info_plist = plist}, &signed_linker);
    assert_int_equal(quiet.sig.directories[0].special_count, 0);
}

static void adhoc_sign__page_sizes(void **state)
{
    (void)state;
    for (enum adhoc_style style = ADHOC_CODESIGN; style <= ADHOC_LINKER; style++) {
        own_signed struct signed_file file = {0};
        struct adhoc_options options = {.style = style, .file_name = "x", .page_size = 16384};
        signed_sign(&file, &(struct signed_spec){.tool = TOOL_LLD}, &options);
        assert_int_equal(file.sig.directories[0].code_count, 2);
        assert_int_equal(codesig_page_len(&file.sig.directories[0]), 16384);
    }
}

/* As newer codesign: by the architecture alone, in every directory. */
static void adhoc_sign__page_size_by_architecture(void **state)
{
    static const struct {
        uint32_t cputype;
        uint32_t cpusubtype;
        uint64_t page_len;
    } cases[] = {
        {CPU_TYPE_ARM64, 0, 16384},
        {CPU_TYPE_ARM64, 0x80000002u, 16384},
        {CPU_TYPE_X86_64, 3, 4096},
        {CPU_TYPE_ARM64_32, 1, 4096},
    };
    struct adhoc_options options = {.file_name = "x", .page_size = ADHOC_PAGE_SIZE_AUTO};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_signed struct signed_file file = {0};
        own_image struct image image = {0};
        own_fail struct fail fail = {0};
        struct macho_builder b = {0};
        signed_make(&b, &(struct signed_spec){.no_platform = true});
        assert_works(image_open_any(&image, macho_view(&b), &fail), &fail);
        image.cputype = cases[i].cputype;
        image.cpusubtype = cases[i].cpusubtype;
        assert_works(adhoc_sign(&file.bytes, &image, &options, &fail), &fail);
        signed_open(&file);
        assert_int_equal(file.sig.directory_count, 2);
        for (size_t k = 0; k < file.sig.directory_count; k++)
            assert_int_equal(codesig_page_len(&file.sig.directories[k]), cases[i].page_len);
        macho_release(&b);
    }
}

/* The memory size of __LINKEDIT: rounded, kept when large enough, exact where lld left it so. */
static void adhoc_sign__linkedit_sizes(void **state)
{
    static const struct {
        enum adhoc_style style;
        uint64_t memory;
        uint64_t expected; /* 0: the file size */
    } cases[] = {
        {ADHOC_CODESIGN, 0x20, 0x8000},     {ADHOC_CODESIGN, 0x4000, 0x8000},
        {ADHOC_CODESIGN, 0x10000, 0x10000}, {ADHOC_LINKER, 0x20, 0},
        {ADHOC_LINKER, 0x4000, 0x4000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_signed struct signed_file file = {0};
        signed_sign(&file,
                    &(struct signed_spec){.tool = TOOL_LLD, .linkedit_memory = cases[i].memory},
                    &(struct adhoc_options){.style = cases[i].style, .file_name = "x"});
        const struct image_segment *linkedit = image_segment(&file.image, "__LINKEDIT");
        assert_int_equal(linkedit->offset + linkedit->file_size, file.bytes.len);
        assert_int_equal(linkedit->memory_size,
                         cases[i].expected ? cases[i].expected : linkedit->file_size);
    }
}

/* codesign rounds 64-bit Intel like arm64 today, older architectures to 4 KiB. */
static void adhoc_sign__linkedit_sizes_by_architecture(void **state)
{
    static const struct {
        uint32_t cputype;
        uint64_t expected;
    } cases[] = {{CPU_TYPE_ARM64, 0x8000}, {CPU_TYPE_X86_64, 0x8000}, {CPU_TYPE_POWERPC64, 0x5000}};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct macho_builder b = {0};
        own_image struct image image = {0};
        own_image struct image after = {0};
        own_buf struct buf out = {0};
        own_fail struct fail fail = {0};
        signed_make(&b, &(struct signed_spec){.linkedit_memory = 0x1000});
        buf_set_u32le(&b.out, 4, cases[i].cputype);
        assert_int_equal(image_open_any(&image, macho_view(&b), &fail), 0);
        assert_int_equal(adhoc_sign(&out, &image, &signed_codesign, &fail), 0);
        assert_int_equal(image_open_any(&after, (struct view){out.data, out.len}, &fail), 0);
        assert_int_equal(image_segment(&after, "__LINKEDIT")->memory_size, cases[i].expected);
        macho_release(&b);
    }
}

static void adhoc_sign__starts_at_a_multiple_of_16(void **state)
{
    own_signed struct signed_file file = {0};
    (void)state;
    signed_sign(&file, &(struct signed_spec){.linkedit_len = 0x21}, &signed_codesign);
    assert_int_equal(file.image.code_signature.offset, CODE_LEN + 0x30);
    for (size_t i = CODE_LEN + 0x21; i < CODE_LEN + 0x30; i++)
        assert_int_equal(file.bytes.data[i], 0);
}

/* Whatever the memory size of __LINKEDIT was: rounded by its linker or by nobody, or larger. */
static void adhoc_sign__twice_is_once(void **state)
{
    static const struct signed_spec specs[] = {
        {.tool = TOOL_LLD},
        {.tool = TOOL_LLD, .linkedit_memory = 0x20},
        {.tool = TOOL_LLD, .linkedit_len = 0x4ac0, .linkedit_memory = 0x8000},
        {.tool = TOOL_LLD, .linkedit_len = 0x4ac0, .linkedit_memory = 0x5000},
        {.tool = TOOL_LD, .tool_major = 1015, .linkedit_memory = 0x5000},
        {.tool = TOOL_LD, .tool_major = 1015, .linkedit_memory = 0x10000},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof(specs) / sizeof(specs[0]); i++) {
        own_signed struct signed_file file = {0};
        own_image struct image bare = {0};
        own_buf struct buf stripped = {0};
        own_buf struct buf again = {0};
        own_buf struct buf back = {0};
        own_fail struct fail fail = {0};
        struct adhoc_options options = {.style = i % 2 ? ADHOC_LINKER : ADHOC_CODESIGN,
                                        .file_name = "libfoo.dylib"};
        signed_sign(&file, &specs[i / 2], &options);
        assert_int_equal(adhoc_sign(&again, &file.image, &options, &fail), 0);
        assert_int_equal(again.len, file.bytes.len);
        assert_memory_equal(again.data, file.bytes.data, again.len);
        assert_int_equal(adhoc_strip(&stripped, &file.image, &fail), 0);
        assert_int_equal(image_open_any(&bare, (struct view){stripped.data, stripped.len}, &fail),
                         0);
        assert_int_equal(adhoc_sign(&back, &bare, &options, &fail), 0);
        assert_int_equal(back.len, file.bytes.len);
        assert_memory_equal(back.data, file.bytes.data, back.len);
    }
}

/* A signature of the other style is replaced, down to its last byte. */
static void adhoc_sign__replaces_the_other_style(void **state)
{
    const struct signed_spec spec = {.tool = TOOL_LLD, .linkedit_memory = 0x20};
    own_signed struct signed_file first = {0};
    own_signed struct signed_file expected = {0};
    own_buf struct buf back = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_sign(&first, &spec, &signed_codesign);
    signed_sign(&expected, &spec, &signed_linker);
    assert_int_equal(adhoc_sign(&back, &first.image, &signed_linker, &fail), 0);
    assert_int_equal(back.len, expected.bytes.len);
    assert_memory_equal(back.data, expected.bytes.data, back.len);
}

/* Refused with FAIL_INPUT, a message that has `words` in it, and no output. */
static void refuse(struct macho_builder *b, const struct adhoc_options *options, const char *words)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    own_buf struct buf out = {0};
    assert_int_equal(image_open(&image, macho_view(b), &fail), 0);
    int result =
        options ? adhoc_sign(&out, &image, options, &fail) : adhoc_renew(&out, &image, &fail);
    assert_int_equal(result, -1);
    assert_int_equal(fail.code, FAIL_INPUT);
    if (!strstr(fail.message, words))
        print_message("message: %s\n", fail.message);
    assert_non_null(strstr(fail.message, words));
    assert_int_equal(out.len, 0);
    image_release(&image);
    macho_release(b);
}

static void refuse_spec(const struct signed_spec *spec, const struct adhoc_options *options,
                        const char *words)
{
    struct macho_builder b = {0};
    signed_make(&b, spec);
    refuse(&b, options, words);
}

static void adhoc_sign__refuses_what_it_cannot_sign(void **state)
{
    struct macho_builder b = {0};
    (void)state;
    refuse_spec(&(struct signed_spec){.no_linkedit = true}, &signed_codesign,
                "no segment __LINKEDIT");
    refuse_spec(&(struct signed_spec){.filetype = MH_OBJECT}, &signed_codesign,
                "type object cannot hold a signature");
    refuse_spec(&(struct signed_spec){0}, &(struct adhoc_options){.style = ADHOC_CODESIGN},
                "the file has no name");
    refuse_spec(&(struct signed_spec){0}, NULL, "no signature to renew");
    signed_make(&b, &(struct signed_spec){0});
    buf_zeros(&b.out, 5);
    refuse(&b, &signed_codesign, "5 bytes behind it");
    /* the commands end at 32 + 152 + 72 + 24 + 24 = 304 */
    refuse_spec(&(struct signed_spec){.text_at = 304}, &signed_codesign, "needs 16 bytes, 0 left");
    refuse_spec(&(struct signed_spec){.text_at = 316}, &signed_codesign, "needs 16 bytes, 12 left");
    signed_make(&b, &(struct signed_spec){0});
    b.out.data[310] = 0x5a;
    refuse(&b, &signed_codesign, "not zero (0x5a at offset 310)");
}

static void adhoc_sign__uses_the_last_room(void **state)
{
    own_signed struct signed_file file = {0};
    (void)state;
    signed_sign(&file, &(struct signed_spec){.text_at = 320}, &signed_codesign);
    assert_int_equal(image_header_room(&file.image), 0);
}

/* A table between load commands and sections is no room, though its bytes are zeros. */
static void adhoc_sign__refuses_to_write_over_a_table(void **state)
{
    (void)state;
    for (uint32_t room = 0; room < 16; room += 12) {
        const uint32_t words[] = {32 + 152 + 72 + 16 + room, 16}; /* behind the commands */
        struct macho_builder b = {0};
        macho_begin(&b);
        macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
        macho_section(&b, "__TEXT", "__text", 0x1000, 16, 0);
        macho_segment(&b, "__LINKEDIT", CODE_LEN, 0x20, 1);
        macho_command_words(&b, LC_DATA_IN_CODE, words, 2);
        macho_finish(&b, CODE_LEN + 0x20);
        refuse(&b, &(struct adhoc_options){.identifier = "x"},
               room == 0 ? "needs 16 bytes, 0 left" : "needs 16 bytes, 12 left");
    }
}

/* Signing changes header and load commands, so that no slot can seal a section in them. */
static void adhoc_sign__refuses_a_section_in_the_header(void **state)
{
    const uint32_t signature[] = {CODE_LEN + 0x20, 0x40};
    (void)state;
    for (unsigned present = 0; present < 2; present++) {
        struct macho_builder b = {0};
        macho_begin(&b);
        macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
        macho_section(&b, "__TEXT", "__info_plist", 0, 0x200, 0);
        macho_segment(&b, "__LINKEDIT", CODE_LEN, present ? 0x60 : 0x20, 1);
        if (present)
            macho_command_words(&b, LC_CODE_SIGNATURE, signature, 2);
        macho_finish(&b, CODE_LEN + (present ? 0x60 : 0x20));
        refuse(&b, &(struct adhoc_options){.identifier = "x"},
               present ? "the section __info_plist at offset 0 overlaps header and load commands"
                       : "needs 16 bytes, 0 left");
    }
}

/* The signed file would end before it. */
static void adhoc_sign__refuses_an_empty_segment_in_linkedit(void **state)
{
    struct macho_builder b = {0};
    (void)state;
    macho_begin(&b);
    macho_segment(&b, "__TEXT", 0, 0x400, 5);
    macho_segment(&b, "__EMPTY", 0x900, 0, 1);
    macho_segment(&b, "__LINKEDIT", 0x800, 0x100, 1);
    macho_finish(&b, 0x900);
    refuse(&b, &signed_codesign, "segment __EMPTY ends at offset 2304, behind the start of");
}

/* It covers the header in part: what was taken out of the load commands would change in it. */
static void adhoc_sign__refuses_a_segment_in_the_header(void **state)
{
    struct macho_builder b = {0};
    (void)state;
    macho_begin(&b);
    macho_segment(&b, "__TEXT", 8, 0x400, 5);
    macho_segment(&b, "__LINKEDIT", 0x800, 0x100, 1);
    macho_finish(&b, 0x900);
    refuse(&b, &signed_codesign, "segment __TEXT at offset 8 overlaps the load commands");
}

static void adhoc_sign__refuses_a_segment_behind_linkedit(void **state)
{
    struct macho_builder b = {0};
    (void)state;
    macho_begin(&b);
    macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
    macho_section(&b, "__TEXT", "__text", 0x1000, 16, 0);
    macho_segment(&b, "__LINKEDIT", CODE_LEN, 0x4000, 1);
    macho_segment(&b, "__MORE", CODE_LEN + 0x4000, 0x4000, 3);
    macho_finish(&b, CODE_LEN + 0x8000);
    refuse(&b, &(struct adhoc_options){.identifier = "x"}, "segment __MORE");
}

static void adhoc_sign__refuses_bad_options(void **state)
{
    char too_long[2000] = "";
    static const char xml[] = "<plist><dict/></plist>";
    struct view dict = {(const uint8_t *)xml, sizeof(xml) - 1};
    (void)state;
    memset(too_long, 'x', sizeof(too_long) - 1);
    static const char *const bad[][2] = {
        {"", "identifier '' has no characters"},
        {"a\nb", "has a line end"},
        {"a\x1b[31m", "has a control character"},
        {"\xc2\x9b", "has a control character"},
        {"a\xe2\x80\xae", "has a character that changes the direction"},
        {"\xef\xbb\xbf", "has a byte order mark"},
        {"\xff", "has bytes that are not UTF-8"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        refuse_spec(&(struct signed_spec){0}, &(struct adhoc_options){.identifier = bad[i][0]},
                    bad[i][1]);
    refuse_spec(&(struct signed_spec){0}, &(struct adhoc_options){.identifier = too_long},
                "too long");
    refuse_spec(&(struct signed_spec){0},
                &(struct adhoc_options){.identifier = "x", .page_size = 8192}, "page size 8192");
    refuse_spec(&(struct signed_spec){0},
                &(struct adhoc_options){.style = ADHOC_LINKER, .page_size = ADHOC_PAGE_SIZE_AUTO},
                "automatic page size is for style codesign");
    refuse_spec(
        &(struct signed_spec){0},
        &(struct adhoc_options){.style = ADHOC_LINKER, .identifier = "x", .entitlements = dict},
        "holds no entitlements");
    refuse_spec(&(struct signed_spec){0},
                &(struct adhoc_options){.style = ADHOC_CODESIGN,
                                        .identifier = "x",
                                        .entitlements = unit_text("<plist><dict/></plist></a>")},
                "bytes behind the document: tags that close nothing");
}

static void adhoc_sign__entitlements(void **state)
{
    static const char xml[] = "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n"
                              "<key>get-task-allow</key><true/>\n</dict>\n</plist>\n";
    static const uint8_t der[] = {0x70, 0x1a, 0x02, 0x01, 0x01, 0xb0, 0x15, 0x30, 0x13, 0x0c,
                                  0x0e, 'g',  'e',  't',  '-',  't',  'a',  's',  'k',  '-',
                                  'a',  'l',  'l',  'o',  'w',  0x01, 0x01, 0xff};
    own_signed struct signed_file file = {0};
    own_signed struct signed_file dylib = {0};
    const struct adhoc_options options = {.identifier = "x",
                                          .entitlements = {(const uint8_t *)xml, sizeof(xml) - 1}};
    (void)state;
    signed_sign(&file, &(struct signed_spec){.filetype = MH_EXECUTE}, &options);
    const struct codesig_directory *cd = &file.sig.directories[0];
    assert_int_equal(cd->special_count, 7);
    assert_int_equal(cd->exec_flags, 0x11);
    assert_int_equal(file.sig.blob_count, 5);
    const struct codesig_blob *blob = codesig_find(&file.sig, CODESIG_SLOT_ENTITLEMENTS);
    assert_int_equal(blob->bytes.len, 8 + sizeof(xml) - 1);
    assert_memory_equal(blob->bytes.data + 8, xml, sizeof(xml) - 1);
    blob = codesig_find(&file.sig, CODESIG_SLOT_ENTITLEMENTS_DER);
    assert_int_equal(blob->bytes.len, 8 + sizeof(der));
    assert_memory_equal(blob->bytes.data + 8, der, sizeof(der));
    signed_sign(&dylib, &(struct signed_spec){0}, &options);
    assert_int_equal(dylib.sig.directories[0].exec_flags, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adhoc_sign__codesign_layout),
        cmocka_unit_test(adhoc_sign__lld_layout),
        cmocka_unit_test(adhoc_sign__ld64_layouts),
        cmocka_unit_test(adhoc_sign__executables_have_the_main_flag),
        cmocka_unit_test(adhoc_sign__default_identifiers),
        cmocka_unit_test(adhoc_sign__info_plist_is_sealed),
        cmocka_unit_test(adhoc_sign__page_sizes),
        cmocka_unit_test(adhoc_sign__page_size_by_architecture),
        cmocka_unit_test(adhoc_sign__linkedit_sizes),
        cmocka_unit_test(adhoc_sign__linkedit_sizes_by_architecture),
        cmocka_unit_test(adhoc_sign__starts_at_a_multiple_of_16),
        cmocka_unit_test(adhoc_sign__twice_is_once),
        cmocka_unit_test(adhoc_sign__replaces_the_other_style),
        cmocka_unit_test(adhoc_sign__refuses_what_it_cannot_sign),
        cmocka_unit_test(adhoc_sign__uses_the_last_room),
        cmocka_unit_test(adhoc_sign__refuses_to_write_over_a_table),
        cmocka_unit_test(adhoc_sign__refuses_a_section_in_the_header),
        cmocka_unit_test(adhoc_sign__refuses_an_empty_segment_in_linkedit),
        cmocka_unit_test(adhoc_sign__refuses_a_segment_in_the_header),
        cmocka_unit_test(adhoc_sign__refuses_a_segment_behind_linkedit),
        cmocka_unit_test(adhoc_sign__refuses_bad_options),
        cmocka_unit_test(adhoc_sign__entitlements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
