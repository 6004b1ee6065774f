/*
 * A trial of any bytes. It ends within its limits, is refused for a reason that is told or says
 * what is wrong, and does the same when it is run again.
 */
#include "assay/assay.h"
#include "fuzz.h"
#include "macho/arm64e.h"
#include "unit/arm64e_sample.h"

/* What one run has to say, as one text. */
static int run(struct buf *out, const uint8_t *data, size_t size)
{
    static const struct emu_limits limits = {
        .instructions = 100000, .memory_len = UINT64_C(64) << 20, .time_sec = 20};
    own_fail struct fail fail = {0};
    own_assay struct assay_outcome outcome = {0};
    struct trial trial = {.reason = (char *)"fuzz"};
    struct assay_subject subject = {
        .name = "x.dylib", .bytes = {data, size}, .limits = &limits, .is_asked = true};
    if (assay_run(&outcome, &subject, &trial, "FUZZ=1", &fail) < 0) {
        if (fail.code == FAIL_SYSTEM) /* there is no Unicorn */
            return -1;
        fuzz_must_say_why(&fail);
        buf_puts(out, fail.message);
    }
    fuzz_must(outcome.instructions <= limits.instructions, "the budget is kept");
    buf_printf(out, "%llu instructions\n%s", (unsigned long long)outcome.instructions,
               buf_text(&outcome.transcript));
    for (size_t i = 0; i < outcome.findings.count; i++) {
        const struct finding *finding = &outcome.findings.list[i];
        buf_printf(out, "%s: %s: %s: %s\n", finding->id, finding->place, finding->expected,
                   finding->actual);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    own_buf struct buf first = {0};
    own_buf struct buf second = {0};
    if (run(&first, data, size) < 0 || run(&second, data, size) < 0)
        return 0;
    fuzz_must(fuzz_same(&first, &second), "the same again");
    return 0;
}

/* An initialiser that prints the text at 0x1300 through the stub of _puts. */
static struct arm64e_sample printing(void)
{
    static const uint32_t code[] = {
        0xd503237f, /* 1000 pacibsp */
        0xa9bf7bfd, /* 1004 stp x29, x30, [sp, #-16]! */
        0x100017c0, /* 1008 adr x0, 0x1300 */
        0x9400003d, /* 100c bl 0x1100 */
        0xa8c17bfd, /* 1010 ldp x29, x30, [sp], #16 */
        0xd65f0fff, /* 1014 retab */
    };
    struct arm64e_sample sample = arm64e_sample();
    memcpy(sample.code, code, sizeof code);
    sample.first_initialiser = 0x1000;
    return sample;
}

/* As the pass makes it for arm64e. */
static void convert(struct buf *out, const struct macho_builder *b)
{
    own_image struct image image = {0};
    own_arm64e struct arm64e_account account = {0};
    own_fail struct fail fail = {0};
    fuzz_must(image_open(&image, macho_view(b), &fail) == 0 &&
                  arm64e_convert(out, &account, &image, &fail) == 0,
              "the sample is accepted");
}

size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    struct arm64e_sample sample = index == 1 ? arm64e_sample() : printing();
    struct macho_builder b;
    own_buf struct buf made = {0};
    if (index > 1)
        return 0;
    arm64e_sample_build(&b, &sample);
    if (index == 1)
        convert(&made, &b);
    size_t len = fuzz_give(index == 1 ? &made : &b.out, out, out_size);
    macho_release(&b);
    return len;
}
