/* Who made an image: what linkers and strip tools leave in it. */
#include <string.h>

#include "macho/adhoc_parts.h"

/* Versions of ld below are those of lld, which once called itself by that name. */
#define LD_FIRST 100u

bool adhoc_find_linker(struct image_tool *out, const struct image *image)
{
    for (uint32_t i = 0; i < image->tool_count; i++) {
        uint32_t tool = image->tools[i].tool;
        if (tool != ADHOC_TOOL_LD && tool != ADHOC_TOOL_LLD && tool != ADHOC_TOOL_ZIG)
            continue;
        *out = image->tools[i];
        if (tool == ADHOC_TOOL_LD && out->version >> 16 < LD_FIRST)
            out->tool = ADHOC_TOOL_LLD;
        return true;
    }
    return false;
}

bool adhoc_is_stripped(const struct image *image)
{
    static const char mark[] = "radr://5614542";
    const struct image_symtab *symtab = &image->symtab;
    struct view symbols = {0};
    struct view strings = {0};
    uint64_t entry = image->is64 ? 16 : 12;
    if (symtab->command == IMAGE_NO_COMMAND ||
        !view_slice(&symbols, image->file, symtab->symbols_offset, symtab->symbols_size) ||
        !view_slice(&strings, image->file, symtab->strings_offset, symtab->strings_size))
        return false;
    for (uint32_t i = 0; i < symtab->count; i++) {
        uint32_t name = 0;
        struct view text = {0};
        if (view_u32(&name, symbols, i * entry, image->order) &&
            view_slice(&text, strings, name, sizeof(mark)) &&
            memcmp(text.data, mark, sizeof(mark)) == 0)
            return true;
    }
    return false;
}

bool adhoc_is_go(const struct image *image)
{
    struct image_tool other = {0}; /* the linker of what was built with cgo */
    if (adhoc_find_linker(&other, image))
        return false;
    return image_section(image, "__TEXT", "__gopclntab") ||
           image_section(image, "__DATA_CONST", "__gopclntab") ||
           image_section(image, "__DATA", "__go_buildinfo") ||
           image_section(image, "__DATA_CONST", "__go_buildinfo");
}

bool adhoc_is_exact(const struct image *image)
{
    struct image_tool linker = {0};
    return adhoc_is_go(image) ||
           (adhoc_find_linker(&linker, image) && linker.tool == ADHOC_TOOL_LLD);
}

bool adhoc_linker_signature(struct codesig *out, const struct image *image)
{
    own_fail struct fail fail = {0};
    return image_has(&image->code_signature) &&
           codesig_read(out, image_range_data(image, &image->code_signature), &fail) == 0 &&
           codesig_kind(out) == CODESIG_LINKER;
}
