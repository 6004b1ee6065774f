/*
 * Purpose: the policy, policy.yaml: rules that an artifact's bytes must keep. Reading only;
 *     policy_check.h applies the rules.
 *
 * Layer: config.
 *
 * Calling sequence:
 *         own_policy struct policy policy = {0};
 *         policy_parse(&policy, bytes, "shim/policy.yaml", &fail)
 *
 * Ownership: the struct owns everything in it; policy_release() frees.
 *
 * Errors: FAIL_INPUT with file and line: a policy without rules, a rule that forbids and allows
 *     nothing, an id that occurs twice, an empty or unprintable string, an unknown key.
 *
 * Determinism: pure; rules and lists keep their order.
 */
#ifndef HALLMARK_CONFIG_POLICY_H
#define HALLMARK_CONFIG_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cursor.h"
#include "base/fail.h"

#define POLICY_RULES_MAX 256u
#define POLICY_LIST_MAX  4096u
#define POLICY_TEXT_MAX  1024u

struct policy_forbid {
    char **strings; /* must not occur in the file's bytes: UTF-8, UTF-16LE, UTF-16BE */
    size_t strings_count;
    char **imports; /* symbols as nm prints them, "_malloc" */
    size_t imports_count;
    char **selectors; /* Objective-C selectors, "featureProfile" */
    size_t selectors_count;
    char **libraries; /* install names */
    size_t libraries_count;
};

struct policy_allow {
    char **libraries; /* when there: exactly these, no other and none missing */
    size_t libraries_count;
    char **imports; /* when there: no other than these */
    size_t imports_count;
};

struct policy_rule {
    char *id;         /* unique; [A-Za-z0-9._-] */
    char *reason;     /* for people; one line */
    char **artifacts; /* names, "*" stands for any characters; none: every artifact */
    size_t artifacts_count;
    struct policy_forbid forbid;
    struct policy_allow allow;
};

struct policy {
    struct policy_rule *rules; /* at least one */
    size_t rules_count;
};

#define own_policy __attribute__((cleanup(policy_release)))

/* Reads and checks a whole policy; `name` is for messages. On failure `out` is empty. */
int policy_parse(struct policy *out, struct view text, const char *name,
                 struct fail *fail) must_check;
void policy_release(struct policy *policy);

/* Whether a rule applies to the artifact of that name. */
bool policy_rule_applies(const struct policy_rule *rule, const char *artifact);

/*
 * Whether every rule applies to at least one of these artifacts: a rule that matches nothing
 * checks nothing, which must not pass for good. FAIL_INPUT names the rule.
 */
int policy_covers(const struct policy *policy, const char *const *artifacts, size_t count,
                  struct fail *fail) must_check;

#endif
