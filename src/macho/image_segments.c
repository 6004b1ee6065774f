#include <inttypes.h>

#include "macho/image_parts.h"

#define SMALLEST_PAGE 4096u

/* Files that describe another file's sections without having their bytes. */
static bool lacks_contents(const struct image *image)
{
    return image->filetype == MH_DSYM || image->filetype == MH_DYLIB_STUB;
}

/* Files that the loader maps by their segments. */
static bool is_linked(const struct image *image)
{
    return image->filetype == MH_EXECUTE || image->filetype == MH_DYLIB ||
           image->filetype == MH_BUNDLE || image->filetype == MH_DYLINKER ||
           image->filetype == MH_KEXT_BUNDLE;
}

static uint64_t read_word(struct image_reading *r)
{
    return r->image->is64 ? cursor_u64(&r->cursor) : cursor_u32(&r->cursor);
}

static void read_name(char out[17], struct image_reading *r)
{
    struct view bytes = cursor_bytes(&r->cursor, 16);
    out[0] = '\0';
    (void)view_fixed_text(out, bytes, 0, 16);
}

static bool is_zero_fill(uint32_t flags)
{
    uint32_t type = flags & SECTION_TYPE;
    return type == S_ZEROFILL || type == S_GB_ZEROFILL || type == S_THREAD_LOCAL_ZEROFILL;
}

/* How much of the file a segment shows in memory. The loader maps whole pages, with what lies
 * behind the segment's own bytes in the last one: UPX has sections that end there. */
static uint64_t mapped_size(const struct image_segment *segment)
{
    uint64_t partial = segment->file_size % SMALLEST_PAGE;
    uint64_t rest = partial == 0 ? 0 : SMALLEST_PAGE - partial;
    if (segment->memory_size < segment->file_size) /* nothing is mapped: it is for readers alone */
        return segment->file_size;
    return segment->memory_size - segment->file_size < rest ? segment->memory_size
                                                            : segment->file_size + rest;
}

/* Where the bytes are that the loader would put at the section's address: a section whose
 * stated offset is another one would show readers what never runs. */
static int check_section_mapping(const struct image_reading *r, const struct image_segment *segment,
                                 const struct image_section *section, struct fail *fail)
{
    if (!is_linked(r->image) || segment->initial_protection == 0 || section->size == 0)
        return 0;
    uint64_t delta = section->address - segment->address;
    uint64_t mapped = mapped_size(segment);
    if (section->address >= segment->address && delta <= mapped &&
        section->size <= mapped - delta && segment->offset + delta == section->offset)
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "%s: section '%s,%s' is at file offset %" PRIu32 ", where segment '%s' does "
                    "not map its address 0x%" PRIx64,
                    r->name, section->segment, section->name, section->offset, segment->name,
                    section->address);
}

static int check_section(struct image_reading *r, const struct image_segment *segment,
                         struct image_section *section, struct fail *fail)
{
    if (section->size > UINT64_MAX - section->address)
        return fail_set(fail, FAIL_INPUT,
                        "%s: section '%s,%s' has an absurd size (%" PRIu64
                        " bytes at address 0x%" PRIx64 ")",
                        r->name, section->segment, section->name, section->size, section->address);
    if (is_zero_fill(section->flags))
        return 0;
    /* Of what such a file only describes, the stated offset is 0, or that of the other file. */
    if (lacks_contents(r->image) &&
        (section->offset < segment->offset ||
         !range_fits(section->offset - segment->offset, section->size, segment->file_size)))
        return 0;
    if (section->size != 0 && !range_fits(section->offset, section->size, r->image->file.len))
        return fail_set(fail, FAIL_INPUT,
                        "%s: section '%s,%s' is outside of the file (needs %" PRIu64
                        " bytes at offset %" PRIu32 ", the file has %" PRIu64 ")",
                        r->name, section->segment, section->name, section->size, section->offset,
                        r->image->file.len);
    section->has_data = section->size != 0;
    return check_section_mapping(r, segment, section, fail);
}

static int read_section(struct image_reading *r, uint32_t segment_index, struct fail *fail)
{
    struct image *image = r->image;
    struct image_section section = {.segment_index = segment_index};
    read_name(section.name, r);
    read_name(section.segment, r);
    section.address = read_word(r);
    section.size = read_word(r);
    section.offset = cursor_u32(&r->cursor);
    section.align_log2 = cursor_u32(&r->cursor);
    section.relocation_offset = cursor_u32(&r->cursor);
    section.relocation_count = cursor_u32(&r->cursor);
    section.flags = cursor_u32(&r->cursor);
    section.reserved1 = cursor_u32(&r->cursor);
    section.reserved2 = cursor_u32(&r->cursor);
    if (image->is64)
        cursor_skip(&r->cursor, 4);
    if (image_check_fields(r, fail) < 0 ||
        check_section(r, &image->segments[segment_index], &section, fail) < 0)
        return -1;
    image->sections =
        mem_grow(image->sections, image->section_count, r->sections, sizeof *image->sections);
    image->sections[image->section_count++] = section;
    return 0;
}

/* A segment that takes no memory, such as Go's __DWARF, is not mapped: its size in the file is that
 * of data. One with access rights has to say so, or it is a mistake. */
static bool is_mapped(const struct image_segment *segment)
{
    return segment->memory_size != 0 ||
           (segment->initial_protection != 0 && (segment->flags & SG_NORELOC) == 0);
}

static int check_segment(const struct image_reading *r, struct image_segment *segment,
                         struct fail *fail)
{
    const struct image *image = r->image;
    if (segment->memory_size > UINT64_MAX - segment->address)
        return fail_set(fail, FAIL_INPUT,
                        "%s: segment '%s' has an absurd size (%" PRIu64
                        " bytes at address 0x%" PRIx64 ")",
                        r->name, segment->name, segment->memory_size, segment->address);
    if (image->filetype == MH_DYLIB_STUB) {
        segment->offset = 0;
        segment->file_size = 0;
    }
    if (!range_fits(segment->offset, segment->file_size, image->file.len))
        return fail_set(fail, FAIL_INPUT,
                        "%s: segment '%s' is truncated (needs %" PRIu64 " bytes at offset %" PRIu64
                        ", the file has %" PRIu64 ")",
                        r->name, segment->name, segment->file_size, segment->offset,
                        image->file.len);
    if (is_linked(image) && is_mapped(segment) && segment->file_size > segment->memory_size)
        return fail_set(fail, FAIL_INPUT,
                        "%s: segment '%s' has more bytes in the file than in memory (%" PRIu64
                        " and %" PRIu64 ")",
                        r->name, segment->name, segment->file_size, segment->memory_size);
    return 0;
}

int image_read_segment(struct image_reading *r, struct fail *fail)
{
    struct image *image = r->image;
    uint32_t section_size = image->is64 ? 80 : 68;
    struct image_segment segment = {.command = r->command, .first_section = image->section_count};
    if ((image->commands[r->command].cmd == LC_SEGMENT_64) != image->is64)
        return fail_set(fail, FAIL_INPUT, "%s is not for %s-bit images", r->name,
                        image->is64 ? "64" : "32");
    read_name(segment.name, r);
    segment.address = read_word(r);
    segment.memory_size = read_word(r);
    segment.offset = read_word(r);
    segment.file_size = read_word(r);
    segment.max_protection = cursor_u32(&r->cursor);
    segment.initial_protection = cursor_u32(&r->cursor);
    segment.section_count = cursor_u32(&r->cursor);
    segment.flags = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0 || check_segment(r, &segment, fail) < 0)
        return -1;
    uint64_t room = cursor_left(&r->cursor) / section_size;
    if (segment.section_count > room)
        return fail_set(fail, FAIL_INPUT,
                        "%s: segment '%s' counts %" PRIu32 " sections, but has room for %" PRIu64,
                        r->name, segment.name, segment.section_count, room);
    uint32_t index = image->segment_count;
    image->segments = mem_grow(image->segments, index, r->segments, sizeof *image->segments);
    image->segments[image->segment_count++] = segment;
    for (uint32_t i = 0; i < segment.section_count; i++) {
        if (read_section(r, index, fail) < 0)
            return -1;
    }
    return 0;
}
