/* Whatever the signer writes, the verifier accepts, strictly: images of every kind, thin and
 * universal, in both styles, with every option; and what is built anew from it, too. */
#include "unit.h"

#include <string.h>

#include "base/pieces.h"
#include "macho/adhoc.h"
#include "macho/fat.h"
#include "macho/image.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"
#include "unit/sealer.h"
#include "unit/signed.h"

#define PLIST(inner) "<plist version=\"1.0\"><dict>" inner "</dict></plist>"

static const char *const entitlements[] = {
    PLIST(""),
    PLIST("<key>get-task-allow</key><true/>"),
    PLIST("<key>com.apple.security.app-sandbox</key><true/>"
          "<key>groups</key><array><string>one</string><string>two</string></array>"
          "<key>nested</key><dict><key>b</key><integer>7</integer><key>a</key><false/></dict>"),
};

static const struct adhoc_options all_options[] = {
    {.style = ADHOC_LINKER, .file_name = "libfoo.dylib"},
    {.style = ADHOC_LINKER, .identifier = "com.example.linker", .page_size = 16384},
    {.style = ADHOC_CODESIGN, .file_name = "libfoo.dylib"},
    {.style = ADHOC_CODESIGN, .file_name = "tool", .page_size = 16384},
    {.style = ADHOC_CODESIGN, .identifier = "com.example.codesign"},
};

static size_t tried;

static void expect_good(struct view file, const struct adhoc_options *options, const char *name)
{
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    own_findings struct findings findings = {0};
    assert_works(fat_open(&fat, file, &fail), &fail);
    for (uint32_t i = 0; i < fat.slice_count; i++) {
        own_image struct image image = {0};
        const struct sigcheck_options asked = {
            .offset = fat.slices[i].offset,
            .identifier = options->identifier,
            .kind = options->style == ADHOC_LINKER ? SIGCHECK_LINKER : SIGCHECK_ADHOC,
            .page_size = options->page_size,
            .require_sha256 = true,
            .strict = true,
            .threads = 1};
        assert_works(image_open_any(&image, fat.slices[i].data, &fail), &fail);
        if (fat.is_fat)
            sigcheck_slice(&findings, &fat.slices[i], &image);
        sigcheck_verify(&findings, &image, &asked);
    }
    if (fat.is_fat)
        sigcheck_universal(&findings, file, &fat);
    for (size_t i = 0; i < findings.count; i++)
        print_message("%s, style %d: %s: %s: expected %s, found %s\n", name, (int)options->style,
                      findings.list[i].id, findings.list[i].place, findings.list[i].expected,
                      findings.list[i].actual);
    assert_int_equal(findings.count, 0);
    tried++;
}

static void sign_and_verify(struct view file, const struct adhoc_options *options, const char *name)
{
    own_pieces struct pieces pieces = {0};
    own_pieces struct pieces renewed = {0};
    own_buf struct buf out = {0};
    own_buf struct buf again = {0};
    own_fail struct fail fail = {0};
    assert_works(adhoc_sign_file(&pieces, file, options, &fail), &fail);
    pieces_join(&out, &pieces);
    struct view view = {out.data, out.len};
    expect_good(view, options, name);
    assert_works(adhoc_renew_file(&renewed, view, &fail), &fail);
    pieces_join(&again, &renewed);
    expect_good((struct view){again.data, again.len}, options, name);
}

static void try_all(struct view file, const char *name)
{
    for (size_t i = 0; i < sizeof all_options / sizeof all_options[0]; i++) {
        struct adhoc_options options = all_options[i];
        sign_and_verify(file, &options, name);
        if (options.style == ADHOC_LINKER)
            continue;
        for (size_t k = 0; k < sizeof entitlements / sizeof entitlements[0]; k++) {
            options.entitlements =
                (struct view){(const uint8_t *)entitlements[k], strlen(entitlements[k])};
            sign_and_verify(file, &options, name);
        }
    }
}

/* Images that no linker would put into one file, signed before in all sorts of ways. */
static void adhoc_sign_file__kinds_of_the_sealer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sealer_kind_count; i++) {
        own_buf struct buf file = {0};
        if (sealer_kinds[i].image.filetype == MH_OBJECT)
            continue; /* has no __LINKEDIT */
        sealer_file(&file, &sealer_kinds[i].image, &sealer_kinds[i].spec);
        try_all((struct view){file.data, file.len}, sealer_kinds[i].name);
    }
}

static void adhoc_sign_file__what_linkers_make(void **state)
{
    static const struct signed_spec specs[] = {
        {0},
        {.tool = TOOL_LD, .tool_major = 609},
        {.tool = TOOL_LD, .tool_major = 1167},
        {.tool = TOOL_LLD, .tool_major = 19},
        {.tool = TOOL_ZIG, .tool_major = 0},
        {.filetype = MH_EXECUTE, .tool = TOOL_LD, .tool_major = 1015},
        {.filetype = MH_BUNDLE, .no_uuid = true},
        {.info_plist = PLIST("<key>CFBundleIdentifier</key><string>com.example.plist</string>")},
        {.install_name = "@rpath/libbar.dylib", .tool = TOOL_LLD, .tool_major = 19},
        {.linkedit_len = 0x27},
    };
    struct macho_builder b = {0};
    (void)state;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        own_mem char *name = text_printf("spec %zu", i);
        signed_make(&b, &specs[i]);
        try_all(macho_view(&b), name);
        macho_release(&b);
    }
    macho_small_dylib(&b);
    try_all(macho_view(&b), "small dylib");
    macho_release(&b);
}

static void adhoc_sign_file__universal(void **state)
{
    static const size_t kinds[] = {0, 1, 3, 5, 6};
    enum { SLICES = sizeof kinds / sizeof kinds[0] };
    (void)state;
    for (unsigned is64 = 0; is64 < 2; is64++) {
        struct buf files[SLICES] = {{0}};
        struct macho_fat_slice slices[SLICES] = {{0}};
        own_buf struct buf fat = {0};
        for (size_t i = 0; i < SLICES; i++) {
            const struct sealer_kind *kind = &sealer_kinds[kinds[i]];
            sealer_file(&files[i], &kind->image, &kind->spec);
            slices[i] = (struct macho_fat_slice){
                kind->image.cputype, kind->image.cpusubtype, {files[i].data, files[i].len}};
        }
        macho_fat(&fat, slices, SLICES, is64 != 0, 12);
        try_all((struct view){fat.data, fat.len}, "universal");
        for (size_t i = 0; i < SLICES; i++)
            buf_release(&files[i]);
    }
}

/* The loops above have done what they say. */
static void every_combination_was_tried(void **state)
{
    (void)state;
    assert_int_equal(tried, (14 + 11 + 2) * (2 + 3 * 4) * 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adhoc_sign_file__kinds_of_the_sealer),
        cmocka_unit_test(adhoc_sign_file__what_linkers_make),
        cmocka_unit_test(adhoc_sign_file__universal),
        cmocka_unit_test(every_combination_was_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
