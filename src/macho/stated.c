#include "macho/stated.h"

#include "macho/constants.h"

#define RELOCATION_LEN 8u

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Fields of a load command that state a range of the file: where, and how many units of how many
 * bytes. With `wide` both fields have 64 bits. */
struct table {
    const char *name;
    uint32_t command;
    uint32_t offset;
    uint32_t count;
    uint32_t unit, unit64; /* bytes, in 32-bit and 64-bit images */
    bool wide;
};

#define DATA(command, name)               \
    {                                     \
        name, command, 8, 12, 1, 1, false \
    }

static const struct table tables[] = {
    {"symbol table", LC_SYMTAB, 8, 12, 12, 16, false},
    {"string table", LC_SYMTAB, 16, 20, 1, 1, false},
    {"table of contents", LC_DYSYMTAB, 32, 36, 8, 8, false},
    {"module table", LC_DYSYMTAB, 40, 44, 52, 56, false},
    {"table of references", LC_DYSYMTAB, 48, 52, 4, 4, false},
    {"indirect symbols", LC_DYSYMTAB, 56, 60, 4, 4, false},
    {"external relocations", LC_DYSYMTAB, 64, 68, 8, 8, false},
    {"local relocations", LC_DYSYMTAB, 72, 76, 8, 8, false},
    {"two-level hints", LC_TWOLEVEL_HINTS, 8, 12, 4, 4, false},
    {"rebase opcodes", LC_DYLD_INFO, 8, 12, 1, 1, false},
    {"bind opcodes", LC_DYLD_INFO, 16, 20, 1, 1, false},
    {"weak bind opcodes", LC_DYLD_INFO, 24, 28, 1, 1, false},
    {"lazy bind opcodes", LC_DYLD_INFO, 32, 36, 1, 1, false},
    {"export trie", LC_DYLD_INFO, 40, 44, 1, 1, false},
    DATA(LC_SEGMENT_SPLIT_INFO, "split segment info"),
    DATA(LC_FUNCTION_STARTS, "function starts"),
    DATA(LC_DATA_IN_CODE, "data in code"),
    DATA(LC_DYLIB_CODE_SIGN_DRS, "code sign requirements"),
    DATA(LC_LINKER_OPTIMIZATION_HINT, "linker optimization hints"),
    DATA(LC_DYLD_EXPORTS_TRIE, "export trie"),
    DATA(LC_DYLD_CHAINED_FIXUPS, "chained fix-ups"),
    DATA(LC_ATOM_INFO, "atom info"),
    DATA(LC_FUNCTION_VARIANTS, "function variants"),
    DATA(LC_FUNCTION_VARIANT_FIXUPS, "function variant fix-ups"),
    DATA(LC_ENCRYPTION_INFO, "encrypted range"),
    DATA(LC_ENCRYPTION_INFO_64, "encrypted range"),
    {"note", LC_NOTE, 24, 32, 1, 1, true},
};

static bool read_field(uint64_t *out, const struct image *image, uint32_t command, uint32_t offset,
                       bool wide)
{
    uint32_t words[2] = {0};
    if (!image_command_u32(&words[0], image, command, offset) ||
        (wide && !image_command_u32(&words[1], image, command, offset + 4)))
        return false;
    *out = words[0];
    if (wide)
        *out = image->order == BIG_ENDIAN_BYTES ? (uint64_t)words[0] << 32 | words[1]
                                                : (uint64_t)words[1] << 32 | words[0];
    return true;
}

static bool is_of(const struct table *table, uint32_t cmd)
{
    return cmd == table->command || (cmd == LC_DYLD_INFO_ONLY && table->command == LC_DYLD_INFO);
}

static bool read_table(struct stated *out, const struct image *image, uint32_t command,
                       const struct table *table)
{
    uint64_t count = 0;
    if (!is_of(table, image->commands[command].cmd) ||
        !read_field(&out->start, image, command, table->offset, table->wide) ||
        !read_field(&count, image, command, table->count, table->wide) || count == 0)
        return false;
    /* 64-bit fields count bytes, so that the product does not overflow; the sum may. */
    uint64_t len = count * (image->is64 ? table->unit64 : table->unit);
    out->end = out->start > UINT64_MAX - len ? UINT64_MAX : out->start + len;
    out->name = table->name;
    out->section = NULL;
    return true;
}

static bool next_section(struct stated *out, const struct image *image)
{
    while (out->next_section < image->section_count) {
        const struct image_section *section = &image->sections[out->next_section++];
        if (!section->has_data)
            continue;
        out->name = section->name;
        out->section = section;
        out->start = section->offset;
        out->end = section->offset + section->size;
        return true;
    }
    return false;
}

/* A section that the file only describes has its relocations elsewhere, too. */
static bool next_relocations(struct stated *out, const struct image *image)
{
    while (out->next_relocations < image->section_count) {
        const struct image_section *section = &image->sections[out->next_relocations++];
        if (!section->has_data || section->relocation_count == 0)
            continue;
        out->name = "relocations";
        out->section = NULL;
        out->start = section->relocation_offset;
        out->end = out->start + (uint64_t)section->relocation_count * RELOCATION_LEN;
        return true;
    }
    return false;
}

bool stated_next(struct stated *out, const struct image *image)
{
    if (next_section(out, image) || next_relocations(out, image))
        return true;
    for (; out->next_command < image->command_count; out->next_command++, out->next_table = 0)
        while (out->next_table < COUNT(tables))
            if (read_table(out, image, out->next_command, &tables[out->next_table++]))
                return true;
    return false;
}
