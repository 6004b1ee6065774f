/* The profile of the signature that is there: what its producer chose, recognised part by part. */
#include <inttypes.h>
#include <string.h>

#include "macho/adhoc_parts.h"

#define EXEC_OTHER     0x3e0u /* bits that entitlements of the OS set */
#define PAGE_SHIFT_MIN 12u
#define PAGE_SHIFT_MAX 16u

static bool is_zero(struct view bytes)
{
    for (uint64_t i = 0; i < bytes.len; i++)
        if (bytes.data[i] != 0)
            return false;
    return true;
}

static bool special_hash_is_zero(const struct codesig_directory *cd, uint32_t slot)
{
    struct view hash = {0};
    return !codesig_special_hash(&hash, cd, slot) || is_zero(hash);
}

/* Zeros from `from` to `to` in a part of the signature: padding of this length. */
static int measure_gap(uint64_t *out, struct view whole, uint64_t from, uint64_t to,
                       const char *what, struct fail *fail)
{
    struct view gap = {0};
    if (to < from || !view_slice(&gap, whole, from, to - from))
        return fail_set(fail, FAIL_INPUT,
                        "%s of the signature overlap (%" PRIu64 " and %" PRIu64 ")", what, from,
                        to);
    if (gap.len > ADHOC_GAP_MAX || !is_zero(gap))
        return fail_set(fail, FAIL_INPUT,
                        "there are %" PRIu64 " bytes between %s of the signature that belong to "
                        "nothing (at most %u zeros are known)",
                        gap.len, what, ADHOC_GAP_MAX);
    *out = gap.len;
    return 0;
}

/* Header, identifier, team, special hashes, code hashes: their order, and zeros in between. */
static int measure_directory(struct adhoc_directory *out, const struct codesig_directory *cd,
                             struct fail *fail)
{
    uint64_t texts = cd->header_len + strlen(cd->identifier) + 1;
    uint64_t special_len = (uint64_t)cd->special_count * cd->hash_size;
    uint64_t code_len = (uint64_t)cd->code_count * cd->hash_size;
    if (cd->ident_off != cd->header_len || (cd->team && cd->team_off != texts))
        return fail_set(fail, FAIL_INPUT,
                        "the CodeDirectory has identifier and team elsewhere than behind its "
                        "header, which cannot be renewed");
    if (cd->team)
        texts += strlen(cd->team) + 1;
    if (measure_gap(&out->gap, cd->bytes, texts, cd->hash_off - special_len, "texts and hashes",
                    fail) < 0)
        return -1;
    return measure_gap(&out->tail, cd->bytes, cd->hash_off + code_len, cd->bytes.len,
                       "hashes and the end", fail);
}

/* Which of the known rules the present limit follows; the first one when none does. */
static void renew_exec_segment(struct adhoc_directory *out, const struct codesig_directory *cd,
                               const struct image *image)
{
    const struct image_segment *linkedit = image_segment(image, "__LINKEDIT");
    adhoc_exec_segment(out, image);
    if (cd->exec_limit == 0) {
        out->exec_limit = 0;
        out->exec_base = cd->exec_base == 0 ? 0 : out->exec_base;
    } else if (cd->exec_limit == out->exec_limit || !image_segment(image, "__TEXT")) {
        ; /* most tools */
    } else if (cd->exec_limit == adhoc_text_section_size(image) ||
               (linkedit && cd->exec_limit == linkedit->offset)) {
        out->exec_limit = cd->exec_limit;
    } else if (cd->exec_limit == codesig_code_limit(cd)) {
        out->exec_to_signature = true;
    }
    out->exec_flags |= cd->exec_flags & (EXEC_OTHER | CODESIG_EXEC_ALLOW_UNSIGNED);
}

/* A main executable of a bundle has the bundle's Info.plist in slot 1, and its resources in slot
 * 3; some tools do not seal the embedded one. Both are left as they are. */
static bool seals_info_plist(const struct codesig_directory *cd)
{
    return cd->special_count >= CODESIG_SLOT_INFO && !special_hash_is_zero(cd, CODESIG_SLOT_INFO) &&
           special_hash_is_zero(cd, CODESIG_SLOT_RESOURCES);
}

static int renew_directory(struct adhoc_directory *out, const struct codesig_directory *cd,
                           const struct image *image, struct fail *fail)
{
    *out = (struct adhoc_directory){.version = cd->version,
                                    .hash_type = cd->hash_type,
                                    .page_shift = cd->page_shift,
                                    .platform = cd->platform,
                                    .has_team = cd->team != NULL,
                                    .flags = cd->flags,
                                    .runtime = cd->runtime,
                                    .special_count = cd->special_count};
    renew_exec_segment(out, cd, image);
    for (uint32_t slot = 1; slot <= cd->special_count; slot++) {
        struct view hash = {0};
        if (codesig_special_hash(&hash, cd, slot))
            memcpy(out->special[slot], hash.data, (size_t)hash.len);
    }
    if (seals_info_plist(cd))
        adhoc_seal_info_plist(out, image);
    return measure_directory(out, cd, fail);
}

static bool same_team(const struct codesig_directory *a, const struct codesig_directory *b)
{
    return !a->team || !b->team || strcmp(a->team, b->team) == 0;
}

static bool has_linkage(const struct codesig_directory *cd)
{
    return cd->linkage_hash_type != 0 || cd->linkage_type != 0 || cd->linkage_subtype != 0 ||
           cd->linkage_off != 0 || cd->linkage_size != 0;
}

static int check_directory(const struct codesig_directory *cd,
                           const struct codesig_directory *first, struct fail *fail)
{
    if (cd->scatter_off != 0 || cd->pre_encrypt_off != 0 || has_linkage(cd))
        return fail_set(fail, FAIL_INPUT,
                        "the CodeDirectory of version 0x%" PRIx32 " has a scatter table, "
                        "pre-encryption hashes or linkage data, which cannot be renewed",
                        cd->version);
    if (cd->special_count > CODESIG_SPECIAL_MAX)
        return fail_set(fail, FAIL_INPUT,
                        "the CodeDirectory has %" PRIu32 " special slots (at most %u)",
                        cd->special_count, CODESIG_SPECIAL_MAX);
    if (cd->page_shift != 0 && (cd->page_shift < PAGE_SHIFT_MIN || cd->page_shift > PAGE_SHIFT_MAX))
        return fail_set(fail, FAIL_INPUT,
                        "the CodeDirectory has pages of 2^%u bytes (2^%u to 2^%u can be renewed)",
                        cd->page_shift, PAGE_SHIFT_MIN, PAGE_SHIFT_MAX);
    if (strcmp(cd->identifier, first->identifier) != 0 || !same_team(cd, first))
        return fail_set(fail, FAIL_INPUT,
                        "the CodeDirectories have different identifiers or teams "
                        "('%s' and '%s')",
                        first->identifier, cd->identifier);
    return 0;
}

static int check_renewable(const struct codesig *sig, struct fail *fail)
{
    struct view cms = {0};
    if (codesig_cms(&cms, sig)) {
        fail_set(fail, FAIL_INPUT,
                 "the signature has a CMS signature, which cannot be renewed without its key");
        return fail_hint(fail, "sign it without --renew for an ad-hoc signature instead");
    }
    if (sig->directory_count > ADHOC_DIRECTORIES_MAX)
        return fail_set(fail, FAIL_INPUT, "the signature has %zu CodeDirectories (at most %u)",
                        sig->directory_count, ADHOC_DIRECTORIES_MAX);
    for (size_t i = 0; i < sig->directory_count; i++)
        if (check_directory(&sig->directories[i], &sig->directories[0], fail) < 0)
            return -1;
    return adhoc_check_identifier(sig->directories[0].identifier, fail);
}

static void renew_items(struct adhoc_profile *out, const struct codesig *sig)
{
    size_t directory = 0;
    for (size_t i = 0; i < sig->blob_count; i++) {
        const struct codesig_blob *blob = &sig->blobs[i];
        struct adhoc_item *item = adhoc_profile_add(out, blob->slot);
        if (blob->magic == CODESIG_MAGIC_DIRECTORY)
            item->directory = &out->directories[directory++];
        else
            buf_append(&item->bytes, blob->bytes.data, (size_t)blob->bytes.len);
    }
}

/* The order of the blobs, and zeros between them. */
static int renew_layout(struct adhoc_profile *out, const struct codesig *sig, struct fail *fail)
{
    for (size_t i = 1; i < out->item_count; i++) {
        size_t at = i;
        for (; at > 0 && sig->blobs[out->order[at - 1]].offset > sig->blobs[i].offset; at--)
            out->order[at] = out->order[at - 1];
        out->order[at] = i;
    }
    uint64_t end = CODESIG_SUPERBLOB_LEN + out->item_count * CODESIG_INDEX_LEN;
    for (size_t i = 0; i < out->item_count; i++) {
        const struct codesig_blob *blob = &sig->blobs[out->order[i]];
        if (measure_gap(&out->items[out->order[i]].gap, sig->super_blob, end, blob->offset, "blobs",
                        fail) < 0)
            return -1;
        end = blob->offset + blob->bytes.len;
    }
    return measure_gap(&out->tail, sig->super_blob, end, sig->super_blob.len, "blobs and the end",
                       fail);
}

int adhoc_profile_present(struct adhoc_profile *out, const struct image *image, struct fail *fail)
{
    own_codesig struct codesig sig = {0};
    *out = (struct adhoc_profile){0};
    if (!image_has(&image->code_signature)) {
        fail_set(fail, FAIL_INPUT, "there is no signature to renew");
        return fail_hint(fail, "sign it without --renew");
    }
    struct view data = image_range_data(image, &image->code_signature);
    if (codesig_read(&sig, data, fail) < 0 || check_renewable(&sig, fail) < 0)
        return -1;
    out->identifier = text_copy(sig.directories[0].identifier);
    for (size_t i = 0; i < sig.directory_count; i++) {
        const struct codesig_directory *cd = &sig.directories[i];
        if (cd->team && !out->team)
            out->team = text_copy(cd->team);
        if (renew_directory(&out->directories[out->directory_count++], cd, image, fail) < 0)
            return -1;
    }
    renew_items(out, &sig);
    if (renew_layout(out, &sig, fail) < 0)
        return -1;
    out->space = ADHOC_SPACE_FIXED;
    out->space_len = image->code_signature.size;
    out->exact_memory = true;
    out->residue_at = sig.super_blob.len;
    (void)view_slice(&out->residue, data, sig.super_blob.len, data.len - sig.super_blob.len);
    return 0;
}
