#include <inttypes.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"
#include "macho/requirement.h"

static json_t *bit_names(uint64_t bits, const char *(*name)(unsigned))
{
    json_t *names = js_array();
    for (unsigned bit = 0; bit < 64; bit++) {
        if ((bits & UINT64_C(1) << bit) == 0)
            continue;
        js_push(names, name(bit) != NULL ? js_text(name(bit))
                                         : js_printf("0x%" PRIx64, UINT64_C(1) << bit));
    }
    return names;
}

static json_t *page_size(const struct codesig_directory *directory)
{
    uint64_t page = codesig_page_len(directory);
    return page == UINT64_MAX ? json_null() : js_uint(page);
}

static json_t *slot_hashes(const struct codesig_directory *directory)
{
    json_t *list = js_array();
    for (uint32_t slot = 1; slot <= directory->special_count && slot <= CODESIG_SPECIAL_MAX;
         slot++) {
        char hex[2 * DIGEST_MAX + 1];
        bool used = describe_special_hash(hex, directory, slot);
        json_t *object = js_object();
        js_set(object, "slot", js_uint(slot));
        js_set(object, "seals", js_text(describe_slot_name(slot)));
        js_set(object, "hash", js_text(used ? hex : NULL));
        js_push(list, object);
    }
    return list;
}

/* Only what the version has: null for the rest. */
static json_t *since(const struct codesig_directory *directory, uint32_t version, uint64_t value)
{
    return directory->version >= version ? js_uint(value) : json_null();
}

static json_t *linkage_json(const struct codesig_directory *directory)
{
    json_t *object = js_object();
    js_set(object, "hash_type", js_text(codesig_hash_name(directory->linkage_hash_type)));
    js_set(object, "type", js_uint(directory->linkage_type));
    js_set(object, "subtype", js_uint(directory->linkage_subtype));
    js_set(object, "offset", js_uint(directory->linkage_off));
    js_set(object, "size", js_uint(directory->linkage_size));
    return object;
}

static void set_later_fields(json_t *object, const struct codesig_directory *directory)
{
    bool has_exec = directory->version >= 0x20400;
    js_set(object, "exec_base", since(directory, 0x20400, directory->exec_base));
    js_set(object, "exec_limit", since(directory, 0x20400, directory->exec_limit));
    js_set(object, "exec_flags", since(directory, 0x20400, directory->exec_flags));
    js_set(object, "exec_flag_names",
           bit_names(has_exec ? directory->exec_flags : 0, describe_exec_flag));
    js_set(object, "runtime", since(directory, 0x20500, directory->runtime));
    js_set(object, "runtime_version",
           directory->runtime != 0 ? describe_version_json(directory->runtime) : json_null());
    js_set(object, "pre_encrypt_offset", since(directory, 0x20500, directory->pre_encrypt_off));
    js_set(object, "linkage",
           directory->version >= 0x20600 ? linkage_json(directory) : json_null());
}

static json_t *directory_json(const struct codesig_directory *directory)
{
    char cdhash[CDHASH_HEX];
    json_t *object = js_object();
    text_hex(cdhash, directory->cdhash, CDHASH_LEN);
    js_set(object, "slot", js_uint(directory->slot));
    js_set(object, "version", js_printf("0x%" PRIx32, directory->version));
    js_set(object, "offset", js_uint(directory->offset));
    js_set(object, "size", js_uint(directory->bytes.len));
    js_set(object, "identifier", js_text(directory->identifier));
    js_set(object, "team", js_text(directory->team));
    js_set(object, "flags", js_uint(directory->flags));
    js_set(object, "flag_names", bit_names(directory->flags, describe_signature_flag));
    js_set(object, "hash_type", js_text(codesig_hash_name(directory->hash_type)));
    js_set(object, "page_size", page_size(directory));
    js_set(object, "code_slots", js_uint(directory->code_count));
    js_set(object, "special_slots", js_uint(directory->special_count));
    js_set(object, "code_limit", js_uint(codesig_code_limit(directory)));
    js_set(object, "platform", js_uint(directory->platform));
    js_set(object, "scatter_offset", since(directory, 0x20100, directory->scatter_off));
    set_later_fields(object, directory);
    js_set(object, "cdhash", js_text(cdhash));
    js_set(object, "special_hashes", slot_hashes(directory));
    return object;
}

static json_t *blobs_json(const struct codesig *parsed)
{
    json_t *list = js_array();
    for (size_t i = 0; i < parsed->blob_count; i++) {
        const struct codesig_blob *blob = &parsed->blobs[i];
        json_t *object = js_object();
        js_set(object, "slot", js_uint(blob->slot));
        js_set(object, "name", js_text(describe_slot_name(blob->slot)));
        js_set(object, "magic", js_printf("0x%08" PRIx32, blob->magic));
        js_set(object, "offset", js_uint(blob->offset));
        js_set(object, "size", js_uint(blob->bytes.len));
        js_push(list, object);
    }
    return list;
}

static json_t *requirements_json(const struct description_signature *signature)
{
    json_t *list = js_array();
    for (size_t i = 0; i < signature->requirement_count; i++) {
        const struct description_requirement *requirement = &signature->requirements[i];
        const char *type = requirement_type_name(requirement->type);
        json_t *object = js_object();
        js_set(object, "type",
               type != NULL ? js_text(type) : js_printf("%" PRIu32, requirement->type));
        js_set(object, "text", js_text(buf_text(&requirement->text)));
        js_push(list, object);
    }
    return list;
}

static json_t *list_json(const struct description_signature *signature, size_t list)
{
    return signature->has_list[list] ? plist_json(&signature->lists[list]) : json_null();
}

static void set_content(json_t *object, const struct description_signature *signature)
{
    json_t *constraints = js_object();
    js_set(constraints, "self", list_json(signature, LIST_CONSTRAINT_SELF));
    js_set(constraints, "parent", list_json(signature, LIST_CONSTRAINT_PARENT));
    js_set(constraints, "responsible", list_json(signature, LIST_CONSTRAINT_RESPONSIBLE));
    js_set(constraints, "library", list_json(signature, LIST_CONSTRAINT_LIBRARY));
    js_set(object, "entitlements", list_json(signature, LIST_ENTITLEMENTS));
    js_set(object, "entitlements_der", list_json(signature, LIST_ENTITLEMENTS_DER));
    js_set(object, "launch_constraints", constraints);
    js_set(object, "requirements",
           signature->has_requirements || signature->requirement_count != 0
               ? requirements_json(signature)
               : json_null());
    describe_set_cms(object, signature);
}

static void set_best(json_t *object, const struct codesig_directory *best)
{
    js_set(object, "identifier", js_text(best != NULL ? best->identifier : NULL));
    js_set(object, "team", js_text(best != NULL ? best->team : NULL));
    js_set(object, "flags", best != NULL ? js_uint(best->flags) : json_null());
    js_set(object, "flag_names",
           bit_names(best != NULL ? best->flags : 0, describe_signature_flag));
    js_set(object, "page_size", best != NULL ? page_size(best) : json_null());
}

json_t *describe_signature_json(const struct description_slice *slice)
{
    const struct description_signature *signature = &slice->signature;
    const struct codesig *parsed = &signature->parsed;
    const struct codesig_directory *best = codesig_best(parsed);
    const struct image_range *range = &slice->image.code_signature;
    bool there = slice->has_image && image_has(range);
    char cdhash[CDHASH_HEX];
    json_t *object = js_object();
    json_t *hashes = js_array();
    json_t *directories = js_array();
    js_set(object, "kind", js_text(codesig_kind_name(codesig_kind(parsed))));
    js_set(object, "valid", js_bool(there && signature->findings.error_count == 0));
    set_best(object, best);
    for (size_t i = 0; i < parsed->directory_count; i++) {
        js_push(hashes, js_text(codesig_hash_name(parsed->directories[i].hash_type)));
        js_push(directories, directory_json(&parsed->directories[i]));
    }
    if (best != NULL)
        text_hex(cdhash, best->cdhash, CDHASH_LEN);
    js_set(object, "hash_types", hashes);
    js_set(object, "cdhash", js_text(best != NULL ? cdhash : NULL));
    js_set(object, "offset", there ? js_uint(range->offset) : json_null());
    js_set(object, "size", there ? js_uint(range->size) : json_null());
    js_set(object, "length", js_uint(parsed->super_blob.len));
    js_set(object, "directories", directories);
    js_set(object, "blobs", blobs_json(parsed));
    set_content(object, signature);
    js_set(object, "findings", js_findings(&signature->findings));
    return object;
}
