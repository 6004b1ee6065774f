/*
 * Purpose: all that `hallmark inspect` tells about one file, gathered once and then printed for
 *     people or as JSON: a thin Mach-O image, a universal file, or a static archive.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_description struct description description = {0};
 *         struct describe_options options = {.symbols = true};
 *         if (describe_open(&description, path, file, &options, &fail) < 0) ...
 *         describe_text(&out, &description); or describe_json(&description)
 *         if (describe_fault(&description, &fail) < 0) ...
 *
 * Ownership: borrows path and bytes; description_release() frees the rest.
 *
 * Errors: FAIL_INPUT when the file is neither Mach-O nor an archive, or its only image or its
 *     table of slices is broken. What prevents only a part of the answer (a slice, a table, a
 *     blob of the signature) does not prevent the rest: it is kept, shown in its place, and
 *     describe_fault() makes the failure of it.
 *
 * Determinism: output depends on path, bytes and options only. Control bytes of names are
 *     escaped.
 */
#ifndef HALLMARK_MACHO_DESCRIBE_H
#define HALLMARK_MACHO_DESCRIBE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/fail.h"
#include "base/finding.h"
#include "macho/ar.h"
#include "macho/codesig.h"
#include "macho/fat.h"
#include "macho/fixups.h"
#include "macho/image.h"
#include "macho/objcmeta.h"
#include "macho/plist.h"
#include "macho/sigcheck.h"
#include "macho/symbols.h"
#include "port/cms.h"
#include "port/digest.h"
#include "port/json.h"

struct describe_options {
    bool symbols; /* list symbols, selectors and classes, not only their numbers */
    bool fixups;  /* list the fix-ups too */
    /* Hash the file and every page of it: `sha256`, and `findings` of the whole signature.
     * Without it the cost does not depend on the length of the file. */
    bool judge;
    struct sigcheck_options judging; /* with `judge`; the place of each slice is added */
};

/* Property lists in blobs of the signature. */
enum {
    LIST_ENTITLEMENTS,
    LIST_ENTITLEMENTS_DER,
    LIST_CONSTRAINT_SELF,
    LIST_CONSTRAINT_PARENT,
    LIST_CONSTRAINT_RESPONSIBLE,
    LIST_CONSTRAINT_LIBRARY,
    LIST_COUNT
};

struct description_requirement {
    uint32_t type;
    struct buf text; /* in the requirement language */
};

/* The signature's content, as far as it could be read. */
struct description_signature {
    struct codesig parsed;
    struct findings structure; /* what codesig_parse() says of it */
    struct findings findings;  /* what sigcheck_verify() says, with `judge` */
    bool has_list[LIST_COUNT];
    struct plist lists[LIST_COUNT];
    bool has_requirements; /* a set, be it empty */
    struct description_requirement *requirements;
    size_t requirement_count;
    bool has_cms;
    struct cms cms;
};

/* The parts of a slice that can fail to be read. */
enum {
    FAULT_SLICE,
    FAULT_SYMBOLS,
    FAULT_FIXUPS,
    FAULT_OBJC,
    FAULT_SIGNATURE,
    FAULT_REQUIREMENTS,
    FAULT_CMS,
    FAULT_LIST, /* and LIST_COUNT - 1 more */
    FAULT_COUNT = FAULT_LIST + LIST_COUNT
};

struct description_slice {
    const struct fat_slice *where;
    bool has_image; /* else: an archive, or nothing that could be read */
    bool is_archive;
    struct image image;
    struct ar archive;
    struct symbol_list imports, exports, locals;
    size_t export_count, local_count; /* the lists themselves are filled only with the option */
    struct fixup_list fixups;         /* listed only with the option */
    struct text_list selectors, classes;
    bool names_encrypted; /* then both are empty, and it is not known what they would be */
    struct description_signature signature;
    struct fail faults[FAULT_COUNT]; /* why a part is not there; code FAIL_NONE: it is */
};

struct description {
    const char *path;
    struct view file;
    struct describe_options options;
    char sha256[SHA256_HEX];          /* with `judge` */
    struct fat fat;                   /* an archive is one slice, like a thin image */
    struct description_slice *slices; /* as many as fat.slice_count */
};

#define own_description __attribute__((cleanup(description_release)))

int describe_open(struct description *out, const char *path, struct view file,
                  const struct describe_options *options, struct fail *fail) must_check;
void description_release(struct description *description);

void describe_text(struct buf *out, const struct description *description);
json_t *describe_json(const struct description *description);

/* FAIL_INPUT for the first part that could not be read, saying how many there are; or 0. */
int describe_fault(const struct description *description, struct fail *fail) must_check;

#endif
