/*
 * Purpose: an image as lld links it from objects for arm64e, made in code: what the tests of the
 *     arm64e pass start from, each changing one thing.
 *
 * Layer: tests.
 *
 * Calling sequence:
 *         struct macho_builder b;
 *         struct arm64e_sample sample = arm64e_sample();
 *         sample.code[0] = 0xd61f0100;                      // br x8
 *         arm64e_sample_build(&b, &sample);
 *
 * Ownership: macho_release() frees what was built.
 *
 * Errors: none.
 *
 * Determinism: bytes depend on the sample alone.
 *
 * Addresses are file offsets:
 *     0x1000 __text, two functions: 0x1000 and 0x1020   0x1100 __stubs, two
 *     0x1200 __init_offsets: 0x1020                     0x1300 __cstring
 *     0x1400 __eh_frame, one CIE                        0x1500 __unwind_info
 *     0x4000 __got: _puts _strcmp ___objc_personality_v0 ___stderrp
 *     0x4020 __cfstring: one constant string            0x4040 __const: &function at 0x1000
 *     0x8000 __data: pointer to 0x8008                  0x8020 section of the test's own
 *     0xc000 __LINKEDIT
 * _strcmp is called through its stub and read by code; the others by one of both.
 */
#ifndef HALLMARK_TESTS_ARM64E_SAMPLE_H
#define HALLMARK_TESTS_ARM64E_SAMPLE_H

#include "unit/macho_builder.h"

#define SAMPLE_CODE_MAX 16u

struct arm64e_sample {
    uint32_t code[SAMPLE_CODE_MAX]; /* at 0x1000; the second function begins at the ninth */
    uint32_t stub[6];               /* at 0x1100 */
    uint32_t stub_size;             /* 12 */
    uint64_t got[4];                /* at 0x4000, as lld chains them */
    uint64_t string[4];             /* at 0x4020 */
    uint64_t constant;              /* at 0x4040 */
    uint64_t data;                  /* at 0x8000 */
    uint64_t own;                   /* at 0x8020, when own_name says so */
    const char *own_segment;
    const char *own_name; /* NULL: there is no such section */
    uint32_t own_flags;
    const char *first_import; /* "_puts" */
    uint32_t first_initialiser;
    uint8_t personality_form;    /* 0x9b */
    const char *augmentation;    /* "zPR" */
    uint32_t unwind_personality; /* a slot that __unwind_info names; 0: none */
    uint32_t import_format;
    uint16_t pointer_format;
    uint32_t cpusubtype, filetype;
    uint32_t own_command; /* a load command more; 0: none */
    bool no_uuid, no_functions, no_chains, data_in_code;
};

/* Sound, and accepted. */
struct arm64e_sample arm64e_sample(void);

void arm64e_sample_build(struct macho_builder *b, const struct arm64e_sample *sample);

#endif
