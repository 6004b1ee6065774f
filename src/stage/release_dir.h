/*
 * Purpose: a release directory as somebody gave it to us: open it, list it,
 *     hold it against its own sums and its own provenance. No repository is
 *     needed, and nothing is derived (that is audit's).
 *
 * Layer: stage; shared by audit and verify.
 *
 * Calling sequence:
 *         own_release_dir struct release_dir dir = RELEASE_DIR_INIT;
 *         release_dir_open(&dir, path, &fail);
 *         release_dir_check_sums(&dir, &findings);
 *         release_dir_check_record(&dir, &findings, &check, &fail);
 *
 * Ownership: the struct owns all that it holds.
 *
 * Errors: release_dir_open(): FAIL_INPUT when the path is no directory or holds
 *     neither SHA256SUMS nor a provenance. What is wrong with the release is a
 *     finding:
 *       provenance.malformed  provenance.intoto.json is missing or cannot be read
 *       provenance.claim      the record says something else than the bytes, or than the recipe,
 *                             policy and pin that it carries
 *       provenance.document   a document is not what its record prints
 *       provenance.text       an embedded recipe, policy or pin is not valid, or has another
 *                             digest than the record says
 *       macho.malformed       an artifact cannot be read
 *       observed.*            see observed.h
 *     and those of sums_dir.h, artifact.h and policy_check.h.
 *
 * Determinism: findings are in the order of the names.
 */
#ifndef HALLMARK_STAGE_RELEASE_DIR_H
#define HALLMARK_STAGE_RELEASE_DIR_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/finding.h"
#include "config/policy.h"
#include "config/recipe.h"
#include "config/toolchain.h"
#include "format/provenance.h"
#include "stage/sums_dir.h"

struct release_dir {
    bool manifest; /* holds sums and documents only: files without bytes are not missed */
    struct sums_dir files;
    struct provenance record;
    bool has_record;
};

#define RELEASE_DIR_INIT       \
    {                          \
        .files = SUMS_DIR_INIT \
    }
#define own_release_dir __attribute__((cleanup(release_dir_release)))
void release_dir_release(struct release_dir *dir);

/* Opens and lists; reads sums and record where it can. */
int release_dir_open(struct release_dir *dir, const char *path, struct fail *fail) must_check;

/* The listing against the sums, and the observation. Reports an unreadable record too. */
int release_dir_check_sums(struct release_dir *dir, struct findings *findings,
                           struct fail *fail) must_check;

/* What replaces the record's own; NULL members: the record's. */
struct release_check {
    const struct recipe *recipe;
    const struct policy *policy;
    const char *arch; /* that every artifact must have, whatever the recipe says */
};

/* The artifacts against record, recipe, pin and policy, and the documents against the record. */
int release_dir_check_record(struct release_dir *dir, struct findings *findings,
                             const struct release_check *check, struct fail *fail) must_check;

/* Recipe, pin and policy as the record carries them, where they can be read. */
struct release_carried {
    struct recipe recipe;
    struct toolchain pin;
    struct policy policy;
    bool has_recipe, has_pin, has_policy;
};

/* The record against these: a document that is printed from it must not say what they do not. */
void release_dir_check_claims(const struct release_dir *dir, struct findings *findings,
                              const struct release_carried *carried);

/* Maps a file of the listing; false when it is not there, or no regular file: a finding of
 * release_dir_check_sums() already. */
bool release_dir_map(struct fs_map *map, const struct release_dir *dir, const char *name);

/* Whether a text that the record carries has the digest that it states; else a finding. */
bool release_dir_text_holds(struct findings *findings, const struct prov_text *text);

/* The universal files against the artifacts that they join, and the record. */
void release_dir_check_universals(struct release_dir *dir, struct findings *findings,
                                  const struct recipe *recipe);

/* The trials of the record, run again on the files of the directory. */
int release_dir_check_trials(struct release_dir *dir, struct findings *findings,
                             const struct recipe *recipe, struct fail *fail) must_check;

/* Whether a path looks like a release directory: a directory with sums or a provenance in it. */
bool release_dir_is_one(const char *path);

#endif
