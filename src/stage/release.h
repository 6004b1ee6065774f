/*
 * Purpose: the record that the stages of a release hand on, and nothing else.
 *     The stages are functions in a table (pipeline.c): each reads what
 *     earlier ones left, and adds its materials and products.
 *
 * Layer: stage. The one header that stages share.
 *
 * Calling sequence: release_run() (pipeline.h) from a filled request.
 *
 * Ownership: the request is borrowed for the life of the release; everything
 *     else belongs to the struct; release_free() frees it and removes scratch
 *     space and an unpublished staging directory.
 *
 * Determinism: `record` is the pure part: a function of revision, recipe and
 *     pin. What was observed on this occasion is only in `pin`, `observed`.
 */
#ifndef HALLMARK_STAGE_RELEASE_H
#define HALLMARK_STAGE_RELEASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"
#include "base/finding.h"
#include "base/fs.h"
#include "base/progress.h"
#include "config/policy.h"
#include "config/recipe.h"
#include "config/toolchain.h"
#include "format/provenance.h"
#include "port/odb.h"
#include "config/trial.h"
#include "stage/pin.h"

#define RELEASE_TEXT_MAX     (1u << 20) /* recipe, policy, pin */
#define RELEASE_TRIALS_MAX   1000u
#define RELEASE_RECIPE_NAME  "recipe.yaml"
#define RELEASE_OBSERVED_DIR "attestations"
#define RELEASE_OBSERVED     "attestations/observed.json"

struct release_request {
    const char *repository;  /* a directory */
    const char *revision;    /* as it was asked for */
    const char *recipe_path; /* in the tree; NULL: look for it */
    const char *recipe_file; /* a recipe from outside the revision; NULL: from the tree */
    const char *recipe_text; /* the same, already read; NULL: not given */
    const char *toolchain;   /* overrides the recipe's; NULL: the recipe's */
    const char *out;         /* the directory to publish; NULL: audit, nothing is published */
    bool any_build;          /* accept builds of the toolchain that the pin does not list */
    bool keep;               /* keep the scratch directory */
    /* audit where the toolchain is not: everything but what compiler and linker would make. Of the
     * stage directory only the source archive is filled; of the record what needs no artifact. */
    bool without_toolchain;
    unsigned limit_sec; /* for each compiler or linker run */
    struct progress *progress;
    /* audit: the record that is to come out again. A toolchain of this machine's own data that
     * is another one is refused before anything is compiled. NULL: none. */
    const struct provenance *expected;
};

struct release_artifact {
    const struct recipe_artifact *recipe;
    struct buf bytes; /* as linked; after the sign stage as published */
    const char *pass; /* that hallmark ran over what the linker made; NULL: none */
};

struct release {
    const struct release_request *request;
    struct odb *odb;
    struct odb_commit commit;
    struct recipe recipe;
    struct policy policy; /* rules_count 0: the recipe names none */
    struct trial *trials; /* of the recipe's folder; record.trials has their files */
    size_t trial_count;
    struct toolchain toolchain;
    bool toolchain_installed; /* from hallmark's own data, not from the tree */
    bool toolchain_missing;   /* why a stage failed with FAIL_PIN, nothing being made yet */
    struct pin pin;
    struct fs_scratch scratch; /* tree/ sdk/ obj/ out/ home/ tmp/ */
    struct release_artifact *artifacts;
    size_t artifact_count;
    struct release_artifact *universals; /* of the recipe's universals, in their order */
    size_t universal_count;
    struct fs_stage stage; /* the release directory while it is made; in scratch for audit */
    bool published;
    struct archive_job *archive_job; /* runs beside the compilers; source_archive.c */
    struct findings findings;
    struct provenance record;
    bool confined;   /* every compiler run could write to scratch space only */
    int64_t started; /* wall clock, seconds, for observed.json */
};

#define RELEASE_INIT                                       \
    {                                                      \
        .scratch = FS_SCRATCH_INIT, .stage = FS_STAGE_INIT \
    }
#define own_release __attribute__((cleanup(release_free)))
void release_free(struct release *release);

/* One row of the pipeline's table: stage_<name>() in <name>.c. */
typedef int release_stage(struct release *release, struct fail *fail) must_check;

/* Starts the source archive in a thread of its own; stage_archive waits for it. */
release_stage stage_archive_begin;
/* Ends and forgets it, when the release is not to be. */
void stage_archive_abandon(struct release *release);

release_stage stage_resolve, stage_pin, stage_checkout, stage_compile, stage_sign, stage_universal,
    stage_verify, stage_trial, stage_archive, stage_provenance, stage_publish;

#endif
