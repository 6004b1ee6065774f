#include <inttypes.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"
#include "macho/requirement.h"

static const char *kind_text(enum codesig_kind kind)
{
    switch (kind) {
    case CODESIG_NONE:
        return "unreadable";
    case CODESIG_LINKER:
        return "ad hoc, linker-signed";
    case CODESIG_ADHOC:
        return "ad hoc";
    case CODESIG_CMS:
        return "CMS";
    }
    return "unreadable";
}

static void put_hashes(struct buf *out, const struct codesig_directory *directory)
{
    uint64_t page = codesig_page_len(directory);
    describe_label(out, "  hashes");
    buf_printf(out, "%s: %" PRIu32 " page%s of ", codesig_hash_name(directory->hash_type),
               directory->code_count, directory->code_count == 1 ? "" : "s");
    if (page == UINT64_MAX)
        buf_puts(out, "any size");
    else
        buf_printf(out, "%" PRIu64 " bytes", page);
    buf_printf(out, " up to offset %" PRIu64 ", %" PRIu32 " special slot%s\n",
               codesig_code_limit(directory), directory->special_count,
               directory->special_count == 1 ? "" : "s");
}

static void put_special(struct buf *out, const struct codesig_directory *directory)
{
    for (uint32_t slot = 1; slot <= directory->special_count && slot <= CODESIG_SPECIAL_MAX;
         slot++) {
        char hex[2 * DIGEST_MAX + 1];
        if (!describe_special_hash(hex, directory, slot))
            continue;
        describe_label(out, "");
        buf_printf(out, "%2" PRIu32 " ", slot);
        describe_put_padded(out, describe_slot_name(slot), 17);
        buf_printf(out, " %s\n", hex);
    }
}

/* Fields that only some versions have, and few files use. */
static void put_rare_fields(struct buf *out, const struct codesig_directory *directory)
{
    if (directory->platform != 0) {
        describe_label(out, "  platform");
        buf_printf(out, "%u\n", directory->platform);
    }
    if (directory->scatter_off != 0) {
        describe_label(out, "  scatter");
        buf_printf(out, "at offset %" PRIu32 "\n", directory->scatter_off);
    }
    if (directory->pre_encrypt_off != 0) {
        describe_label(out, "  pre-encryption");
        buf_printf(out, "hashes at offset %" PRIu32 "\n", directory->pre_encrypt_off);
    }
    if (directory->linkage_off != 0 || directory->linkage_size != 0) {
        describe_label(out, "  linkage");
        buf_printf(out, "%s, type %u.%u, %" PRIu32 " bytes at offset %" PRIu32 "\n",
                   codesig_hash_name(directory->linkage_hash_type), directory->linkage_type,
                   directory->linkage_subtype, directory->linkage_size, directory->linkage_off);
    }
}

static void put_directory(struct buf *out, const struct codesig_directory *directory)
{
    char cdhash[CDHASH_HEX];
    text_hex(cdhash, directory->cdhash, CDHASH_LEN);
    describe_label(out, "  directory");
    buf_printf(out, "slot 0x%" PRIx32 ", version 0x%" PRIx32 ", %" PRIu64 " bytes\n",
               directory->slot, directory->version, directory->bytes.len);
    describe_line(out, "  cdhash", cdhash);
    describe_line(out, "  identifier", directory->identifier);
    describe_line(out, "  team", directory->team);
    describe_label(out, "  flags");
    buf_printf(out, "0x%" PRIx32, directory->flags);
    describe_put_bits(out, directory->flags, describe_signature_flag);
    buf_putc(out, '\n');
    put_hashes(out, directory);
    put_special(out, directory);
    if (directory->version >= 0x20400) {
        describe_label(out, "  exec segment");
        buf_printf(out, "base %" PRIu64 ", limit %" PRIu64 ", flags 0x%" PRIx64,
                   directory->exec_base, directory->exec_limit, directory->exec_flags);
        describe_put_bits(out, directory->exec_flags, describe_exec_flag);
        buf_putc(out, '\n');
    }
    if (directory->version >= 0x20500 && directory->runtime != 0) {
        char version[MACHO_VERSION_MAX];
        macho_version_text(version, directory->runtime);
        describe_line(out, "  runtime", version);
    }
    put_rare_fields(out, directory);
}

static void put_blobs(struct buf *out, const struct codesig *parsed)
{
    for (size_t i = 0; i < parsed->blob_count; i++) {
        const struct codesig_blob *blob = &parsed->blobs[i];
        const char *name = describe_slot_name(blob->slot);
        describe_label(out, i == 0 ? "  blobs" : "");
        describe_put_padded(out, name == NULL ? "unknown" : name, 24);
        buf_printf(out, " slot 0x%-5" PRIx32 " %6" PRIu64 " bytes at %" PRIu64 "\n", blob->slot,
                   blob->bytes.len, blob->offset);
    }
}

static void put_requirements(struct buf *out, const struct description_slice *slice)
{
    const struct description_signature *signature = &slice->signature;
    if (signature->has_requirements && signature->requirement_count == 0)
        describe_line(out, "  requirements", "none (an empty set)");
    for (size_t i = 0; i < signature->requirement_count; i++) {
        const struct description_requirement *requirement = &signature->requirements[i];
        const char *type = requirement_type_name(requirement->type);
        describe_label(out, i == 0 ? "  requirements" : "");
        if (type != NULL)
            buf_printf(out, "%s => ", type);
        else
            buf_printf(out, "type %" PRIu32 " => ", requirement->type);
        describe_put_name(out, buf_text(&requirement->text));
        buf_putc(out, '\n');
    }
    if (slice->faults[FAULT_REQUIREMENTS].code != FAIL_NONE) {
        describe_label(out, "  requirements");
        describe_put_fault(out, slice, FAULT_REQUIREMENTS);
    }
}

/* Both forms of the entitlements say the same in sound files: then they are shown once. */
static bool repeats_entitlements(const struct description_signature *signature, size_t list)
{
    own_plist_difference struct plist_difference difference = {0};
    return list == LIST_ENTITLEMENTS_DER && signature->has_list[LIST_ENTITLEMENTS] &&
           plist_equal(&difference, &signature->lists[LIST_ENTITLEMENTS],
                       &signature->lists[LIST_ENTITLEMENTS_DER]);
}

/* Behind a label: the first line lacks its indentation. */
static void put_tree(struct buf *out, const struct plist *list)
{
    own_buf struct buf tree = {0};
    plist_text(&tree, list, DESCRIBE_INDENT);
    if (list->count <= 1 || tree.len <= DESCRIBE_INDENT)
        buf_puts(out, "none (an empty dictionary)\n");
    else
        buf_append(out, tree.data + DESCRIBE_INDENT, tree.len - DESCRIBE_INDENT);
}

static void put_lists(struct buf *out, const struct description_slice *slice)
{
    static const char *const labels[LIST_COUNT] = {
        "  entitlements", "  in DER form",    "  launched as",
        "  launched by",  "  responsible is", "  may load",
    };
    const struct description_signature *signature = &slice->signature;
    for (size_t i = 0; i < LIST_COUNT; i++) {
        bool fault = slice->faults[FAULT_LIST + i].code != FAIL_NONE;
        if (!fault && !signature->has_list[i])
            continue;
        describe_label(out, labels[i]);
        if (describe_put_fault(out, slice, FAULT_LIST + i))
            continue;
        if (repeats_entitlements(signature, i)) {
            buf_puts(out, "the same\n");
            continue;
        }
        put_tree(out, &signature->lists[i]);
    }
}

static void put_findings(struct buf *out, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        describe_label(out, "  finding");
        buf_printf(out, "%s%s", finding->id, finding->level == FINDING_WARNING ? " (warning)" : "");
        if (finding->place != NULL) {
            buf_puts(out, ": ");
            describe_put_name(out, finding->place);
        }
        buf_putc(out, '\n');
    }
    if (findings->dropped != 0) {
        describe_label(out, "  finding");
        buf_printf(out, "and %zu more\n", findings->dropped);
    }
}

void describe_put_signature(struct buf *out, const struct description_slice *slice)
{
    const struct image_range *range = &slice->image.code_signature;
    const struct description_signature *signature = &slice->signature;
    const struct codesig *parsed = &signature->parsed;
    if (!image_has(range)) {
        describe_line(out, "signature", "none");
        return;
    }
    describe_label(out, "signature");
    buf_printf(out, "%s (not judged here: 'hallmark verify' does)\n",
               kind_text(codesig_kind(parsed)));
    describe_label(out, "  place");
    buf_printf(out, "%" PRIu64 " bytes at offset %" PRIu64 ", %" PRIu64 " in use\n", range->size,
               range->offset, parsed->super_blob.len);
    put_blobs(out, parsed);
    for (size_t i = 0; i < parsed->directory_count; i++)
        put_directory(out, &parsed->directories[i]);
    put_requirements(out, slice);
    put_lists(out, slice);
    if (signature->has_cms)
        describe_put_cms(out, &signature->cms);
    if (slice->faults[FAULT_CMS].code != FAIL_NONE) {
        describe_label(out, "  CMS");
        describe_put_fault(out, slice, FAULT_CMS);
    }
    put_findings(out, &signature->structure);
}
