/*
 * Purpose: one artifact's bytes: what they say of themselves (for the record),
 *     and whether they are what recipe and pin ask for.
 *
 * Layer: stage; shared by the verify stage and by the check of a release
 *     directory or of single files.
 *
 * Calling sequence: image_open(), then artifact_describe() and artifact_check().
 *
 * Ownership: prov_artifact_release() frees what artifact_describe() fills.
 *
 * Errors: none; what is wrong is a finding:
 *     arch.mismatch, arch.filetype, build.platform, build.min-os, build.sdk,
 *     build.linker, build.install-name, and those of sigcheck.h.
 *
 * Determinism: pure functions of the bytes.
 */
#ifndef HALLMARK_STAGE_ARTIFACT_H
#define HALLMARK_STAGE_ARTIFACT_H

#include "base/finding.h"
#include "config/recipe.h"
#include "config/toolchain.h"
#include "format/provenance.h"
#include "macho/image.h"

void artifact_describe(struct prov_artifact *out, const char *name, const struct image *image);

/*
 * `artifact` and `pin` may be NULL: then only what needs neither is checked (the signature
 * holds). Places of findings begin with `name`.
 */
void artifact_check(struct findings *findings, const char *name, const struct image *image,
                    const struct recipe_artifact *artifact, const struct toolchain *pin);

/* Whether an image or slice is of an architecture: `arch` as lipo names it, cpusubtype included. */
bool artifact_is_arch(uint32_t cputype, uint32_t cpusubtype, const char *arch);

/* The same as a finding. */
void artifact_check_arch(struct findings *findings, const char *name, const struct image *image,
                         const char *arch);

/* The format of the record that says all that the recipe asks for (provenance.h). */
unsigned artifact_record_format(const struct recipe *recipe);

/* Each claim of the record against the bytes: findings provenance.claim. */
void artifact_check_claims(struct findings *findings, const struct prov_artifact *claimed,
                           const struct image *image);

#endif
