#include <inttypes.h>
#include <string.h>

#include "macho/plist.h"
#include "macho/sigcheck_parts.h"

static bool is_zero(struct view bytes)
{
    for (uint64_t i = 0; i < bytes.len; i++)
        if (bytes.data[i] != 0)
            return false;
    return true;
}

/* What a special slot seals, as far as it is in the file. */
static bool slot_bytes(struct view *out, const struct sigcheck *check, uint32_t slot)
{
    if (slot == CODESIG_SLOT_INFO) {
        const struct image_section *section = image_section(check->image, "__TEXT", "__info_plist");
        if (!section)
            return false;
        *out = image_section_data(check->image, section);
        return true;
    }
    const struct codesig_blob *blob = codesig_find(check->sig, slot);
    if (blob)
        *out = blob->bytes;
    return blob;
}

static bool is_external(uint32_t slot)
{
    return slot == CODESIG_SLOT_INFO || slot == CODESIG_SLOT_RESOURCES ||
           slot == CODESIG_SLOT_APPLICATION || slot == CODESIG_SLOT_REP_SPECIFIC;
}

static void check_slot(const struct sigcheck *check, const struct codesig_directory *cd,
                       uint32_t slot)
{
    struct view sealed = {0};
    struct view hash = {0};
    char expected[2 * DIGEST_MAX + 1] = "none";
    char actual[2 * DIGEST_MAX + 1] = "none";
    bool there = slot_bytes(&sealed, check, slot);
    bool stated = codesig_special_hash(&hash, cd, slot) && !is_zero(hash);
    if (!there && !stated)
        return;
    /* Linkers seal no Info.plist. */
    if (there && !stated && slot == CODESIG_SLOT_INFO && cd->flags & CODESIG_FLAG_LINKER_SIGNED)
        return;
    if (stated)
        text_hex(expected, hash.data, hash.len);
    if (there) {
        uint8_t bytes[DIGEST_MAX] = {0};
        codesig_hash_bytes(bytes, cd->hash_type, sealed);
        text_hex(actual, bytes, cd->hash_size);
    }
    if (there && stated && strcmp(expected, actual) == 0)
        return;
    bool outside = !there && is_external(slot);
    struct finding *finding =
        sigcheck_add(check, outside ? FINDING_WARNING : FINDING_ERROR,
                     outside ? "sig.external-slot" : "sig.special-slot",
                     "special slot %" PRIu32 " of the CodeDirectory at offset %" PRIu64, slot,
                     check->start + cd->offset);
    finding_expected(finding, "%s", expected);
    finding_actual(finding, "%s", actual);
    if (outside)
        finding_remedy(finding, "it seals something outside of this file: check it there");
}

void sigcheck_slots(const struct sigcheck *check, const struct codesig_directory *cd)
{
    for (uint32_t slot = 1; slot <= CODESIG_SPECIAL_MAX; slot++)
        check_slot(check, cd, slot);
    if (cd->special_count > CODESIG_SPECIAL_MAX) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.special-slot",
                         "CodeDirectory at offset %" PRIu64, check->start + cd->offset);
        finding_expected(finding, "at most %u special slots", CODESIG_SPECIAL_MAX);
        finding_actual(finding, "%" PRIu32, cd->special_count);
    }
}

static bool parse_entitlements(struct plist *out, const struct codesig *sig)
{
    own_fail struct fail fail = {0};
    struct view xml = {0};
    const struct codesig_blob *blob = codesig_find(sig, CODESIG_SLOT_ENTITLEMENTS);
    return blob &&
           view_slice(&xml, blob->bytes, CODESIG_BLOB_LEN, blob->bytes.len - CODESIG_BLOB_LEN) &&
           plist_parse(out, xml, &fail) == 0;
}

bool sigcheck_allows_debugger(const struct codesig *sig)
{
    own_plist struct plist list = {0};
    if (!parse_entitlements(&list, sig))
        return false;
    const struct plist_node *node = plist_get(&list, "get-task-allow");
    return node && node->type == PLIST_BOOL && node->number != 0;
}

void sigcheck_entitlements(const struct sigcheck *check)
{
    own_plist struct plist list = {0};
    own_buf struct buf der = {0};
    own_fail struct fail fail = {0};
    const struct codesig_blob *blob = codesig_find(check->sig, CODESIG_SLOT_ENTITLEMENTS_DER);
    if (!blob)
        return;
    bool encoded =
        parse_entitlements(&list, check->sig) && plist_encode_der(&der, &list, &fail) == 0;
    if (encoded && blob->bytes.len == CODESIG_BLOB_LEN + der.len &&
        memcmp(blob->bytes.data + CODESIG_BLOB_LEN, der.data, der.len) == 0)
        return;
    struct finding *finding =
        sigcheck_add(check, FINDING_WARNING, "sig.entitlements",
                     "DER entitlements at offset %" PRIu64, check->start + blob->offset);
    finding_expected(finding, encoded ? "the encoding of the XML entitlements"
                                      : "XML entitlements that can be read beside them");
    finding_actual(finding, "%" PRIu64 " other bytes", blob->bytes.len - CODESIG_BLOB_LEN);
}
