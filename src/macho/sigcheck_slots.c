#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "macho/sigcheck_parts.h"

const char *sigcheck_slot_name(uint32_t slot)
{
    switch (slot) {
    case CODESIG_SLOT_INFO:
        return "Info.plist";
    case CODESIG_SLOT_REQUIREMENTS:
        return "requirement set";
    case CODESIG_SLOT_RESOURCES:
        return "CodeResources";
    case CODESIG_SLOT_APPLICATION:
        return "application";
    case CODESIG_SLOT_ENTITLEMENTS:
        return "entitlements";
    case CODESIG_SLOT_REP_SPECIFIC:
        return "disk image";
    case CODESIG_SLOT_ENTITLEMENTS_DER:
        return "DER entitlements";
    case CODESIG_SLOT_CONSTRAINT_SELF:
        return "launch constraint on itself";
    case CODESIG_SLOT_CONSTRAINT_PARENT:
        return "launch constraint on the parent";
    case CODESIG_SLOT_CONSTRAINT_RESPONSIBLE:
        return "launch constraint on the responsible process";
    case CODESIG_SLOT_CONSTRAINT_LIBRARY:
        return "library constraint";
    default:
        return "unknown";
    }
}

/* The file of the bundle that the slot seals; NULL for a slot that seals a part of this file. */
static const struct sigcheck_outside *outside_of(const struct sigcheck *check, uint32_t slot)
{
    if (slot == CODESIG_SLOT_INFO)
        return &check->options->info_plist;
    return slot == CODESIG_SLOT_RESOURCES ? &check->options->resources : NULL;
}

/*
 * What a special slot may seal, as far as it is there: at most two things, since the Info.plist
 * is that of the bundle for its main executable and the section for every other file in it.
 */
struct candidates {
    struct view list[2];
    size_t count;
};

static struct candidates candidates_of(const struct sigcheck *check, uint32_t slot)
{
    struct candidates out = {0};
    const struct sigcheck_outside *outside = outside_of(check, slot);
    const struct image_section *section =
        slot == CODESIG_SLOT_INFO ? image_section(check->image, "__TEXT", "__info_plist") : NULL;
    const struct codesig_blob *blob = outside ? NULL : codesig_find(check->sig, slot);
    if (section)
        out.list[out.count++] = image_section_data(check->image, section);
    if (outside && outside->state == SIGCHECK_GIVEN)
        out.list[out.count++] = outside->bytes;
    if (blob)
        out.list[out.count++] = blob->bytes;
    return out;
}

/* Something that could be sealed is there, and the slot is empty. */
static void check_unsealed(const struct sigcheck *check, const struct codesig_directory *cd,
                           uint32_t slot)
{
    enum finding_level level = FINDING_ERROR;
    if (outside_of(check, slot)) {
        /* Linkers seal no Info.plist, and in a bundle only the main executable does. */
        if (slot != CODESIG_SLOT_INFO || cd->flags & CODESIG_FLAG_LINKER_SIGNED ||
            !image_section(check->image, "__TEXT", "__info_plist"))
            return;
        level = FINDING_WARNING; /* its bytes are those of a page, which is sealed */
    }
    struct finding *finding = sigcheck_add(check, level, "sig.special-slot", check->at + cd->offset,
                                           "special slot %" PRIu32 " (%s) of the CodeDirectory",
                                           slot, sigcheck_slot_name(slot));
    finding_expected(finding, "its %s hash", codesig_hash_name(cd->hash_type));
    finding_actual(finding, "none");
}

static void report_slot(const struct sigcheck *check, const struct codesig_directory *cd,
                        uint32_t slot, struct view stated, const struct candidates *candidates)
{
    const struct sigcheck_outside *file = candidates->count == 0 ? outside_of(check, slot) : NULL;
    bool unknown = file && file->state == SIGCHECK_NOT_GIVEN;
    char hex[2 * DIGEST_MAX + 1] = "";
    snprintf(hex, sizeof hex, "%s",
             file && !unknown ? "the bundle has none" : "nothing that it could seal");
    struct finding *finding =
        sigcheck_add(check, unknown ? FINDING_WARNING : FINDING_ERROR,
                     unknown ? "sig.external-slot" : "sig.special-slot",
                     check->at + cd->offset + cd->hash_off - (uint64_t)slot * cd->hash_size,
                     "special slot %" PRIu32 " (%s)", slot, sigcheck_slot_name(slot));
    finding_detail(finding, ", %s", codesig_hash_name(cd->hash_type));
    if (candidates->count > 0) {
        uint8_t bytes[DIGEST_MAX] = {0};
        codesig_hash_bytes(bytes, cd->hash_type, candidates->list[0]);
        text_hex(hex, bytes, cd->hash_size);
    }
    finding_actual(finding, "%s", hex);
    text_hex(hex, stated.data, stated.len);
    finding_expected(finding, "%s", hex);
    if (unknown)
        finding_remedy(finding, "it seals a file of a bundle, and this one lies in none: check it "
                                "where it belongs");
    else if (file)
        finding_remedy(finding, "put the %s that was sealed back into the bundle",
                       sigcheck_slot_name(slot));
}

static void check_slot(const struct sigcheck *check, const struct codesig_directory *cd,
                       uint32_t slot)
{
    struct view stated = {0};
    struct candidates candidates = candidates_of(check, slot);
    if (!codesig_special_hash(&stated, cd, slot) || view_is_zero(stated)) {
        if (candidates.count > 0)
            check_unsealed(check, cd, slot);
        return;
    }
    for (size_t i = 0; i < candidates.count; i++) {
        uint8_t bytes[DIGEST_MAX] = {0};
        codesig_hash_bytes(bytes, cd->hash_type, candidates.list[i]);
        if (memcmp(bytes, stated.data, cd->hash_size) == 0)
            return;
    }
    report_slot(check, cd, slot, stated, &candidates);
}

void sigcheck_slots(const struct sigcheck *check, const struct codesig_directory *cd)
{
    for (uint32_t slot = 1; slot <= CODESIG_SPECIAL_MAX; slot++)
        check_slot(check, cd, slot);
    if (cd->special_count > CODESIG_SPECIAL_MAX) {
        struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.special-slot",
                                               check->at + cd->offset, "CodeDirectory");
        finding_expected(finding, "at most %u special slots", CODESIG_SPECIAL_MAX);
        finding_actual(finding, "%" PRIu32, cd->special_count);
    }
}

bool sigcheck_slot_holds(const struct image *image, const struct codesig *sig, uint32_t slot,
                         const struct sigcheck_options *options)
{
    own_findings struct findings findings = {0};
    const struct sigcheck check = {
        .out = &findings, .image = image, .options = options, .sig = sig};
    for (size_t i = 0; i < sig->directory_count; i++)
        check_slot(&check, &sig->directories[i], slot);
    return findings.error_count == 0;
}
