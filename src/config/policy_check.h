/*
 * Purpose: apply a policy to the bytes of one image.
 *
 * Layer: config.
 *
 * Calling sequence:
 *         own_policy_results struct policy_results results = {0};
 *         policy_check(&results, &findings, &policy, "lib.dylib", slice, &image, &fail)
 *     once for each image (each slice of a universal file), then policy_check_finish() once.
 *     The view is what the image was opened on. The name decides which rules apply.
 *
 * Ownership: results borrow ids and reasons from the policy.
 *
 * Errors: FAIL_INPUT when a table of the image cannot be read; policy_check_finish(): when a
 *     rule applied to nothing, or had nothing to check. What the image does wrong is a finding:
 *         policy.string      a forbidden text is in the bytes; encoding, offset and section
 *         policy.import      a forbidden import, or one that is not on the list
 *         policy.selector    a forbidden selector
 *         policy.library     a forbidden library, one that is not on the list, or one on the
 *                            list that is not linked
 *         policy.uncovered   no rule applies to this artifact: it was not checked at all
 *
 * Determinism: findings are in the order of the rules, then of what the rule names; texts in the
 *     order of their offsets.
 *
 * What counts:
 *   strings    every byte of the view is looked at: headers, code, padding, __LINKEDIT and the
 *              signature; as UTF-8 (thus ASCII), UTF-16LE and UTF-16BE, at any alignment.
 *   imports    the union of chained fix-ups, bind opcodes and undefined symbols.
 *   libraries  every library that the image loads (weak, re-exported, upward and lazy ones too).
 *              An `allow` list is exact: what is not linked must not be on it. The image's own
 *              install name may be on it, as `otool -L` shows it there, and need not be.
 */
#ifndef HALLMARK_CONFIG_POLICY_CHECK_H
#define HALLMARK_CONFIG_POLICY_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"
#include "base/finding.h"
#include "config/policy.h"
#include "macho/image.h"

/* One rule, over all images that were checked. */
struct policy_result {
    const char *id;
    const char *reason;
    size_t images;           /* how many images it applied to */
    uint64_t bytes_searched; /* for forbidden strings */
    size_t strings;          /* how many forbidden texts were looked for, over all images */
    size_t imports;          /* how many imports were held against the lists */
    size_t selectors;
    size_t libraries;
    size_t findings; /* how many it made */
    bool passed;     /* it applied, it had something to check, and it made no finding */
};

struct policy_results {
    struct policy_result *list; /* one for each rule, in order */
    size_t count;
    bool passed; /* set by policy_check_finish(): every rule passed, everything was covered */
    size_t uncovered;
};

#define own_policy_results __attribute__((cleanup(policy_results_release)))

int policy_check(struct policy_results *out, struct findings *findings, const struct policy *policy,
                 const char *artifact, struct view file, const struct image *image,
                 struct fail *fail) must_check;

/*
 * Fails closed: FAIL_INPUT when no image was checked, or when no rule applied to anything. With
 * `whole` (a release: all artifacts were given) also when one of the rules applied to nothing.
 */
int policy_check_finish(struct policy_results *results, bool whole, struct fail *fail) must_check;

void policy_results_release(struct policy_results *results);

#endif
