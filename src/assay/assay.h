/*
 * Purpose: one run of a trial: the bytes of a dylib (and of an executable) in an emulated process,
 *     and what it answers, logs and prints afterwards, held against what the trial expects.
 *
 * Layer: assay.
 *
 * Calling sequence:
 *         own_assay struct assay_outcome outcome = {0};
 *         struct assay_subject subject = {.name = "lib.dylib", .bytes = bytes};
 *         if (assay_run(&outcome, &subject, &trial, "NAME=value", &fail) < 0) ...
 *     assay_runs() tells how often a trial is to be run; assay_setting() with which setting.
 *
 * Ownership: subject and trial are borrowed for the call; the outcome owns its texts.
 *
 * Errors: FAIL_INPUT for an image that cannot be loaded (loader.h), FAIL_SYSTEM without Unicorn,
 *     FAIL_SIGNAL. Findings, besides those of process.h and loader.h:
 *       assay.answer          a device answers other than expected
 *       assay.log             the log is not the one expected
 *       assay.output          what was printed, or the exit code, is not the one expected
 *
 * Determinism: a pure function of bytes, trial and setting, but for the limit of time, which is
 *     a backstop.
 */
#ifndef HALLMARK_ASSAY_ASSAY_H
#define HALLMARK_ASSAY_ASSAY_H

#include "base/buf.h"
#include "base/finding.h"
#include "config/trial.h"
#include "port/emu.h"

#define ASSAY_INSTRUCTIONS UINT64_C(50000000)
#define ASSAY_MEMORY_LEN   (UINT64_C(512) << 20)
#define ASSAY_TIME_SEC     60u

struct assay_subject {
    const char *name; /* of the dylib */
    struct view bytes;
    const char *main_name; /* of the executable; NULL: none */
    struct view main_bytes;
    const struct emu_limits *limits; /* NULL: those above */
    bool is_asked; /* ask every device everything, for the transcript, whatever is expected */
};

struct assay_outcome {
    struct findings findings;
    struct buf transcript; /* what was logged, printed and answered, a line each */
    uint64_t checks;       /* how many single things were held against what was expected */
    uint64_t instructions; /* that the images executed */
};

#define own_assay __attribute__((cleanup(assay_outcome_release)))

/* How many runs a trial has, and the setting that one has more than the others; NULL: none. */
size_t assay_runs(const struct trial *trial);
const char *assay_setting(const struct trial *trial, size_t run);

int assay_run(struct assay_outcome *out, const struct assay_subject *subject,
              const struct trial *trial, const char *setting, struct fail *fail) must_check;
void assay_outcome_release(struct assay_outcome *outcome);

#endif
