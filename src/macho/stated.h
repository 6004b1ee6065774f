/*
 * Purpose: all that an image states to lie in its file, but for segments and the signature: the
 *     sections that have bytes, their relocations, and the tables of the load commands, also of
 *     those that struct image does not carry.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         struct stated range = {0};
 *         while (stated_next(&range, &image)) ... range.name, range.start, range.end
 *
 * Ownership: names are constants or the image's.
 *
 * Errors: none. A range may lie outside of the file; an end that does not fit is UINT64_MAX. Empty
 *     ranges are left out.
 *
 * Determinism: in the order of sections, then again of sections for their relocations, then of load
 *     commands.
 */
#ifndef HALLMARK_MACHO_STATED_H
#define HALLMARK_MACHO_STATED_H

#include <stdbool.h>
#include <stdint.h>

#include "macho/image.h"

struct stated {
    const char *name;                    /* "symbol table", or the name of the section */
    const struct image_section *section; /* NULL: a table */
    uint64_t start, end;
    /* Where to go on. */
    uint32_t next_section, next_relocations, next_command, next_table;
};

bool stated_next(struct stated *out, const struct image *image);

#endif
