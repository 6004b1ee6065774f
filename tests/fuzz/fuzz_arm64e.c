/*
 * The arm64e pass on any bytes. What it converts has the fix-ups that it accounts for, no stub
 * that disagrees with its slot, and is not taken a second time.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "macho/arm64e.h"
#include "unit/arm64e_sample.h"

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_arm64e: does not hold: %s\n", what);
    abort();
}

/* Of what was written: as many signed pointers as accounted for, and the new architecture. */
static void check_made(const struct buf *made, const struct arm64e_account *account)
{
    own_image struct image image = {0};
    own_fixups struct fixup_list fixups = {0};
    own_arm64e struct arm64e_account again = {0};
    own_buf struct buf out = {0};
    own_fail struct fail fail = {0};
    size_t auth_count = 0;
    must(image_open(&image, (struct view){made->data, made->len}, &fail) == 0, "it can be read");
    must(image.cpusubtype == ARM64E_CPUSUBTYPE, "it is arm64e");
    must(!image_has(&image.code_signature), "it has no signature");
    must(fixups_read(&fixups, &image, &fail) == 0, "its fix-ups can be read");
    must(fixups.count == account->count, "all fix-ups are accounted for");
    for (size_t i = 0; i < account->count; i++)
        auth_count += account->list[i].fixup.auth ? 1 : 0;
    must(fixups.auth_count == auth_count, "all signed pointers are accounted for");
    must(arm64e_convert(&out, &again, &image, &fail) < 0, "it is not converted twice");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    own_image struct image image = {0};
    own_arm64e struct arm64e_account account = {0};
    own_buf struct buf made = {0};
    own_fail struct fail fail = {0};
    if (image_open(&image, (struct view){data, size}, &fail) < 0 ||
        arm64e_convert(&made, &account, &image, &fail) < 0)
        return 0;
    check_made(&made, &account);
    return 0;
}

size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    struct arm64e_sample sample = arm64e_sample();
    struct macho_builder b;
    switch (index) {
    case 0:
        break;
    case 1:
        sample.pointer_format = CHAINED_64;
        break;
    case 2: /* blr of what was loaded; no one else reads _strcmp */
        sample.code[2] = 0xd63f0200;
        break;
    case 3:
        sample.unwind_personality = 0x4010;
        break;
    default:
        return 0;
    }
    arm64e_sample_build(&b, &sample);
    size_t len = b.out.len <= out_size ? b.out.len : 0;
    memcpy(out, b.out.data, len);
    macho_release(&b);
    return len;
}
