/*
 * Purpose: join images into a universal file, laid out as lipo does.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         struct fat_input inputs[] = {{.data = arm64_bytes}, {.data = arm64e_bytes}};
 *         own_pieces struct pieces out = {0};
 *         if (fat_write(&out, inputs, 2, &fail) < 0) ...
 *     fat_write() fills in the rest of each input and puts them into the order of the file.
 *
 * Ownership: pieces borrow from the images, which must outlive them.
 *
 * Errors: FAIL_INPUT for an input that is no thin image, for two of one architecture, and for a
 *     file that would need 64-bit offsets (4 GiB and more).
 *
 * Determinism: a pure function of the images and their order.
 *
 * Source of the facts: mach-o/fat.h; order and alignments measured with llvm-lipo 19, which does
 *     as Apple's: slices of the arm64 family come last, one family by its cpusubtype, the others
 *     by alignment, and as they were given where that is the same; 2^12 for x86 and PowerPC, 2^14
 *     for ARM, and for others what the addresses of
 *     their segments allow.
 */
#ifndef HALLMARK_MACHO_FAT_WRITE_H
#define HALLMARK_MACHO_FAT_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"
#include "base/pieces.h"

struct fat_input {
    struct view data;
    /* filled in */
    uint32_t cputype;
    uint32_t cpusubtype;
    uint32_t align_log2;
    uint64_t offset;
};

int fat_write(struct pieces *out, struct fat_input *inputs, size_t count,
              struct fail *fail) must_check;

#endif
