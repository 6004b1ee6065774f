/*
 * Purpose: what a recipe's `arch: arm64e` adds to compiling and linking with clang and lld: the
 *     flags, what the compiler's assembly must say, and the pass over what the linker made.
 *
 * Layer: stage; used by the compile stage.
 *
 * Calling sequence: compile with arm64e_flags behind the recipe's own; let the compiler write the
 *     same source as assembly too, and add up arm64e_count_signed() over an artifact's sources;
 *     link as arm64; arm64e_build().
 *
 * Ownership: texts and bytes are borrowed; arm64e_build() replaces what the buffer holds.
 *
 * Errors: FAIL_INPUT: the source needs something that cannot be made.
 *
 * Determinism: pure functions.
 *
 * Why the assembly: clang 19 writes what it wants signed in data as `_f@AUTH(key,diversity)`, and
 *     leaves that out of the object file. In the assembly each such wish must be one that the
 *     pass grants, and the pass must grant as many as there are.
 */
#ifndef HALLMARK_STAGE_ARM64E_BUILD_H
#define HALLMARK_STAGE_ARM64E_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/fail.h"
#include "config/recipe.h"
#include "config/toolchain.h"

/* Its name in the record. */
#define ARM64E_PASS "arm64e"

/* Whether an artifact is made arm64e by the pass. Apple's own clang and ld write it themselves. */
bool arm64e_is_passed(const struct toolchain *pin, const struct recipe_artifact *artifact);

/* Ends with NULL. */
extern const char *const arm64e_flags[];

/* Adds to `count` the pointers in data that the assembly of `source` wants signed. */
int arm64e_count_signed(size_t *count, const char *assembly, const char *source,
                        struct fail *fail) must_check;

/* Makes the linked image `name` arm64e; `signed_count` pointers to functions lie in its data. */
int arm64e_build(struct buf *bytes, const char *name, size_t signed_count,
                 struct fail *fail) must_check;

#endif
