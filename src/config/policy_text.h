/*
 * Purpose: the forbidden strings of a policy rule, looked for in every byte of a file. Part of
 *     policy_check.c.
 *
 * Layer: config.
 *
 * Calling sequence: policy_text_check() once for a rule and an image. `image` names the places
 *     in findings; NULL (a file that is no image) gives plain offsets.
 *
 * Errors: none; occurrences are findings policy.string, at most POLICY_TEXT_SHOWN for each
 *     string and encoding, the last of which says how many more there are.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_CONFIG_POLICY_TEXT_H
#define HALLMARK_CONFIG_POLICY_TEXT_H

#include "base/cursor.h"
#include "base/finding.h"
#include "config/policy.h"
#include "macho/image.h"

#define POLICY_TEXT_SHOWN 20u

void policy_text_check(struct findings *findings, const struct policy_rule *rule,
                       const char *artifact, struct view file, const struct image *image);

#endif
