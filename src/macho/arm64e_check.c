/* arm64e_parts.h: what the image may consist of, and the tables that the other steps need. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/arm64e_parts.h"

#define SECTIONS_MAX  64u
#define FUNCTIONS_MAX (1u << 22)

#define S_REGULAR           0x00u
#define S_LITERAL_POINTERS  0x05u
#define S_NON_LAZY_POINTERS 0x06u
#define S_STUBS             0x08u
#define S_COALESCED         0x0bu
#define S_INIT_OFFSETS      0x16u
#define S_ATTR_INSTRUCTIONS 0x80000400u

/* The sections that the pass understands: nothing in them needs a signature that it does not
 * give. */
static const struct {
    const char *segment, *name;
    uint32_t type;
} known_sections[] = {
    {"__TEXT", "__text", S_REGULAR},
    {"__TEXT", "__stubs", S_STUBS},
    {"__TEXT", "__init_offsets", S_INIT_OFFSETS},
    {"__TEXT", "__const", S_REGULAR},
    {"__TEXT", "__cstring", S_CSTRING_LITERALS},
    {"__TEXT", "__ustring", S_REGULAR},
    {"__TEXT", "__literals", S_REGULAR},
    {"__TEXT", "__objc_methname", S_CSTRING_LITERALS},
    {"__TEXT", "__info_plist", S_REGULAR},
    {"__TEXT", "__gcc_except_tab", S_REGULAR},
    {"__TEXT", "__unwind_info", S_REGULAR},
    {"__TEXT", "__eh_frame", S_COALESCED},
    {"__DATA_CONST", "__got", S_NON_LAZY_POINTERS},
    {"__DATA_CONST", "__const", S_REGULAR},
    {"__DATA_CONST", "__cfstring", S_REGULAR},
    {"__DATA_CONST", "__objc_imageinfo", S_REGULAR},
    {"__DATA", "__objc_selrefs", S_LITERAL_POINTERS},
    {"__DATA", "__objc_classrefs", S_REGULAR},
    {"__DATA", "__data", S_REGULAR},
    {"__DATA", "__const", S_REGULAR},
    {"__DATA", "__bss", S_ZEROFILL},
    {"__DATA", "__common", S_ZEROFILL},
};

/* Why the others are refused; the first that fits. */
static const struct {
    const char *start; /* of the section's name */
    const char *reason;
} refused_sections[] = {
    {"__mod_init_func", "module initialisers as pointers (link with -init_offsets)"},
    {"__mod_term_func", "module terminators"},
    {"__thread_", "thread-local variables"},
    {"__auth_ptr", "pointers that the compiler was to sign (@AUTH) and left unsigned"},
    {"__la_symbol_ptr", "lazy pointers (link with -fixup_chains)"},
    {"__objc_stubs", "stubs of message sends"},
    {"__objc_intobj", "constant Objective-C objects, whose isa the compiler does not sign"},
    {"__objc_floatobj", "constant Objective-C objects, whose isa the compiler does not sign"},
    {"__objc_doubleobj", "constant Objective-C objects, whose isa the compiler does not sign"},
    {"__objc_array", "constant Objective-C objects, whose isa the compiler does not sign"},
    {"__objc_dict", "constant Objective-C objects, whose isa the compiler does not sign"},
    {"__objc_", "Objective-C classes or protocols, whose metadata the compiler does not sign"},
    {"__interpose", "interposed functions"},
    {"", "a section that this pass does not know"},
};

static const uint32_t known_commands[] = {
    LC_SEGMENT_64,          LC_SYMTAB,         LC_DYSYMTAB,
    LC_LOAD_DYLIB,          LC_ID_DYLIB,       LC_LOAD_DYLINKER,
    LC_LOAD_WEAK_DYLIB,     LC_UUID,           LC_RPATH,
    LC_CODE_SIGNATURE,      LC_REEXPORT_DYLIB, LC_LOAD_UPWARD_DYLIB,
    LC_FUNCTION_STARTS,     LC_MAIN,           LC_DATA_IN_CODE,
    LC_SOURCE_VERSION,      LC_BUILD_VERSION,  LC_DYLD_EXPORTS_TRIE,
    LC_DYLD_CHAINED_FIXUPS,
};

static int check_commands(const struct image *image, struct fail *fail)
{
    for (uint32_t i = 0; i < image->command_count; i++) {
        uint32_t cmd = image->commands[i].cmd;
        bool known = false;
        for (size_t k = 0; k < sizeof known_commands / sizeof known_commands[0]; k++)
            known = known || known_commands[k] == cmd;
        if (known)
            continue;
        const char *name = macho_command_name(cmd);
        if (cmd == LC_DYLD_INFO || cmd == LC_DYLD_INFO_ONLY)
            return fail_set(fail, FAIL_INPUT,
                            "load command %" PRIu32 " (%s) has fix-ups that are not chained (link "
                            "with -fixup_chains)",
                            i, name);
        return fail_set(fail, FAIL_INPUT,
                        "load command %" PRIu32 " (%s, 0x%" PRIx32 ") is none that this pass knows",
                        i, name == NULL ? "unknown" : name, cmd);
    }
    return 0;
}

static int check_header(const struct image *image, struct fail *fail)
{
    char arch[MACHO_ARCH_MAX];
    macho_arch_text(arch, image->cputype, image->cpusubtype);
    if (image->cputype != CPU_TYPE_ARM64 || image->cpusubtype != 0)
        return fail_set(fail, FAIL_INPUT, "the image is %s, not the plain arm64 that lld links",
                        arch);
    if (image->filetype != MH_DYLIB && image->filetype != MH_BUNDLE &&
        image->filetype != MH_EXECUTE)
        return fail_set(fail, FAIL_INPUT,
                        "the image is neither a dylib nor a bundle nor an executable");
    if (!image->has_uuid)
        return fail_set(fail, FAIL_INPUT, "the image has no LC_UUID");
    if (!image_has(&image->chained_fixups))
        return fail_set(fail, FAIL_INPUT,
                        "the image has no chained fix-ups (link with -fixup_chains)");
    if (!image_has(&image->function_starts))
        return fail_set(fail, FAIL_INPUT, "the image has no table of functions");
    if (image_range_data(image, &image->data_in_code).len != 0)
        return fail_set(fail, FAIL_INPUT,
                        "the image has data among its code (jump tables: compile with "
                        "-fno-jump-tables)");
    return check_commands(image, fail);
}

static int refuse_section(const struct image_section *section, struct fail *fail)
{
    size_t i = 0;
    while (strncmp(section->name, refused_sections[i].start, strlen(refused_sections[i].start)) !=
           0)
        i++;
    return fail_set(fail, FAIL_INPUT, "section '%s,%s' (type 0x%02" PRIx32 "): %s",
                    section->segment, section->name, section->flags & SECTION_TYPE,
                    refused_sections[i].reason);
}

static int check_section(struct arm64e *e, uint32_t index, struct fail *fail)
{
    const struct image_section *section = &e->image->sections[index];
    const struct image_segment *segment = &e->image->segments[section->segment_index];
    bool known = strcmp(segment->name, section->segment) == 0;
    bool code = false;
    bool zero = (section->flags & SECTION_TYPE) == S_ZEROFILL;
    size_t k = 0;
    while (k < sizeof known_sections / sizeof known_sections[0] &&
           (strcmp(known_sections[k].segment, section->segment) != 0 ||
            strcmp(known_sections[k].name, section->name) != 0 ||
            known_sections[k].type != (section->flags & SECTION_TYPE)))
        k++;
    if (!known || k == sizeof known_sections / sizeof known_sections[0])
        return refuse_section(section, fail);
    if (image_section(e->image, section->segment, section->name) != section)
        return fail_set(fail, FAIL_INPUT, "section '%s,%s' occurs twice", section->segment,
                        section->name);
    if (section->size != 0 && !section->has_data && !zero)
        return fail_set(fail, FAIL_INPUT, "the bytes of section '%s,%s' are not there",
                        section->segment, section->name);
    code = strcmp(section->name, "__text") == 0 || strcmp(section->name, "__stubs") == 0;
    if (code != ((section->flags & S_ATTR_INSTRUCTIONS) != 0))
        return fail_set(fail, FAIL_INPUT, "section '%s,%s' %s", section->segment, section->name,
                        code ? "is not marked as code"
                             : "has code that this pass does not look at");
    return 0;
}

int arm64e_check_image(struct arm64e *e, struct fail *fail)
{
    const struct image *image = e->image;
    if (check_header(image, fail) < 0)
        return -1;
    if (image->section_count > SECTIONS_MAX)
        return fail_set(fail, FAIL_INPUT, "the image has %" PRIu32 " sections, more than %u",
                        image->section_count, SECTIONS_MAX);
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (check_section(e, i, fail) < 0)
            return -1;
    }
    e->text = image_section(image, "__TEXT", "__text");
    e->stubs = image_section(image, "__TEXT", "__stubs");
    e->got = image_section(image, "__DATA_CONST", "__got");
    if (e->text == NULL || (e->stubs != NULL && e->got == NULL))
        return fail_set(fail, FAIL_INPUT, "the image has no section '%s'",
                        e->text == NULL ? "__TEXT,__text" : "__DATA_CONST,__got");
    if (e->text->address % 4 != 0 || e->text->size % 4 != 0 ||
        (e->stubs != NULL && e->stubs->address % 4 != 0))
        return fail_set(fail, FAIL_INPUT, "the code is not aligned to 4 bytes");
    return 0;
}

uint64_t arm64e_starts_of(const struct arm64e *e, uint32_t segment)
{
    struct view chains = image_range_data(e->image, &e->image->chained_fixups);
    uint32_t starts = 0;
    uint32_t count = 0;
    uint32_t offset = 0;
    (void)view_u32(&starts, chains, 4, LITTLE_ENDIAN_BYTES);
    (void)view_u32(&count, chains, starts, LITTLE_ENDIAN_BYTES);
    if (segment >= count)
        return 0;
    (void)view_u32(&offset, chains, starts + 4 + 4 * (uint64_t)segment, LITTLE_ENDIAN_BYTES);
    return offset == 0 ? 0 : starts + (uint64_t)offset;
}

static int check_formats(const struct arm64e *e, struct fail *fail)
{
    struct view chains = image_range_data(e->image, &e->image->chained_fixups);
    for (uint32_t i = 0; i < e->image->segment_count; i++) {
        uint64_t starts = arm64e_starts_of(e, i);
        uint16_t format = CHAINED_64;
        if (starts != 0)
            (void)view_u16(&format, chains, starts + CHAIN_FORMAT, LITTLE_ENDIAN_BYTES);
        if (format != CHAINED_64 && format != CHAINED_64_OFFSET)
            return fail_set(fail, FAIL_INPUT,
                            "the fix-ups of segment '%s' have pointer format %u, not one of plain "
                            "64-bit pointers",
                            e->image->segments[i].name, format);
    }
    return 0;
}

static int check_imports(const struct fixup_list *fixups, struct fail *fail)
{
    if (fixups->import_count != 0 && fixups->import_format != 1)
        return fail_set(fail, FAIL_INPUT,
                        "the imports have format %" PRIu32 ", something is added to them",
                        fixups->import_format);
    for (uint32_t i = 0; i < fixups->import_count; i++) {
        if (strncmp(fixups->imports[i].name, "__NSConcrete", 12) == 0)
            return fail_set(fail, FAIL_INPUT,
                            "the import of '%s': the compiler does not sign blocks",
                            fixups->imports[i].name);
    }
    return 0;
}

int arm64e_read_fixups(struct arm64e *e, struct fail *fail)
{
    if (fixups_read(&e->fixups, e->image, fail) < 0 || check_formats(e, fail) < 0 ||
        check_imports(&e->fixups, fail) < 0)
        return -1;
    e->slots = mem_new(e->fixups.count, sizeof *e->slots);
    for (size_t i = 0; i < e->fixups.count; i++) {
        const struct fixup *fixup = &e->fixups.list[i];
        const char *segment = e->image->segments[fixup->segment].name;
        own_mem char *place = arm64e_place(e, fixup->address);
        if (strcmp(segment, "__DATA") != 0 && strcmp(segment, "__DATA_CONST") != 0)
            return fail_set(fail, FAIL_INPUT, "the fix-up at %s is in no segment of data", place);
        if (fixup->address % 8 != 0)
            return fail_set(fail, FAIL_INPUT,
                            "the pointer at %s is not aligned to 8 bytes (a packed structure?)",
                            place);
        if (i != 0 && fixup->address <= fixup[-1].address)
            return fail_set(fail, FAIL_INPUT, "the fix-up at %s is out of order", place);
    }
    return 0;
}

bool arm64e_is_function(const struct arm64e *e, uint64_t address)
{
    size_t low = 0;
    size_t high = e->function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->functions[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->function_count && e->functions[low] == address;
}

/* __init_offsets: 32-bit offsets from the header to functions. */
static int check_initialisers(const struct arm64e *e, struct fail *fail)
{
    const struct image_section *section = image_section(e->image, "__TEXT", "__init_offsets");
    if (section == NULL)
        return 0;
    struct view offsets = image_section_data(e->image, section);
    for (uint64_t i = 0; i < offsets.len; i += 4) {
        uint32_t offset = 0;
        if (!view_u32(&offset, offsets, i, LITTLE_ENDIAN_BYTES) ||
            !arm64e_is_function(e, e->base + offset))
            return fail_set(fail, FAIL_INPUT,
                            "initialiser %" PRIu64 " (offset 0x%" PRIx32 ") is no function", i / 4,
                            offset);
    }
    return 0;
}

int arm64e_read_functions(struct arm64e *e, struct fail *fail)
{
    struct view table = image_range_data(e->image, &e->image->function_starts);
    struct cursor cursor = cursor_start(table, LITTLE_ENDIAN_BYTES);
    uint64_t address = e->base;
    size_t capacity = 0;
    while (e->text->size != 0 && cursor_left(&cursor) != 0) {
        uint64_t step = cursor_uleb(&cursor);
        if (step == 0)
            break; /* the end, and padding */
        if (cursor.failed || e->function_count == FUNCTIONS_MAX || address + step < address)
            return fail_set(fail, FAIL_INPUT, "the table of functions is broken at offset %" PRIu64,
                            cursor.offset);
        address += step;
        if (!arm64e_in_section(e->text, address) || address % 4 != 0)
            return fail_set(fail, FAIL_INPUT,
                            "the table of functions leads to 0x%" PRIx64 ", outside of __text",
                            address);
        e->functions = mem_grow(e->functions, e->function_count, &capacity, sizeof *e->functions);
        e->functions[e->function_count++] = address;
    }
    if (e->function_count == 0 && e->text->size != 0)
        return fail_set(fail, FAIL_INPUT, "the table of functions is empty");
    return check_initialisers(e, fail);
}
