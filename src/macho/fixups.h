/*
 * Purpose: fix-ups: the imports, and each location that the loader writes, whether chains state
 *     them or the opcodes of LC_DYLD_INFO.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_fixups struct fixup_list fixups = {0};
 *         if (fixups_read(&fixups, &image, &fail) < 0) ...
 *     An image without either gives empty lists.
 *
 * Ownership: names point into the image's bytes; fixups_release() frees the arrays.
 *
 * Errors: FAIL_INPUT: a table or a chain leaves its bounds, an import number is out of
 *     range, a pointer format is not one of those listed below, an opcode is unknown.
 *
 * Determinism: a pure function of the bytes. Those of chains are in the order of their addresses
 *     within each segment, segments in the order of the file; those of opcodes in the order in
 *     which they are stated: binds, weak binds, lazy binds, then rebases.
 */
#ifndef HALLMARK_MACHO_FIXUPS_H
#define HALLMARK_MACHO_FIXUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
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
    uint64_t offset;  /* of the location in the file; 0 in memory that the file does not fill */
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
    struct fixup *list; /* NULL when they are only counted */
    size_t count;
    size_t capacity;
    bool counted_only;
    size_t rebase_count; /* of all fix-ups, listed or only counted */
    size_t bind_count;
    size_t auth_count; /* of both kinds: signed pointers */
};

#define own_fixups __attribute__((cleanup(fixups_release)))

/* Reads imports and walks all chains, of every pointer format that constants.h names; or reads
 * the opcodes, whose imports are listed as they come, so that one can be there several times. */
int fixups_read(struct fixup_list *out, const struct image *image, struct fail *fail) must_check;

/* The same, but counts them only: the list stays empty. */
int fixups_count(struct fixup_list *out, const struct image *image, struct fail *fail) must_check;

/* Reads the imports and the pointer format of chains only; walks none. */
int fixups_read_imports(struct fixup_list *out, const struct image *image,
                        struct fail *fail) must_check;

/* "IA", "IB", "DA", "DB" */
const char *fixup_key_name(enum fixup_key key);

/* Appends "bind _name", "rebase 0x1000", "auth-bind _name key IA diversity 0x0000 address"; the
 * last word: the address of the location is part of the modifier too. */
void fixup_text(struct buf *out, const struct fixup_list *list, const struct fixup *fixup);

void fixups_release(struct fixup_list *list);

#endif
