/*
 * The signature reader, the verifier and the signer on any bytes. What was signed must verify
 * strictly; signing again and renewing must change nothing more.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "macho/adhoc.h"
#include "macho/codesig.h"
#include "macho/image.h"
#include "macho/sigcheck.h"

/* The replay driver and libFuzzer link no unit helpers; the seeds are made by this one. */
#include "unit/macho_builder.c" /* NOLINT(bugprone-suspicious-include) */

static const char entitlements[] = "<plist><dict><key>get-task-allow</key><true/>"
                                   "<key>n</key><array><integer>7</integer></array></dict></plist>";

static struct adhoc_options options_of(unsigned variant, const struct image *image)
{
    /* Without LC_UUID the default identifier is a hash of load commands that signing changes. */
    struct adhoc_options options = {.identifier = image->has_uuid ? NULL : "fuzz",
                                    .style = variant & 1 ? ADHOC_LINKER : ADHOC_CODESIGN,
                                    .file_name = "fuzz.dylib",
                                    .page_size = variant & 2 ? 16384 : 4096};
    if (variant == 0)
        options.entitlements =
            (struct view){(const uint8_t *)entitlements, sizeof(entitlements) - 1};
    return options;
}

static struct view view_of(const struct buf *buf)
{
    return (struct view){buf->data, buf->len};
}

static bool same(const struct buf *a, const struct buf *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_sign: does not hold: %s\n", what);
    abort();
}

static void must_open(struct image *out, const struct buf *file)
{
    own_fail struct fail fail = {0};
    if (image_open_any(out, view_of(file), &fail) < 0)
        fail_print(&fail, "fuzz_sign", stderr);
    must(fail.code == FAIL_NONE, "what was written can be read");
}

static void verify_signed(const struct image *image, unsigned variant)
{
    own_findings struct findings findings = {0};
    const struct sigcheck_options options = {.kind = variant & 1 ? SIGCHECK_LINKER : SIGCHECK_ADHOC,
                                             .page_size = variant & 2 ? 16384 : 4096,
                                             .strict = true,
                                             .threads = 1};
    sigcheck_verify(&findings, image, &options);
    if (findings.count > 0)
        findings_print(&findings, stderr, false);
    must(findings.count == 0, "a signed file verifies");
}

/* What was signed comes back from what is left without its signature. */
static void strip_and_sign(const struct image *signed_image, const struct buf *file,
                           const struct adhoc_options *options)
{
    own_buf struct buf stripped = {0};
    own_buf struct buf back = {0};
    own_image struct image bare = {0};
    own_fail struct fail fail = {0};
    must(adhoc_strip(&stripped, signed_image, &fail) == 0, "a signed file can be stripped");
    must_open(&bare, &stripped);
    if (options->style == ADHOC_LINKER) /* whose own signature tells more than load commands */
        return;
    must(adhoc_sign(&back, &bare, options, &fail) == 0, "a stripped file can be signed");
    must(same(file, &back), "signing what was stripped gives what was signed");
}

static void sign(const struct image *image, unsigned variant)
{
    own_buf struct buf file = {0};
    own_buf struct buf again = {0};
    own_buf struct buf renewed = {0};
    own_image struct image signed_image = {0};
    own_fail struct fail fail = {0};
    struct adhoc_options options = options_of(variant, image);
    if (adhoc_sign(&file, image, &options, &fail) < 0)
        return;
    must_open(&signed_image, &file);
    verify_signed(&signed_image, variant);
    must(adhoc_sign(&again, &signed_image, &options, &fail) == 0, "a signed file can be signed");
    must(same(&file, &again), "signing twice is signing once");
    must(adhoc_renew(&renewed, &signed_image, &fail) == 0, "a signed file can be renewed");
    must(same(&file, &renewed), "renewing what was signed changes nothing");
    strip_and_sign(&signed_image, &file, &options);
}

/* Renewing whatever is there comes to rest after one round. */
static void renew(const struct image *image)
{
    own_buf struct buf once = {0};
    own_buf struct buf twice = {0};
    own_image struct image renewed = {0};
    own_fail struct fail fail = {0};
    if (adhoc_renew(&once, image, &fail) < 0)
        return;
    must_open(&renewed, &once);
    must(adhoc_renew(&twice, &renewed, &fail) == 0, "a renewed file can be renewed");
    must(same(&once, &twice), "renewing twice is renewing once");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    own_image struct image image = {0};
    own_findings struct findings findings = {0};
    own_codesig struct codesig sig = {0};
    own_fail struct fail fail = {0};
    const struct sigcheck_options options = {.threads = 1};
    codesig_parse(&sig, &findings, (struct view){data, size});
    if (image_open_any(&image, (struct view){data, size}, &fail) < 0)
        return 0;
    sigcheck_verify(&findings, &image, &options);
    for (unsigned variant = 0; variant < 4; variant++)
        sign(&image, variant);
    renew(&image);
    return 0;
}

/* Seed 0: unsigned; 1 to 4: signed in each variant; 5: a signature alone. */
size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    struct macho_builder b = {0};
    own_image struct image image = {0};
    own_buf struct buf file = {0};
    own_fail struct fail fail = {0};
    if (index > 5)
        return 0;
    macho_small_dylib(&b);
    if (image_open(&image, macho_view(&b), &fail) < 0)
        abort();
    struct adhoc_options options = options_of((unsigned)(index + 3) % 4, &image);
    if (index > 0 && adhoc_sign(&file, &image, &options, &fail) < 0)
        abort();
    if (index == 0)
        buf_append(&file, b.out.data, b.out.len);
    size_t skip = index == 5 ? MACHO_SMALL_SIZE : 0;
    image_release(&image);
    macho_release(&b);
    if (file.len - skip > out_size)
        return 0;
    memcpy(out, file.data + skip, file.len - skip);
    return file.len - skip;
}
