#include "macho/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "macho/image_commands.h"
#include "macho/stated.h"

const struct image_segment *image_segment(const struct image *image, const char *name)
{
    for (uint32_t i = 0; i < image->segment_count; i++) {
        if (strcmp(image->segments[i].name, name) == 0)
            return &image->segments[i];
    }
    return NULL;
}

const struct image_section *image_section(const struct image *image, const char *segment,
                                          const char *name)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct image_section *section = &image->sections[i];
        if (strcmp(section->name, name) == 0 && strcmp(section->segment, segment) == 0)
            return section;
    }
    return NULL;
}

static struct view slice_or_empty(const struct image *image, uint64_t offset, uint64_t size)
{
    struct view bytes = {0};
    if (!view_slice(&bytes, image->file, offset, size))
        return (struct view){0};
    return bytes;
}

struct view image_section_data(const struct image *image, const struct image_section *section)
{
    if (!section->has_data)
        return (struct view){0};
    return slice_or_empty(image, section->offset, section->size);
}

struct view image_segment_data(const struct image *image, const struct image_segment *segment)
{
    return slice_or_empty(image, segment->offset, segment->file_size);
}

struct view image_range_data(const struct image *image, const struct image_range *range)
{
    if (!image_has(range))
        return (struct view){0};
    return slice_or_empty(image, range->offset, range->size);
}

bool image_has(const struct image_range *range)
{
    return range->command != IMAGE_NO_COMMAND;
}

bool image_offset_of_address(uint64_t *out, const struct image *image, uint64_t address)
{
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        if (address < segment->address || address - segment->address >= segment->file_size)
            continue;
        *out = segment->offset + (address - segment->address);
        return true;
    }
    return false;
}

bool image_address_of_offset(uint64_t *out, const struct image *image, uint64_t offset)
{
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        if (offset < segment->offset || offset - segment->offset >= segment->file_size)
            continue;
        *out = segment->address + (offset - segment->offset);
        return true;
    }
    return false;
}

uint64_t image_base_address(const struct image *image)
{
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        if (segment->offset == 0 && segment->file_size != 0)
            return segment->address;
    }
    return 0;
}

static bool inside(uint64_t offset, uint64_t start, uint64_t size)
{
    return offset >= start && offset - start < size;
}

static bool locate_command(char out[IMAGE_PLACE_MAX], const struct image *image, uint64_t offset)
{
    if (offset < image->header_size) {
        (void)snprintf(out, IMAGE_PLACE_MAX, "header+0x%" PRIx64, offset);
        return true;
    }
    for (uint32_t i = 0; i < image->command_count; i++) {
        const struct load_command *command = &image->commands[i];
        if (!inside(offset, command->offset, command->size))
            continue;
        char text[IMAGE_COMMAND_TEXT_MAX];
        image_command_text(text, image, i);
        (void)snprintf(out, IMAGE_PLACE_MAX, "%s+0x%" PRIx64, text, offset - command->offset);
        return true;
    }
    return false;
}

static bool locate_table(char out[IMAGE_PLACE_MAX], const struct image *image, uint64_t offset)
{
    const struct {
        const char *name;
        uint64_t start;
        uint64_t size;
    } tables[] = {
        {"code signature", image->code_signature.offset, image->code_signature.size},
        {"symbol table", image->symtab.symbols_offset, image->symtab.symbols_size},
        {"string table", image->symtab.strings_offset, image->symtab.strings_size},
        {"indirect symbol table", image->dysymtab.indirect.offset, image->dysymtab.indirect.size},
        {"chained fix-ups", image->chained_fixups.offset, image->chained_fixups.size},
        {"export trie", image->exports_trie.offset, image->exports_trie.size},
        {"export trie", image->dyld_info.exports.offset, image->dyld_info.exports.size},
        {"rebase table", image->dyld_info.rebase.offset, image->dyld_info.rebase.size},
        {"bind table", image->dyld_info.bind.offset, image->dyld_info.bind.size},
        {"weak bind table", image->dyld_info.weak_bind.offset, image->dyld_info.weak_bind.size},
        {"lazy bind table", image->dyld_info.lazy_bind.offset, image->dyld_info.lazy_bind.size},
        {"function starts", image->function_starts.offset, image->function_starts.size},
        {"data in code", image->data_in_code.offset, image->data_in_code.size},
        {"split info", image->segment_split_info.offset, image->segment_split_info.size},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (!inside(offset, tables[i].start, tables[i].size))
            continue;
        (void)snprintf(out, IMAGE_PLACE_MAX, "%s+0x%" PRIx64, tables[i].name,
                       offset - tables[i].start);
        return true;
    }
    return false;
}

void image_locate_offset(char out[IMAGE_PLACE_MAX], const struct image *image, uint64_t offset)
{
    if (locate_command(out, image, offset))
        return;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct image_section *section = &image->sections[i];
        if (!section->has_data || !inside(offset, section->offset, section->size))
            continue;
        (void)snprintf(out, IMAGE_PLACE_MAX, "%s,%s+0x%" PRIx64, section->segment, section->name,
                       offset - section->offset);
        return;
    }
    if (locate_table(out, image, offset))
        return;
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        if (!inside(offset, segment->offset, segment->file_size))
            continue;
        (void)snprintf(out, IMAGE_PLACE_MAX, "%s+0x%" PRIx64, segment->name,
                       offset - segment->offset);
        return;
    }
    (void)snprintf(out, IMAGE_PLACE_MAX, "offset 0x%" PRIx64, offset);
}

static void lower(uint64_t *lowest, uint64_t offset, uint64_t size)
{
    if (size != 0 && offset != 0 && offset < *lowest)
        *lowest = offset;
}

uint64_t image_header_room(const struct image *image)
{
    uint64_t end = image->header_size + image->commands_size;
    uint64_t lowest = image->file.len;
    struct stated range = {0};
    while (stated_next(&range, image))
        lowest = range.start < lowest ? range.start : lowest;
    for (uint32_t i = 0; i < image->segment_count; i++)
        lower(&lowest, image->segments[i].offset, image->segments[i].file_size);
    lower(&lowest, image->code_signature.offset, image->code_signature.size);
    return lowest > end ? lowest - end : 0;
}

bool image_command_u32(uint32_t *out, const struct image *image, uint32_t command, uint32_t offset)
{
    if (command >= image->command_count)
        return false;
    const struct load_command *load = &image->commands[command];
    if (!range_fits(offset, 4, load->size))
        return false;
    return view_u32(out, image->file, load->offset + offset, image->order);
}
