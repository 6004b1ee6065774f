#include <inttypes.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

const char *describe_signature_flag(unsigned bit)
{
    static const char *const names[32] = {
        [0] = "host",     [1] = "adhoc",          [8] = "hard",         [9] = "kill",
        [10] = "expires", [11] = "restrict",      [12] = "enforcement", [13] = "library-validation",
        [16] = "runtime", [17] = "linker-signed",
    };
    return bit < 32 ? names[bit] : NULL;
}

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

static void put_flags(struct buf *out, uint32_t flags)
{
    bool first = true;
    buf_printf(out, "0x%" PRIx32, flags);
    for (unsigned bit = 0; bit < 32; bit++) {
        const char *name = describe_signature_flag(bit);
        if ((flags & UINT32_C(1) << bit) == 0 || name == NULL)
            continue;
        buf_printf(out, "%s%s", first ? " (" : ", ", name);
        first = false;
    }
    buf_puts(out, first ? "\n" : ")\n");
}

static void put_pages(struct buf *out, const struct codesig_directory *directory)
{
    uint64_t page = codesig_page_len(directory);
    describe_label(out, "  pages");
    buf_printf(out, "%" PRIu32 " of ", directory->code_count);
    if (page == UINT64_MAX)
        buf_puts(out, "any size");
    else
        buf_printf(out, "%" PRIu64 " bytes", page);
    buf_printf(out, ", up to offset %" PRIu64 ", %s; %" PRIu32 " special slots\n",
               codesig_code_limit(directory), codesig_hash_name(directory->hash_type),
               directory->special_count);
}

static void put_directory(struct buf *out, const struct codesig_directory *directory)
{
    char cdhash[CDHASH_HEX];
    text_hex(cdhash, directory->cdhash, CDHASH_LEN);
    describe_label(out, "  directory");
    buf_printf(out, "version 0x%" PRIx32 " in slot 0x%" PRIx32 "\n", directory->version,
               directory->slot);
    describe_label(out, "  cdhash");
    buf_printf(out, "%s\n", cdhash);
    describe_label(out, "  identifier");
    describe_put_name(out, directory->identifier);
    buf_putc(out, '\n');
    if (directory->team != NULL) {
        describe_label(out, "  team");
        describe_put_name(out, directory->team);
        buf_putc(out, '\n');
    }
    describe_label(out, "  flags");
    put_flags(out, directory->flags);
    put_pages(out, directory);
    if (directory->version >= 0x20400) {
        describe_label(out, "  exec segment");
        buf_printf(out, "base %" PRIu64 ", limit %" PRIu64 ", flags 0x%" PRIx64 "\n",
                   directory->exec_base, directory->exec_limit, directory->exec_flags);
    }
    if (directory->version >= 0x20500 && directory->runtime != 0) {
        char version[MACHO_VERSION_MAX];
        macho_version_text(version, directory->runtime);
        describe_label(out, "  runtime");
        buf_printf(out, "%s\n", version);
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

void describe_signature_text(struct buf *out, const struct description_slice *slice)
{
    const struct image_range *range = &slice->image.code_signature;
    describe_label(out, "signature");
    if (!image_has(range)) {
        buf_puts(out, "none\n");
        return;
    }
    /* A CMS signature is not judged, only the directory that it seals. */
    enum codesig_kind kind = codesig_kind(&slice->signature);
    bool holds = slice->findings.error_count == 0;
    buf_printf(out, "%s; %s\n", kind_text(kind),
               !holds                ? "does not hold"
               : kind == CODESIG_CMS ? "pages and slots hold, the certificate was not judged"
                                     : "holds");
    describe_label(out, "  place");
    buf_printf(out, "%" PRIu64 " bytes at offset %" PRIu64 ", %" PRIu64 " in use\n", range->size,
               range->offset, slice->signature.super_blob.len);
    for (size_t i = 0; i < slice->signature.directory_count; i++)
        put_directory(out, &slice->signature.directories[i]);
    put_findings(out, &slice->findings);
}

static json_t *flag_names(uint32_t flags)
{
    json_t *names = js_array();
    for (unsigned bit = 0; bit < 32; bit++) {
        const char *name = describe_signature_flag(bit);
        if ((flags & UINT32_C(1) << bit) == 0)
            continue;
        js_push(names, name != NULL ? js_text(name) : js_printf("0x%" PRIx32, UINT32_C(1) << bit));
    }
    return names;
}

static json_t *page_size(const struct codesig_directory *directory)
{
    uint64_t page = codesig_page_len(directory);
    return page == UINT64_MAX ? json_null() : js_uint(page);
}

static json_t *directory_json(const struct codesig_directory *directory)
{
    char cdhash[CDHASH_HEX];
    json_t *object = js_object();
    text_hex(cdhash, directory->cdhash, CDHASH_LEN);
    js_set(object, "slot", js_uint(directory->slot));
    js_set(object, "version", js_printf("0x%" PRIx32, directory->version));
    js_set(object, "identifier", js_text(directory->identifier));
    js_set(object, "team", js_text(directory->team));
    js_set(object, "flags", js_uint(directory->flags));
    js_set(object, "hash_type", js_text(codesig_hash_name(directory->hash_type)));
    js_set(object, "page_size", page_size(directory));
    js_set(object, "code_slots", js_uint(directory->code_count));
    js_set(object, "special_slots", js_uint(directory->special_count));
    js_set(object, "code_limit", js_uint(codesig_code_limit(directory)));
    js_set(object, "exec_base", js_uint(directory->exec_base));
    js_set(object, "exec_limit", js_uint(directory->exec_limit));
    js_set(object, "exec_flags", js_uint(directory->exec_flags));
    js_set(object, "runtime", js_uint(directory->runtime));
    js_set(object, "cdhash", js_text(cdhash));
    return object;
}

static void set_best(json_t *object, const struct codesig_directory *best)
{
    char cdhash[CDHASH_HEX];
    if (best != NULL)
        text_hex(cdhash, best->cdhash, CDHASH_LEN);
    js_set(object, "identifier", js_text(best != NULL ? best->identifier : NULL));
    js_set(object, "team", js_text(best != NULL ? best->team : NULL));
    js_set(object, "flags", best != NULL ? js_uint(best->flags) : json_null());
    js_set(object, "flag_names", flag_names(best != NULL ? best->flags : 0));
    js_set(object, "page_size", best != NULL ? page_size(best) : json_null());
    js_set(object, "cdhash", js_text(best != NULL ? cdhash : NULL));
}

json_t *describe_signature_json(const struct description_slice *slice)
{
    const struct codesig *signature = &slice->signature;
    const struct image_range *range = &slice->image.code_signature;
    json_t *object = js_object();
    json_t *hashes = js_array();
    json_t *directories = js_array();
    js_set(object, "kind", js_text(codesig_kind_name(codesig_kind(signature))));
    js_set(object, "valid", js_bool(image_has(range) && slice->findings.error_count == 0));
    set_best(object, codesig_best(signature));
    for (size_t i = 0; i < signature->directory_count; i++) {
        js_push(hashes, js_text(codesig_hash_name(signature->directories[i].hash_type)));
        js_push(directories, directory_json(&signature->directories[i]));
    }
    js_set(object, "hash_types", hashes);
    js_set(object, "offset", image_has(range) ? js_uint(range->offset) : json_null());
    js_set(object, "size", image_has(range) ? js_uint(range->size) : json_null());
    js_set(object, "length", js_uint(signature->super_blob.len));
    js_set(object, "directories", directories);
    js_set(object, "findings", js_findings(&slice->findings));
    return object;
}
