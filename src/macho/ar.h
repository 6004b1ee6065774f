/*
 * Purpose: the table of contents of a static archive (ar): its members, and what each of them
 *     is. Names in the BSD form ("#1/len"), the System V form ("/offset") and the short one.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_ar struct ar ar = {0};
 *         if (ar_read(&ar, file, &fail) < 0) ...      // ar has the members before the fault
 *
 * Ownership: the list owns the names; the bytes of members are borrowed.
 *
 * Errors: FAIL_INPUT when a header is malformed or a member truncated; the members before it
 *     are kept.
 *
 * Determinism: a pure function of the bytes; in the order of the file.
 */
#ifndef HALLMARK_MACHO_AR_H
#define HALLMARK_MACHO_AR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cursor.h"
#include "base/fail.h"
#include "base/own.h"

struct ar_member {
    char *name;
    uint64_t offset; /* of the content in the archive; 0 in a thin archive */
    uint64_t size;   /* of the content */
    bool is_image;   /* a Mach-O image: the next three hold */
    uint32_t cputype;
    uint32_t cpusubtype;
    uint32_t filetype;
};

struct ar {
    bool is_thin;           /* it names its files only and holds none of them */
    struct ar_member *list; /* without tables of symbols and of names */
    size_t count;
    size_t capacity;
};

#define own_ar __attribute__((cleanup(ar_release)))

int ar_read(struct ar *out, struct view file, struct fail *fail) must_check;
void ar_release(struct ar *ar);

/* The architecture of all images in it; false when they differ, or there are none. */
bool ar_arch(uint32_t *cputype, uint32_t *cpusubtype, const struct ar *ar);

#endif
