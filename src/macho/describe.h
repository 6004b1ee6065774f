/*
 * Purpose: all that `hallmark inspect` tells about one Mach-O file, gathered once and then
 *     printed for people or as JSON.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_description struct description description = {0};
 *         if (describe_open(&description, path, file, &fail) < 0) ...
 *         describe_text(&out, &description, symbols); or describe_json(&description, symbols)
 *
 * Ownership: borrows path and bytes; description_release() frees the rest.
 *
 * Errors: FAIL_INPUT when the file or one of its slices is no sound Mach-O image. A table that
 *     only some of the answers need (symbols, fix-ups, Objective-C names) does not prevent the
 *     rest: the slice keeps the failure, and describe_first_fault() gives it.
 *
 * Determinism: output depends on path and bytes only. Control bytes from the file are escaped.
 */
#ifndef HALLMARK_MACHO_DESCRIBE_H
#define HALLMARK_MACHO_DESCRIBE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/fail.h"
#include "base/finding.h"
#include "macho/codesig.h"
#include "macho/fat.h"
#include "macho/fixups.h"
#include "macho/image.h"
#include "macho/objcmeta.h"
#include "macho/symbols.h"
#include "port/digest.h"
#include "port/json.h"

struct description_slice {
    const struct fat_slice *where;
    struct image image;
    struct symbol_list imports, exports, locals;
    struct fail symbols_fault; /* why the three lists are empty; code FAIL_NONE: they hold */
    struct fixup_list fixups;
    size_t bind_count, auth_count;
    struct fail fixups_fault;
    struct text_list selectors, classes;
    struct fail objc_fault;
    struct codesig signature;
    struct findings findings; /* of the signature */
};

struct description {
    const char *path;
    struct view file;
    char sha256[SHA256_HEX];
    struct fat fat;
    struct description_slice *slices; /* as many as fat.slice_count */
};

#define own_description __attribute__((cleanup(description_release)))

int describe_open(struct description *out, const char *path, struct view file,
                  struct fail *fail) must_check;
void description_release(struct description *description);

void describe_text(struct buf *out, const struct description *description, bool symbols);
json_t *describe_json(const struct description *description, bool symbols);

/* The first failure of a table, or NULL; `slice` gets the index. */
const struct fail *describe_first_fault(const struct description *description, uint32_t *slice);

#endif
