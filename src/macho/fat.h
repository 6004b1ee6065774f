/*
 * Purpose: the table of a universal ("fat") file, 32- and 64-bit: its slices, with bounds,
 *     overlap and alignment checked. A thin image is one slice, so that callers can treat
 *     both alike.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_fat struct fat fat = {0};
 *         if (fat_open(&fat, file, &fail) < 0) ...
 *         for each fat.slices[i]: image_open_any(&image, slice->data, &fail)
 *
 * Ownership: slices borrow the file's bytes; fat_release() frees the array.
 *
 * Errors: FAIL_INPUT for anything but a thin image or a sound universal file; the message
 *     says what the file is instead.
 *
 * Determinism: a pure function of the bytes; slices are in the order of the table.
 */
#ifndef HALLMARK_MACHO_FAT_H
#define HALLMARK_MACHO_FAT_H

#include "base/cursor.h"
#include "base/fail.h"
#include "base/own.h"

struct fat_slice {
    struct view data;
    uint64_t offset; /* of the slice in the file */
    uint32_t cputype;
    uint32_t cpusubtype;
    uint32_t align_log2; /* as stated in the table; 0 for a thin file */
    uint32_t reserved;   /* as stated in a 64-bit table, where it should be 0 */
};

struct fat {
    bool is_fat; /* false: a thin image, seen as one slice */
    bool is64;   /* the table has 64-bit offsets */
    struct fat_slice *slices;
    uint32_t slice_count;
};

#define own_fat __attribute__((cleanup(fat_release)))

int fat_open(struct fat *out, struct view file, struct fail *fail) must_check;
void fat_release(struct fat *fat);

/* The architectures of a universal file, "x86_64, arm64", also when its slices are unsound;
 * "" when not even the table can be read. Free the text. */
char *fat_arch_list(struct view file);

#endif
