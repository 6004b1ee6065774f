/* The long tables of a slice as text: symbols, segments, members of an archive. */
#include <inttypes.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

static void put_import(struct buf *out, const struct symbol *symbol, size_t width)
{
    char origin[SYMBOL_ORIGIN_MAX];
    symbols_origin(origin, symbol);
    describe_put_padded(out, symbol->name, width);
    buf_puts(out, "  ");
    describe_put_name(out, origin);
    buf_printf(out, "%s%s\n", symbol->weak ? ", weak" : "",
               symbol->sources == SYMBOL_FROM_SYMTAB ? ", symbol table only" : "");
}

static void put_export(struct buf *out, const struct symbol *symbol, size_t width)
{
    describe_put_padded(out, symbol->name, width);
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

static void put_list(struct buf *out, const char *label, const struct symbol_list *list,
                     void (*put)(struct buf *, const struct symbol *, size_t))
{
    size_t width = 0;
    describe_label(out, label);
    buf_printf(out, "%zu\n", list->count);
    for (size_t i = 0; i < list->count; i++) {
        size_t len = describe_width(list->list[i].name);
        width = len > width && len <= 60 ? len : width;
    }
    for (size_t i = 0; i < list->count; i++) {
        describe_label(out, "");
        put(out, &list->list[i], width);
    }
}

static void put_count(struct buf *out, const char *label, size_t count)
{
    describe_label(out, label);
    buf_printf(out, "%zu\n", count);
}

static void put_texts(struct buf *out, const char *label, const struct text_list *list, bool listed)
{
    if (list->count == 0)
        return;
    put_count(out, label, list->count);
    for (size_t i = 0; listed && i < list->count; i++)
        describe_line(out, "", list->list[i]);
}

static void put_symbol_lists(struct buf *out, const struct description_slice *slice, bool listed)
{
    if (listed) {
        put_list(out, "imports", &slice->imports, put_import);
        put_list(out, "exports", &slice->exports, put_export);
        put_list(out, "local symbols", &slice->locals, put_export);
    } else {
        put_count(out, "imports", slice->imports.count);
        put_count(out, "exports", slice->export_count);
        put_count(out, "local symbols", slice->local_count);
    }
}

void describe_put_symbols(struct buf *out, const struct description_slice *slice, bool listed)
{
    if (slice->faults[FAULT_SYMBOLS].code == FAIL_NONE) {
        put_symbol_lists(out, slice, listed);
    } else {
        describe_label(out, "symbols");
        describe_put_fault(out, slice, FAULT_SYMBOLS);
    }
    if (slice->names_encrypted) {
        describe_label(out, "selectors");
        buf_puts(out, "encrypted\n");
    } else if (slice->faults[FAULT_OBJC].code == FAIL_NONE) {
        put_texts(out, "classes", &slice->classes, listed);
        put_texts(out, "selectors", &slice->selectors, listed);
    } else {
        describe_label(out, "selectors");
        describe_put_fault(out, slice, FAULT_OBJC);
    }
}

/* One row of the table of segments and sections, without the end of the line. */
static void put_row(struct buf *out, const char *name, const char *prefix, uint64_t address,
                    uint64_t size)
{
    describe_label(out, "");
    buf_puts(out, prefix);
    describe_put_padded(out, name, 20 - strlen(prefix));
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

void describe_put_segments(struct buf *out, const struct image *image)
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

static void put_member(struct buf *out, const struct ar_member *member, size_t width)
{
    describe_put_padded(out, member->name, width);
    buf_printf(out, "  %11" PRIu64 "  ", member->size);
    if (member->is_image) {
        const char *type = macho_filetype_name(member->filetype);
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, member->cputype, member->cpusubtype);
        buf_printf(out, "%s %s\n", arch, type == NULL ? "Mach-O image" : type);
    } else {
        buf_puts(out, "no Mach-O image\n");
    }
}

static bool has_images(const struct ar *ar)
{
    for (size_t i = 0; i < ar->count; i++) {
        if (ar->list[i].is_image)
            return true;
    }
    return false;
}

void describe_put_members(struct buf *out, const struct description_slice *slice)
{
    const struct ar *ar = &slice->archive;
    uint32_t cputype = 0;
    uint32_t cpusubtype = 0;
    size_t width = 0;
    describe_label(out, "architecture");
    if (ar_arch(&cputype, &cpusubtype, ar)) {
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, cputype, cpusubtype);
        buf_printf(out, "%s\n", arch);
    } else if (ar->count == 0) {
        /* Before what could not be read there were none, which says nothing. */
        buf_puts(out, slice->faults[FAULT_SLICE].code == FAIL_NONE
                          ? "none, as there are no members\n"
                          : "not known\n");
    } else {
        buf_puts(out, has_images(ar) ? "not one for all members\n"
                                     : "none, as no member is a Mach-O image\n");
    }
    describe_line(out, "file type", ar->is_thin ? "static archive, thin" : "static archive");
    put_count(out, "members", ar->count);
    for (size_t i = 0; i < ar->count; i++) {
        size_t len = describe_width(ar->list[i].name);
        width = len > width && len <= 60 ? len : width;
    }
    for (size_t i = 0; i < ar->count; i++) {
        describe_label(out, "");
        put_member(out, &ar->list[i], width);
    }
}
