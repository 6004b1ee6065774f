/*
 * Purpose: `hallmark verify`: one path, be it a release directory or a single Mach-O file, thin or
 *     universal, against itself, the bundle around it, and what is asked of it.
 *
 * Layer: stage.
 *
 * Calling sequence: check_open() reads recipe and policy once, check_trust() each file of
 *     certificates; check_path() for each path; check_release().
 *
 * Ownership: check_release() frees what check_open() read.
 *
 * Errors: FAIL_USAGE for an unknown architecture, and for an identifier that a recipe or a release
 *     states otherwise. FAIL_INPUT for a path that is neither, a Mach-O file that cannot be
 *     read, a recipe without an artifact of that name. What is wrong is a
 *     finding (release_dir.h, artifact.h, sigcheck.h, policy_check.h).
 */
#ifndef HALLMARK_STAGE_CHECK_H
#define HALLMARK_STAGE_CHECK_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/finding.h"
#include "config/policy.h"
#include "config/recipe.h"
#include "port/cms.h"

struct check {
    const char *arch;       /* NULL: not asked for */
    const char *identifier; /* that single files must have; NULL: not asked for */
    bool require_sha256;    /* SHA-1 alone is an error */
    bool strict;            /* what is a warning otherwise is an error */
    struct cms_trust trust; /* certificates that are trusted besides Apple's roots */
    bool has_recipe, has_policy;
    struct recipe recipe;
    struct policy policy;
};

#define own_check __attribute__((cleanup(check_release)))
void check_release(struct check *check);

/* Reads both files; either may be NULL. The members above are the caller's to set before. */
int check_open(struct check *check, const char *recipe_file, const char *policy_file,
               struct fail *fail) must_check;

/* Adds the certificates of a PEM file to those that are trusted. */
int check_trust(struct check *check, const char *file, struct fail *fail) must_check;

int check_path(struct findings *findings, const struct check *check, const char *path,
               struct fail *fail) must_check;

#endif
