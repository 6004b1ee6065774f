/*
 * Purpose: sign Mach-O files ad hoc, byte for byte as codesign or the linker of that file would;
 *     build a present signature anew; take one away. Thin images of every word size and byte
 *     order, and universal files.
 *
 * Layer: macho.
 *
 * Calling sequence, a whole file, thin or universal:
 *         struct adhoc_options options = {.style = ADHOC_CODESIGN, .file_name = "libfoo.dylib"};
 *         own_pieces struct pieces out = {0};
 *         if (adhoc_sign_file(&out, file, &options, &fail) < 0) ...
 *     one image, into one buffer:
 *         own_buf struct buf out = {0};
 *         if (adhoc_sign(&out, &image, &options, &fail) < 0) ...
 *     `out` is the whole new file. A present signature is replaced.
 *
 * Ownership: options, image and file are borrowed for the call; pieces borrow from the file, which
 *     must outlive them.
 *
 * Errors: FAIL_INPUT for an image that cannot be signed (an object file, no __LINKEDIT, __LINKEDIT
 *     not last, bytes behind it, no room for the load command, nothing to renew), for a universal
 *     file with such a slice, and for options that do not fit (identifier, page size,
 *     entitlements). FAIL_SIGNAL.
 *
 * Determinism: a pure function of file and options. Padding is zero.
 *
 * Styles:
 *   codesign  SuperBlob of CodeDirectory 0x20400 (flags 0x2), requirement set, entitlements in
 *             XML and DER when given, and an empty CMS slot; slot 1 seals __TEXT,__info_plist;
 *             datasize has the 18000 bytes of spare room that codesign reserves. For systems that
 *             know SHA-1 alone (macOS before 10.11.4, iOS and tvOS before 11, every watchOS, no
 *             platform stated) the CodeDirectory is SHA-1, and one with SHA-256 is the alternate.
 *             An image that states no platform, or has no bytes in __TEXT, has no execution
 *             segment: its CodeDirectory is one of version 0x20100.
 *   linker    a CodeDirectory alone (flags 0x20002); lld's layout, or ld64's, as the present
 *             linker's signature or LC_BUILD_VERSION says.
 * Default identifiers:
 *   codesign  CFBundleIdentifier of __TEXT,__info_plist; else the file name without its last
 *             extension and further version numbers (libz.1.2.3.dylib: libz.1), with
 *             "-55554944<LC_UUID>" behind it when it has no dot then; without LC_UUID it is the
 *             SHA-1 of header and load commands as they are.
 *   linker    that of a present linker's signature; else for a dylib of lld the base name of its
 *             install name; else "a.out" for what Go linked; else the file name.
 * In a universal file the first slice decides identifier and hash types of style codesign for all.
 */
#ifndef HALLMARK_MACHO_ADHOC_H
#define HALLMARK_MACHO_ADHOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"
#include "base/pieces.h"
#include "macho/image.h"

enum adhoc_style { ADHOC_CODESIGN, ADHOC_LINKER };

/* A page size: 16384 for arm64 and arm64e, 4096 for every other architecture, as newer versions of
 * codesign choose it for each slice; codesign style only. */
#define ADHOC_PAGE_SIZE_AUTO 1u

struct adhoc_options {
    enum adhoc_style style;
    const char *identifier;   /* NULL: the default */
    const char *file_name;    /* base name, for the default identifier; NULL: none is known */
    uint32_t page_size;       /* 4096, 16384, or ADHOC_PAGE_SIZE_AUTO; 0: 4096, or what the linker
                               * of the file takes */
    struct view entitlements; /* an XML property list; data NULL: none; codesign style only */
    /* The slice that identifier and hash types of style codesign come from; NULL: the image
     * itself. adhoc_sign_file() fills it in. */
    const struct image *lead;
};

int adhoc_sign_file(struct pieces *out, struct view file, const struct adhoc_options *options,
                    struct fail *fail) must_check;

/*
 * Builds the present ad-hoc signature anew from its own parameters: layout, versions, flags, hash
 * types, page size, identifier, requirements, entitlements, and the hashes of what lies outside
 * of the file. A signature that holds comes out byte for byte, together with what an earlier one
 * left behind it; one whose pages were changed holds afterwards. Slices without a signature stay
 * as they are; there must be one with.
 */
int adhoc_renew_file(struct pieces *out, struct view file, struct fail *fail) must_check;

/*
 * The inverse: takes load command and signature away, and what padded __LINKEDIT in front of it.
 * Signing an unsigned image and stripping it again gives its very bytes when its __LINKEDIT ends
 * with its last table, and its memory size is the file size as it comes, where lld, Go or Apple's
 * strip made it, or else rounded up as the other segments are. Also of CMS
 * signatures. `stripped` counts the slices that had one; with 0 the file comes out as it is.
 */
int adhoc_strip_file(struct pieces *out, uint32_t *stripped, struct view file,
                     struct fail *fail) must_check;

int adhoc_sign(struct buf *out, const struct image *image, const struct adhoc_options *options,
               struct fail *fail) must_check;
int adhoc_renew(struct buf *out, const struct image *image, struct fail *fail) must_check;
int adhoc_strip(struct buf *out, const struct image *image, struct fail *fail) must_check;

#endif
