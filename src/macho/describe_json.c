#include <inttypes.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

json_t *describe_version_json(uint32_t version)
{
    char text[MACHO_VERSION_MAX];
    macho_version_text(text, version);
    return js_text(text);
}

/* A version that is 0 is not stated. */
static json_t *stated_version(uint32_t version)
{
    return version != 0 ? describe_version_json(version) : json_null();
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
        js_set(object, "version", describe_version_json(tool->version));
        js_push(list, object);
    }
    return list;
}

static json_t *command_json(const struct image *image, uint32_t command)
{
    uint32_t cmd = image->commands[command].cmd;
    return name_or_number(macho_command_name(cmd), cmd);
}

static json_t *builds_json(const struct image *image)
{
    json_t *list = js_array();
    for (uint32_t i = 0; i < image->build_count; i++) {
        const struct image_build *build = &image->builds[i];
        json_t *object = js_object();
        js_set(object, "platform",
               name_or_number(macho_platform_name(build->platform), build->platform));
        js_set(object, "platform_number", js_uint(build->platform));
        js_set(object, "command", command_json(image, build->command));
        js_set(object, "minos", describe_version_json(build->min_os));
        js_set(object, "sdk", stated_version(build->sdk));
        js_set(object, "tools", tools_json(image, build));
        js_push(list, object);
    }
    return list;
}

static json_t *commands_json(const struct image *image)
{
    json_t *object = js_object();
    json_t *list = js_array();
    for (uint32_t i = 0; i < image->command_count; i++) {
        json_t *command = js_object();
        js_set(command, "name", command_json(image, i));
        js_set(command, "offset", js_uint(image->commands[i].offset));
        js_set(command, "size", js_uint(image->commands[i].size));
        js_push(list, command);
    }
    js_set(object, "count", js_uint(image->command_count));
    js_set(object, "size", js_uint(image->commands_size));
    js_set(object, "room", js_uint(image_header_room(image)));
    js_set(object, "list", list);
    return object;
}

static json_t *library_json(const struct image_library *library)
{
    if (library->path == NULL)
        return json_null();
    json_t *object = js_object();
    js_set(object, "path", js_text(library->path));
    js_set(object, "kind", js_text(describe_library_kind(library)));
    js_set(object, "delay_init", js_bool((library->use_flags & DYLIB_USE_DELAYED_INIT) != 0));
    js_set(object, "current", describe_version_json(library->current_version));
    js_set(object, "compatibility", describe_version_json(library->compatibility_version));
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

static json_t *fixups_json(const struct description_slice *slice, bool listed)
{
    const struct image *image = &slice->image;
    const struct fixup_list *fixups = &slice->fixups;
    bool there = slice->faults[FAULT_FIXUPS].code == FAIL_NONE;
    bool chained = image_has(&image->chained_fixups) && there;
    struct describe_relocations relocations = describe_relocations(image);
    json_t *object = js_object();
    const struct image_range *range =
        image_has(&image->chained_fixups) ? &image->chained_fixups : &image->dyld_info.rebase;
    js_set(object, "kind", js_text(describe_fixup_kind(image)));
    js_set(object, "command", image_has(range) ? command_json(image, range->command) : json_null());
    js_set(object, "pointer_format", chained ? js_uint(fixups->pointer_format) : json_null());
    js_set(object, "pointer_format_name",
           js_text(chained ? macho_chained_format_name(fixups->pointer_format) : NULL));
    js_set(object, "import_format", chained ? js_uint(fixups->import_format) : json_null());
    js_set(object, "binds", there ? js_uint(fixups->bind_count) : json_null());
    js_set(object, "rebases", there ? js_uint(fixups->rebase_count) : json_null());
    js_set(object, "signed", there ? js_uint(fixups->auth_count) : json_null());
    js_set(object, "external_relocations", js_uint(relocations.external));
    js_set(object, "local_relocations", js_uint(relocations.local));
    js_set(object, "section_relocations", js_uint(relocations.sections));
    if (listed && there)
        js_set(object, "locations", describe_fixups_json(slice));
    return object;
}

static json_t *faults_json(const struct description_slice *slice)
{
    json_t *list = js_array();
    for (size_t i = 0; i < FAULT_COUNT; i++) {
        if (slice->faults[i].code != FAIL_NONE)
            js_push(list, js_printf("%s: %s", describe_fault_name(i), slice->faults[i].message));
    }
    return list;
}

static json_t *range_json(const struct image_range *range)
{
    json_t *object = js_object();
    js_set(object, "offset", js_uint(range->offset));
    js_set(object, "size", js_uint(range->size));
    return object;
}

static json_t *encryption_json(const struct image *image)
{
    if (!image_has(&image->encryption.range))
        return json_null();
    json_t *object = range_json(&image->encryption.range);
    js_set(object, "kind", js_uint(image->encryption.crypt_id));
    return object;
}

static json_t *entry_json(const struct image *image)
{
    if (!image->has_main)
        return json_null();
    json_t *object = js_object();
    js_set(object, "offset", js_uint(image->main_offset));
    js_set(object, "stack_size", js_uint(image->main_stack_size));
    return object;
}

static void set_cpu(json_t *object, uint32_t cputype, uint32_t cpusubtype)
{
    char text[MACHO_CAPS_MAX];
    macho_caps_text(text, cputype, cpusubtype);
    js_set(object, "cputype", js_uint(cputype));
    js_set(object, "cpusubtype", js_uint(cpusubtype & ~CPU_SUBTYPE_MASK));
    js_set(object, "capability_bits", js_uint(cpusubtype >> 24));
    js_set(object, "capabilities", js_text(text));
}

static void set_header(json_t *object, const struct image *image)
{
    char text[MACHO_FLAGS_MAX];
    js_set(object, "bits", js_uint(image->is64 ? 64 : 32));
    js_set(object, "byte_order", js_text(image->order == BIG_ENDIAN_BYTES ? "big" : "little"));
    js_set(object, "filetype",
           name_or_number(macho_filetype_name(image->filetype), image->filetype));
    macho_flags_text(text, image->flags);
    js_set(object, "flags", js_text(text));
    js_set(object, "flag_bits", js_uint(image->flags));
    js_set(object, "load_commands", commands_json(image));
}

/* That of the first build, or null for an image that states none. */
static void set_platform(json_t *object, const struct image *image)
{
    bool stated = image->build_count != 0;
    struct image_build build = stated ? image->builds[0] : (struct image_build){0};
    js_set(object, "platform",
           stated ? name_or_number(macho_platform_name(build.platform), build.platform)
                  : json_null());
    js_set(object, "minos", stated ? describe_version_json(build.min_os) : json_null());
    js_set(object, "sdk", stated ? stated_version(build.sdk) : json_null());
    js_set(object, "minos_command", stated ? command_json(image, build.command) : json_null());
}

static void set_identity(json_t *object, const struct image *image)
{
    char uuid[UUID_TEXT_MAX];
    char source[MACHO_SOURCE_VERSION_MAX];
    describe_uuid(uuid, image->uuid);
    macho_source_version_text(source, image->source_version);
    set_platform(object, image);
    js_set(object, "builds", builds_json(image));
    js_set(object, "uuid", js_text(image->has_uuid ? uuid : NULL));
    js_set(object, "source_version", js_text(image->has_source_version ? source : NULL));
    js_set(object, "dynamic_linker", js_text(image->dylinker));
    js_set(object, "entry_point", entry_json(image));
    js_set(object, "encryption", encryption_json(image));
}

static void set_image(json_t *object, const struct description_slice *slice,
                      const struct describe_options *options)
{
    const struct image *image = &slice->image;
    set_header(object, image);
    set_identity(object, image);
    js_set(object, "install_name", library_json(&image->id));
    js_set(object, "libraries", libraries_json(image));
    js_set(object, "rpaths", rpaths_json(image));
    js_set(object, "fixups", fixups_json(slice, options->fixups));
    describe_set_tables(object, slice, options->symbols);
}

/* A slice that is no image, or could not be read as one: what every slice has. */
static void set_no_image(json_t *object, const struct description_slice *slice)
{
    js_set(object, "filetype", js_text(slice->is_archive ? "archive" : NULL));
    js_set(object, "minos", json_null());
    js_set(object, "sdk", json_null());
    js_set(object, "uuid", json_null());
    if (slice->is_archive)
        js_set(object, "members", describe_members_json(&slice->archive));
}

static json_t *slice_json(const struct description *description,
                          const struct description_slice *slice)
{
    const struct image *image = &slice->image;
    uint32_t cputype = slice->has_image ? image->cputype : slice->where->cputype;
    uint32_t cpusubtype = slice->has_image ? image->cpusubtype : slice->where->cpusubtype;
    bool has_arch = slice->has_image || description->fat.is_fat ||
                    ar_arch(&cputype, &cpusubtype, &slice->archive);
    char arch[MACHO_ARCH_MAX];
    json_t *object = js_object();
    macho_arch_text(arch, cputype, cpusubtype);
    js_set(object, "arch", js_text(has_arch ? arch : NULL));
    if (has_arch)
        set_cpu(object, cputype, cpusubtype);
    else
        js_set(object, "cpusubtype", json_null());
    js_set(object, "offset", js_uint(slice->where->offset));
    js_set(object, "size", js_uint(slice->where->size));
    js_set(object, "align",
           description->fat.is_fat ? js_uint(slice->where->align_log2) : json_null());
    if (slice->has_image)
        set_image(object, slice, &description->options);
    else
        set_no_image(object, slice);
    js_set(object, "signature",
           slice->has_image || slice->is_archive ? describe_signature_json(slice) : json_null());
    js_set(object, "faults", faults_json(slice));
    return object;
}

static const char *format_name(const struct description *description)
{
    if (description->fat.is_fat)
        return description->fat.is64 ? "universal64" : "universal";
    return description->slices[0].is_archive ? "archive" : "thin";
}

json_t *describe_json(const struct description *description)
{
    json_t *object = js_object();
    json_t *slices = js_array();
    for (uint32_t i = 0; i < description->fat.slice_count; i++)
        js_push(slices, slice_json(description, &description->slices[i]));
    js_set(object, "path", js_text(description->path));
    js_set(object, "sha256", js_text(description->sha256));
    js_set(object, "size", js_uint(description->file.len));
    js_set(object, "format", js_text(format_name(description)));
    js_set(object, "universal", js_bool(description->fat.is_fat));
    js_set(object, "slices", slices);
    return object;
}
