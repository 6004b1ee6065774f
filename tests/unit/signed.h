/*
 * Purpose: signed files for the tests of the signer and the verifier: a small image is built,
 *     signed, and kept together with what was read from it.
 *
 * Layer: tests.
 *
 * Calling sequence:
 *         own_signed struct signed_file file = {0};
 *         signed_sign(&file, &(struct signed_spec){.tool = TOOL_LLD}, &signed_codesign);
 *
 * Ownership: a signed_file owns its bytes and what was read from them.
 *
 * Errors: what must not fail, fails the test.
 *
 * Determinism: bytes depend on the arguments alone.
 */
#ifndef HALLMARK_TESTS_SIGNED_H
#define HALLMARK_TESTS_SIGNED_H

#include "macho/adhoc.h"
#include "macho/codesig.h"
#include "macho/image.h"
#include "unit/macho_builder.h"

#define CODE_LEN UINT64_C(0x4000)
#define TOOL_LD  3u
#define TOOL_LLD 4u
#define TOOL_ZIG 5u

/* What signed_make() builds: __TEXT of 16 KiB with __text of 0x123 bytes, and __LINKEDIT. */
struct signed_spec {
    uint32_t filetype;
    uint32_t tool; /* in LC_BUILD_VERSION; 0: it names none */
    uint32_t tool_major;
    bool no_platform; /* and with tool 0: no LC_BUILD_VERSION */
    bool no_uuid;
    bool no_linkedit;
    const char *install_name;
    const char *info_plist;
    uint64_t text_at;         /* of __text; 0: 0x1000 */
    uint64_t linkedit_len;    /* 0: 0x20 */
    uint64_t linkedit_memory; /* 0: rounded up to 16 KiB */
};

void signed_make(struct macho_builder *b, const struct signed_spec *spec);

/* A file, its image and its signature, kept together. */
struct signed_file {
    struct buf bytes;
    struct image image;
    struct codesig sig;
};

#define own_signed __attribute__((cleanup(signed_release)))
void signed_release(struct signed_file *file);

/* Style codesign and style linker for a file named libfoo.dylib. */
extern const struct adhoc_options signed_codesign, signed_linker;

/* Builds, signs, reads, verifies strictly. */
void signed_sign(struct signed_file *out, const struct signed_spec *spec,
                 const struct adhoc_options *options);

/* Reads image and signature from file->bytes. */
void signed_open(struct signed_file *file);

/* Verifies strictly; any finding fails the test. */
void signed_check(const struct signed_file *file, enum adhoc_style style);

#endif
