/*
 * Purpose: sign a thin 64-bit Mach-O image ad hoc, byte for byte as codesign or the linker of
 *     that file would.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         struct adhoc_options options = {.style = ADHOC_CODESIGN, .file_name = "libfoo.dylib"};
 *         own_buf struct buf out = {0};
 *         if (adhoc_sign(&out, &image, &options, &fail) < 0) ...
 *     `out` is the whole new file. A present signature is replaced.
 *
 * Ownership: options and image are borrowed for the call; `out` belongs to the caller.
 *
 * Errors: FAIL_INPUT for an image that cannot be signed (no __LINKEDIT, __LINKEDIT not last,
 *     bytes behind it, no room for the load command, nothing to renew) and for options that do
 *     not fit it (identifier, page size, entitlements).
 *
 * Determinism: a pure function of image and options. Padding is zero.
 *
 * Styles:
 *   codesign  SuperBlob of CodeDirectory 0x20400 (flags 0x2), requirement set, entitlements in
 *             XML and DER when given, and an empty CMS slot; slot 1 seals __TEXT,__info_plist;
 *             datasize has the 18000 bytes of spare room that codesign reserves.
 *   linker    a CodeDirectory alone (flags 0x20002); lld's layout, or ld64's, as the present
 *             linker's signature or LC_BUILD_VERSION says.
 * Default identifiers:
 *   codesign  CFBundleIdentifier of __TEXT,__info_plist; else the file name without its last
 *             extension, with "-55554944<LC_UUID>" behind it when it has no dot then.
 *   linker    that of a present linker's signature; else for a dylib of lld the base name of its
 *             install name; else the file name.
 */
#ifndef HALLMARK_MACHO_ADHOC_H
#define HALLMARK_MACHO_ADHOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"
#include "macho/image.h"

enum adhoc_style { ADHOC_CODESIGN, ADHOC_LINKER };

struct adhoc_options {
    enum adhoc_style style;
    const char *identifier;   /* NULL: the default */
    const char *file_name;    /* base name, for the default identifier; NULL: none is known */
    uint32_t page_size;       /* 4096 or 16384; 0: 4096 */
    struct view entitlements; /* an XML property list; data NULL: none; codesign style only */
};

int adhoc_sign(struct buf *out, const struct image *image, const struct adhoc_options *options,
               struct fail *fail) must_check;

/*
 * Builds the present ad-hoc signature anew from its own parameters: layout, versions, flags, hash
 * types, page size, identifier, requirements, entitlements, and the hashes of what lies outside
 * of the file. A signature that holds, with zeros behind it, comes out byte for byte; one whose
 * pages were changed holds afterwards.
 */
int adhoc_renew(struct buf *out, const struct image *image, struct fail *fail) must_check;

#endif
