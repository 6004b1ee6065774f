/*
 * Purpose: what the readers of the load commands share: a command while it is read, the segments, and
 *     the commands that state where tables are.
 *
 * Layer: macho; for image_commands.c, image_segments.c and image_tables.c alone.
 *
 * Calling sequence: image_read_commands() sets the cursor behind a command's first 8 bytes and hands it
 *     to the reader of its kind.
 *
 * Ownership: as in image_commands.h.
 *
 * Errors: FAIL_INPUT.
 *
 * Determinism: a pure function of the bytes.
 */
#ifndef HALLMARK_MACHO_IMAGE_PARTS_H
#define HALLMARK_MACHO_IMAGE_PARTS_H

#include "macho/image_commands.h"

/* One command while it is read: a cursor over its bytes, and how messages call it. */
struct image_reading {
    struct image *image;
    uint32_t command;
    struct cursor cursor;
    char name[IMAGE_COMMAND_TEXT_MAX];
    /* capacities of the growing arrays of the image */
    size_t *segments, *sections, *builds, *tools, *libraries, *rpaths;
};

/* Asked once a command: were all of its fields inside of it? */
int image_check_fields(const struct image_reading *r, struct fail *fail) must_check;

/* Refuses a second command of a kind; `earlier` is the first one, IMAGE_NO_COMMAND if there is none. */
int image_check_single(const struct image_reading *r, uint32_t earlier,
                       struct fail *fail) must_check;

/* LC_SEGMENT and LC_SEGMENT_64, with their sections. */
int image_read_segment(struct image_reading *r, struct fail *fail) must_check;

/* Commands that state where a table is, most of them in __LINKEDIT. 1: it was none of them. */
int image_read_table(struct image_reading *r, uint32_t cmd, struct fail *fail) must_check;

/* The ranges of the dynamic symbol table, once the symbol table is known. */
int image_check_dysymtab(const struct image *image, struct fail *fail) must_check;

#endif
