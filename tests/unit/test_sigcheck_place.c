/* Where the signature lies in the image: __LINKEDIT ends with it, and nothing else reaches into it. */
#include "unit.h"

#include <string.h>

#include "macho/adhoc.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"
#include "unit/sealer.h"

/* In an image with split segments __LINKEDIT has not the highest address. */
static void sigcheck_verify__split_segments(void **state)
{
    (void)state;
    for (uint32_t split = 0; split < 2; split++) {
        const struct sealer_image image = {
            .is32 = true, .cputype = CPU_TYPE_X86, .flags = split != 0 ? MH_SPLIT_SEGS : 0};
        const struct sealer_spec spec = {0};
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &image, &spec);
        uint8_t *linkedit = memmem(file.data, file.len, "__LINKEDIT", 10);
        assert_non_null(linkedit);
        buf_set_u32le(&file, (size_t)(linkedit - file.data) + 16, 0x1000); /* before __TEXT */
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        assert_int_equal(unit_count_findings(&findings, "sig.linkedit"), split == 0);
    }
}

/* Tools of all times put a signature at a multiple of 16; the loader of today wants a multiple of the
 * size of a pointer, of new images alone. */
static void sigcheck_verify__alignment(void **state)
{
    static const struct {
        uint64_t code_len;
        uint32_t sdk, filetype;
        bool is32;
        unsigned warnings, errors;
    } cases[] = {
        {0x600, 14u << 16, MH_DYLIB, false, 0, 0},
        {0x608, 14u << 16, MH_DYLIB, false, 1, 0},
        {0x604, 14u << 16, MH_DYLIB, true, 1, 0},
        {0x602, 14u << 16, MH_DYLIB, true, 0, 1},
        {0x604, 14u << 16, MH_DYLIB, false, 0, 1},
        {0x604, 10u << 16 | 15u << 8, MH_EXECUTE, false, 0, 1},
        {0x604, 10u << 16 | 14u << 8, MH_EXECUTE, false, 1, 0},
        {0x604, 0, MH_DYLIB, false, 1, 0},
        {0x604, 14u << 16, MH_KEXT_BUNDLE, false, 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct sealer_image image = {.is32 = cases[i].is32,
                                           .cputype =
                                               cases[i].is32 ? CPU_TYPE_X86 : CPU_TYPE_X86_64,
                                           .filetype = cases[i].filetype,
                                           .code_len = cases[i].code_len,
                                           .sdk = cases[i].sdk};
        const struct sealer_spec spec = {
            .exec_flags = cases[i].filetype == MH_EXECUTE ? CODESIG_EXEC_MAIN_BINARY : 0,
            .blobs = {SEALER_NO_REQUIREMENTS}};
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &image, &spec);
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        print_message("case %zu\n", i);
        assert_int_equal(unit_count_findings(&findings, "sig.alignment"),
                         cases[i].warnings + cases[i].errors);
        assert_int_equal(findings.error_count, cases[i].errors);
    }
}

/* Where the range is that a load command states: the words behind its size. */
struct stated {
    uint32_t command, offset, count, len; /* len: of one unit */
    const char *name;
};

static const struct stated stated_ranges[] = {
    {LC_SYMTAB, 0, 1, 16, "symbol table"},
    {LC_SYMTAB, 2, 3, 1, "string table"},
    {LC_DYSYMTAB, 6, 7, 8, "table of contents"},
    {LC_DYSYMTAB, 8, 9, 56, "module table"},
    {LC_DYSYMTAB, 10, 11, 4, "table of references"},
    {LC_DYSYMTAB, 12, 13, 4, "indirect symbols"},
    {LC_DYSYMTAB, 14, 15, 8, "external relocations"},
    {LC_DYSYMTAB, 16, 17, 8, "local relocations"},
    {LC_TWOLEVEL_HINTS, 0, 1, 4, "two-level hints"},
    {LC_DYLD_INFO, 0, 1, 1, "rebase opcodes"},
    {LC_DYLD_INFO_ONLY, 2, 3, 1, "bind opcodes"},
    {LC_DYLD_INFO_ONLY, 4, 5, 1, "weak bind opcodes"},
    {LC_DYLD_INFO_ONLY, 6, 7, 1, "lazy bind opcodes"},
    {LC_DYLD_INFO_ONLY, 8, 9, 1, "export trie"},
    {LC_SEGMENT_SPLIT_INFO, 0, 1, 1, "split segment info"},
    {LC_DATA_IN_CODE, 0, 1, 1, "data in code"},
    {LC_DYLIB_CODE_SIGN_DRS, 0, 1, 1, "code sign requirements"},
    {LC_LINKER_OPTIMIZATION_HINT, 0, 1, 1, "linker optimization hints"},
    {LC_DYLD_EXPORTS_TRIE, 0, 1, 1, "export trie"},
    {LC_DYLD_CHAINED_FIXUPS, 0, 1, 1, "chained fix-ups"},
    {LC_ATOM_INFO, 0, 1, 1, "atom info"},
    {LC_FUNCTION_VARIANTS, 0, 1, 1, "function variants"},
    {LC_FUNCTION_VARIANT_FIXUPS, 0, 1, 1, "function variant fix-ups"},
    {LC_ENCRYPTION_INFO, 0, 1, 1, "encrypted range"},
    {LC_NOTE, 4, 6, 1, "note"},
};

/* What verify would find in every signature of this file, no signer puts one into. */
static void expect_refused(const struct buf *file, const char *message)
{
    const struct adhoc_options options = {.file_name = "libfoo.dylib"};
    own_pieces struct pieces out = {0};
    own_fail struct fail fail = {0};
    own_fail struct fail renewing = {0};
    struct view view = {file->data, file->len};
    assert_fails(adhoc_sign_file(&out, view, &options, &fail), &fail, FAIL_INPUT, message);
    assert_fails(adhoc_renew_file(&out, view, &renewing), &renewing, FAIL_INPUT, message);
}

/* Bytes behind the SuperBlob are sealed by nothing: what states a range must end before it. */
static void sigcheck_tables__every_stated_range(void **state)
{
    (void)state;
    const struct sealer_spec spec = {.blobs = {SEALER_NO_REQUIREMENTS}};
    for (size_t i = 0; i < sizeof stated_ranges / sizeof stated_ranges[0]; i++) {
        const struct stated *range = &stated_ranges[i];
        for (uint32_t more = 0; more < 2; more++) {
            struct sealer_image image = {.cputype = CPU_TYPE_ARM64, .command = range->command};
            own_buf struct buf file = {0};
            own_findings struct findings findings = {0};
            image.words[range->offset] = 0x600 + SEALER_TABLES - range->len + more;
            image.words[range->count] = 1;
            sealer_file(&file, &image, &spec);
            unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
            assert_int_equal(findings.count, more);
            if (more == 0)
                continue;
            unit_expect_finding(&findings, FINDING_ERROR, "sig.linkedit", range->name);
            expect_refused(&file, range->name);
        }
    }
}

/* Where the header of the first section states its relocations. */
static uint8_t *find_relocations(struct buf *file)
{
    uint8_t *section = memmem(file->data, file->len, "__text", 6);
    assert_non_null(section);
    return section + 56;
}

/* So must the relocations of a section. */
static void sigcheck_tables__relocations(void **state)
{
    (void)state;
    const struct sealer_spec spec = {.blobs = {SEALER_NO_REQUIREMENTS}};
    const struct sealer_image image = {.cputype = CPU_TYPE_ARM64};
    for (uint32_t more = 0; more < 2; more++) {
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &image, &spec);
        size_t at = (size_t)(find_relocations(&file) - file.data);
        buf_set_u32le(&file, at, 0x600 + SEALER_TABLES - 8 + more);
        buf_set_u32le(&file, at + 4, 1);
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        assert_int_equal(unit_count_findings(&findings, "sig.linkedit"), more);
        if (more == 0)
            continue;
        unit_expect_finding(&findings, FINDING_ERROR, "sig.linkedit", "relocations");
        expect_refused(&file, "relocations");
    }
}

/* The sum of a note's 64-bit fields does not wrap around to a small one. */
static void sigcheck_tables__range_beyond_all_files(void **state)
{
    (void)state;
    const struct sealer_spec spec = {.blobs = {SEALER_NO_REQUIREMENTS}};
    const struct sealer_image image = {
        .cputype = CPU_TYPE_ARM64,
        .command = LC_NOTE,
        .words = {0, 0, 0, 0, UINT32_MAX, UINT32_MAX, 0x100, 0},
    };
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    sealer_file(&file, &image, &spec);
    unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
    unit_expect_finding(&findings, FINDING_ERROR, "sig.linkedit", "note at offset");
}

/* As old linkers of Go have it. */
static void sigcheck_verify__linkedit_that_can_be_written(void **state)
{
    (void)state;
    const struct sealer_image image = {.cputype = CPU_TYPE_ARM64, .linkedit_protection = 3};
    const struct sealer_spec spec = {.blobs = {SEALER_NO_REQUIREMENTS}};
    const struct adhoc_options options = {.file_name = "libfoo.dylib"};
    own_buf struct buf file = {0};
    own_buf struct buf again = {0};
    own_pieces struct pieces out = {0};
    own_findings struct findings findings = {0};
    own_fail struct fail fail = {0};
    sealer_file(&file, &image, &spec);
    unit_verify(&findings, &file, &(struct sigcheck_options){.strict = true, .threads = 1});
    assert_int_equal(adhoc_sign_file(&out, (struct view){file.data, file.len}, &options, &fail), 0);
    pieces_join(&again, &out);
    unit_verify(&findings, &again, &(struct sigcheck_options){.strict = true, .threads = 1});
    assert_int_equal(findings.count, 0);
}

static void sigcheck_verify__code_beside_the_signature(void **state)
{
    (void)state;
    const struct sealer_spec spec = {.blobs = {SEALER_NO_REQUIREMENTS}, .reserved = 0x100};
    static const struct {
        struct sealer_image image;
        const char *text;
        const char *refusal;
    } cases[] = {
        {{.cputype = CPU_TYPE_ARM64, .linkedit_section = true},
         "section __LINKEDIT,__code",
         "section __code"},
        {{.cputype = CPU_TYPE_ARM64, .linkedit_protection = 5},
         "it can be executed",
         "protection 5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &cases[i].image, &spec);
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        unit_expect_finding(&findings, FINDING_ERROR, "sig.linkedit", cases[i].text);
        assert_int_equal(findings.count, 1);
        expect_refused(&file, cases[i].refusal);
    }
}

/* A table may end where the signature begins, and not one byte later. */
static void sigcheck_verify__tables_end_before_the_signature(void **state)
{
    (void)state;
    for (uint32_t more = 0; more < 2; more++) {
        const struct sealer_image image = {.cputype = CPU_TYPE_ARM64,
                                           .table_len = SEALER_TABLES + more};
        const struct sealer_spec spec = {.blobs = {SEALER_NO_REQUIREMENTS}};
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &image, &spec);
        unit_verify(&findings, &file, &(struct sigcheck_options){.threads = 1});
        assert_int_equal(findings.count, more);
        if (more != 0)
            unit_expect_finding(&findings, FINDING_ERROR, "sig.linkedit",
                                "function starts at offset 1536");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigcheck_verify__split_segments),
        cmocka_unit_test(sigcheck_verify__alignment),
        cmocka_unit_test(sigcheck_tables__every_stated_range),
        cmocka_unit_test(sigcheck_tables__relocations),
        cmocka_unit_test(sigcheck_tables__range_beyond_all_files),
        cmocka_unit_test(sigcheck_verify__linkedit_that_can_be_written),
        cmocka_unit_test(sigcheck_verify__code_beside_the_signature),
        cmocka_unit_test(sigcheck_verify__tables_end_before_the_signature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
