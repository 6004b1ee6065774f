/*
 * Purpose: the steps of signing one image: its place in the file, the profile (every parameter of
 *     a signature, decided), and its serialisation.
 *
 * Layer: macho, private to adhoc*.c.
 *
 * Calling sequence: adhoc_place_find(); adhoc_profile_choose() or adhoc_profile_present(); then
 *     adhoc_build_space(), and, when header and load commands are final, adhoc_build().
 *
 * Ownership: a profile owns its texts and blobs (adhoc_profile_release()), and borrows `residue`
 *     from the image.
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
#define ADHOC_GAP_MAX         64u /* zeros between two parts of a signature; real ones: 30 */

/* Where the signature goes. */
struct adhoc_place {
    const struct image_segment *linkedit;
    uint64_t kept;    /* bytes of the file that stay */
    uint64_t start;   /* of the signature; zeros between the two */
    uint64_t command; /* offset of LC_CODE_SIGNATURE, or where it goes */
    bool present;     /* it is there */
    /* Of __LINKEDIT without its signature. */
    uint64_t file_size;
    uint64_t memory_size;
    bool exact; /* the memory size is the file size, which nobody rounded */
};

enum adhoc_job { ADHOC_SIGN, ADHOC_RENEW, ADHOC_STRIP };

/* For ADHOC_RENEW the signature stays where it is. */
int adhoc_place_find(struct adhoc_place *out, const struct image *image, enum adhoc_job job,
                     struct fail *fail) must_check;

/* Appends the new header and load commands, for a signature of `space` bytes (0: none), followed by
 * the bytes behind them up to file offset `len`. */
int adhoc_place_header(struct buf *out, const struct image *image, const struct adhoc_place *place,
                       uint64_t space, uint64_t memory_size, uint64_t len,
                       struct fail *fail) must_check;

/* Tools that LC_BUILD_VERSION names. */
#define ADHOC_TOOL_LD  3u
#define ADHOC_TOOL_LLD 4u
#define ADHOC_TOOL_ZIG 5u

/* The linker that wrote the image; false when LC_BUILD_VERSION does not tell. */
bool adhoc_find_linker(struct image_tool *out, const struct image *image);

/* Whether strip of Apple's cctools went over it: it signs again, and leaves a symbol as a mark. */
bool adhoc_is_stripped(const struct image *image);

/* Whether the Go linker wrote it. */
bool adhoc_is_go(const struct image *image);

/* Whether its linker leaves the memory size of __LINKEDIT at the file size, as lld and Go do. */
bool adhoc_is_exact(const struct image *image);

/* The present signature, if it is one that a linker wrote. Release it in any case. */
bool adhoc_linker_signature(struct codesig *out, const struct image *image);

/* What codesign and most linkers of today round segments of that architecture to. */
uint64_t adhoc_segment_alignment(const struct image *image);

/* The smallest multiple; what would overflow gives UINT64_MAX. */
uint64_t adhoc_align_up(uint64_t value, uint64_t alignment);

/* How large the space is that the load command names. */
enum adhoc_space {
    ADHOC_SPACE_EXACT,
    ADHOC_SPACE_ALIGN8,
    ADHOC_SPACE_RESERVED, /* codesign: room for a CMS signature */
    ADHOC_SPACE_FIXED,    /* `space_len`, or more when that is too small */
};

struct adhoc_directory {
    uint32_t version;
    uint8_t hash_type;
    uint8_t page_shift;
    uint8_t platform;
    bool has_team;
    uint32_t flags;
    uint32_t runtime;
    uint64_t exec_base;
    uint64_t exec_limit;
    bool exec_to_signature; /* the limit is where the signature begins, wherever that is */
    uint64_t exec_flags;
    uint32_t special_count;
    uint8_t special[CODESIG_SPECIAL_MAX + 1][DIGEST_MAX]; /* by slot number; [0] is not used */
    uint64_t gap;  /* zeros between the texts and the hashes */
    uint64_t tail; /* zeros behind the hashes */
};

/* One entry of the index. */
struct adhoc_item {
    uint32_t slot;
    uint64_t gap;                      /* zeros in front of the blob */
    struct adhoc_directory *directory; /* NULL: the blob is `bytes` */
    struct buf bytes;
};

struct adhoc_profile {
    char *identifier;
    char *team; /* NULL: none */
    struct adhoc_directory directories[ADHOC_DIRECTORIES_MAX];
    size_t directory_count;
    struct adhoc_item items[CODESIG_BLOBS_MAX]; /* in the order of the index */
    size_t item_count;
    size_t order[CODESIG_BLOBS_MAX]; /* indexes of items in the order of their blobs */
    uint64_t tail;                   /* zeros behind the last blob that the SuperBlob counts */
    enum adhoc_space space;
    uint64_t space_len;
    bool exact_memory;   /* the memory size of __LINKEDIT stays exact where it is */
    struct view residue; /* what stays behind a SuperBlob of residue_at bytes */
    uint64_t residue_at;
};

#define own_adhoc_profile __attribute__((cleanup(adhoc_profile_release)))

int adhoc_profile_choose(struct adhoc_profile *out, const struct image *image,
                         const struct adhoc_options *options, struct fail *fail) must_check;
int adhoc_profile_present(struct adhoc_profile *out, const struct image *image,
                          struct fail *fail) must_check;
void adhoc_profile_release(struct adhoc_profile *profile);

/* Appends an item behind the last one. */
struct adhoc_item *adhoc_profile_add(struct adhoc_profile *profile, uint32_t slot);

/* Both profiles state the execution segment and seal the embedded Info.plist the same way. */
void adhoc_exec_segment(struct adhoc_directory *directory, const struct image *image);
void adhoc_seal_info_plist(struct adhoc_directory *directory, const struct image *image);

/* What newer linkers of Apple state as the limit: the size of __text; where there is none, the file
 * size of __TEXT, since a limit of zero states no segment. */
uint64_t adhoc_text_section_size(const struct image *image);

int adhoc_check_identifier(const char *identifier, struct fail *fail) must_check;

/* The default identifier of a style; the caller frees it. */
int adhoc_default_identifier(char **out, const struct image *image,
                             const struct adhoc_options *options, bool lld_layout,
                             struct fail *fail) must_check;

/* The length of the SuperBlob, and the value of datasize, for a signature that begins at
 * `code_limit`. */
uint64_t adhoc_build_len(const struct adhoc_profile *profile, uint64_t code_limit);
uint64_t adhoc_build_space(const struct adhoc_profile *profile, uint64_t code_limit);

/* The length of the largest page: parts of `code` below must begin at multiples of it. */
uint64_t adhoc_build_page(const struct adhoc_profile *profile);

/* Appends the SuperBlob for the pages of `code`. */
int adhoc_build(struct buf *out, const struct adhoc_profile *profile, const struct pieces *code,
                struct fail *fail) must_check;

/* One image as pieces. */
int adhoc_sign_image(struct pieces *out, const struct image *image,
                     const struct adhoc_options *options, struct fail *fail) must_check;
int adhoc_renew_image(struct pieces *out, const struct image *image, struct fail *fail) must_check;
int adhoc_strip_image(struct pieces *out, const struct image *image, struct fail *fail) must_check;

#endif
