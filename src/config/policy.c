#include "config/policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "config/doc.h"
#include "config/rule.h"

static const cyaml_schema_value_t text_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, POLICY_TEXT_MAX),
};

#define TEXTS(key, structure, member)                                                      \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, \
                         &text_value, 1, POLICY_LIST_MAX)

static const cyaml_schema_field_t forbid_fields[] = {
    TEXTS("strings", struct policy_forbid, strings),
    TEXTS("imports", struct policy_forbid, imports),
    TEXTS("selectors", struct policy_forbid, selectors),
    TEXTS("libraries", struct policy_forbid, libraries),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t allow_fields[] = {
    TEXTS("libraries", struct policy_allow, libraries),
    TEXTS("imports", struct policy_allow, imports),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t rule_fields[] = {
    CYAML_FIELD_STRING_PTR("id", CYAML_FLAG_POINTER, struct policy_rule, id, 1, 128),
    CYAML_FIELD_STRING_PTR("reason", CYAML_FLAG_POINTER, struct policy_rule, reason, 1, 1024),
    TEXTS("artifacts", struct policy_rule, artifacts),
    CYAML_FIELD_MAPPING("forbid", CYAML_FLAG_OPTIONAL, struct policy_rule, forbid, forbid_fields),
    CYAML_FIELD_MAPPING("allow", CYAML_FLAG_OPTIONAL, struct policy_rule, allow, allow_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t rule_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct policy_rule, rule_fields),
};

static const cyaml_schema_field_t policy_fields[] = {
    CYAML_FIELD_SEQUENCE("rules", CYAML_FLAG_POINTER, struct policy, rules, &rule_value, 1,
                         POLICY_RULES_MAX),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t policy_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct policy, policy_fields),
};

static bool listed(char *const *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], text) == 0)
            return true;
    return false;
}

/* A text in `forbid` and in `allow` of one rule: one of the two is a mistake. */
static int check_contradiction(const struct doc *doc, size_t index, const char *what,
                               char *const *forbid, size_t forbid_count, char *const *allow,
                               size_t allow_count, struct fail *fail)
{
    for (size_t i = 0; i < forbid_count; i++) {
        if (!listed(allow, allow_count, forbid[i]))
            continue;
        own_mem char *path = text_printf("rules[%zu].forbid.%s[%zu]", index, what, i);
        return doc_fail(doc, fail, path, "'%s' is both forbidden and allowed", forbid[i]);
    }
    return 0;
}

static int check_rule(const struct doc *doc, const struct policy *policy, size_t index,
                      struct fail *fail)
{
    const struct policy_rule *rule = &policy->rules[index];
    const struct policy_forbid *forbid = &rule->forbid;
    const struct policy_allow *allow = &rule->allow;
    own_mem char *id_path = text_printf("rules[%zu].id", index);
    const char *problem = rule_name(rule->id, 128);
    if (problem != NULL)
        return doc_fail(doc, fail, id_path, "rule id '%s' %s", rule->id, problem);
    for (size_t i = 0; i < index; i++)
        if (strcmp(policy->rules[i].id, rule->id) == 0)
            return doc_fail(doc, fail, id_path, "rule id '%s' occurs twice", rule->id);
    if (forbid->strings_count + forbid->imports_count + forbid->selectors_count +
            forbid->libraries_count + allow->libraries_count + allow->imports_count ==
        0)
        return doc_fail(doc, fail, id_path, "rule '%s' forbids and allows nothing", rule->id);
    if (check_contradiction(doc, index, "imports", forbid->imports, forbid->imports_count,
                            allow->imports, allow->imports_count, fail) < 0)
        return -1;
    return check_contradiction(doc, index, "libraries", forbid->libraries, forbid->libraries_count,
                               allow->libraries, allow->libraries_count, fail);
}

int policy_parse(struct policy *out, struct view text, const char *name, struct fail *fail)
{
    own_doc struct doc doc = {0};
    own_policy struct policy policy = {0};
    if (doc_load(&doc, &policy, sizeof(policy), text, name, &policy_schema, fail) < 0)
        return -1;
    for (size_t i = 0; i < policy.rules_count; i++)
        if (check_rule(&doc, &policy, i, fail) < 0)
            return -1;
    *out = policy;
    policy = (struct policy){0};
    return 0;
}

void policy_release(struct policy *policy)
{
    doc_free(policy, sizeof(*policy), &policy_schema);
}

bool policy_rule_applies(const struct policy_rule *rule, const char *artifact)
{
    for (size_t i = 0; i < rule->artifacts_count; i++)
        if (rule_glob(rule->artifacts[i], artifact))
            return true;
    return rule->artifacts_count == 0;
}

int policy_covers(const struct policy *policy, const char *const *artifacts, size_t count,
                  struct fail *fail)
{
    for (size_t i = 0; i < policy->rules_count; i++) {
        bool used = false;
        for (size_t j = 0; j < count && !used; j++)
            used = policy_rule_applies(&policy->rules[i], artifacts[j]);
        if (used)
            continue;
        fail_set(fail, FAIL_INPUT, "policy rule '%s' applies to no artifact, so it checks nothing",
                 policy->rules[i].id);
        return fail_hint(fail, "correct the names below 'artifacts' of that rule, or remove it");
    }
    return 0;
}
