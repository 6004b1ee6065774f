#include "macho/image_commands.h"

#include <inttypes.h>
#include <stdio.h>

#include "macho/arch.h"

#define DYLIB_USE_SIZE 28u /* where the path begins, when flags come before it */
#define SMALLEST_PAGE  4096u

/* One command while it is read: a cursor over its bytes, and how messages call it. */
struct reading {
    struct image *image;
    uint32_t command;
    struct cursor cursor;
    char name[IMAGE_COMMAND_TEXT_MAX];
    /* capacities of the growing arrays of the image */
    size_t *segments, *sections, *builds, *tools, *libraries, *rpaths;
};

void image_command_text(char out[IMAGE_COMMAND_TEXT_MAX], const struct image *image,
                        uint32_t command)
{
    uint32_t cmd = image->commands[command].cmd;
    const char *name = macho_command_name(cmd);
    if (name != NULL)
        (void)snprintf(out, IMAGE_COMMAND_TEXT_MAX, "load command %" PRIu32 " (%s)", command, name);
    else
        (void)snprintf(out, IMAGE_COMMAND_TEXT_MAX, "load command %" PRIu32 " (0x%" PRIx32 ")",
                       command, cmd);
}

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

static uint64_t read_word(struct reading *r)
{
    return r->image->is64 ? cursor_u64(&r->cursor) : cursor_u32(&r->cursor);
}

static void read_name(char out[17], struct reading *r)
{
    struct view bytes = cursor_bytes(&r->cursor, 16);
    out[0] = '\0';
    (void)view_fixed_text(out, bytes, 0, 16);
}

/* Asked once a command: were all of its fields inside of it? */
static int check_fields(const struct reading *r, struct fail *fail)
{
    if (!r->cursor.failed)
        return 0;
    return fail_set(fail, FAIL_INPUT, "%s is too short for its fields (it has %" PRIu64 " bytes)",
                    r->name, r->cursor.view.len);
}

static int check_single(const struct reading *r, uint32_t earlier, struct fail *fail)
{
    if (earlier == IMAGE_NO_COMMAND)
        return 0;
    return fail_set(fail, FAIL_INPUT, "%s repeats load command %" PRIu32, r->name, earlier);
}

static int check_range(const struct reading *r, const char *what, uint64_t offset, uint64_t size,
                       struct fail *fail)
{
    uint64_t len = r->image->file.len;
    if (range_fits(offset, size, len))
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "%s: the %s is outside of the file (needs %" PRIu64 " bytes at offset %" PRIu64
                    ", %" PRIu64 " left)",
                    r->name, what, size, offset, offset < len ? len - offset : 0);
}

/* Fills a range that the current command states. A stub's tables are not there. */
static int set_range(struct reading *r, struct image_range *range, const char *what,
                     uint64_t offset, uint64_t size, struct fail *fail)
{
    if (size == 0 || r->image->filetype == MH_DYLIB_STUB) {
        *range = (struct image_range){.command = r->command};
        return 0;
    }
    if (check_range(r, what, offset, size, fail) < 0)
        return -1;
    *range = (struct image_range){.command = r->command, .offset = offset, .size = size};
    return 0;
}

/* A string of a command: a field with its offset, then a NUL before the command ends. */
static const char *read_string(struct reading *r, uint32_t offset, struct fail *fail)
{
    const char *text = offset < 8 ? NULL : view_text(r->cursor.view, offset);
    if (text == NULL)
        fail_set(fail, FAIL_INPUT,
                 "%s: its text at offset %" PRIu32 " does not end inside the command", r->name,
                 offset);
    return text;
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
static int check_section_mapping(const struct reading *r, const struct image_segment *segment,
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

static int check_section(struct reading *r, const struct image_segment *segment,
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

static int read_section(struct reading *r, uint32_t segment_index, struct fail *fail)
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
    if (check_fields(r, fail) < 0 ||
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

static int check_segment(const struct reading *r, struct image_segment *segment, struct fail *fail)
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

static int read_segment(struct reading *r, struct fail *fail)
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
    if (check_fields(r, fail) < 0 || check_segment(r, &segment, fail) < 0)
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

static int read_symtab(struct reading *r, struct fail *fail)
{
    struct image_symtab *symtab = &r->image->symtab;
    if (check_single(r, symtab->command, fail) < 0)
        return -1;
    uint64_t symbols = cursor_u32(&r->cursor);
    uint64_t count = cursor_u32(&r->cursor);
    uint64_t strings = cursor_u32(&r->cursor);
    uint64_t strings_size = cursor_u32(&r->cursor);
    uint64_t size = count * (r->image->is64 ? 16 : 12);
    if (check_fields(r, fail) < 0)
        return -1;
    symtab->command = r->command;
    if (r->image->filetype == MH_DYLIB_STUB)
        return 0;
    if ((size != 0 && check_range(r, "symbol table", symbols, size, fail) < 0) ||
        (strings_size != 0 && check_range(r, "string table", strings, strings_size, fail) < 0))
        return -1;
    symtab->symbols_offset = size == 0 ? 0 : symbols;
    symtab->symbols_size = size;
    symtab->count = (uint32_t)count;
    symtab->strings_offset = strings_size == 0 ? 0 : strings;
    symtab->strings_size = strings_size;
    return 0;
}

static int read_dysymtab(struct reading *r, struct fail *fail)
{
    struct image_dysymtab *table = &r->image->dysymtab;
    if (check_single(r, table->command, fail) < 0)
        return -1;
    table->command = r->command;
    table->local_first = cursor_u32(&r->cursor);
    table->local_count = cursor_u32(&r->cursor);
    table->external_first = cursor_u32(&r->cursor);
    table->external_count = cursor_u32(&r->cursor);
    table->undefined_first = cursor_u32(&r->cursor);
    table->undefined_count = cursor_u32(&r->cursor);
    cursor_skip(&r->cursor, 24); /* table of contents, modules, references */
    uint64_t offset = cursor_u32(&r->cursor);
    uint64_t count = cursor_u32(&r->cursor);
    if (check_fields(r, fail) < 0)
        return -1;
    return set_range(r, &table->indirect, "indirect symbol table", offset, count * 4, fail);
}

/* The ranges of the dynamic symbol table, once the symbol table is known. */
static int check_dysymtab(const struct image *image, struct fail *fail)
{
    const struct image_dysymtab *t = &image->dysymtab;
    const struct image_symtab *symtab = &image->symtab;
    if (t->command == IMAGE_NO_COMMAND || image->filetype == MH_DYLIB_STUB)
        return 0;
    /* Empty ranges may begin anywhere. */
    if ((t->local_count == 0 || range_fits(t->local_first, t->local_count, symtab->count)) &&
        (t->external_count == 0 ||
         range_fits(t->external_first, t->external_count, symtab->count)) &&
        (t->undefined_count == 0 ||
         range_fits(t->undefined_first, t->undefined_count, symtab->count)))
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "load command %" PRIu32 " (LC_DYSYMTAB) counts symbols that the symbol table "
                    "of %" PRIu32 " does not have",
                    t->command, symtab->count);
}

static int read_dyld_info(struct reading *r, struct fail *fail)
{
    struct image_dyld_info *info = &r->image->dyld_info;
    struct image_range *ranges[] = {&info->rebase, &info->bind, &info->weak_bind, &info->lazy_bind,
                                    &info->exports};
    static const char *const names[] = {"rebase table", "bind table", "weak bind table",
                                        "lazy bind table", "export trie"};
    if (check_single(r, info->rebase.command, fail) < 0)
        return -1;
    for (size_t i = 0; i < 5; i++) {
        uint64_t offset = cursor_u32(&r->cursor);
        uint64_t size = cursor_u32(&r->cursor);
        if (check_fields(r, fail) < 0 || set_range(r, ranges[i], names[i], offset, size, fail) < 0)
            return -1;
    }
    return 0;
}

static int read_linkedit_data(struct reading *r, struct image_range *range, const char *what,
                              struct fail *fail)
{
    if (check_single(r, range->command, fail) < 0)
        return -1;
    uint64_t offset = cursor_u32(&r->cursor);
    uint64_t size = cursor_u32(&r->cursor);
    if (check_fields(r, fail) < 0)
        return -1;
    return set_range(r, range, what, offset, size, fail);
}

static int read_encryption(struct reading *r, struct fail *fail)
{
    struct image_encryption *encryption = &r->image->encryption;
    if (read_linkedit_data(r, &encryption->range, "encrypted range", fail) < 0)
        return -1;
    encryption->crypt_id = cursor_u32(&r->cursor);
    return check_fields(r, fail);
}

static int read_library(struct reading *r, enum library_kind kind, struct fail *fail)
{
    struct image *image = r->image;
    struct image_library library = {.command = r->command, .kind = kind};
    uint32_t offset = cursor_u32(&r->cursor);
    library.timestamp = cursor_u32(&r->cursor);
    library.current_version = cursor_u32(&r->cursor);
    library.compatibility_version = cursor_u32(&r->cursor);
    if (library.timestamp == DYLIB_USE_MARKER && offset == DYLIB_USE_SIZE)
        library.use_flags = cursor_u32(&r->cursor);
    if (check_fields(r, fail) < 0)
        return -1;
    library.path = read_string(r, offset, fail);
    if (library.path == NULL)
        return -1;
    if (kind == LIBRARY_ID) {
        if (image->id.path != NULL && check_single(r, image->id.command, fail) < 0)
            return -1;
        image->id = library;
        return 0;
    }
    image->libraries =
        mem_grow(image->libraries, image->library_count, r->libraries, sizeof *image->libraries);
    image->libraries[image->library_count++] = library;
    return 0;
}

static int read_rpath(struct reading *r, struct fail *fail)
{
    struct image *image = r->image;
    uint32_t offset = cursor_u32(&r->cursor);
    if (check_fields(r, fail) < 0)
        return -1;
    const char *path = read_string(r, offset, fail);
    if (path == NULL)
        return -1;
    image->rpaths = mem_grow(image->rpaths, image->rpath_count, r->rpaths, sizeof *image->rpaths);
    image->rpaths[image->rpath_count++] = (struct image_rpath){.command = r->command, .path = path};
    return 0;
}

static int read_dylinker(struct reading *r, struct fail *fail)
{
    uint32_t offset = cursor_u32(&r->cursor);
    if (check_fields(r, fail) < 0)
        return -1;
    if (r->image->dylinker != NULL)
        return fail_set(fail, FAIL_INPUT, "%s names a second dynamic linker", r->name);
    r->image->dylinker = read_string(r, offset, fail);
    return r->image->dylinker == NULL ? -1 : 0;
}

static void add_build(struct reading *r, const struct image_build *build)
{
    struct image *image = r->image;
    image->builds = mem_grow(image->builds, image->build_count, r->builds, sizeof *image->builds);
    image->builds[image->build_count++] = *build;
}

static int read_build_version(struct reading *r, struct fail *fail)
{
    struct image *image = r->image;
    struct image_build build = {.command = r->command, .first_tool = image->tool_count};
    build.platform = cursor_u32(&r->cursor);
    build.min_os = cursor_u32(&r->cursor);
    build.sdk = cursor_u32(&r->cursor);
    build.tool_count = cursor_u32(&r->cursor);
    if (check_fields(r, fail) < 0)
        return -1;
    if (build.tool_count > cursor_left(&r->cursor) / 8)
        return fail_set(fail, FAIL_INPUT, "%s counts %" PRIu32 " tools, but has room for %" PRIu64,
                        r->name, build.tool_count, cursor_left(&r->cursor) / 8);
    for (uint32_t i = 0; i < build.tool_count; i++) {
        image->tools = mem_grow(image->tools, image->tool_count, r->tools, sizeof *image->tools);
        struct image_tool *tool = &image->tools[image->tool_count++];
        tool->tool = cursor_u32(&r->cursor);
        tool->version = cursor_u32(&r->cursor);
    }
    add_build(r, &build);
    return 0;
}

static int read_version_min(struct reading *r, uint32_t platform, struct fail *fail)
{
    struct image_build build = {
        .command = r->command, .is_version_min = true, .platform = platform};
    build.min_os = cursor_u32(&r->cursor);
    build.sdk = cursor_u32(&r->cursor);
    if (check_fields(r, fail) < 0)
        return -1;
    add_build(r, &build);
    return 0;
}

static int read_uuid(struct reading *r, struct fail *fail)
{
    struct image *image = r->image;
    struct view bytes = cursor_bytes(&r->cursor, 16);
    if (check_fields(r, fail) < 0 ||
        check_single(r, image->has_uuid ? image->uuid_command : IMAGE_NO_COMMAND, fail) < 0)
        return -1;
    for (size_t i = 0; i < 16; i++)
        image->uuid[i] = bytes.data[i];
    image->has_uuid = true;
    image->uuid_command = r->command;
    return 0;
}

static int read_main(struct reading *r, struct fail *fail)
{
    struct image *image = r->image;
    if (image->has_main)
        return fail_set(fail, FAIL_INPUT, "%s states a second entry point", r->name);
    image->has_main = true;
    image->main_offset = cursor_u64(&r->cursor);
    image->main_stack_size = cursor_u64(&r->cursor);
    return check_fields(r, fail);
}

static int read_source_version(struct reading *r, struct fail *fail)
{
    struct image *image = r->image;
    if (image->has_source_version)
        return fail_set(fail, FAIL_INPUT, "%s states a second source version", r->name);
    image->has_source_version = true;
    image->source_version = cursor_u64(&r->cursor);
    return check_fields(r, fail);
}

/* Commands that state a range of __LINKEDIT. 1: it was none of them. */
static int read_range_command(struct reading *r, uint32_t cmd, struct fail *fail)
{
    struct image *image = r->image;
    switch (cmd) {
    case LC_CODE_SIGNATURE:
        return read_linkedit_data(r, &image->code_signature, "code signature", fail);
    case LC_SEGMENT_SPLIT_INFO:
        return read_linkedit_data(r, &image->segment_split_info, "split info", fail);
    case LC_FUNCTION_STARTS:
        return read_linkedit_data(r, &image->function_starts, "table of functions", fail);
    case LC_DATA_IN_CODE:
        return read_linkedit_data(r, &image->data_in_code, "table of data in code", fail);
    case LC_DYLIB_CODE_SIGN_DRS:
        return read_linkedit_data(r, &image->code_sign_drs, "table of requirements", fail);
    case LC_DYLD_EXPORTS_TRIE:
        return read_linkedit_data(r, &image->exports_trie, "export trie", fail);
    case LC_DYLD_CHAINED_FIXUPS:
        return read_linkedit_data(r, &image->chained_fixups, "table of chained fix-ups", fail);
    case LC_ENCRYPTION_INFO:
    case LC_ENCRYPTION_INFO_64:
        return read_encryption(r, fail);
    case LC_DYLD_INFO:
    case LC_DYLD_INFO_ONLY:
        return read_dyld_info(r, fail);
    case LC_SYMTAB:
        return read_symtab(r, fail);
    case LC_DYSYMTAB:
        return read_dysymtab(r, fail);
    default:
        return 1;
    }
}

static int read_other_command(struct reading *r, uint32_t cmd, struct fail *fail)
{
    switch (cmd) {
    case LC_SEGMENT:
    case LC_SEGMENT_64:
        return read_segment(r, fail);
    case LC_ID_DYLIB:
        return read_library(r, LIBRARY_ID, fail);
    case LC_LOAD_DYLIB:
        return read_library(r, LIBRARY_LOAD, fail);
    case LC_LOAD_WEAK_DYLIB:
        return read_library(r, LIBRARY_WEAK, fail);
    case LC_REEXPORT_DYLIB:
        return read_library(r, LIBRARY_REEXPORT, fail);
    case LC_LOAD_UPWARD_DYLIB:
        return read_library(r, LIBRARY_UPWARD, fail);
    case LC_LAZY_LOAD_DYLIB:
        return read_library(r, LIBRARY_LAZY, fail);
    case LC_RPATH:
        return read_rpath(r, fail);
    case LC_LOAD_DYLINKER:
    case LC_ID_DYLINKER:
        return read_dylinker(r, fail);
    case LC_BUILD_VERSION:
        return read_build_version(r, fail);
    case LC_VERSION_MIN_MACOSX:
        return read_version_min(r, PLATFORM_MACOS, fail);
    case LC_VERSION_MIN_IPHONEOS:
        return read_version_min(r, PLATFORM_IOS, fail);
    case LC_VERSION_MIN_TVOS:
        return read_version_min(r, PLATFORM_TVOS, fail);
    case LC_VERSION_MIN_WATCHOS:
        return read_version_min(r, PLATFORM_WATCHOS, fail);
    case LC_UUID:
        return read_uuid(r, fail);
    case LC_MAIN:
        return read_main(r, fail);
    case LC_SOURCE_VERSION:
        return read_source_version(r, fail);
    default:
        return 0; /* kept in the table of commands */
    }
}

int image_read_commands(struct image *image, struct fail *fail)
{
    size_t capacity[6] = {0};
    struct reading r = {.image = image,
                        .segments = &capacity[0],
                        .sections = &capacity[1],
                        .builds = &capacity[2],
                        .tools = &capacity[3],
                        .libraries = &capacity[4],
                        .rpaths = &capacity[5]};
    for (uint32_t i = 0; i < image->command_count; i++) {
        const struct load_command *command = &image->commands[i];
        struct view bytes = {0};
        if (!view_slice(&bytes, image->file, command->offset, command->size))
            return fail_set(fail, FAIL_BUG, "load command %" PRIu32 " was not checked", i);
        r.command = i;
        r.cursor = cursor_start(bytes, image->order);
        cursor_skip(&r.cursor, 8);
        image_command_text(r.name, image, i);
        int result = read_range_command(&r, command->cmd, fail);
        if (result > 0)
            result = read_other_command(&r, command->cmd, fail);
        if (result < 0)
            return -1;
    }
    return check_dysymtab(image, fail);
}
