/*
 * Purpose: strict verification of the code signature of one Mach-O image: every byte of the
 *     signature is accounted for, every page and special slot is hashed again, and header,
 *     load command, __LINKEDIT and signature must agree. A CMS signature is judged with all that it
 *     rests on: cdhashes, chain of certificates, timestamp. Revocation is not asked.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         struct sigcheck_options options = {.identifier = "libfoo", .kind = SIGCHECK_ADHOC};
 *         sigcheck_verify(&findings, &image, &options);
 *     A zeroed struct asks for a signature of any kind that holds in itself. Places of findings
 *     do not name the file or slice: see findings_prefix().
 *
 * Ownership: everything is borrowed for the call.
 *
 * Errors: none; all that is wrong is a finding. No finding with FINDING_ERROR means that the
 *     signature holds. Ids (level: error, unless said otherwise):
 *       sig.missing          there is no LC_CODE_SIGNATURE
 *       sig.structure        malformed, overlapping, unknown or unaccounted-for parts; more than
 *                            one LC_CODE_SIGNATURE; header length against version
 *       sig.padding          bytes that nothing seals and that must be zero are not (a warning
 *                            behind the SuperBlob when options allow residue)
 *       sig.alignment        the signature does not begin at a multiple of 16 (warning, unless
 *                            the loader would refuse the image for it)
 *       sig.linkedit         __LINKEDIT does not end where the signature ends, is not the last
 *                            segment, can be executed, or a section or table of
 *                            the file reaches into the signature
 *       sig.trailing-data    bytes behind the signature
 *       sig.code-limit       the code limit is not where the signature begins
 *       sig.page-size        not 4096 or 16384, or not the one asked for
 *       sig.page-count       not as many code hashes as pages
 *       sig.page-hash        a page does not have the hash that the signature states
 *       sig.special-slot     a special slot and what it seals do not agree
 *       sig.external-slot    warning: a slot seals a file of a bundle, and none was given
 *       sig.scatter          a scatter table leaves pages out or places them elsewhere
 *       sig.pre-encryption   pre-encryption hashes of what is not encrypted are not the pages'
 *       sig.linkage          linkage data is not a hash of its kind
 *       sig.exec-segment     base, limit or flags do not describe __TEXT (limit 0: warning)
 *       sig.flags            flags contradict the signature or the kind asked for (unusual
 *                            but possible ones: warning)
 *       sig.kind             not of the kind asked for
 *       sig.weak-hash        SHA-1 alone: warning, unless options require SHA-256
 *       sig.identifier       empty, not printable, or not the one asked for
 *       sig.team             an ad-hoc signature with a team (warning), or a team that is not
 *                            the unit of the signer's certificate
 *       sig.platform         a platform identifier, which only the OS has (warning)
 *       sig.reserved         a reserved field is not zero
 *       sig.alternate        the CodeDirectories contradict each other
 *       sig.runtime          warning: a runtime version without the flag or the reverse, or not
 *                            that of the SDK
 *       sig.requirements     the requirement set cannot be decoded
 *       sig.entitlements     DER and XML entitlements differ in meaning, or the DER ones cannot be
 *                            read (XML that cannot be read, or is not there: warning)
 *       sig.constraint       a launch constraint cannot be decoded
 *       sig.cms-structure    the CMS signature cannot be read, contradicts itself, or is not of
 *                            the kind that code signatures use
 *       sig.cms-signature    it is not of this CodeDirectory, or not by its certificate's key
 *       sig.cms-cdhash       its list of cdhashes is not that of the CodeDirectories
 *       sig.cms-chain        its certificates do not lead to Apple's root or a trusted one
 *       sig.cms-validity     a certificate was not valid when the file was signed
 *       sig.cms-timestamp    the timestamp does not hold; or there is none (warning)
 *       fat.arch             the table of a universal file calls a slice by another architecture
 *                            (other capability bits alone: warning)
 *       fat.padding          bytes between the slices are not zero
 *       fat.reserved         the reserved field of a 64-bit table is not zero
 *       fat.trailing-data    bytes behind the last slice
 *     The manual says what codesign says for the same faults.
 *
 * Determinism: findings come in the order of the file's structures, whatever the number of
 *     threads.
 *
 * An ad-hoc signature is sealed by nothing but itself: who can change its identifier can also
 * write a signature that holds. With `identifier`, `kind` and `strict` given, a change of any byte
 * of a file that sign wrote is an error; with none of them it is a finding too (some are
 * warnings), except for the bytes of the identifier, which nothing else in the file tells.
 */
#ifndef HALLMARK_MACHO_SIGCHECK_H
#define HALLMARK_MACHO_SIGCHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/finding.h"
#include "macho/codesig.h"
#include "macho/fat.h"
#include "macho/image.h"
#include "port/cms.h"

enum sigcheck_kind {
    SIGCHECK_ANY,
    SIGCHECK_LINKER, /* flags exactly adhoc | linker-signed */
    SIGCHECK_ADHOC,  /* flags exactly adhoc */
    SIGCHECK_CMS,
};

/* A file that a special slot can seal. */
struct sigcheck_outside {
    enum {
        SIGCHECK_NOT_GIVEN, /* the caller does not know; a slot that seals it is a warning */
        SIGCHECK_ABSENT,    /* the bundle around the file has none: that is an error */
        SIGCHECK_GIVEN,
    } state;
    struct view bytes;
};

struct sigcheck_options {
    uint64_t offset;         /* of the image in its file: places are file offsets */
    const char *identifier;  /* NULL: any */
    enum sigcheck_kind kind; /* the kind that it must be */
    uint32_t page_size;      /* 0: 4096 or 16384 */
    bool require_sha256;     /* SHA-1 alone is an error */
    bool strict;             /* what is a warning otherwise is an error */
    /* Old bytes behind the SuperBlob, in the space that the load command names, are only a
     * warning: some tools sign again in place and leave them. */
    bool allow_residue;
    struct sigcheck_outside info_plist; /* the Info.plist of the bundle around the file */
    struct sigcheck_outside resources;  /* its _CodeSignature/CodeResources */
    const struct cms_trust *trust;      /* certificates besides Apple's roots; NULL: none */
    unsigned threads;                   /* at most; 0: one for each processor */
};

/* That the table of a universal file says of a slice what its own header says. */
void sigcheck_slice(struct findings *out, const struct fat_slice *slice, const struct image *image);

/* That nothing but zeros lies between the slices of a universal file and in what its table
 * reserves, and nothing behind them: no signature seals it. */
void sigcheck_universal(struct findings *out, struct view file, const struct fat *fat);

/* Whether a slot for a file of a bundle would give no error, in any CodeDirectory. */
bool sigcheck_slot_holds(const struct image *image, const struct codesig *sig, uint32_t slot,
                         const struct sigcheck_options *options);

void sigcheck_verify(struct findings *out, const struct image *image,
                     const struct sigcheck_options *options);

#endif
