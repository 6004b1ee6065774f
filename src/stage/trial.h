/*
 * Purpose: the trials of a release: reading those of a folder, choosing the artifacts that they
 *     are of, and running one of them on one artifact. Used by several stages and by verify.
 *
 * Layer: stage.
 *
 * Calling sequence:
 *         trial_subjects_check(trial, path, &recipe, &fail)
 *         for each artifact: if (trial_takes(trial, artifact)) trial_run(...)
 *
 * Ownership: everything is borrowed for the call; results own what is added to them.
 *
 * Errors: trial_subjects_check(): FAIL_INPUT for a trial that is of no artifact, or whose `main`
 *     is no executable of the recipe for the same architecture. trial_run(): those of
 *     assay/assay.h.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_STAGE_TRIAL_H
#define HALLMARK_STAGE_TRIAL_H

#include "base/finding.h"
#include "config/recipe.h"
#include "config/trial.h"
#include "format/provenance.h"

/* Whether the trial is of that artifact: a thin dylib or bundle that it names. */
bool trial_takes(const struct trial *trial, const struct recipe_artifact *artifact);

/* The artifact of the recipe that the trial's `main` names; NULL: none. */
const struct recipe_artifact *trial_main(const struct trial *trial, const struct recipe *recipe);

int trial_subjects_check(const struct trial *trial, const char *path, const struct recipe *recipe,
                         struct fail *fail) must_check;

struct trial_bytes {
    const char *name;
    struct view bytes;
};

/* All runs of a trial on one artifact; `main`: NULL when the trial has none. */
int trial_run(struct prov_trial_result *out, struct findings *findings, const struct trial *trial,
              const char *path, const struct trial_bytes *artifact, const struct trial_bytes *main,
              struct fail *fail) must_check;

#endif
