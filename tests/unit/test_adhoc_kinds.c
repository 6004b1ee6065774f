/* What must hold for signing, renewing and stripping images of every width, byte order and file
 * type, alone and in universal files, in each style: the signatures verify strictly, and the three
 * undo and repeat each other to the byte. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "macho/adhoc.h"
#include "macho/fat.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"
#include "unit/sealer.h"

static const char xml[] = "<plist version=\"1.0\"><dict><key>get-task-allow</key><true/>"
                          "<key>n</key><array><integer>7</integer></array></dict></plist>";

/* Everything that can be asked for. */
static struct adhoc_options options_of(unsigned variant)
{
    struct adhoc_options options = {.style = variant & 1 ? ADHOC_LINKER : ADHOC_CODESIGN,
                                    .identifier = "com.example.kinds",
                                    .page_size = variant & 2 ? 16384 : 4096};
    if (variant & 4 && options.style == ADHOC_CODESIGN)
        options.entitlements = (struct view){(const uint8_t *)xml, sizeof(xml) - 1};
    return options;
}
#define VARIANTS 8u

static void sign(struct buf *out, const struct buf *file, const struct adhoc_options *options)
{
    own_pieces struct pieces pieces = {0};
    own_fail struct fail fail = {0};
    assert_works(adhoc_sign_file(&pieces, unit_view(file), options, &fail), &fail);
    pieces_join(out, &pieces);
}

static void renew(struct buf *out, const struct buf *file)
{
    own_pieces struct pieces pieces = {0};
    own_fail struct fail fail = {0};
    assert_works(adhoc_renew_file(&pieces, unit_view(file), &fail), &fail);
    pieces_join(out, &pieces);
}

static uint32_t strip(struct buf *out, const struct buf *file)
{
    own_pieces struct pieces pieces = {0};
    own_fail struct fail fail = {0};
    uint32_t stripped = 0;
    assert_works(adhoc_strip_file(&pieces, &stripped, unit_view(file), &fail), &fail);
    pieces_join(out, &pieces);
    return stripped;
}

static void assert_same(const struct buf *a, const struct buf *b)
{
    assert_int_equal(a->len, b->len);
    assert_memory_equal(a->data, b->data, a->len);
}

static void verify_slice(struct findings *out, const struct fat_slice *slice,
                         const struct adhoc_options *options)
{
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    const struct sigcheck_options check = {.identifier = options->identifier,
                                           .kind = options->style == ADHOC_LINKER ? SIGCHECK_LINKER
                                                                                  : SIGCHECK_ADHOC,
                                           .page_size = options->page_size,
                                           .strict = true,
                                           .require_sha256 = true,
                                           .threads = 1};
    assert_works(image_open_any(&image, slice->data, &fail), &fail);
    sigcheck_verify(out, &image, &check);
}

static void verify(const struct buf *file, const struct adhoc_options *options)
{
    own_findings struct findings findings = {0};
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    assert_works(fat_open(&fat, unit_view(file), &fail), &fail);
    for (uint32_t i = 0; i < fat.slice_count; i++)
        verify_slice(&findings, &fat.slices[i], options);
    if (fat.is_fat)
        sigcheck_universal(&findings, unit_view(file), &fat);
    if (findings.count > 0)
        findings_print(&findings, stdout, false);
    assert_int_equal(findings.count, 0);
}

/* All that must hold for a file, which is signed already. */
static void check_cycle(const struct buf *file, uint32_t slices)
{
    const struct adhoc_options plain = options_of(0);
    own_buf struct buf bare = {0};
    own_buf struct buf plainly = {0};
    assert_int_equal(strip(&bare, file), slices);
    sign(&plainly, &bare, &plain);
    for (unsigned variant = 0; variant < VARIANTS; variant++) {
        const struct adhoc_options options = options_of(variant);
        own_buf struct buf once = {0};
        own_buf struct buf again = {0};
        own_buf struct buf renewed = {0};
        own_buf struct buf stripped = {0};
        own_buf struct buf replaced = {0};
        own_buf struct buf direct = {0};
        sign(&once, &bare, &options);
        verify(&once, &options);
        sign(&again, &once, &options);
        assert_same(&again, &once);
        renew(&renewed, &once);
        assert_same(&renewed, &once);
        assert_int_equal(strip(&stripped, &once), slices);
        assert_same(&stripped, &bare);
        sign(&replaced, &plainly, &options);
        assert_same(&replaced, &once);
        sign(&direct, file, &options);
        verify(&direct, &options);
        /* A present linker's signature tells more of its linker than the load commands do. */
        if (options.style == ADHOC_CODESIGN)
            assert_same(&direct, &once);
    }
    own_buf struct buf nothing = {0};
    assert_int_equal(strip(&nothing, &bare), 0);
    assert_same(&nothing, &bare);
}

static void adhoc__cycles_of_thin_images(void **state)
{
    (void)state;
    for (size_t i = 0; i < sealer_kind_count; i++) {
        const struct sealer_kind *kind = &sealer_kinds[i];
        own_buf struct buf file = {0};
        if (kind->image.filetype == MH_OBJECT)
            continue;
        print_message("%s\n", kind->name);
        sealer_file(&file, &kind->image, &kind->spec);
        check_cycle(&file, 1);
    }
}

/* One slice of each architecture that sealer_kinds have. */
static uint32_t make_fat(struct buf *out, struct buf *files, bool is64, uint32_t align_log2)
{
    struct macho_fat_slice slices[16] = {{0}};
    uint32_t count = 0;
    for (size_t i = 0; i < sealer_kind_count && count < 16; i++) {
        const struct sealer_image *image = &sealer_kinds[i].image;
        bool known = image->filetype == MH_OBJECT;
        for (uint32_t k = 0; k < count; k++)
            known =
                known || (slices[k].cputype == image->cputype &&
                          ((slices[k].cpusubtype ^ image->cpusubtype) & ~CPU_SUBTYPE_MASK) == 0);
        if (known)
            continue;
        sealer_file(&files[count], image, &sealer_kinds[i].spec);
        slices[count].cputype = image->cputype;
        slices[count].cpusubtype = image->cpusubtype;
        slices[count].data = unit_view(&files[count]);
        count++;
    }
    macho_fat(out, slices, count, is64, align_log2);
    return count;
}

static void adhoc__cycles_of_universal_files(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < 4; variant++) {
        struct buf files[16] = {{0}};
        own_buf struct buf file = {0};
        uint32_t count = make_fat(&file, files, variant & 1, variant & 2 ? 14 : 12);
        assert_true(count >= 7);
        check_cycle(&file, count);
        for (size_t i = 0; i < 16; i++)
            buf_release(&files[i]);
    }
}

/* Slices keep their place in the table, follow one another, and are aligned as it states. */
static void adhoc_sign_file__moves_slices(void **state)
{
    struct buf files[16] = {{0}};
    own_buf struct buf file = {0};
    own_buf struct buf grown = {0};
    own_fat struct fat before = {0};
    own_fat struct fat after = {0};
    own_fail struct fail fail = {0};
    const struct adhoc_options options = options_of(0);
    (void)state;
    uint32_t count = make_fat(&file, files, false, 12);
    sign(&grown, &file, &options);
    assert_works(fat_open(&before, unit_view(&file), &fail), &fail);
    assert_works(fat_open(&after, unit_view(&grown), &fail), &fail);
    assert_int_equal(after.slice_count, count);
    uint64_t end = before.slices[0].offset;
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(after.slices[i].cputype, before.slices[i].cputype);
        assert_int_equal(after.slices[i].cpusubtype, before.slices[i].cpusubtype);
        assert_int_equal(after.slices[i].align_log2, 12);
        assert_int_equal(after.slices[i].offset, (end + 4095) / 4096 * 4096);
        end = after.slices[i].offset + after.slices[i].data.len;
    }
    assert_int_equal(end, grown.len);
    for (size_t i = 0; i < 16; i++)
        buf_release(&files[i]);
}

static size_t errors_of(const struct buf *file)
{
    own_findings struct findings findings = {0};
    own_image struct image image = {0};
    own_fail struct fail fail = {0};
    const struct sigcheck_options check = {.threads = 1};
    assert_works(image_open_any(&image, unit_view(file), &fail), &fail);
    sigcheck_verify(&findings, &image, &check);
    return findings.error_count;
}

/* Renewing writes what is there, whoever wrote it, and puts right what has changed since. */
static void adhoc_renew__kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sealer_kind_count; i++) {
        const struct sealer_kind *kind = &sealer_kinds[i];
        own_buf struct buf file = {0};
        own_buf struct buf renewed = {0};
        own_buf struct buf mended = {0};
        if (kind->spec.scatter || kind->spec.pre_encrypt || kind->spec.linkage ||
            kind->image.filetype == MH_OBJECT)
            continue;
        print_message("%s\n", kind->name);
        sealer_file(&file, &kind->image, &kind->spec);
        assert_int_equal(errors_of(&file), 0);
        renew(&renewed, &file);
        assert_same(&renewed, &file);
        file.data[0x420] ^= 1;
        assert_int_not_equal(errors_of(&file), 0);
        renew(&mended, &file);
        assert_int_equal(errors_of(&mended), 0);
        assert_int_equal(mended.len, file.len);
    }
}

static void refuse(int result, const struct fail *fail, const char *words)
{
    assert_int_equal(result, -1);
    assert_int_equal(fail->code, FAIL_INPUT);
    if (!strstr(fail->message, words))
        print_message("message: %s\n", fail->message);
    assert_non_null(strstr(fail->message, words));
}

static void adhoc_renew__refuses_what_it_cannot_rebuild(void **state)
{
    (void)state;
    for (size_t i = 0; i < sealer_kind_count; i++) {
        const struct sealer_kind *kind = &sealer_kinds[i];
        own_buf struct buf file = {0};
        own_pieces struct pieces pieces = {0};
        own_fail struct fail fail = {0};
        if (!kind->spec.scatter && !kind->spec.pre_encrypt && !kind->spec.linkage)
            continue;
        sealer_file(&file, &kind->image, &kind->spec);
        refuse(adhoc_renew_file(&pieces, unit_view(&file), &fail), &fail, "cannot be renewed");
        assert_int_equal(pieces.count, 0);
    }
}

static void sign_refused(const struct buf *file, const char *words)
{
    const struct adhoc_options options = options_of(0);
    own_pieces struct pieces pieces = {0};
    own_fail struct fail fail = {0};
    refuse(adhoc_sign_file(&pieces, unit_view(file), &options, &fail), &fail, words);
    assert_int_equal(pieces.count, 0);
}

/* Two arm64 slices of different subtypes. */
static void make_pair(struct buf *out, struct view second, bool is64)
{
    own_buf struct buf first = {0};
    sealer_file(&first, &sealer_kinds[0].image, &sealer_kinds[0].spec);
    const struct macho_fat_slice slices[] = {
        {CPU_TYPE_ARM64, 0, unit_view(&first)},
        {CPU_TYPE_ARM64, 1, second.data ? second : unit_view(&first)},
    };
    macho_fat(out, slices, 2, is64, 12);
}

static void adhoc_sign_file__refuses_odd_universal_files(void **state)
{
    static const char archive[] = "!<arch>\nlibfoo.o/       ";
    (void)state;
    own_buf struct buf file = {0};
    make_pair(&file, (struct view){(const uint8_t *)archive, sizeof(archive) - 1}, false);
    sign_refused(&file, "a static archive is no Mach-O file");
    buf_truncate(&file, 0);
    make_pair(&file, (struct view){0}, false);
    file.data[0x800] = 7;
    sign_refused(&file, "a byte 0x07 at offset 2048, which belongs to no slice");
    buf_truncate(&file, 0);
    make_pair(&file, (struct view){0}, true);
    file.data[8 + 32 + 31] = 9; /* behind the alignment of the second entry */
    sign_refused(&file, "has 0x00000009 in the reserved field of the slice at offset 8192");
    buf_truncate(&file, 0);
    make_pair(&file, (struct view){0}, false);
    buf_zeros(&file, 3);
    sign_refused(&file, "3 bytes behind it");
    buf_truncate(&file, 0);
    make_pair(&file, (struct view){0}, false);
    buf_set_u32be(&file, 8 + 20 + 4, 0);
    sign_refused(&file, "is for the architecture of slice 1");
    buf_truncate(&file, 0);
    make_pair(&file, (struct view){0}, false);
    buf_set_u32be(&file, 8 + 20 + 8, 0x1000);
    sign_refused(&file, "overlap");
}

/* Slices without a signature stay as they are when the others are renewed. */
static void adhoc_renew_file__leaves_unsigned_slices(void **state)
{
    (void)state;
    own_buf struct buf bare = {0};
    own_buf struct buf signed_slice = {0};
    own_buf struct buf file = {0};
    own_buf struct buf renewed = {0};
    own_buf struct buf none = {0};
    own_pieces struct pieces pieces = {0};
    own_fail struct fail fail = {0};
    const struct adhoc_options options = options_of(0);
    sealer_file(&signed_slice, &sealer_kinds[0].image, &sealer_kinds[0].spec);
    strip(&bare, &signed_slice);
    buf_truncate(&signed_slice, 0);
    sign(&signed_slice, &bare, &options);
    const struct macho_fat_slice slices[] = {{CPU_TYPE_ARM64, 0, unit_view(&bare)},
                                             {CPU_TYPE_ARM64, 1, unit_view(&signed_slice)}};
    macho_fat(&file, slices, 2, true, 14);
    renew(&renewed, &file);
    assert_same(&renewed, &file);
    assert_int_equal(strip(&none, &file), 1);
    refuse(adhoc_renew_file(&pieces, unit_view(&none), &fail), &fail, "no slice has a signature");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adhoc__cycles_of_thin_images),
        cmocka_unit_test(adhoc__cycles_of_universal_files),
        cmocka_unit_test(adhoc_sign_file__moves_slices),
        cmocka_unit_test(adhoc_renew__kinds),
        cmocka_unit_test(adhoc_renew__refuses_what_it_cannot_rebuild),
        cmocka_unit_test(adhoc_sign_file__refuses_odd_universal_files),
        cmocka_unit_test(adhoc_renew_file__leaves_unsigned_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
