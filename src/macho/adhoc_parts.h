/*
 * Purpose: the steps of signing: the profile (every parameter of a signature, decided), and its
 *     serialisation.
 *
 * Layer: macho, private to adhoc*.c.
 *
 * Calling sequence: adhoc_profile_choose() or adhoc_profile_present(), then adhoc_build_len(),
 *     then, when header and load commands are final, adhoc_build().
 *
 * Ownership: a profile owns its texts and blobs (adhoc_profile_release()).
 *
 * Errors: FAIL_INPUT, see adhoc.h.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_MACHO_ADHOC_PARTS_H
#define HALLMARK_MACHO_ADHOC_PARTS_H

#include "macho/adhoc.h"
#include "macho/codesig.h"

#define ADHOC_DIRECTORIES_MAX 6u
#define ADHOC_IDENTIFIER_MAX  1024u

/* How large the space is that the load command names. */
enum adhoc_space {
    ADHOC_SPACE_EXACT,
    ADHOC_SPACE_ALIGN8,
    ADHOC_SPACE_RESERVED, /* codesign: room for a CMS signature */
    ADHOC_SPACE_FIXED,    /* `space_len`, or more when that is too small */
};

struct adhoc_directory {
    uint32_t slot;
    uint32_t version;
    uint8_t hash_type;
    uint8_t page_shift;
    uint8_t platform;
    uint32_t flags;
    uint32_t runtime;
    uint64_t exec_base;
    uint64_t exec_limit;
    uint64_t exec_flags;
    uint32_t special_count;
    uint8_t special[CODESIG_SPECIAL_MAX + 1][DIGEST_MAX]; /* by slot number; [0] is not used */
};

struct adhoc_blob {
    uint32_t slot;
    struct buf bytes;
};

struct adhoc_profile {
    bool lld_layout; /* CodeDirectory at 24, hashes aligned to 16 */
    char *identifier;
    char *team; /* NULL: none */
    struct adhoc_directory directories[ADHOC_DIRECTORIES_MAX];
    size_t directory_count;
    struct adhoc_blob blobs[CODESIG_BLOBS_MAX]; /* everything but the CodeDirectories */
    size_t blob_count;
    enum adhoc_space space;
    uint64_t space_len;
};

#define own_adhoc_profile __attribute__((cleanup(adhoc_profile_release)))

int adhoc_profile_choose(struct adhoc_profile *out, const struct image *image,
                         const struct adhoc_options *options, struct fail *fail) must_check;
int adhoc_profile_present(struct adhoc_profile *out, const struct image *image,
                          struct fail *fail) must_check;
void adhoc_profile_release(struct adhoc_profile *profile);

/* The default identifier of a style; the caller frees it. */
int adhoc_default_identifier(char **out, const struct image *image,
                             const struct adhoc_options *options, bool lld_layout,
                             struct fail *fail) must_check;

/* The value of datasize for a file whose signature begins at `code_limit`. */
uint64_t adhoc_build_space(const struct adhoc_profile *profile, uint64_t code_limit);

/* Appends signature and padding, `space` bytes in all, for the pages of `code`, which must not be
 * bytes of `out`. */
void adhoc_build(struct buf *out, const struct adhoc_profile *profile, struct view code,
                 uint64_t space);

#endif
