#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

#define LABEL_WIDTH 15

void describe_label(struct buf *out, const char *label)
{
    buf_printf(out, "  %-*s", LABEL_WIDTH, label);
}

/* A further line of the value above. */
static void next_line(struct buf *out)
{
    describe_label(out, "");
}

/* Appends blanks up to `width` characters behind `start`. */
static void pad(struct buf *out, size_t start, size_t width)
{
    while (out->len - start < width)
        buf_putc(out, ' ');
}

static size_t escaped_len(const char *name)
{
    size_t len = 0;
    for (const unsigned char *p = (const unsigned char *)name; *p != '\0'; p++)
        len += *p < 0x20 || *p == 0x7f ? 4 : 1;
    return len;
}

static void put_arch(struct buf *out, const struct image *image)
{
    char arch[MACHO_ARCH_MAX];
    char caps[MACHO_CAPS_MAX];
    macho_arch_text(arch, image->cputype, image->cpusubtype);
    macho_caps_text(caps, image->cputype, image->cpusubtype);
    describe_label(out, "architecture");
    buf_printf(out, "%s (cputype 0x%" PRIx32 ", cpusubtype 0x%" PRIx32 "%s%s; %d-bit, %s-endian)\n",
               arch, image->cputype, image->cpusubtype, caps[0] == '\0' ? "" : ", ", caps,
               image->is64 ? 64 : 32, image->order == BIG_ENDIAN_BYTES ? "big" : "little");
}

static void put_header(struct buf *out, const struct image *image)
{
    const char *type = macho_filetype_name(image->filetype);
    char flags[MACHO_FLAGS_MAX];
    macho_flags_text(flags, image->flags);
    put_arch(out, image);
    describe_label(out, "file type");
    if (type != NULL)
        buf_printf(out, "%s\n", type);
    else
        buf_printf(out, "0x%" PRIx32 "\n", image->filetype);
    describe_label(out, "flags");
    buf_printf(out, "%s\n", flags[0] == '\0' ? "none" : flags);
    describe_label(out, "load commands");
    buf_printf(out, "%" PRIu32 " (%" PRIu64 " bytes, room for %" PRIu64 " more)\n",
               image->command_count, image->commands_size, image_header_room(image));
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
        buf_printf(out, ", SDK %s%s\n", build->sdk == 0 ? "not stated" : version,
                   build->is_version_min ? " (LC_VERSION_MIN)" : "");
        for (uint32_t k = 0; k < build->tool_count; k++) {
            const struct image_tool *tool = &image->tools[build->first_tool + k];
            const char *tool_name = macho_tool_name(tool->tool);
            macho_version_text(version, tool->version);
            describe_label(out, k == 0 ? "tools" : "");
            if (tool_name != NULL)
                buf_printf(out, "%s %s\n", tool_name, version);
            else
                buf_printf(out, "tool %" PRIu32 " %s\n", tool->tool, version);
        }
    }
}

static void put_identity(struct buf *out, const struct image *image)
{
    char uuid[UUID_TEXT_MAX];
    char source[MACHO_SOURCE_VERSION_MAX];
    if (image->has_source_version) {
        macho_source_version_text(source, image->source_version);
        describe_label(out, "source version");
        buf_printf(out, "%s\n", source);
    }
    describe_uuid(uuid, image->uuid);
    describe_label(out, "uuid");
    buf_printf(out, "%s\n", image->has_uuid ? uuid : "none");
    if (image->dylinker != NULL) {
        describe_label(out, "dynamic linker");
        describe_put_name(out, image->dylinker);
        buf_putc(out, '\n');
    }
    if (image->has_main) {
        describe_label(out, "entry point");
        buf_printf(out, "offset 0x%" PRIx64 "\n", image->main_offset);
    }
    if (image->encryption.crypt_id != 0) {
        describe_label(out, "encryption");
        buf_printf(out, "kind %" PRIu32 ", %" PRIu64 " bytes at offset %" PRIu64 "\n",
                   image->encryption.crypt_id, image->encryption.range.size,
                   image->encryption.range.offset);
    }
}

static void put_library(struct buf *out, const struct image_library *library, size_t width)
{
    char current[MACHO_VERSION_MAX];
    char compatibility[MACHO_VERSION_MAX];
    const char *kind = library->kind == LIBRARY_ID ? "" : describe_library_kind(library->kind);
    size_t start = out->len;
    describe_put_name(out, library->path);
    pad(out, start, width);
    macho_version_text(current, library->current_version);
    macho_version_text(compatibility, library->compatibility_version);
    buf_printf(out, "  current %s, compatibility %s%s%s\n", current, compatibility,
               kind[0] == '\0' ? "" : ", ", kind);
}

static void put_libraries(struct buf *out, const struct image *image)
{
    size_t width = 0;
    if (image->id.path != NULL) {
        describe_label(out, "install name");
        put_library(out, &image->id, 0);
    }
    for (uint32_t i = 0; i < image->library_count; i++) {
        size_t len = escaped_len(image->libraries[i].path);
        width = len > width && len <= 100 ? len : width;
    }
    for (uint32_t i = 0; i < image->library_count; i++) {
        describe_label(out, i == 0 ? "libraries" : "");
        put_library(out, &image->libraries[i], width);
    }
    for (uint32_t i = 0; i < image->rpath_count; i++) {
        describe_label(out, i == 0 ? "rpaths" : "");
        describe_put_name(out, image->rpaths[i].path);
        buf_putc(out, '\n');
    }
}

static void put_fault(struct buf *out, const struct fail *fault)
{
    buf_puts(out, "cannot be read: ");
    describe_put_name(out, fault->message);
    buf_putc(out, '\n');
}

static void put_fixups(struct buf *out, const struct description_slice *slice)
{
    const struct fixup_list *fixups = &slice->fixups;
    const char *name = macho_chained_format_name(fixups->pointer_format);
    size_t rebases = fixups->count - slice->bind_count;
    describe_label(out, "fix-ups");
    if (slice->fixups_fault.code != FAIL_NONE) {
        put_fault(out, &slice->fixups_fault);
        return;
    }
    if (!image_has(&slice->image.chained_fixups)) {
        buf_printf(out, "%s\n",
                   image_has(&slice->image.dyld_info.rebase) ? "opcodes (LC_DYLD_INFO)" : "none");
        return;
    }
    buf_puts(out, "chained");
    if (fixups->pointer_format != 0)
        buf_printf(out, ", pointer format %" PRIu32 " (%s)", fixups->pointer_format,
                   name == NULL ? "unknown" : name);
    if (fixups->import_format != 0)
        buf_printf(out, ", import format %" PRIu32, fixups->import_format);
    buf_printf(out, ": %zu bind%s, %zu rebase%s", slice->bind_count,
               slice->bind_count == 1 ? "" : "s", rebases, rebases == 1 ? "" : "s");
    if (slice->auth_count != 0)
        buf_printf(out, ", %zu of them signed", slice->auth_count);
    buf_putc(out, '\n');
}

static void put_import(struct buf *out, const struct symbol *symbol, size_t width)
{
    char origin[SYMBOL_ORIGIN_MAX];
    size_t start = out->len;
    symbols_origin(origin, symbol);
    describe_put_name(out, symbol->name);
    pad(out, start, width);
    buf_puts(out, "  ");
    describe_put_name(out, origin);
    buf_printf(out, "%s%s\n", symbol->weak ? ", weak" : "",
               symbol->sources == SYMBOL_FROM_SYMTAB ? ", symbol table only" : "");
}

static void put_export(struct buf *out, const struct symbol *symbol, size_t width)
{
    size_t start = out->len;
    describe_put_name(out, symbol->name);
    pad(out, start, width);
    if (symbol->reexport) {
        char origin[SYMBOL_ORIGIN_MAX];
        symbols_origin(origin, symbol);
        buf_puts(out, "  from ");
        describe_put_name(out, symbol->import_name);
        buf_puts(out, " of ");
        describe_put_name(out, origin);
    } else {
        buf_printf(out, "  0x%08" PRIx64, symbol->address);
    }
    buf_printf(out, "%s%s%s\n", symbol->weak ? ", weak" : "", symbol->absolute ? ", absolute" : "",
               symbol->thread_local_symbol ? ", thread-local" : "");
}

static void put_symbol_list(struct buf *out, const char *label, const struct symbol_list *list,
                            void (*put)(struct buf *, const struct symbol *, size_t), bool listed)
{
    size_t width = 0;
    describe_label(out, label);
    buf_printf(out, "%zu\n", list->count);
    for (size_t i = 0; listed && i < list->count; i++) {
        size_t len = escaped_len(list->list[i].name);
        width = len > width && len <= 60 ? len : width;
    }
    for (size_t i = 0; listed && i < list->count; i++) {
        next_line(out);
        put(out, &list->list[i], width);
    }
}

static void put_texts(struct buf *out, const char *label, const struct text_list *list, bool listed)
{
    if (list->count == 0)
        return;
    describe_label(out, label);
    buf_printf(out, "%zu\n", list->count);
    for (size_t i = 0; listed && i < list->count; i++) {
        next_line(out);
        describe_put_name(out, list->list[i]);
        buf_putc(out, '\n');
    }
}

static void put_symbols(struct buf *out, const struct description_slice *slice, bool listed)
{
    if (slice->symbols_fault.code != FAIL_NONE) {
        describe_label(out, "symbols");
        put_fault(out, &slice->symbols_fault);
    } else {
        put_symbol_list(out, "imports", &slice->imports, put_import, listed);
        put_symbol_list(out, "exports", &slice->exports, put_export, listed);
        put_symbol_list(out, "local symbols", &slice->locals, put_export, listed);
    }
    if (slice->objc_fault.code != FAIL_NONE) {
        describe_label(out, "selectors");
        put_fault(out, &slice->objc_fault);
        return;
    }
    put_texts(out, "classes", &slice->classes, listed);
    put_texts(out, "selectors", &slice->selectors, listed);
}

/* One row of the table of segments and sections, without the end of the line. */
static void put_row(struct buf *out, const char *name, const char *prefix, uint64_t address,
                    uint64_t size)
{
    next_line(out);
    size_t start = out->len;
    buf_puts(out, prefix);
    describe_put_name(out, name);
    pad(out, start, 20);
    buf_printf(out, " 0x%09" PRIx64 " %11" PRIu64, address, size);
}

static void put_section(struct buf *out, const struct image_section *section)
{
    put_row(out, section->name, "  ", section->address, section->size);
    if (section->has_data)
        buf_printf(out, " %11" PRIu32 "\n", section->offset);
    else
        buf_printf(out, " %11s\n", "-");
}

static void put_segments(struct buf *out, const struct image *image)
{
    if (image->segment_count == 0)
        return;
    describe_label(out, "segments");
    buf_printf(out, "%-20s %11s %11s %11s %11s  %s\n", "name", "address", "size", "offset",
               "in file", "protection");
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        char initial[4];
        char maximum[4];
        macho_protection_text(initial, segment->initial_protection);
        macho_protection_text(maximum, segment->max_protection);
        put_row(out, segment->name[0] == '\0' ? "(no name)" : segment->name, "", segment->address,
                segment->memory_size);
        buf_printf(out, " %11" PRIu64 " %11" PRIu64 "  %s", segment->offset, segment->file_size,
                   initial);
        if (strcmp(initial, maximum) != 0)
            buf_printf(out, " (at most %s)", maximum);
        buf_putc(out, '\n');
        for (uint32_t k = 0; k < segment->section_count; k++)
            put_section(out, &image->sections[segment->first_section + k]);
    }
}

static void put_slice(struct buf *out, const struct description_slice *slice, bool symbols)
{
    put_header(out, &slice->image);
    put_builds(out, &slice->image);
    put_identity(out, &slice->image);
    put_libraries(out, &slice->image);
    put_fixups(out, slice);
    put_symbols(out, slice, symbols);
    put_segments(out, &slice->image);
    describe_signature_text(out, slice);
}

void describe_text(struct buf *out, const struct description *description, bool symbols)
{
    const struct fat *fat = &description->fat;
    describe_put_name(out, description->path);
    buf_putc(out, '\n');
    describe_label(out, "size");
    buf_printf(out, "%" PRIu64 " bytes\n", description->file.len);
    describe_label(out, "sha256");
    buf_printf(out, "%s\n", description->sha256);
    describe_label(out, "format");
    if (!fat->is_fat) {
        buf_puts(out, "Mach-O, thin\n");
        put_slice(out, &description->slices[0], symbols);
        return;
    }
    own_mem char *archs = fat_arch_list(description->file);
    buf_printf(out, "Mach-O, universal (%s-bit table), %" PRIu32 " slice%s: %s\n",
               fat->is64 ? "64" : "32", fat->slice_count, fat->slice_count == 1 ? "" : "s", archs);
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        const struct fat_slice *where = &fat->slices[i];
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, where->cputype, where->cpusubtype);
        buf_printf(out, "\n  slice %" PRIu32 " of %" PRIu32 ": %s\n", i + 1, fat->slice_count,
                   arch);
        describe_label(out, "place");
        buf_printf(out, "%" PRIu64 " bytes at offset %" PRIu64 ", alignment 2^%" PRIu32 "\n",
                   where->data.len, where->offset, where->align_log2);
        put_slice(out, &description->slices[i], symbols);
    }
}
