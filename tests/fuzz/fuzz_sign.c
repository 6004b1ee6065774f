/*
 * The signer on any file, thin or universal. What was signed verifies strictly; signing again and
 * renewing change nothing; what was stripped has no signature, and signed again it is the same
 * file. Each input is signed one way, which its bytes choose.
 */
#include <string.h>

#include "base/pieces.h"
#include "fuzz/fuzz.h"
#include "macho/adhoc.h"
#include "macho/fat.h"
#include "macho/image.h"
#include "macho/sigcheck.h"
#include "unit/macho_builder.h"
#include "unit/sealer.h"

static const char entitlements[] = "<plist><dict><key>get-task-allow</key><true/>"
                                   "<key>n</key><array><integer>7</integer></array></dict></plist>";

enum {
    VARIANT_LINKER = 1,
    VARIANT_LARGE_PAGES = 2,
    VARIANT_ENTITLEMENTS = 4, /* of style codesign; else the default page size */
    VARIANT_IDENTIFIER = 8,
    VARIANT_COUNT = 16
};

static uint32_t page_size_of(unsigned variant)
{
    if ((variant & VARIANT_LINKER) && (variant & VARIANT_ENTITLEMENTS))
        return 0;
    return variant & VARIANT_LARGE_PAGES ? 16384 : 4096;
}

static struct adhoc_options options_of(unsigned variant)
{
    struct adhoc_options options = {.style =
                                        variant & VARIANT_LINKER ? ADHOC_LINKER : ADHOC_CODESIGN,
                                    .file_name = "fuzz.dylib",
                                    .page_size = page_size_of(variant)};
    if (variant & VARIANT_IDENTIFIER)
        options.identifier = "com.example.fuzz";
    if (!(variant & VARIANT_LINKER) && (variant & VARIANT_ENTITLEMENTS))
        options.entitlements =
            (struct view){(const uint8_t *)entitlements, sizeof(entitlements) - 1};
    return options;
}

static int sign(struct buf *out, struct view file, unsigned variant, struct fail *fail)
{
    own_pieces struct pieces pieces = {0};
    const struct adhoc_options options = options_of(variant);
    if (adhoc_sign_file(&pieces, file, &options, fail) < 0)
        return -1;
    pieces_join(out, &pieces);
    return 0;
}

static int renew(struct buf *out, struct view file, struct fail *fail)
{
    own_pieces struct pieces pieces = {0};
    if (adhoc_renew_file(&pieces, file, fail) < 0)
        return -1;
    pieces_join(out, &pieces);
    return 0;
}

static int strip(struct buf *out, uint32_t *stripped, struct view file, struct fail *fail)
{
    own_pieces struct pieces pieces = {0};
    if (adhoc_strip_file(&pieces, stripped, file, fail) < 0)
        return -1;
    pieces_join(out, &pieces);
    return 0;
}

static void verify(struct findings *out, struct view file, const struct sigcheck_options *options)
{
    own_fat struct fat fat = {0};
    own_fail struct fail fail = {0};
    fuzz_must(fat_open(&fat, file, &fail) == 0, "what was written can be read");
    if (fat.is_fat)
        sigcheck_universal(out, file, &fat);
    for (uint32_t i = 0; i < fat.slice_count; i++) {
        own_image struct image image = {0};
        fuzz_must(image_open_any(&image, fat.slices[i].data, &fail) == 0,
                  "what was written are images");
        sigcheck_verify(out, &image, options);
    }
}

static void must_verify(struct view file, unsigned variant)
{
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {.kind = variant & VARIANT_LINKER ? SIGCHECK_LINKER
                                                                              : SIGCHECK_ADHOC,
                                             .page_size = page_size_of(variant),
                                             .strict = true,
                                             .threads = 1};
    verify(&findings, file, &options);
    if (findings.count > 0)
        findings_print(&findings, stderr, false);
    fuzz_must(findings.count == 0, "a signed file verifies");
}

static void check_strip(const struct buf *file, unsigned variant)
{
    own_buf struct buf bare = {0};
    own_buf struct buf again = {0};
    own_fail struct fail fail = {0};
    uint32_t stripped = 0;
    fuzz_must(strip(&bare, &stripped, fuzz_view(file), &fail) == 0 && stripped > 0,
              "a signed file can be stripped");
    fuzz_must(strip(&again, &stripped, fuzz_view(&bare), &fail) == 0 && stripped == 0 &&
                  fuzz_same(&bare, &again),
              "there is nothing left to be stripped");
    /* The parameters of style linker went away with it; a default identifier of style codesign
     * may be a digest of the load commands. */
    if ((variant & VARIANT_LINKER) || !(variant & VARIANT_IDENTIFIER))
        return;
    buf_truncate(&again, 0);
    fuzz_must(sign(&again, fuzz_view(&bare), variant, &fail) == 0,
              "what was stripped can be signed");
    fuzz_must(fuzz_same(file, &again), "signing what was stripped gives the same file");
}

static void check_sign(struct view input, unsigned variant)
{
    own_buf struct buf file = {0};
    own_buf struct buf again = {0};
    own_buf struct buf renewed = {0};
    own_fail struct fail fail = {0};
    if (sign(&file, input, variant, &fail) < 0) {
        fuzz_must_say_why(&fail);
        return;
    }
    must_verify(fuzz_view(&file), variant);
    fuzz_must(sign(&again, fuzz_view(&file), variant, &fail) == 0, "it can be signed again");
    if (variant & (VARIANT_LINKER | VARIANT_IDENTIFIER))
        fuzz_must(fuzz_same(&file, &again), "signing twice is signing once");
    fuzz_must(renew(&renewed, fuzz_view(&file), &fail) == 0 && fuzz_same(&file, &renewed),
              "renewing what was signed changes nothing");
    check_strip(&file, variant);
}

/* Renewing whatever is there comes to rest after one round; a file that holds stays as it is. */
static void check_renew(struct view input)
{
    own_buf struct buf once = {0};
    own_buf struct buf twice = {0};
    own_fail struct fail fail = {0};
    if (renew(&once, input, &fail) < 0) {
        fuzz_must_say_why(&fail);
        return;
    }
    fuzz_must(renew(&twice, fuzz_view(&once), &fail) == 0 && fuzz_same(&once, &twice),
              "renewing twice is renewing once");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct view input = {data, size};
    unsigned variant = 0;
    for (size_t i = 0; i < size; i++)
        variant = (variant ^ data[i]) * 0x01000193u;
    check_sign(input, (variant >> 16) % VARIANT_COUNT);
    check_renew(input);
    return 0;
}

static void small(struct buf *out)
{
    struct macho_builder b = {0};
    macho_small_dylib(&b);
    buf_append(out, b.out.data, b.out.len);
    macho_release(&b);
}

/* Unsigned; signed in each variant; universal, unsigned and signed; every kind of signature. */
size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    own_buf struct buf seed = {0};
    own_buf struct buf file = {0};
    own_fail struct fail fail = {0};
    if (index >= VARIANT_COUNT + 3 + sealer_kind_count)
        return 0;
    if (index >= VARIANT_COUNT + 3) {
        const struct sealer_kind *kind = &sealer_kinds[index - VARIANT_COUNT - 3];
        sealer_file(&seed, &kind->image, &kind->spec);
        return fuzz_give(&seed, out, out_size);
    }
    small(&seed);
    if (index == 0)
        return fuzz_give(&seed, out, out_size);
    if (index > VARIANT_COUNT) {
        const struct macho_fat_slice slices[] = {
            {CPU_TYPE_ARM64, 0, fuzz_view(&seed)},
            {CPU_TYPE_ARM64, CPU_SUBTYPE_ARM64E, fuzz_view(&seed)},
        };
        macho_fat(&file, slices, 2, index == VARIANT_COUNT + 2, 6);
        return fuzz_give(&file, out, out_size);
    }
    fuzz_must(sign(&file, fuzz_view(&seed), (unsigned)index - 1, &fail) == 0, "a seed is signed");
    return fuzz_give(&file, out, out_size);
}
