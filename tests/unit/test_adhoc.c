/* The signer: layouts, sizes and defaults of each producer, renewal, entitlements, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "macho/adhoc.h"
#include "macho/adhoc_plist.h"
#include "macho/codesig.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"

#define CODE_LEN UINT64_C(0x4000)
#define TOOL_LD  3u
#define TOOL_LLD 4u
#define TOOL_ZIG 5u

/* What make() builds: __TEXT of 16 KiB with __text of 0x123 bytes, and __LINKEDIT. */
struct spec {
    uint32_t filetype;
    uint32_t tool; /* 0: no LC_BUILD_VERSION */
    uint32_t tool_major;
    bool no_uuid;
    bool no_linkedit;
    const char *install_name;
    const char *info_plist;
    uint64_t text_at;         /* of __text; 0: 0x1000 */
    uint64_t linkedit_len;    /* 0: 0x20 */
    uint64_t linkedit_memory; /* 0: rounded up to 16 KiB */
};

static void make(struct macho_builder *b, const struct spec *spec)
{
    static const uint8_t uuid[16] = {0xab, 0xcd, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    uint64_t linkedit_len = spec->linkedit_len ? spec->linkedit_len : 0x20;
    macho_begin(b);
    b->filetype = spec->filetype ? spec->filetype : MH_DYLIB;
    macho_segment(b, "__TEXT", 0, CODE_LEN, 5);
    uint64_t text_at = spec->text_at ? spec->text_at : 0x1000;
    macho_section(b, "__TEXT", "__text", text_at, 0x123, 0);
    macho_put_u32(b, text_at, 0xd65f03c0);
    if (spec->info_plist) {
        macho_section(b, "__TEXT", "__info_plist", 0x2000, strlen(spec->info_plist), 0);
        macho_put(b, 0x2000, spec->info_plist, strlen(spec->info_plist));
    }
    if (!spec->no_linkedit) {
        size_t at = macho_segment(b, "__LINKEDIT", CODE_LEN, linkedit_len, 1);
        macho_set_u32(b, at + 32, spec->linkedit_memory ? (uint32_t)spec->linkedit_memory : 0x4000);
    }
    if (spec->install_name)
        macho_library(b, LC_ID_DYLIB, spec->install_name, 1u << 16, 1u << 16);
    if (!spec->no_uuid)
        macho_command(b, LC_UUID, uuid, sizeof(uuid));
    const uint32_t build[] = {PLATFORM_MACOS,        13u << 16, 14u << 16, 1, spec->tool,
                              spec->tool_major << 16};
    if (spec->tool != 0)
        macho_command_words(b, LC_BUILD_VERSION, build, 6);
    macho_finish(b, CODE_LEN + (spec->no_linkedit ? 0 : linkedit_len));
}

/* A file, its image and its signature, kept together. */
struct signed_file {
    struct buf bytes;
    struct image image;
    struct codesig sig;
};

static void release(struct signed_file *file)
{
    codesig_release(&file->sig);
    image_release(&file->image);
    buf_release(&file->bytes);
}
#define own_signed __attribute__((cleanup(release)))

static void open_signed(struct signed_file *file)
{
    own_fail struct fail fail = {0};
    struct view view = {file->bytes.data, file->bytes.len};
    assert_int_equal(image_open(&file->image, view, &fail), 0);
    view = image_range_data(&file->image, &file->image.code_signature);
    assert_int_equal(codesig_read(&file->sig, view, &fail), 0);
}

static void check_clean(const struct signed_file *file, enum adhoc_style style)
{
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {
        .kind = style == ADHOC_LINKER ? SIGCHECK_LINKER : SIGCHECK_ADHOC, .strict = true};
    sigcheck_verify(&findings, &file->image, &options);
    if (findings.count > 0)
        print_message("%s: %s: expected %s, found %s\n", findings.list[0].id,
                      findings.list[0].place, findings.list[0].expected, findings.list[0].actual);
    assert_int_equal(findings.count, 0);
}

/* Builds, signs, verifies strictly. */
static void sign(struct signed_file *out, const struct spec *spec,
                 const struct adhoc_options *options)
{
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    make(&b, spec);
    assert_int_equal(image_open(&image, macho_view(&b), &fail), 0);
    if (adhoc_sign(&out->bytes, &image, options, &fail) < 0)
        fail_msg("%s", fail.message);
    image_release(&image);
    macho_release(&b);
    open_signed(out);
    check_clean(out, options->style);
}

static const struct adhoc_options codesign = {.style = ADHOC_CODESIGN, .file_name = "libfoo.dylib"};
static const struct adhoc_options linker = {.style = ADHOC_LINKER, .file_name = "libfoo.dylib"};
#define UUID_SUFFIX "-55554944abcd030405060708090a0b0c0d0e0f10"

static void adhoc_sign__codesign_layout(void **state)
{
    static const uint8_t requirements[] = {0xfa, 0xde, 0x0c, 1, 0, 0, 0, 12, 0, 0, 0, 0};
    static const uint8_t cms[] = {0xfa, 0xde, 0x0b, 1, 0, 0, 0, 8};
    own_signed struct signed_file file = {0};
    (void)state;
    sign(&file, &(struct spec){.tool = TOOL_LLD}, &codesign);
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
    sign(&file, &(struct spec){.tool = TOOL_LLD, .install_name = "@rpath/libbar.dylib"}, &linker);
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
        sign(&file,
             &(struct spec){
                 .tool = cases[i].tool, .tool_major = cases[i].major, .install_name = "x/y"},
             &linker);
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
        sign(&file, &(struct spec){.filetype = MH_EXECUTE, .tool = TOOL_LLD},
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
        {"libfoo.dylib", "libfoo" UUID_SUFFIX}, {"a/b/libfoo.dylib", "libfoo" UUID_SUFFIX},
        {"tool", "tool" UUID_SUFFIX},           {"libfoo.2.dylib", "libfoo.2"},
        {"com.example.tool", "com.example"},    {".hidden", ".hidden"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        own_signed struct signed_file file = {0};
        sign(&file, &(struct spec){0},
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
    sign(&file, &(struct spec){.info_plist = plist}, &codesign);
    const struct codesig_directory *cd = &file.sig.directories[0];
    assert_string_equal(cd->identifier, "com.example.tool");
    assert_true(codesig_special_hash(&hash, cd, CODESIG_SLOT_INFO));
    digest_once(expected, DIGEST_SHA256, plist, sizeof(plist) - 1);
    assert_memory_equal(hash.data, expected, sizeof(expected));
    sign(&quiet, &(struct spec){.info_plist = plist}, &linker);
    assert_int_equal(quiet.sig.directories[0].special_count, 0);
}

static void adhoc_sign__page_sizes(void **state)
{
    (void)state;
    for (enum adhoc_style style = ADHOC_CODESIGN; style <= ADHOC_LINKER; style++) {
        own_signed struct signed_file file = {0};
        struct adhoc_options options = {.style = style, .file_name = "x", .page_size = 16384};
        sign(&file, &(struct spec){.tool = TOOL_LLD}, &options);
        assert_int_equal(file.sig.directories[0].code_count, 2);
        assert_int_equal(codesig_page_len(&file.sig.directories[0]), 16384);
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
        sign(&file, &(struct spec){.tool = TOOL_LLD, .linkedit_memory = cases[i].memory},
             &(struct adhoc_options){.style = cases[i].style, .file_name = "x"});
        const struct image_segment *linkedit = image_segment(&file.image, "__LINKEDIT");
        assert_int_equal(linkedit->offset + linkedit->file_size, file.bytes.len);
        assert_int_equal(linkedit->memory_size,
                         cases[i].expected ? cases[i].expected : linkedit->file_size);
    }
}

static void adhoc_sign__starts_at_a_multiple_of_16(void **state)
{
    own_signed struct signed_file file = {0};
    (void)state;
    sign(&file, &(struct spec){.linkedit_len = 0x21}, &codesign);
    assert_int_equal(file.image.code_signature.offset, CODE_LEN + 0x30);
    for (size_t i = CODE_LEN + 0x21; i < CODE_LEN + 0x30; i++)
        assert_int_equal(file.bytes.data[i], 0);
}

static void adhoc_sign__twice_is_once(void **state)
{
    (void)state;
    for (enum adhoc_style style = ADHOC_CODESIGN; style <= ADHOC_LINKER; style++) {
        own_signed struct signed_file file = {0};
        own_buf struct buf again = {0};
        own_fail struct fail fail = {0};
        struct adhoc_options options = {.style = style, .file_name = "libfoo.dylib"};
        sign(&file, &(struct spec){.tool = TOOL_LLD}, &options);
        assert_int_equal(adhoc_sign(&again, &file.image, &options, &fail), 0);
        assert_int_equal(again.len, file.bytes.len);
        assert_memory_equal(again.data, file.bytes.data, again.len);
    }
}

/* A signature of the other style is replaced, down to its last byte. */
static void adhoc_sign__replaces_the_other_style(void **state)
{
    const struct spec spec = {.tool = TOOL_LLD, .linkedit_memory = 0x8000};
    own_signed struct signed_file first = {0};
    own_signed struct signed_file expected = {0};
    own_buf struct buf back = {0};
    own_fail struct fail fail = {0};
    (void)state;
    sign(&first, &spec, &codesign);
    sign(&expected, &spec, &linker);
    assert_int_equal(adhoc_sign(&back, &first.image, &linker, &fail), 0);
    assert_int_equal(back.len, expected.bytes.len);
    assert_memory_equal(back.data, expected.bytes.data, back.len);
}

static void adhoc_renew__is_identical(void **state)
{
    static const char xml[] = "<plist><dict><key>get-task-allow</key><true/></dict></plist>";
    static const char plist[] = "<plist><dict/></plist>";
    const struct adhoc_options options[] = {
        codesign,
        linker,
        {.style = ADHOC_CODESIGN, .identifier = "my.own", .page_size = 16384},
        {.style = ADHOC_CODESIGN,
         .identifier = "x",
         .entitlements = {(const uint8_t *)xml, sizeof(xml) - 1}},
    };
    static const struct spec specs[] = {{.tool = TOOL_LLD},
                                        {.tool = TOOL_LD, .tool_major = 1015},
                                        {.tool = TOOL_ZIG},
                                        {.filetype = MH_EXECUTE, .info_plist = plist}};
    (void)state;
    for (size_t i = 0; i < 16; i++) {
        own_signed struct signed_file file = {0};
        own_buf struct buf again = {0};
        own_fail struct fail fail = {0};
        sign(&file, &specs[i / 4], &options[i % 4]);
        assert_int_equal(adhoc_renew(&again, &file.image, &fail), 0);
        assert_int_equal(again.len, file.bytes.len);
        assert_memory_equal(again.data, file.bytes.data, again.len);
    }
}

static void adhoc_renew__after_a_change(void **state)
{
    own_signed struct signed_file file = {0};
    own_signed struct signed_file again = {0};
    own_fail struct fail fail = {0};
    (void)state;
    sign(&file, &(struct spec){.tool = TOOL_LLD}, &linker);
    file.bytes.data[0x1100] ^= 0x40;
    assert_int_equal(adhoc_renew(&again.bytes, &file.image, &fail), 0);
    open_signed(&again);
    check_clean(&again, ADHOC_LINKER);
    assert_int_equal(again.bytes.len, file.bytes.len);
    assert_memory_not_equal(again.sig.directories[0].cdhash, file.sig.directories[0].cdhash,
                            CDHASH_LEN);
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

static void refuse_spec(const struct spec *spec, const struct adhoc_options *options,
                        const char *words)
{
    struct macho_builder b = {0};
    make(&b, spec);
    refuse(&b, options, words);
}

static void adhoc_sign__refuses_what_it_cannot_sign(void **state)
{
    struct macho_builder b = {0};
    (void)state;
    refuse_spec(&(struct spec){.no_linkedit = true}, &codesign, "no segment __LINKEDIT");
    refuse_spec(&(struct spec){.no_uuid = true}, &codesign, "no LC_UUID");
    refuse_spec(&(struct spec){0}, &(struct adhoc_options){.style = ADHOC_CODESIGN},
                "the file has no name");
    refuse_spec(&(struct spec){0}, NULL, "no signature to renew");
    make(&b, &(struct spec){0});
    buf_zeros(&b.out, 5);
    refuse(&b, &codesign, "5 bytes behind it");
    /* the commands end at 32 + 152 + 72 + 24 = 280 */
    refuse_spec(&(struct spec){.text_at = 280}, &codesign, "needs 16 bytes, 0 left");
    refuse_spec(&(struct spec){.text_at = 292}, &codesign, "needs 16 bytes, 12 left");
    make(&b, &(struct spec){0});
    b.out.data[290] = 0x5a;
    refuse(&b, &codesign, "not zero (0x5a at offset 290)");
}

static void adhoc_sign__uses_the_last_room(void **state)
{
    own_signed struct signed_file file = {0};
    (void)state;
    sign(&file, &(struct spec){.text_at = 296}, &codesign);
    assert_int_equal(image_header_room(&file.image), 0);
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
    refuse_spec(&(struct spec){0}, &(struct adhoc_options){.identifier = ""}, "empty");
    refuse_spec(&(struct spec){0}, &(struct adhoc_options){.identifier = "a\nb"}, "control");
    refuse_spec(&(struct spec){0}, &(struct adhoc_options){.identifier = too_long}, "too long");
    refuse_spec(&(struct spec){0}, &(struct adhoc_options){.identifier = "x", .page_size = 8192},
                "page size 8192");
    refuse_spec(
        &(struct spec){0},
        &(struct adhoc_options){.style = ADHOC_LINKER, .identifier = "x", .entitlements = dict},
        "holds no entitlements");
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
    sign(&file, &(struct spec){.filetype = MH_EXECUTE}, &options);
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
    sign(&dylib, &(struct spec){0}, &options);
    assert_int_equal(dylib.sig.directories[0].exec_flags, 0);
}

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

static void plist__values(void **state)
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

static void plist__malformed(void **state)
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

static void plist__limits(void **state)
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
        cmocka_unit_test(adhoc_sign__codesign_layout),
        cmocka_unit_test(adhoc_sign__lld_layout),
        cmocka_unit_test(adhoc_sign__ld64_layouts),
        cmocka_unit_test(adhoc_sign__executables_have_the_main_flag),
        cmocka_unit_test(adhoc_sign__default_identifiers),
        cmocka_unit_test(adhoc_sign__info_plist_is_sealed),
        cmocka_unit_test(adhoc_sign__page_sizes),
        cmocka_unit_test(adhoc_sign__linkedit_sizes),
        cmocka_unit_test(adhoc_sign__starts_at_a_multiple_of_16),
        cmocka_unit_test(adhoc_sign__twice_is_once),
        cmocka_unit_test(adhoc_sign__replaces_the_other_style),
        cmocka_unit_test(adhoc_renew__is_identical),
        cmocka_unit_test(adhoc_renew__after_a_change),
        cmocka_unit_test(adhoc_sign__refuses_what_it_cannot_sign),
        cmocka_unit_test(adhoc_sign__uses_the_last_room),
        cmocka_unit_test(adhoc_sign__refuses_a_segment_behind_linkedit),
        cmocka_unit_test(adhoc_sign__refuses_bad_options),
        cmocka_unit_test(adhoc_sign__entitlements),
        cmocka_unit_test(plist__values),
        cmocka_unit_test(plist__malformed),
        cmocka_unit_test(plist__limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
