#include <inttypes.h>
#include <string.h>

#include "macho/sigcheck_parts.h"

static const char *blob_name(uint32_t slot)
{
    switch (slot) {
    case CODESIG_SLOT_DIRECTORY:
        return "CodeDirectory";
    case CODESIG_SLOT_REQUIREMENTS:
        return "requirement set";
    case CODESIG_SLOT_ENTITLEMENTS:
        return "entitlements";
    case CODESIG_SLOT_ENTITLEMENTS_DER:
        return "DER entitlements";
    case CODESIG_SLOT_CMS:
        return "CMS signature";
    default:
        return slot < CODESIG_SLOT_ALTERNATE ? "blob" : "alternate CodeDirectory";
    }
}

/* Each slot once, in ascending order, and every byte of the SuperBlob owned by one blob. */
void sigcheck_index(const struct sigcheck *check)
{
    const struct codesig *sig = check->sig;
    struct sigcheck_range ranges[CODESIG_BLOBS_MAX + 1] = {0};
    size_t count = 0;
    ranges[count++] = (struct sigcheck_range){
        .end = CODESIG_SUPERBLOB_LEN + sig->blob_count * CODESIG_INDEX_LEN, .what = "index"};
    for (size_t i = 0; i < sig->blob_count; i++) {
        const struct codesig_blob *blob = &sig->blobs[i];
        if (i > 0 && blob->slot <= sig->blobs[i - 1].slot) {
            struct finding *finding =
                sigcheck_add(check, FINDING_ERROR, "sig.structure",
                             check->at + CODESIG_SUPERBLOB_LEN + i * CODESIG_INDEX_LEN,
                             "index entry %zu of the signature", i);
            finding_expected(finding, "slots in ascending order, each once");
            finding_actual(finding, "slot 0x%" PRIx32 " behind slot 0x%" PRIx32, blob->slot,
                           sig->blobs[i - 1].slot);
        }
        if (blob->bytes.len > 0)
            ranges[count++] = (struct sigcheck_range){.start = blob->offset,
                                                      .end = blob->offset + blob->bytes.len,
                                                      .what = blob_name(blob->slot)};
    }
    sigcheck_ranges(check, ranges, count, sig->super_blob, check->at, 0, "SuperBlob");
}

/* A set of the special slots that a CodeDirectory seals: bit N is slot N. */
static uint32_t sealed_slots(const struct codesig_directory *cd)
{
    uint32_t slots = 0;
    struct view hash = {0};
    for (uint32_t slot = 1; slot <= CODESIG_SPECIAL_MAX; slot++)
        if (codesig_special_hash(&hash, cd, slot) && !view_is_zero(hash))
            slots |= UINT32_C(1) << slot;
    return slots;
}

/* One field that an alternate CodeDirectory must have in common with the first. */
static void compare(const struct sigcheck *check, const struct codesig_directory *other,
                    const char *what, const char *expected, const char *actual)
{
    if (strcmp(expected, actual) == 0)
        return;
    struct finding *finding =
        sigcheck_add(check, FINDING_ERROR, "sig.alternate", check->at + other->offset,
                     "%s in the alternate CodeDirectory", what);
    finding_expected(finding, "%s, as in the CodeDirectory at offset %" PRIu64, expected,
                     check->at + check->sig->directories[0].offset);
    finding_actual(finding, "%s", actual);
}

static void compare_numbers(const struct sigcheck *check, const struct codesig_directory *other,
                            const char *what, uint64_t expected, uint64_t actual)
{
    own_mem char *left = text_printf("0x%" PRIx64, expected);
    own_mem char *right = text_printf("0x%" PRIx64, actual);
    compare(check, other, what, left, right);
}

/* Fields that one of both versions does not have yet are not held against each other. */
static void check_alternate(const struct sigcheck *check, const struct codesig_directory *first,
                            const struct codesig_directory *other)
{
    compare(check, other, "identifier", first->identifier, other->identifier);
    compare_numbers(check, other, "flags", first->flags, other->flags);
    compare_numbers(check, other, "code limit", codesig_code_limit(first),
                    codesig_code_limit(other));
    compare_numbers(check, other, "page size", codesig_page_len(first), codesig_page_len(other));
    compare_numbers(check, other, "platform", first->platform, other->platform);
    compare_numbers(check, other, "set of special slots", sealed_slots(first), sealed_slots(other));
    if (first->version >= 0x20200 && other->version >= 0x20200)
        compare(check, other, "team", first->team ? first->team : "none",
                other->team ? other->team : "none");
    if (first->version >= 0x20400 && other->version >= 0x20400) {
        compare_numbers(check, other, "base of the executable segment", first->exec_base,
                        other->exec_base);
        compare_numbers(check, other, "limit of the executable segment", first->exec_limit,
                        other->exec_limit);
        compare_numbers(check, other, "flags of the executable segment", first->exec_flags,
                        other->exec_flags);
    }
    if (first->version >= 0x20500 && other->version >= 0x20500)
        compare_numbers(check, other, "runtime version", first->runtime, other->runtime);
}

/* The first CodeDirectory has slot 0, the others follow from CODESIG_SLOT_ALTERNATE on. */
static void check_slot(const struct sigcheck *check, size_t index)
{
    const struct codesig_directory *cd = &check->sig->directories[index];
    uint32_t slot =
        index == 0 ? CODESIG_SLOT_DIRECTORY : CODESIG_SLOT_ALTERNATE + (uint32_t)index - 1;
    if (cd->slot == slot)
        return;
    struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.structure",
                                           check->at + cd->offset, "CodeDirectory");
    finding_expected(finding, "slot 0x%" PRIx32, slot);
    finding_actual(finding, "slot 0x%" PRIx32, cd->slot);
}

/* All CodeDirectories seal the same code under the same name, each with another hash. */
void sigcheck_alternates(const struct sigcheck *check)
{
    const struct codesig *sig = check->sig;
    if (sig->directory_count > 0)
        check_slot(check, 0);
    for (size_t i = 1; i < sig->directory_count; i++) {
        const struct codesig_directory *other = &sig->directories[i];
        check_slot(check, i);
        check_alternate(check, &sig->directories[0], other);
        for (size_t k = 0; k < i; k++) {
            if (sig->directories[k].hash_type != other->hash_type)
                continue;
            struct finding *finding =
                sigcheck_add(check, FINDING_ERROR, "sig.alternate", check->at + other->offset,
                             "alternate CodeDirectory");
            finding_expected(finding, "a hash type of its own");
            finding_actual(finding, "%s, as in the CodeDirectory at offset %" PRIu64,
                           codesig_hash_name(other->hash_type),
                           check->at + sig->directories[k].offset);
        }
    }
}

void sigcheck_kinds(const struct sigcheck *check)
{
    static const enum codesig_kind kinds[] = {
        [SIGCHECK_ANY] = CODESIG_NONE,
        [SIGCHECK_LINKER] = CODESIG_LINKER,
        [SIGCHECK_ADHOC] = CODESIG_ADHOC,
        [SIGCHECK_CMS] = CODESIG_CMS,
    };
    enum codesig_kind kind = codesig_kind(check->sig);
    const struct codesig_directory *best = codesig_best(check->sig);
    if (check->options->kind != SIGCHECK_ANY && kind != kinds[check->options->kind]) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.kind", check->at, "signature");
        finding_expected(finding, "%s", codesig_kind_name(kinds[check->options->kind]));
        finding_actual(finding, "%s", codesig_kind_name(kind));
    }
    if (kind == CODESIG_LINKER && check->sig->blob_count != 1) {
        struct finding *finding =
            sigcheck_add(check, FINDING_ERROR, "sig.structure", check->at, "signature");
        finding_expected(finding, "a CodeDirectory alone, as linkers write it");
        finding_actual(finding, "%zu blobs", check->sig->blob_count);
    }
    if (kind == CODESIG_ADHOC && check->sig->blob_count == 1) {
        struct finding *finding =
            sigcheck_add(check, FINDING_WARNING, "sig.flags", check->at, "signature");
        finding_expected(finding, "the linker-signed flag on a CodeDirectory alone");
        finding_actual(finding, "0x%" PRIx32, best->flags);
    }
    if (best && best->hash_type == CODESIG_HASH_SHA1) {
        enum finding_level level = check->options->require_sha256 ? FINDING_ERROR : FINDING_WARNING;
        struct finding *finding =
            sigcheck_add(check, level, "sig.weak-hash", check->at, "signature");
        finding_expected(finding, "a CodeDirectory with sha256 or stronger");
        finding_actual(finding, "sha1 alone");
    }
}
