/*
 * Purpose: makes an arm64e image out of the one that lld links. No open linker writes arm64e:
 *     lld links objects that clang compiled for it, calls the result arm64, and leaves every
 *     pointer in it unsigned. This pass signs what the loader is to sign.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_arm64e struct arm64e_account account = {0};
 *         own_buf struct buf out = {0};
 *         if (arm64e_convert(&out, &account, &image, &fail) < 0) ...
 *     The image is a dylib, bundle or executable that lld linked with -fixup_chains and
 *     -init_offsets from objects of clang -fptrauth-calls -fptrauth-returns ...
 *     -fno-jump-tables -fno-blocks. `out` is the whole new file; it carries no signature.
 *
 * Ownership: the image is borrowed; the names in the account point into its bytes, which must
 *     outlive it. arm64e_account_release() frees the rest.
 *
 * Errors: FAIL_INPUT, naming the place: for everything that would not run on an arm64e machine
 *     or that this pass does not understand. What is not known is refused: sections (classes,
 *     blocks, thread-local variables, module initialisers, lazy pointers, ...), load commands,
 *     imports in data, addresses of labels, code that calls or passes a pointer without
 *     authenticating or signing it.
 *
 * Determinism: a pure function of the bytes. LC_UUID is made from the content, so that equal
 *     UUIDs mean equal images.
 *
 * What it writes:
 *     fix-ups    chains of DYLD_CHAINED_PTR_ARM64E_USERLAND24
 *     stubs      adr x17, slot; ldr x16, [x17]; braa x16, x17; the slot an authenticated bind,
 *                key IA, diversity 0, address diversity
 *     personality routines of unwind information: slots of the same kind
 *     constant strings: the isa an authenticated bind, key DA, diversity 0x6AE1, address
 *                diversity
 *     pointers to functions in data: authenticated rebases, key IA, diversity 0: what a function
 *                pointer of C is
 *     header     cpusubtype arm64e with the versioned pointer-authentication ABI, version 0
 *     A slot that a stub jumps through and that code also reads (for a pointer to the imported
 *     function, which that code signs itself) stays unsigned, and its stub as it was.
 */
#ifndef HALLMARK_MACHO_ARM64E_H
#define HALLMARK_MACHO_ARM64E_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"
#include "macho/fixups.h"
#include "macho/image.h"

#define ARM64E_CPUSUBTYPE       (CPU_SUBTYPE_ARM64E | ARM64E_VERSIONED_ABI)
#define ARM64E_STRING_DIVERSITY 0x6ae1u /* of the isa of a constant string */

/* What a location is, and so how it was written. */
enum arm64e_role {
    ARM64E_POINTER,      /* to data of this image: not signed */
    ARM64E_IMPORT,       /* a slot that code reads, a class reference: not signed */
    ARM64E_CODE_POINTER, /* to a function of this image */
    ARM64E_STRING_ISA,   /* of a constant string */
    ARM64E_STUB,         /* the slot of a stub */
    ARM64E_SHARED_STUB,  /* the slot of a stub that code reads too: not signed */
    ARM64E_PERSONALITY,  /* of unwind information */
};

struct arm64e_fixup {
    struct fixup fixup; /* as it was written */
    enum arm64e_role role;
    const char *import; /* bind: the name; NULL: rebase */
};

struct arm64e_account {
    struct arm64e_fixup *list; /* in the order of their addresses */
    size_t count;
};

#define own_arm64e __attribute__((cleanup(arm64e_account_release)))
void arm64e_account_release(struct arm64e_account *account);

/* "pointer", "stub", ... */
const char *arm64e_role_name(enum arm64e_role role);

int arm64e_convert(struct buf *out, struct arm64e_account *account, const struct image *image,
                   struct fail *fail) must_check;

#endif
