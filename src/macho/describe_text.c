#include <inttypes.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

void describe_label(struct buf *out, const char *label)
{
    buf_printf(out, "  %-*s", DESCRIBE_INDENT - 2, label);
    if (strlen(label) >= DESCRIBE_INDENT - 2)
        buf_putc(out, ' ');
}

void describe_line(struct buf *out, const char *label, const char *name)
{
    if (name == NULL)
        return;
    describe_label(out, label);
    describe_put_name(out, name);
    buf_putc(out, '\n');
}

void describe_put_name(struct buf *out, const char *name)
{
    own_mem char *clean = text_clean(name);
    buf_puts(out, clean);
}

/* Characters, by the bytes of UTF-8 that begin one. */
static size_t columns(const char *clean)
{
    size_t count = 0;
    for (const unsigned char *p = (const unsigned char *)clean; *p != '\0'; p++)
        count += (*p & 0xc0) != 0x80;
    return count;
}

size_t describe_width(const char *name)
{
    own_mem char *clean = text_clean(name);
    return columns(clean);
}

void describe_put_padded(struct buf *out, const char *name, size_t width)
{
    own_mem char *clean = text_clean(name);
    buf_puts(out, clean);
    for (size_t used = columns(clean); used < width; used++)
        buf_putc(out, ' ');
}

void describe_put_size(struct buf *out, uint64_t size)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    uint64_t tenths = size;
    size_t unit = 0;
    buf_printf(out, "%" PRIu64 " byte%s", size, size == 1 ? "" : "s");
    if (size < 10240)
        return;
    /* One digit behind the point; never more than four in front of it. */
    for (unsigned shift = 10; size >> shift >= 1024; shift += 10)
        unit++;
    tenths = (size >> (10 * unit)) * 10 / 1024;
    buf_printf(out, " (%" PRIu64 ".%" PRIu64 " %s)", tenths / 10, tenths % 10, units[unit]);
}

void describe_put_bits(struct buf *out, uint64_t bits, const char *(*name)(unsigned))
{
    bool first = true;
    for (unsigned bit = 0; bit < 64; bit++) {
        if ((bits & UINT64_C(1) << bit) == 0)
            continue;
        buf_puts(out, first ? " (" : ", ");
        if (name(bit) != NULL)
            buf_puts(out, name(bit));
        else
            buf_printf(out, "0x%" PRIx64, UINT64_C(1) << bit);
        first = false;
    }
    buf_puts(out, first ? "" : ")");
}

bool describe_put_fault(struct buf *out, const struct description_slice *slice, size_t fault)
{
    if (slice->faults[fault].code == FAIL_NONE)
        return false;
    buf_puts(out, "cannot be read: ");
    describe_put_name(out, slice->faults[fault].message);
    buf_putc(out, '\n');
    return true;
}

static void put_header(struct buf *out, const struct image *image)
{
    const char *type = macho_filetype_name(image->filetype);
    char text[MACHO_FLAGS_MAX];
    char caps[MACHO_CAPS_MAX];
    macho_arch_text(text, image->cputype, image->cpusubtype);
    macho_caps_text(caps, image->cputype, image->cpusubtype);
    describe_label(out, "architecture");
    buf_printf(out, "%s (cputype 0x%" PRIx32 ", cpusubtype 0x%" PRIx32 "%s%s; %d-bit, %s-endian)\n",
               text, image->cputype, image->cpusubtype, caps[0] == '\0' ? "" : ", capabilities ",
               caps, image->is64 ? 64 : 32, image->order == BIG_ENDIAN_BYTES ? "big" : "little");
    describe_label(out, "file type");
    if (type != NULL)
        buf_printf(out, "%s\n", type);
    else
        buf_printf(out, "0x%" PRIx32 "\n", image->filetype);
    macho_flags_text(text, image->flags);
    describe_line(out, "flags", text[0] == '\0' ? "none" : text);
    describe_label(out, "load commands");
    buf_printf(out, "%" PRIu32 " (%" PRIu64 " bytes, room for %" PRIu64 " more)\n",
               image->command_count, image->commands_size, image_header_room(image));
}

static void put_tools(struct buf *out, const struct image *image, const struct image_build *build)
{
    for (uint32_t k = 0; k < build->tool_count; k++) {
        const struct image_tool *tool = &image->tools[build->first_tool + k];
        const char *name = macho_tool_name(tool->tool);
        char version[MACHO_VERSION_MAX];
        macho_version_text(version, tool->version);
        describe_label(out, k == 0 ? "tools" : "");
        if (name != NULL)
            buf_printf(out, "%s %s\n", name, version);
        else
            buf_printf(out, "tool %" PRIu32 " %s\n", tool->tool, version);
    }
}

static void put_builds(struct buf *out, const struct image *image)
{
    for (uint32_t i = 0; i < image->build_count; i++) {
        const struct image_build *build = &image->builds[i];
        const char *name = macho_platform_name(build->platform);
        char version[MACHO_VERSION_MAX];
        describe_label(out, "platform");
        if (name != NULL)
            buf_puts(out, name);
        else
            buf_printf(out, "platform %" PRIu32, build->platform);
        macho_version_text(version, build->min_os);
        buf_printf(out, " %s", version);
        macho_version_text(version, build->sdk);
        buf_printf(out, ", SDK %s (%s)\n", build->sdk == 0 ? "not stated" : version,
                   macho_command_name(image->commands[build->command].cmd));
        put_tools(out, image, build);
    }
}

static void put_identity(struct buf *out, const struct image *image)
{
    char uuid[UUID_TEXT_MAX];
    char source[MACHO_SOURCE_VERSION_MAX];
    if (image->has_source_version) {
        macho_source_version_text(source, image->source_version);
        describe_line(out, "source version", source);
    }
    describe_uuid(uuid, image->uuid);
    describe_line(out, "uuid", image->has_uuid ? uuid : "none");
    describe_line(out, "dynamic linker", image->dylinker);
    if (image->has_main) {
        describe_label(out, "entry point");
        buf_printf(out, "offset 0x%" PRIx64, image->main_offset);
        if (image->main_stack_size != 0)
            buf_printf(out, ", stack of %" PRIu64 " bytes", image->main_stack_size);
        buf_putc(out, '\n');
    }
    if (image_has(&image->encryption.range)) {
        describe_label(out, "encryption");
        buf_printf(out, "kind %" PRIu32 "%s, %" PRIu64 " bytes at offset %" PRIu64 "\n",
                   image->encryption.crypt_id, image->encryption.crypt_id == 0 ? " (none)" : "",
                   image->encryption.range.size, image->encryption.range.offset);
    }
}

static void put_library(struct buf *out, const struct image_library *library, size_t width)
{
    char current[MACHO_VERSION_MAX];
    char compatibility[MACHO_VERSION_MAX];
    const char *kind = describe_library_kind(library);
    bool plain = library->kind == LIBRARY_ID || strcmp(kind, "load") == 0;
    describe_put_padded(out, library->path, width);
    macho_version_text(current, library->current_version);
    macho_version_text(compatibility, library->compatibility_version);
    buf_printf(out, "  current %s, compatibility %s%s%s%s\n", current, compatibility,
               plain ? "" : ", ", plain ? "" : kind,
               (library->use_flags & DYLIB_USE_DELAYED_INIT) != 0 ? ", delay-init" : "");
}

static void put_libraries(struct buf *out, const struct image *image)
{
    size_t width = 0;
    if (image->id.path != NULL) {
        describe_label(out, "install name");
        put_library(out, &image->id, 0);
    }
    for (uint32_t i = 0; i < image->library_count; i++) {
        size_t len = describe_width(image->libraries[i].path);
        width = len > width && len <= 100 ? len : width;
    }
    for (uint32_t i = 0; i < image->library_count; i++) {
        describe_label(out, i == 0 ? "libraries" : "");
        put_library(out, &image->libraries[i], width);
    }
    for (uint32_t i = 0; i < image->rpath_count; i++)
        describe_line(out, i == 0 ? "rpaths" : "", image->rpaths[i].path);
}

static void put_relocations(struct buf *out, const struct image *image)
{
    struct describe_relocations relocations = describe_relocations(image);
    if (relocations.external == 0 && relocations.local == 0 && relocations.sections == 0) {
        buf_puts(out, "none\n");
        return;
    }
    buf_printf(out,
               "relocations: %" PRIu32 " external, %" PRIu32 " local, %" PRIu64 " of sections\n",
               relocations.external, relocations.local, relocations.sections);
}

/* How many, of chains and of opcodes. */
static void put_fixup_counts(struct buf *out, const struct fixup_list *fixups)
{
    buf_printf(out, ": %zu bind%s, %zu rebase%s", fixups->bind_count,
               fixups->bind_count == 1 ? "" : "s", fixups->rebase_count,
               fixups->rebase_count == 1 ? "" : "s");
    if (fixups->auth_count != 0)
        buf_printf(out, ", %zu of them signed", fixups->auth_count);
    buf_putc(out, '\n');
}

static void put_fixups(struct buf *out, const struct description_slice *slice)
{
    const struct fixup_list *fixups = &slice->fixups;
    const struct image *image = &slice->image;
    const struct image_range *opcodes = &image->dyld_info.rebase;
    const char *name = macho_chained_format_name(fixups->pointer_format);
    describe_label(out, "fix-ups");
    if (describe_put_fault(out, slice, FAULT_FIXUPS))
        return;
    if (image_has(&image->chained_fixups)) {
        buf_puts(out, "chained");
        if (fixups->pointer_format != 0)
            buf_printf(out, ", pointer format %" PRIu32 " (%s)", fixups->pointer_format,
                       name == NULL ? "unknown" : name);
        if (fixups->import_format != 0)
            buf_printf(out, ", import format %" PRIu32, fixups->import_format);
        put_fixup_counts(out, fixups);
    } else if (image_has(opcodes)) {
        buf_printf(out, "opcodes (%s)", macho_command_name(image->commands[opcodes->command].cmd));
        put_fixup_counts(out, fixups);
    } else {
        put_relocations(out, image);
    }
}

static void put_slice(struct buf *out, const struct description_slice *slice, bool symbols)
{
    if (slice->is_archive)
        describe_put_members(out, slice);
    if (slice->faults[FAULT_SLICE].code != FAIL_NONE) {
        describe_label(out, slice->is_archive ? "archive" : "slice");
        describe_put_fault(out, slice, FAULT_SLICE);
    }
    if (!slice->has_image)
        return;
    put_header(out, &slice->image);
    put_builds(out, &slice->image);
    put_identity(out, &slice->image);
    put_libraries(out, &slice->image);
    put_fixups(out, slice);
    describe_put_fixups(out, slice);
    describe_put_symbols(out, slice, symbols);
    describe_put_segments(out, &slice->image);
    describe_put_signature(out, slice);
}

static void put_universal(struct buf *out, const struct description *description)
{
    const struct fat *fat = &description->fat;
    buf_printf(out, "universal (%s-bit table), %" PRIu32 " slice%s:", fat->is64 ? "64" : "32",
               fat->slice_count, fat->slice_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, fat->slices[i].cputype, fat->slices[i].cpusubtype);
        buf_printf(out, "%s %s", i == 0 ? "" : ",", arch);
    }
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        const struct fat_slice *where = &fat->slices[i];
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, where->cputype, where->cpusubtype);
        buf_printf(out, "\n  slice %" PRIu32 " of %" PRIu32 ": %s\n", i + 1, fat->slice_count,
                   arch);
        describe_label(out, "place");
        describe_put_size(out, where->size);
        buf_printf(out, " at offset %" PRIu64 ", alignment 2^%" PRIu32 "\n", where->offset,
                   where->align_log2);
        put_slice(out, &description->slices[i], description->options.symbols);
    }
}

void describe_text(struct buf *out, const struct description *description)
{
    describe_put_name(out, description->path);
    buf_putc(out, '\n');
    describe_label(out, "size");
    describe_put_size(out, description->file.len);
    buf_putc(out, '\n');
    describe_line(out, "sha256", description->options.judge ? description->sha256 : NULL);
    describe_label(out, "format");
    if (description->fat.is_fat) {
        buf_puts(out, "Mach-O, ");
        put_universal(out, description);
        return;
    }
    buf_puts(out, description->slices[0].is_archive ? "static archive\n" : "Mach-O, thin\n");
    put_slice(out, &description->slices[0], description->options.symbols);
}
