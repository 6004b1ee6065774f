/* The rules that the signer follows for one kind of file each: hash types by the oldest system,
 * names, what a strip tool or a linker left, what a present signature has that stays. */
#include "unit.h"

#include <string.h>
#include <sys/mman.h>

#include "macho/fat.h"
#include "macho/sigcheck.h"
#include "unit/signed.h"

/* A small dylib whose LC_BUILD_VERSION (or LC_VERSION_MIN_*) the case states. */
struct platform_case {
    uint32_t command; /* 0: none */
    uint32_t platform;
    uint32_t min_os;
    bool sha1;
};

static void make_for_platform(struct macho_builder *b, const struct platform_case *c)
{
    const uint32_t build[] = {c->platform, c->min_os, c->min_os, 0};
    const uint32_t minimum[] = {c->min_os, c->min_os};
    macho_begin(b);
    macho_segment(b, "__TEXT", 0, CODE_LEN, 5);
    macho_section(b, "__TEXT", "__text", 0x1000, 0x123, 0);
    macho_segment(b, "__LINKEDIT", CODE_LEN, 0x20, 1);
    if (c->command == LC_BUILD_VERSION)
        macho_command_words(b, c->command, build, 4);
    else if (c->command != 0)
        macho_command_words(b, c->command, minimum, 2);
    macho_finish(b, CODE_LEN + 0x20);
}

static void sign_built(struct signed_file *out, struct macho_builder *b,
                       const struct adhoc_options *options)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    assert_works(image_open_any(&image, macho_view(b), &fail), &fail);
    assert_works(adhoc_sign(&out->bytes, &image, options, &fail), &fail);
    macho_release(b);
    signed_open(out);
}

static void adhoc_sign__hash_types_by_the_oldest_system(void **state)
{
    static const struct platform_case cases[] = {
        {0, 0, 0, true},
        {LC_BUILD_VERSION, PLATFORM_MACOS, 10u << 16 | 11u << 8 | 3, true},
        {LC_BUILD_VERSION, PLATFORM_MACOS, 10u << 16 | 11u << 8 | 4, false},
        {LC_VERSION_MIN_MACOSX, 0, 10u << 16 | 9u << 8, true},
        {LC_VERSION_MIN_MACOSX, 0, 10u << 16 | 13u << 8, false},
        {LC_VERSION_MIN_IPHONEOS, 0, 10u << 16 | 3u << 8, true},
        {LC_VERSION_MIN_IPHONEOS, 0, 11u << 16, false},
        {LC_BUILD_VERSION, PLATFORM_TVOS, 10u << 16, true},
        {LC_BUILD_VERSION, PLATFORM_TVOS, 11u << 16, false},
        {LC_BUILD_VERSION, PLATFORM_WATCHOS, 9u << 16, true},
        {LC_BUILD_VERSION, 7, 9u << 16, false}, /* the simulator of iOS */
    };
    const struct adhoc_options options = {.identifier = "x.y"};
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct macho_builder b = {0};
        own_signed struct signed_file file = {0};
        make_for_platform(&b, &cases[i]);
        sign_built(&file, &b, &options);
        signed_check(&file, ADHOC_CODESIGN);
        const struct codesig_directory *first = &file.sig.directories[0];
        assert_int_equal(file.sig.directory_count, cases[i].sha1 ? 2 : 1);
        assert_int_equal(first->hash_type, cases[i].sha1 ? CODESIG_HASH_SHA1 : CODESIG_HASH_SHA256);
        if (cases[i].sha1) {
            assert_int_equal(file.sig.directories[1].slot, CODESIG_SLOT_ALTERNATE);
            assert_int_equal(file.sig.directories[1].hash_type, CODESIG_HASH_SHA256);
            /* 18000 bytes and a blob's header are kept free, eight for the second entry, and what the
             * headers are shorter than those of version 0x20400 */
            uint64_t len = file.sig.super_blob.len - 8 + 2 * (88 - first->header_len);
            assert_int_equal(file.image.code_signature.size, (len + 18008 + 8 + 15) / 16 * 16);
        }
        /* Without a platform there is no execution segment, nor a field for one. */
        assert_int_equal(first->exec_limit, cases[i].command == 0 ? 0 : CODE_LEN);
        assert_int_equal(first->version, cases[i].command == 0 ? 0x20100 : 0x20400);
    }
}

/* SHA-1 of the header that both word sizes have, and of all load commands. */
static void adhoc_sign__name_without_uuid(void **state)
{
    uint8_t hash[SHA1_LEN];
    char hex[2 * SHA1_LEN + 1];
    struct macho_builder b = {0};
    own_buf struct buf hashed = {0};
    own_signed struct signed_file file = {0};
    (void)state;
    signed_make(&b, &(struct signed_spec){.no_uuid = true});
    buf_append(&hashed, b.out.data, 28);
    buf_append(&hashed, b.commands.data, b.commands.len);
    digest_once(hash, DIGEST_SHA1, hashed.data, hashed.len);
    text_hex(hex, hash, SHA1_LEN);
    sign_built(&file, &b, &signed_codesign);
    own_mem char *expected = text_printf("libfoo-%s", hex);
    assert_string_equal(file.sig.directories[0].identifier, expected);
}

static void adhoc_sign__file_without_a_name(void **state)
{
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_buf struct buf out = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_make(&b, &(struct signed_spec){0});
    assert_works(image_open_any(&image, macho_view(&b), &fail), &fail);
    assert_fails(adhoc_sign(&out, &image, &(struct adhoc_options){0}, &fail), &fail, FAIL_INPUT,
                 "the file has no name");
    macho_release(&b);
}

/* In a universal file all slices have the first one's name, in style codesign. */
static void adhoc_sign_file__shares_the_name(void **state)
{
    struct macho_builder a = {0};
    struct macho_builder b = {0};
    own_buf struct buf fat_bytes = {0};
    own_buf struct buf out = {0};
    own_pieces struct pieces pieces = {0};
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_make(&a, &(struct signed_spec){0});
    signed_make(&b, &(struct signed_spec){.no_uuid = true, .no_platform = true});
    const struct macho_fat_slice slices[] = {{CPU_TYPE_ARM64, 0, macho_view(&a)},
                                             {CPU_TYPE_ARM64, 1, macho_view(&b)}};
    macho_fat(&fat_bytes, slices, 2, false, 14);
    macho_release(&a);
    macho_release(&b);
    struct view file = {fat_bytes.data, fat_bytes.len};
    assert_works(adhoc_sign_file(&pieces, file, &signed_codesign, &fail), &fail);
    pieces_join(&out, &pieces);
    assert_works(fat_open(&fat, (struct view){out.data, out.len}, &fail), &fail);
    for (uint32_t i = 0; i < 2; i++) {
        own_signed struct signed_file slice = {0};
        buf_append(&slice.bytes, fat.slices[i].data.data, fat.slices[i].data.len);
        signed_open(&slice);
        assert_string_equal(slice.sig.directories[0].identifier,
                            "libfoo-55554944abcd030405060708090a0b0c0d0e0f10");
        /* and the hash types that the first slice's platform needs */
        assert_int_equal(slice.sig.directory_count, 1);
    }
}

/* The first slice grows over the only place that a 32-bit table can state for the second one. */
static void adhoc_sign_file__refuses_to_pass_4_gib(void **state)
{
    const uint64_t first_at = UINT64_C(0x7fff8000);
    const uint64_t second_at = UINT64_C(0x80000000);
    struct macho_builder b = {0};
    own_buf struct buf table = {0};
    own_pieces struct pieces pieces = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_make(&b, &(struct signed_spec){0});
    const uint32_t words[] = {
        FAT_MAGIC,      2, /* entries: cputype, cpusubtype, offset, size, alignment */
        CPU_TYPE_ARM64, 0, (uint32_t)first_at,  (uint32_t)b.out.len, 14,
        CPU_TYPE_ARM64, 1, (uint32_t)second_at, (uint32_t)b.out.len, 31};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        buf_u32be(&table, words[i]);
    size_t len = (size_t)second_at + b.out.len;
    uint8_t *bytes =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) {
        macho_release(&b);
        skip();
    }
    memcpy(bytes, table.data, table.len);
    memcpy(bytes + first_at, b.out.data, b.out.len);
    memcpy(bytes + second_at, b.out.data, b.out.len);
    macho_release(&b);
    assert_fails(adhoc_sign_file(&pieces, (struct view){bytes, len}, &signed_codesign, &fail),
                 &fail, FAIL_INPUT, "which a 32-bit table of slices cannot state");
    munmap(bytes, len);
}

/* The strip tool of Apple signs again, and its mark tells so. */
static void adhoc_sign__strip_mark(void **state)
{
    static const char strings[] = "\0radr://5614542";
    const uint32_t symtab[] = {CODE_LEN, 1, CODE_LEN + 16, sizeof(strings)};
    const uint32_t build[] = {PLATFORM_MACOS, 13u << 16, 14u << 16, 1, 0, 1015u << 16};
    const struct {
        uint32_t tool;
        bool stripped;
        uint64_t limit;
        uint64_t offset;
    } cases[] = {
        {TOOL_LD, false, 0x123, 20},
        {TOOL_LD, true, CODE_LEN, 20},
        {TOOL_LLD, false, CODE_LEN, 24},
        {TOOL_LLD, true, CODE_LEN, 20},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct macho_builder b = {0};
        own_signed struct signed_file file = {0};
        uint32_t words[6];
        memcpy(words, build, sizeof(words));
        words[4] = cases[i].tool;
        macho_begin(&b);
        macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
        macho_section(&b, "__TEXT", "__text", 0x1000, 0x123, 0);
        macho_segment(&b, "__LINKEDIT", CODE_LEN, 0x20, 1);
        macho_command_words(&b, LC_BUILD_VERSION, words, 6);
        macho_command_words(&b, LC_SYMTAB, symtab, 4);
        macho_put_u32(&b, CODE_LEN, 1);
        macho_put(&b, CODE_LEN + 16, strings, sizeof(strings));
        if (!cases[i].stripped)
            macho_put(&b, CODE_LEN + 18, "X", 1);
        macho_finish(&b, CODE_LEN + 0x20);
        sign_built(&file, &b, &(struct adhoc_options){.style = ADHOC_LINKER, .identifier = "id"});
        const struct codesig_directory *cd = &file.sig.directories[0];
        assert_int_equal(cd->exec_limit, cases[i].limit);
        assert_int_equal(cd->offset, cases[i].offset);
        if (cases[i].stripped)
            assert_int_equal(file.image.code_signature.size % 8, 0);
    }
}

/* lld once said that it was ld, with its own version. */
static void adhoc_sign__lld_that_says_ld(void **state)
{
    own_signed struct signed_file file = {0};
    (void)state;
    signed_sign(&file, &(struct signed_spec){.tool = TOOL_LD, .tool_major = 16}, &signed_linker);
    assert_int_equal(file.sig.directories[0].offset, 24);
}

/* A dylib of data alone has no __text that its linker could state the size of: the signature
 * seals __TEXT as a whole, so that it holds. */
static void adhoc_sign__without_text_section(void **state)
{
    const uint32_t build[] = {PLATFORM_MACOS, 13u << 16, 14u << 16, 1, TOOL_LD, 1015u << 16};
    const struct sigcheck_options strict = {.kind = SIGCHECK_LINKER, .strict = true, .threads = 1};
    struct macho_builder b = {0};
    own_signed struct signed_file file = {0};
    own_findings struct findings findings = {0};
    (void)state;
    macho_begin(&b);
    macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
    macho_section(&b, "__TEXT", "__const", 0x1000, 0x123, 0);
    macho_segment(&b, "__LINKEDIT", CODE_LEN, 0x20, 1);
    macho_command_words(&b, LC_BUILD_VERSION, build, 6);
    macho_finish(&b, CODE_LEN + 0x20);
    sign_built(&file, &b, &(struct adhoc_options){.style = ADHOC_LINKER, .file_name = "data"});
    assert_int_equal(file.sig.directories[0].exec_limit, CODE_LEN);
    sigcheck_verify(&findings, &file.image, &strict);
    assert_int_equal(findings.count, 0);
}

/* What Go links is named by its default output, whatever its name is; some of it has no record of
 * the build. What another linker made of Go's objects, for cgo, is named as that linker does. */
static void adhoc_sign__go_names(void **state)
{
    const uint32_t build[] = {PLATFORM_MACOS, 13u << 16, 14u << 16, 1, TOOL_LD, 1015u << 16};
    const struct {
        const char *segment, *section;
        size_t tools;
        const char *identifier;
    } cases[] = {
        {"__DATA", "__go_buildinfo", 0, "a.out"}, {"__TEXT", "__gopclntab", 0, "a.out"},
        {"__DATA", "__data", 0, "tool"},          {"__DATA", "__go_buildinfo", 1, "tool"},
        {"__TEXT", "__gopclntab", 1, "tool"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct macho_builder b = {0};
        own_signed struct signed_file file = {0};
        bool in_text = strcmp(cases[i].segment, "__TEXT") == 0;
        uint32_t words[6];
        memcpy(words, build, sizeof(words));
        words[3] = (uint32_t)cases[i].tools;
        macho_begin(&b);
        macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
        macho_section(&b, "__TEXT", "__text", 0x1000, 0x123, 0);
        if (in_text)
            macho_section(&b, "__TEXT", cases[i].section, 0x1130, 0x10, 0);
        macho_segment(&b, "__DATA", CODE_LEN, 0x100, 3);
        if (!in_text)
            macho_section(&b, "__DATA", cases[i].section, CODE_LEN, 0x10, 0);
        macho_segment(&b, "__LINKEDIT", CODE_LEN + 0x100, 0x20, 1);
        macho_command_words(&b, LC_BUILD_VERSION, words, 4 + 2 * cases[i].tools);
        macho_finish(&b, CODE_LEN + 0x120);
        sign_built(&file, &b, &(struct adhoc_options){.style = ADHOC_LINKER, .file_name = "tool"});
        assert_string_equal(file.sig.directories[0].identifier, cases[i].identifier);
        if (strcmp(cases[i].identifier, "a.out") == 0)
            assert_int_equal(file.image.code_signature.size, file.sig.super_blob.len);
    }
}

/* Bytes that an earlier, longer signature left behind the SuperBlob stay while it keeps its
 * length. */
static void adhoc_renew__keeps_residue(void **state)
{
    own_signed struct signed_file file = {0};
    own_buf struct buf again = {0};
    own_fail struct fail fail = {0};
    (void)state;
    signed_sign(&file, &(struct signed_spec){0}, &signed_codesign);
    memset(file.bytes.data + file.bytes.len - 100, 0xa5, 60);
    assert_works(adhoc_renew(&again, &file.image, &fail), &fail);
    assert_int_equal(again.len, file.bytes.len);
    assert_memory_equal(again.data, file.bytes.data, again.len);
    /* A new signature begins with zeros again. */
    buf_truncate(&again, 0);
    assert_works(adhoc_sign(&again, &file.image, &signed_codesign, &fail), &fail);
    assert_int_equal(again.data[again.len - 80], 0);
}

/* A load command in the middle is taken out, those behind it move up, zeros follow. */
static void adhoc_strip__command_in_the_middle(void **state)
{
    static const uint8_t uuid[16] = {1, 2, 3};
    const uint32_t signature[] = {CODE_LEN + 0x20, 0x40};
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_image struct image stripped = {0};
    own_buf struct buf out = {0};
    own_fail struct fail fail = {0};
    (void)state;
    macho_begin(&b);
    macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
    size_t at = macho_segment(&b, "__LINKEDIT", CODE_LEN, 0x60, 1);
    macho_set_u32(&b, at + 32, 0x4000);
    macho_command_words(&b, LC_CODE_SIGNATURE, signature, 2);
    macho_command(&b, LC_UUID, uuid, sizeof(uuid));
    macho_finish(&b, CODE_LEN + 0x60);
    assert_works(image_open_any(&image, macho_view(&b), &fail), &fail);
    assert_works(adhoc_strip(&out, &image, &fail), &fail);
    assert_works(image_open_any(&stripped, (struct view){out.data, out.len}, &fail), &fail);
    assert_int_equal(out.len, CODE_LEN + 0x20);
    assert_int_equal(stripped.command_count, 3);
    assert_true(stripped.has_uuid);
    assert_memory_equal(stripped.uuid, uuid, 16);
    assert_int_equal(stripped.segments[1].file_size, 0x20);
    assert_int_equal(stripped.segments[1].memory_size, 0x4000);
    uint64_t end = stripped.header_size + stripped.commands_size;
    assert_int_equal(end, image.header_size + image.commands_size - 16);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(out.data[end + i], 0);
    macho_release(&b);
}

/* Zeros that align the signature go with it, when a table says where the content ends. */
static void adhoc_strip__padding(void **state)
{
    static const char strings[] = "\0abc";
    const uint32_t symtab[] = {CODE_LEN, 1, CODE_LEN + 16, sizeof(strings)};
    (void)state;
    for (unsigned fill = 0; fill < 2; fill++) {
        struct macho_builder b = {0};
        own_signed struct signed_file file = {0};
        own_buf struct buf before = {0};
        own_buf struct buf out = {0};
        own_fail struct fail fail = {0};
        uint64_t len = CODE_LEN + 16 + sizeof(strings) + (fill ? 3 : 0);
        macho_begin(&b);
        macho_segment(&b, "__TEXT", 0, CODE_LEN, 5);
        size_t at = macho_segment(&b, "__LINKEDIT", CODE_LEN, len - CODE_LEN, 1);
        macho_set_u32(&b, at + 32, 0x4000);
        macho_command_words(&b, LC_SYMTAB, symtab, 4);
        macho_put_u32(&b, CODE_LEN, 1);
        macho_put(&b, CODE_LEN + 16, strings, sizeof(strings));
        if (fill)
            macho_put(&b, len - 3, "xyz", 3);
        macho_finish(&b, len);
        buf_append(&before, b.out.data, b.out.len);
        sign_built(&file, &b, &(struct adhoc_options){.identifier = "x.y"});
        assert_int_equal(file.image.code_signature.offset, CODE_LEN + 32);
        assert_works(adhoc_strip(&out, &file.image, &fail), &fail);
        /* Bytes that are not zero are content that no table names; they stay, and what aligned
         * them. */
        assert_int_equal(out.len, fill ? CODE_LEN + 32 : before.len);
        if (!fill)
            assert_memory_equal(out.data, before.data, before.len);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adhoc_sign__hash_types_by_the_oldest_system),
        cmocka_unit_test(adhoc_sign__name_without_uuid),
        cmocka_unit_test(adhoc_sign__file_without_a_name),
        cmocka_unit_test(adhoc_sign_file__shares_the_name),
        cmocka_unit_test(adhoc_sign_file__refuses_to_pass_4_gib),
        cmocka_unit_test(adhoc_sign__strip_mark),
        cmocka_unit_test(adhoc_sign__lld_that_says_ld),
        cmocka_unit_test(adhoc_sign__without_text_section),
        cmocka_unit_test(adhoc_sign__go_names),
        cmocka_unit_test(adhoc_renew__keeps_residue),
        cmocka_unit_test(adhoc_strip__command_in_the_middle),
        cmocka_unit_test(adhoc_strip__padding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
