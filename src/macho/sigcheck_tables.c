#include <inttypes.h>

#include "macho/constants.h"
#include "macho/sigcheck_parts.h"

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

static void report(const struct sigcheck *check, const char *name, uint64_t start, uint64_t end)
{
    uint64_t base = check->options->offset;
    struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.linkedit",
                                           "%s at offset %" PRIu64, name, base + start);
    finding_expected(finding, "it ends before the signature at offset %" PRIu64, check->at);
    finding_actual(finding, "it ends at offset %" PRIu64, base + end);
}

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

static void check_table(const struct sigcheck *check, uint32_t command, const struct table *table)
{
    const struct image *image = check->image;
    uint64_t start = 0;
    uint64_t count = 0;
    uint64_t unit = image->is64 ? table->unit64 : table->unit;
    if (!read_field(&start, image, command, table->offset, table->wide) ||
        !read_field(&count, image, command, table->count, table->wide) || count == 0)
        return;
    /* 64-bit fields count bytes, so that the product does not overflow; the sum may. */
    uint64_t len = count * unit;
    uint64_t end = start > UINT64_MAX - len ? UINT64_MAX : start + len;
    if (end > check->start)
        report(check, table->name, start, end);
}

/* A note, and hints for the linker, may be looked at by somebody; all else the loader reads. */
void sigcheck_tables(const struct sigcheck *check)
{
    const struct image *image = check->image;
    uint64_t commands_end = image->header_size + image->commands_size;
    if (commands_end > check->start)
        report(check, "header and load commands", 0, commands_end);
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct image_section *section = &image->sections[i];
        if (!section->has_data || section->offset + section->size <= check->start)
            continue;
        own_mem char *name = text_printf("section %s,%s", section->segment, section->name);
        report(check, name, section->offset, section->offset + section->size);
    }
    for (uint32_t i = 0; i < image->command_count; i++) {
        uint32_t cmd = image->commands[i].cmd;
        for (size_t k = 0; k < COUNT(tables); k++)
            if (cmd == tables[k].command ||
                (cmd == LC_DYLD_INFO_ONLY && tables[k].command == LC_DYLD_INFO))
                check_table(check, i, &tables[k]);
    }
}
