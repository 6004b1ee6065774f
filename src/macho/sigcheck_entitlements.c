#include <inttypes.h>
#include <string.h>

#include "macho/plist.h"
#include "macho/requirement.h"
#include "macho/sigcheck_parts.h"

/* One of both forms that entitlements have in a signature. */
struct form {
    const char *name;
    uint32_t slot;
    int (*parse)(struct plist *out, struct view bytes, struct fail *fail);
};

static const struct form xml_form = {"entitlements", CODESIG_SLOT_ENTITLEMENTS, plist_parse_xml};
static const struct form der_form = {"DER entitlements", CODESIG_SLOT_ENTITLEMENTS_DER,
                                     plist_parse_der};

static int parse(struct plist *out, const struct codesig_blob *blob, const struct form *form,
                 struct fail *fail)
{
    struct view payload = {0};
    if (!view_slice(&payload, blob->bytes, CODESIG_BLOB_LEN, blob->bytes.len - CODESIG_BLOB_LEN))
        return fail_set(fail, FAIL_INPUT, "%" PRIu64 " bytes are no blob", blob->bytes.len);
    if (form->parse(out, payload, fail) < 0)
        return -1;
    if (out->nodes[0].type == PLIST_DICT)
        return 0;
    return fail_set(fail, FAIL_INPUT, "its root is no dictionary");
}

static struct finding *add(const struct sigcheck *check, enum finding_level level, const char *id,
                           const char *what, const struct codesig_blob *blob)
{
    return sigcheck_add(check, level, id, check->at + blob->offset, "%s", what);
}

/* Whether a form is there and can be read; what cannot is a finding. Apple's reader of XML takes
 * more than is well-formed, so that there it is a warning, but not where the readers of one system
 * have understood different things: entitlements were forged with that. */
static bool read_form(struct plist *out, const struct sigcheck *check, const struct form *form,
                      enum finding_level level)
{
    own_fail struct fail fail = {0};
    const struct codesig_blob *blob = codesig_find(check->sig, form->slot);
    if (!blob)
        return false;
    if (parse(out, blob, form, &fail) == 0 && out->ambiguous == NULL && out->loose == NULL)
        return true;
    if (out->ambiguous != NULL)
        level = FINDING_ERROR;
    struct finding *finding = add(check, level, "sig.entitlements", form->name, blob);
    finding_expected(finding,
                     out->ambiguous ? "a property list that has one meaning" : "a property list");
    finding_actual(finding, "%s",
                   fail.message     ? fail.message
                   : out->ambiguous ? out->ambiguous
                                    : out->loose);
    return fail.message == NULL;
}

static void compare(const struct sigcheck *check, const struct plist *xml, const struct plist *der,
                    const struct codesig_blob *blob)
{
    own_plist_difference struct plist_difference difference = {0};
    if (plist_equal(&difference, xml, der))
        return;
    struct finding *finding = add(check, FINDING_ERROR, "sig.entitlements", der_form.name, blob);
    const char *path = difference.path && difference.path[0] ? difference.path : "the root";
    finding_expected(finding, "%s: %s, as in the XML entitlements", path,
                     difference.first ? difference.first : "nothing");
    finding_actual(finding, "%s: %s", path, difference.second ? difference.second : "nothing");
}

void sigcheck_entitlements(const struct sigcheck *check)
{
    own_plist struct plist xml = {0};
    own_plist struct plist der = {0};
    const struct codesig_blob *blob = codesig_find(check->sig, CODESIG_SLOT_ENTITLEMENTS_DER);
    bool has_xml = read_form(&xml, check, &xml_form, FINDING_WARNING);
    bool has_der = read_form(&der, check, &der_form, FINDING_ERROR);
    if (has_xml && has_der)
        compare(check, &xml, &der, blob);
    if (!has_der || codesig_find(check->sig, CODESIG_SLOT_ENTITLEMENTS))
        return;
    struct finding *finding = add(check, FINDING_WARNING, "sig.entitlements", der_form.name, blob);
    finding_expected(finding, "XML entitlements beside them");
    finding_actual(finding, "none");
}

/* Entitlements that change the flags of the executable segment. */
uint64_t sigcheck_exec_flags(const struct codesig *sig)
{
    static const struct {
        const char *key;
        uint64_t flag;
    } keys[] = {
        {"get-task-allow", CODESIG_EXEC_ALLOW_UNSIGNED},
        {"run-unsigned-code", CODESIG_EXEC_ALLOW_UNSIGNED},
        {"com.apple.private.cs.debugger", CODESIG_EXEC_DEBUGGER},
        {"dynamic-codesigning", CODESIG_EXEC_JIT},
        {"com.apple.private.skip-library-validation", CODESIG_EXEC_SKIP_LIBRARY_VALIDATION},
        {"com.apple.private.amfi.can-load-cdhash", CODESIG_EXEC_LOAD_CDHASH},
        {"com.apple.private.amfi.can-execute-cdhash", CODESIG_EXEC_EXECUTE_CDHASH},
    };
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    uint64_t flags = 0;
    const struct codesig_blob *blob = codesig_find(sig, xml_form.slot);
    bool readable = blob && parse(&list, blob, &xml_form, &fail) == 0;
    if (!readable) {
        fail_release(&fail);
        blob = codesig_find(sig, der_form.slot);
        readable = blob && parse(&list, blob, &der_form, &fail) == 0;
    }
    if (!readable)
        return 0; /* sigcheck_entitlements() tells what cannot be read */
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct plist_node *node = plist_get(&list, keys[i].key);
        if (node && node->type == PLIST_BOOL && node->number != 0)
            flags |= keys[i].flag;
    }
    return flags;
}

void sigcheck_requirements(const struct sigcheck *check)
{
    own_fail struct fail fail = {0};
    own_buf struct buf text = {0};
    const struct codesig_blob *blob = codesig_find(check->sig, CODESIG_SLOT_REQUIREMENTS);
    if (!blob || requirements_text(&text, blob->bytes, &fail) == 0)
        return;
    struct finding *finding =
        add(check, FINDING_ERROR, "sig.requirements", "requirement set", blob);
    finding_expected(finding, "requirements that can be decoded");
    finding_actual(finding, "%s", fail.message);
}

/* A launch constraint: a property list in the DER form of entitlements. */
void sigcheck_constraints(const struct sigcheck *check)
{
    for (uint32_t slot = CODESIG_SLOT_CONSTRAINT_SELF; slot <= CODESIG_SLOT_CONSTRAINT_LIBRARY;
         slot++) {
        const struct form form = {sigcheck_slot_name(slot), slot, plist_parse_der};
        own_fail struct fail fail = {0};
        own_plist struct plist list = {0};
        const struct codesig_blob *blob = codesig_find(check->sig, slot);
        if (!blob || parse(&list, blob, &form, &fail) == 0)
            continue;
        struct finding *finding = add(check, FINDING_ERROR, "sig.constraint", form.name, blob);
        finding_expected(finding, "a property list in DER");
        finding_actual(finding, "%s", fail.message);
    }
}
