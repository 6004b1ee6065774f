/* The long tables of a slice as JSON: symbols, segments, members of an archive. */
#include <inttypes.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

static json_t *section_json(const struct image_section *section)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(section->name));
    js_set(object, "segment", js_text(section->segment));
    js_set(object, "address", js_uint(section->address));
    js_set(object, "size", js_uint(section->size));
    js_set(object, "offset", section->has_data ? js_uint(section->offset) : json_null());
    js_set(object, "file_offset", js_uint(section->offset));
    js_set(object, "align", js_uint(section->align_log2));
    js_set(object, "relocations", js_uint(section->relocation_count));
    js_set(object, "flags", js_uint(section->flags));
    return object;
}

static json_t *segments_json(const struct image *image)
{
    json_t *list = js_array();
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        char protection[4];
        json_t *object = js_object();
        json_t *sections = js_array();
        js_set(object, "name", js_text(segment->name));
        js_set(object, "address", js_uint(segment->address));
        js_set(object, "size", js_uint(segment->memory_size));
        js_set(object, "offset", js_uint(segment->offset));
        js_set(object, "file_size", js_uint(segment->file_size));
        macho_protection_text(protection, segment->initial_protection);
        js_set(object, "protection", js_text(protection));
        macho_protection_text(protection, segment->max_protection);
        js_set(object, "max_protection", js_text(protection));
        js_set(object, "flags", js_uint(segment->flags));
        for (uint32_t k = 0; k < segment->section_count; k++)
            js_push(sections, section_json(&image->sections[segment->first_section + k]));
        js_set(object, "sections", sections);
        js_push(list, object);
    }
    return list;
}

static json_t *import_json(const struct symbol *symbol)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(symbol->name));
    js_set(object, "ordinal", json_integer(symbol->ordinal));
    js_set(object, "library", js_text(symbol->library));
    js_set(object, "weak", js_bool(symbol->weak));
    js_set(object, "symbol_table_only", js_bool(symbol->sources == SYMBOL_FROM_SYMTAB));
    return object;
}

static json_t *export_json(const struct symbol *symbol)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(symbol->name));
    js_set(object, "address", symbol->reexport ? json_null() : js_uint(symbol->address));
    js_set(object, "weak", js_bool(symbol->weak));
    js_set(object, "absolute", js_bool(symbol->absolute));
    js_set(object, "thread_local", js_bool(symbol->thread_local_symbol));
    if (symbol->reexport) {
        js_set(object, "import", js_text(symbol->import_name));
        js_set(object, "library", js_text(symbol->library));
    }
    return object;
}

static json_t *symbols_json(const struct symbol_list *list, json_t *(*one)(const struct symbol *))
{
    json_t *array = js_array();
    for (size_t i = 0; i < list->count; i++)
        js_push(array, one(&list->list[i]));
    return array;
}

static json_t *texts_json(const struct text_list *list)
{
    json_t *array = js_array();
    for (size_t i = 0; i < list->count; i++)
        js_push(array, js_text(list->list[i]));
    return array;
}

static void set_symbols(json_t *object, const struct description_slice *slice, bool listed)
{
    bool there = slice->faults[FAULT_SYMBOLS].code == FAIL_NONE;
    js_set(object, "import_count", there ? js_uint(slice->imports.count) : json_null());
    js_set(object, "export_count", there ? js_uint(slice->export_count) : json_null());
    js_set(object, "local_count", there ? js_uint(slice->local_count) : json_null());
    if (!listed)
        return;
    if (there) {
        js_set(object, "imports", symbols_json(&slice->imports, import_json));
        js_set(object, "exports", symbols_json(&slice->exports, export_json));
        js_set(object, "locals", symbols_json(&slice->locals, export_json));
    }
    if (slice->faults[FAULT_OBJC].code == FAIL_NONE && !slice->names_encrypted) {
        js_set(object, "classes", texts_json(&slice->classes));
        js_set(object, "selectors", texts_json(&slice->selectors));
    }
}

void describe_set_tables(json_t *object, const struct description_slice *slice, bool listed)
{
    set_symbols(object, slice, listed);
    js_set(object, "segments", segments_json(&slice->image));
}

static json_t *member_json(const struct ar_member *member)
{
    json_t *object = js_object();
    const char *type = macho_filetype_name(member->filetype);
    char arch[MACHO_ARCH_MAX];
    macho_arch_text(arch, member->cputype, member->cpusubtype);
    js_set(object, "name", js_text(member->name));
    js_set(object, "offset", js_uint(member->offset));
    js_set(object, "size", js_uint(member->size));
    js_set(object, "arch", js_text(member->is_image ? arch : NULL));
    js_set(object, "filetype", js_text(member->is_image ? type : NULL));
    return object;
}

json_t *describe_members_json(const struct ar *ar)
{
    json_t *list = js_array();
    for (size_t i = 0; i < ar->count; i++)
        js_push(list, member_json(&ar->list[i]));
    return list;
}
