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
 *     or, to look at what is whole in a file that is not:
 *         if (fat_read(&fat, file, &fail) < 0) ...
 *         for each fat.slices[i]: slice->fault == NULL ? as above : say why not
 *         if (fat_check(&fat, &fail) < 0) ...
 *
 * Ownership: slices borrow the file's bytes; fat_release() frees the array.
 *
 * Errors: FAIL_INPUT for anything but a thin image or a sound universal file; the message
 *     says what the file is instead. In messages slices count from 1.
 *
 * Determinism: a pure function of the bytes; slices are in the order of the table.
 */
#ifndef HALLMARK_MACHO_FAT_H
#define HALLMARK_MACHO_FAT_H

#include "base/cursor.h"
#include "base/fail.h"
#include "base/own.h"

struct fat_slice {
    struct view data; /* empty when there is a fault */
    uint64_t offset;  /* of the slice in the file */
    uint64_t size;    /* as stated in the table; of the file for a thin one */
    uint32_t cputype;
    uint32_t cpusubtype;
    uint32_t align_log2; /* as stated in the table; 0 for a thin file */
    uint32_t reserved;   /* as stated in a 64-bit table, where it should be 0 */
    char *fault;         /* why it has no data, "is truncated (...)"; NULL: it has */
};

struct fat {
    bool is_fat; /* false: a thin image, seen as one slice */
    bool is64;   /* the table has 64-bit offsets */
    struct fat_slice *slices;
    uint32_t slice_count;
};

#define own_fat __attribute__((cleanup(fat_release)))

/* A file of which every slice is sound. */
int fat_open(struct fat *out, struct view file, struct fail *fail) must_check;

/* The same, but an unsound slice is no failure: it has a fault. Of slices that overlap, or are for
 * one architecture, it is the later ones that have it. */
int fat_read(struct fat *out, struct view file, struct fail *fail) must_check;

/* FAIL_INPUT for the first slice that has a fault. */
int fat_check(const struct fat *fat, struct fail *fail) must_check;

void fat_release(struct fat *fat);

/* The architectures of a universal file, "x86_64, arm64", also when its slices are unsound;
 * "" when not even the table can be read. Free the text. */
char *fat_arch_list(struct view file);

#endif
