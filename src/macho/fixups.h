/*
 * Purpose: chained fix-ups: the imports table, and each location that the loader writes.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_fixups struct fixup_list fixups = {0};
 *         if (fixups_read(&fixups, &image, &fail) < 0) ...
 *     An image without LC_DYLD_CHAINED_FIXUPS gives empty lists.
 *
 * Ownership: names point into the image's bytes; fixups_release() frees the arrays.
 *
 * Errors: FAIL_INPUT: a table or a chain leaves its bounds, an import number is out of
 *     range, a pointer format is not one of those listed below.
 *
 * Determinism: a pure function of the bytes; fix-ups are in the order of their addresses
 *     within each segment, segments in the order of the file.
 */
#ifndef HALLMARK_MACHO_FIXUPS_H
#define HALLMARK_MACHO_FIXUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/own.h"
#include "macho/image.h"

struct fixup_import {
    const char *name;
    int ordinal; /* library, or ORDINAL_* */
    bool weak;
    int64_t addend;
};

enum fixup_key { FIXUP_IA, FIXUP_IB, FIXUP_DA, FIXUP_DB };

struct fixup {
    uint64_t address; /* of the location that is written, unslid */
    uint64_t offset;  /* of the location in the file */
    uint32_t segment; /* index */
    bool bind;        /* else: rebase */
    bool auth;        /* the pointer is signed: key, diversity, address_diversity hold */
    enum fixup_key key;
    uint16_t diversity;
    bool address_diversity;
    uint32_t import; /* bind: index into imports */
    int64_t addend;  /* bind: that of the pointer and of the import, added */
    uint64_t target; /* rebase: unslid address, the top byte (high8) included */
};

struct fixup_list {
    uint32_t import_format;  /* 1: 32 bits, 2: with addend, 3: 64 bits with addend; 0: none */
    uint32_t pointer_format; /* CHAINED_* of the first segment that has any; 0: none */
    struct fixup_import *imports;
    uint32_t import_count;
    struct fixup *list;
    size_t count;
    size_t capacity;
};

#define own_fixups __attribute__((cleanup(fixups_release)))

/* Reads imports and walks all chains: formats CHAINED_ARM64E, _64, _64_OFFSET, _32,
 * _ARM64E_KERNEL, _ARM64E_USERLAND, _ARM64E_USERLAND24. */
int fixups_read(struct fixup_list *out, const struct image *image, struct fail *fail) must_check;

/* Reads the imports and the pointer format only; walks no chain. */
int fixups_read_imports(struct fixup_list *out, const struct image *image,
                        struct fail *fail) must_check;

void fixups_release(struct fixup_list *list);

#endif
