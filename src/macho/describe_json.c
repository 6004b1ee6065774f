#include <inttypes.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

/* A version as text; JSON null for `absent`. */
static json_t *version(bool there, uint32_t value)
{
    char text[MACHO_VERSION_MAX];
    macho_version_text(text, value);
    return there ? js_text(text) : json_null();
}

/* The name of a number, or the number as text. */
static json_t *name_or_number(const char *name, uint32_t number)
{
    return name != NULL ? js_text(name) : js_printf("0x%" PRIx32, number);
}

static json_t *tools_json(const struct image *image, const struct image_build *build)
{
    json_t *list = js_array();
    for (uint32_t i = 0; i < build->tool_count; i++) {
        const struct image_tool *tool = &image->tools[build->first_tool + i];
        json_t *object = js_object();
        js_set(object, "tool", js_uint(tool->tool));
        js_set(object, "name", js_text(macho_tool_name(tool->tool)));
        js_set(object, "version", version(true, tool->version));
        js_push(list, object);
    }
    return list;
}

static json_t *builds_json(const struct image *image)
{
    json_t *list = js_array();
    for (uint32_t i = 0; i < image->build_count; i++) {
        const struct image_build *build = &image->builds[i];
        json_t *object = js_object();
        js_set(object, "platform",
               name_or_number(macho_platform_name(build->platform), build->platform));
        js_set(object, "command",
               js_text(build->is_version_min ? "LC_VERSION_MIN" : "LC_BUILD_VERSION"));
        js_set(object, "minos", version(true, build->min_os));
        js_set(object, "sdk", version(build->sdk != 0, build->sdk));
        js_set(object, "tools", tools_json(image, build));
        js_push(list, object);
    }
    return list;
}

static json_t *library_json(const struct image_library *library)
{
    const char *kind = describe_library_kind(library->kind);
    json_t *object = js_object();
    if (library->path == NULL) {
        json_decref(object);
        return json_null();
    }
    js_set(object, "path", js_text(library->path));
    js_set(object, "kind", js_text(kind[0] == '\0' ? "load" : kind));
    js_set(object, "current", version(true, library->current_version));
    js_set(object, "compatibility", version(true, library->compatibility_version));
    return object;
}

static json_t *libraries_json(const struct image *image)
{
    json_t *list = js_array();
    for (uint32_t i = 0; i < image->library_count; i++)
        js_push(list, library_json(&image->libraries[i]));
    return list;
}

static json_t *rpaths_json(const struct image *image)
{
    json_t *list = js_array();
    for (uint32_t i = 0; i < image->rpath_count; i++)
        js_push(list, js_text(image->rpaths[i].path));
    return list;
}

static json_t *section_json(const struct image_section *section)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(section->name));
    js_set(object, "segment", js_text(section->segment));
    js_set(object, "address", js_uint(section->address));
    js_set(object, "size", js_uint(section->size));
    js_set(object, "offset", section->has_data ? js_uint(section->offset) : json_null());
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
    return object;
}

static json_t *export_json(const struct symbol *symbol)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(symbol->name));
    js_set(object, "address", symbol->reexport ? json_null() : js_uint(symbol->address));
    js_set(object, "weak", js_bool(symbol->weak));
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

static json_t *fixups_json(const struct description_slice *slice)
{
    const struct fixup_list *fixups = &slice->fixups;
    json_t *object = js_object();
    js_set(object, "kind", js_text(describe_fixup_kind(&slice->image)));
    if (slice->fixups_fault.code != FAIL_NONE)
        return object;
    if (image_has(&slice->image.chained_fixups)) {
        js_set(object, "pointer_format", js_uint(fixups->pointer_format));
        js_set(object, "pointer_format_name",
               js_text(macho_chained_format_name(fixups->pointer_format)));
        js_set(object, "import_format", js_uint(fixups->import_format));
        js_set(object, "binds", js_uint(slice->bind_count));
        js_set(object, "rebases", js_uint(fixups->count - slice->bind_count));
        js_set(object, "signed", js_uint(slice->auth_count));
    }
    return object;
}

static void set_symbols(json_t *object, const struct description_slice *slice, bool listed)
{
    bool there = slice->symbols_fault.code == FAIL_NONE;
    js_set(object, "import_count", there ? js_uint(slice->imports.count) : json_null());
    js_set(object, "export_count", there ? js_uint(slice->exports.count) : json_null());
    js_set(object, "local_count", there ? js_uint(slice->locals.count) : json_null());
    if (!listed)
        return;
    if (there) {
        js_set(object, "imports", symbols_json(&slice->imports, import_json));
        js_set(object, "exports", symbols_json(&slice->exports, export_json));
        js_set(object, "locals", symbols_json(&slice->locals, export_json));
    }
    if (slice->objc_fault.code == FAIL_NONE) {
        js_set(object, "classes", texts_json(&slice->classes));
        js_set(object, "selectors", texts_json(&slice->selectors));
    }
}

static void set_faults(json_t *object, const struct description_slice *slice)
{
    const struct fail *faults[] = {&slice->symbols_fault, &slice->fixups_fault, &slice->objc_fault};
    json_t *list = js_array();
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (faults[i]->code != FAIL_NONE)
            js_push(list, js_text(faults[i]->message));
    }
    js_set(object, "faults", list);
}

static void set_header(json_t *object, const struct image *image)
{
    const struct image_build *build = image->build_count == 0 ? NULL : &image->builds[0];
    char text[MACHO_FLAGS_MAX];
    char uuid[UUID_TEXT_MAX];
    describe_uuid(uuid, image->uuid);
    macho_caps_text(text, image->cputype, image->cpusubtype);
    js_set(object, "cputype", js_uint(image->cputype));
    js_set(object, "cpusubtype", js_uint(image->cpusubtype & ~CPU_SUBTYPE_MASK));
    js_set(object, "capability_bits", js_uint(image->cpusubtype >> 24));
    js_set(object, "capabilities", js_text(text));
    js_set(object, "bits", js_uint(image->is64 ? 64 : 32));
    js_set(object, "byte_order", js_text(image->order == BIG_ENDIAN_BYTES ? "big" : "little"));
    js_set(object, "filetype",
           name_or_number(macho_filetype_name(image->filetype), image->filetype));
    macho_flags_text(text, image->flags);
    js_set(object, "flags", js_text(text));
    js_set(object, "platform",
           build == NULL ? json_null()
                         : name_or_number(macho_platform_name(build->platform), build->platform));
    js_set(object, "minos", build == NULL ? json_null() : version(true, build->min_os));
    js_set(object, "sdk", build == NULL ? json_null() : version(build->sdk != 0, build->sdk));
    js_set(object, "uuid", js_text(image->has_uuid ? uuid : NULL));
}

static json_t *slice_json(const struct description_slice *slice, bool symbols)
{
    const struct image *image = &slice->image;
    char arch[MACHO_ARCH_MAX];
    json_t *object = js_object();
    macho_arch_text(arch, image->cputype, image->cpusubtype);
    js_set(object, "arch", js_text(arch));
    js_set(object, "offset", js_uint(slice->where->offset));
    js_set(object, "size", js_uint(slice->where->data.len));
    set_header(object, image);
    js_set(object, "builds", builds_json(image));
    js_set(object, "install_name", library_json(&image->id));
    js_set(object, "libraries", libraries_json(image));
    js_set(object, "rpaths", rpaths_json(image));
    js_set(object, "fixups", fixups_json(slice));
    set_symbols(object, slice, symbols);
    js_set(object, "segments", segments_json(image));
    js_set(object, "signature", describe_signature_json(slice));
    set_faults(object, slice);
    return object;
}

json_t *describe_json(const struct description *description, bool symbols)
{
    json_t *object = js_object();
    json_t *slices = js_array();
    for (uint32_t i = 0; i < description->fat.slice_count; i++)
        js_push(slices, slice_json(&description->slices[i], symbols));
    js_set(object, "path", js_text(description->path));
    js_set(object, "sha256", js_text(description->sha256));
    js_set(object, "size", js_uint(description->file.len));
    js_set(object, "universal", js_bool(description->fat.is_fat));
    js_set(object, "slices", slices);
    return object;
}
