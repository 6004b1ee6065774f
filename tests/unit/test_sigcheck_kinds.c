/* Signatures of every form on images of every kind: sound ones have no finding, and no byte that a
 * CodeDirectory seals can change, nor any byte of the signature. */
#include "unit.h"

#include <string.h>

#include "macho/fat.h"
#include "macho/image.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"
#include "unit/sealer.h"

/* See unit_stride(). */
static size_t step = 1;
static size_t start;

static struct sigcheck_outside given(struct view bytes)
{
    return (struct sigcheck_outside){bytes.len > 0 ? SIGCHECK_GIVEN : SIGCHECK_NOT_GIVEN, bytes};
}

static struct sigcheck_options options_of(const struct sealer_spec *spec)
{
    return (struct sigcheck_options){
        .identifier = SEALER_IDENTIFIER,
        .page_size = 1u << (spec->page_shift != 0 ? spec->page_shift : 12),
        .strict = true,
        .threads = 1,
        .info_plist = given(spec->info_plist),
        .resources = given(spec->resources),
    };
}

/* All slices of a file; what a reader refuses is a finding "unreadable". */
static void judge(struct findings *out, const struct buf *file, const struct sealer_spec *spec)
{
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    struct view view = {file->data, file->len};
    if (fat_open(&fat, view, &fail) < 0) {
        (void)finding_add(out, FINDING_ERROR, "unreadable");
        return;
    }
    for (uint32_t i = 0; i < fat.slice_count; i++) {
        own_image struct image image = {0};
        own_fail struct fail inner = {0};
        struct sigcheck_options options = options_of(spec);
        options.offset = fat.slices[i].offset;
        if (image_open_any(&image, fat.slices[i].data, &inner) < 0) {
            (void)finding_add(out, FINDING_ERROR, "unreadable");
            continue;
        }
        if (fat.is_fat)
            sigcheck_slice(out, &fat.slices[i], &image);
        sigcheck_verify(out, &image, &options);
    }
    if (fat.is_fat)
        sigcheck_universal(out, view, &fat);
}

static void show(const char *name, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        print_message("%s: %s: %s: expected %s, found %s\n", name, findings->list[i].id,
                      findings->list[i].place, findings->list[i].expected,
                      findings->list[i].actual);
}

/* SHA-1 alone is worth a word, and is no fault; everything else is silent. */
static size_t count_faults(const struct findings *findings)
{
    return findings->count - unit_count_findings(findings, "sig.weak-hash");
}

static void sigcheck_verify__every_kind_is_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sealer_kind_count; i++) {
        const struct sealer_kind *kind = &sealer_kinds[i];
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        sealer_file(&file, &kind->image, &kind->spec);
        judge(&findings, &file, &kind->spec);
        if (count_faults(&findings) != 0)
            show(kind->name, &findings);
        assert_int_equal(count_faults(&findings), 0);
        bool weak = kind->spec.hash_types[0] == CODESIG_HASH_SHA1 && kind->spec.hash_types[1] == 0;
        assert_int_equal(findings.count, weak);
    }
}

static bool is_found(struct buf *file, const struct sealer_spec *spec, size_t at, uint8_t mask)
{
    own_findings struct findings findings = {0};
    file->data[at] ^= mask;
    judge(&findings, file, spec);
    file->data[at] ^= mask;
    return count_faults(&findings) > 0;
}

/* Tries [from, to): every byte turned over, and single bits where it says so. */
static void flip_all(struct buf *file, const struct sealer_spec *spec, const char *name,
                     size_t from, size_t to, bool bits)
{
    for (size_t at = from + start; at < to; at += step) {
        bool found = is_found(file, spec, at, 0xff);
        for (unsigned bit = 0; bit < 8 && found && bits; bit++)
            found = is_found(file, spec, at, (uint8_t)(1u << bit));
        if (!found)
            print_message("%s: a change of byte %zu (of %zu) is not found\n", name, at, file->len);
        assert_true(found);
    }
}

static void sigcheck_verify__every_flip_of_every_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < sealer_kind_count; i++) {
        const struct sealer_kind *kind = &sealer_kinds[i];
        own_buf struct buf file = {0};
        own_image struct image image = {0};
        own_fail struct fail fail = {0};
        if (kind->spec.linkage)
            continue; /* what linkage data is a hash of, the file does not tell */
        sealer_file(&file, &kind->image, &kind->spec);
        assert_works(image_open_any(&image, (struct view){file.data, file.len}, &fail), &fail);
        size_t signature = (size_t)image.code_signature.offset;
        size_t commands = (size_t)(image.header_size + image.commands_size);
        flip_all(&file, &kind->spec, kind->name, 0, commands, true);
        flip_all(&file, &kind->spec, kind->name, commands, signature, false);
        flip_all(&file, &kind->spec, kind->name, signature, file.len, true);
    }
}

static void join(struct buf *out, const size_t *kinds, uint32_t count, bool is64)
{
    struct buf files[4] = {{0}};
    struct macho_fat_slice slices[4] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        const struct sealer_kind *kind = &sealer_kinds[kinds[i]];
        sealer_file(&files[i], &kind->image, &kind->spec);
        slices[i] = (struct macho_fat_slice){
            kind->image.cputype, kind->image.cpusubtype, {files[i].data, files[i].len}};
    }
    macho_fat(out, slices, count, is64, 8);
    for (uint32_t i = 0; i < count; i++)
        buf_release(&files[i]);
}

/* Whether a byte is one of an alignment in the table, which says how the slice may move. */
static bool is_alignment(size_t at, uint32_t count, bool is64)
{
    size_t entry = is64 ? 32 : 20;
    if (at < 8 || at >= 8 + count * entry)
        return false;
    size_t field = (at - 8) % entry / 4;
    return field == (is64 ? 6 : 4);
}

/* Universal files: arm64, arm64e and big-endian ppc64 with sha1 and sha256. */
static void sigcheck_universal__every_flip(void **state)
{
    static const size_t kinds[] = {0, 1, 5};
    (void)state;
    for (unsigned is64 = 0; is64 < 2; is64++) {
        own_buf struct buf file = {0};
        own_findings struct findings findings = {0};
        const struct sealer_spec spec = {0};
        join(&file, kinds, 3, is64 != 0);
        judge(&findings, &file, &spec);
        show("universal", &findings);
        assert_int_equal(findings.count, 0);
        for (size_t at = start; at < file.len; at += step) {
            if (is_alignment(at, 3, is64 != 0))
                continue;
            bool found = is_found(&file, &spec, at, 0xff) && is_found(&file, &spec, at, 1);
            if (!found)
                print_message("a change of byte %zu (of %zu) is not found\n", at, file.len);
            assert_true(found);
        }
        buf_putc(&file, 0);
        judge(&findings, &file, &spec);
        assert_int_equal(unit_count_findings(&findings, "fat.trailing-data"), 1);
    }
}

/* Places are offsets in the file, not in the slice. */
static void sigcheck_universal__places_are_file_offsets(void **state)
{
    static const size_t kinds[] = {0, 1};
    own_buf struct buf file = {0};
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    own_findings struct findings findings = {0};
    (void)state;
    join(&file, kinds, 2, false);
    assert_works(fat_open(&fat, (struct view){file.data, file.len}, &fail), &fail);
    size_t second = (size_t)fat.slices[1].offset;
    file.data[second + 0x410] ^= 1;
    file.data[second - 1] ^= 1;
    judge(&findings, &file, &sealer_kinds[1].spec);
    own_mem char *page = text_printf("page 0 at offset %zu", second);
    own_mem char *padding = text_printf("at offset %zu", second - 1);
    assert_int_equal(findings.count, 2);
    assert_string_equal(findings.list[0].id, "sig.page-hash");
    assert_non_null(strstr(findings.list[0].place, page));
    assert_string_equal(findings.list[1].id, "fat.padding");
    assert_non_null(strstr(findings.list[1].place, padding));
}

/* The reserved field of an entry in the wide table; the narrow one has none. */
static void sigcheck_universal__reserved(void **state)
{
    static const size_t kinds[] = {0, 1};
    const size_t reserved = 8 + 32 + 28; /* of the second entry */
    own_buf struct buf file = {0};
    own_findings struct findings findings = {0};
    (void)state;
    join(&file, kinds, 2, true);
    file.data[reserved + 2] = 7;
    judge(&findings, &file, &sealer_kinds[1].spec);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.list[0].id, "fat.reserved");
    assert_string_equal(findings.list[0].actual, "0x00000700");
}

int main(void)
{
    step = unit_stride(&start, 37);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sigcheck_verify__every_kind_is_good),
        cmocka_unit_test(sigcheck_verify__every_flip_of_every_kind),
        cmocka_unit_test(sigcheck_universal__every_flip),
        cmocka_unit_test(sigcheck_universal__places_are_file_offsets),
        cmocka_unit_test(sigcheck_universal__reserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
