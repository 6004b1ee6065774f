/*
 * Purpose: Apple's codesign and lipo as second witnesses of what hallmark signed and verified: on
 *     copies in scratch space, wherever the pin is of family `apple`.
 *
 * Layer: stage; used by the sign stage and by the verify stage.
 *
 * Calling sequence: nothing is done unless witness_is_promised().
 *         witness_signature(release, artifact, linked, signed_bytes, &fail)   as it was signed
 *         witness_verdict(release, name, bytes, archs, arch_count, &fail)     after it was verified
 *
 * Ownership: everything is borrowed; findings are added to the release.
 *
 * Errors: a check that could not run has failed: FAIL_PIN when a witness is not there, FAIL_CHILD
 *     when it crashes, hangs, or does not understand what it is asked. Disagreement is a finding
 *     that shows what both say:
 *       witness.codesign-bytes  codesign makes another signature of what the linker made, or none
 *       witness.codesign        codesign --verify --strict and hallmark judge the signature
 *                               differently
 *       witness.lipo            lipo -verify_arch and hallmark see different architectures
 *
 * Determinism: nothing of a witness gets into the record. That they agreed is implied by a release
 *     of this family having been published.
 *
 * codesign is given the identifier and the page size of the recipe, since its own defaults change
 *     with the system. It has no style `linker`: such an artifact is only verified by it.
 */
#ifndef HALLMARK_STAGE_WITNESS_H
#define HALLMARK_STAGE_WITNESS_H

#include "stage/release.h"

bool witness_is_promised(const struct release *release);

/* `linked`: as the linker made it; `signed_bytes`: as hallmark signed that. */
int witness_signature(struct release *release, const struct recipe_artifact *artifact,
                      struct view linked, struct view signed_bytes, struct fail *fail) must_check;

/* Of a thin or universal file, whose native findings are in the release already. */
int witness_verdict(struct release *release, const char *name, struct view bytes,
                    const char *const *archs, size_t arch_count, struct fail *fail) must_check;

#endif
