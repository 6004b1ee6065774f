/*
 * Purpose: signatures of every form, written in code and independent of the signer: any version of
 *     the CodeDirectory, several directories, scatter tables, pre-encryption hashes, linkage data,
 *     any blobs; around small images of any width, byte order and file type.
 *
 * Layer: tests.
 *
 * Calling sequence:
 *         own_buf struct buf file = {0};
 *         sealer_file(&file, &(struct sealer_image){.cputype = CPU_TYPE_POWERPC, .big_endian = true},
 *                     &(struct sealer_spec){.version = 0x20100, .hash_types = {1}});
 *     sealer_kinds[] are sound files that differ in all of that.
 *
 * Ownership: the caller's buffer; specs borrow.
 *
 * Errors: none; a wrong use aborts. Nothing is checked: a spec may ask for what is unsound.
 *
 * Determinism: bytes depend on the arguments alone.
 */
#ifndef HALLMARK_TESTS_SEALER_H
#define HALLMARK_TESTS_SEALER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "macho/codesig.h"

#define SEALER_WORDS 18u

struct sealer_image {
    bool is32, big_endian;
    uint32_t cputype, cpusubtype, filetype, flags; /* filetype 0: a dylib */
    uint64_t code_len;                             /* up to __LINKEDIT; 0: 0x600 */
    uint64_t data_len;      /* of it, in __DATA behind __TEXT; 0: no such segment */
    const char *info_plist; /* the section of that name; NULL: none */
    bool encrypted;         /* LC_ENCRYPTION_INFO, with an id that is not 0 */
    uint32_t table_len;     /* LC_FUNCTION_STARTS, at the start of __LINKEDIT; 0: no such command */
    uint32_t sdk;           /* of LC_BUILD_VERSION; 0: no such command */
    uint32_t command;       /* one more load command; 0: none */
    uint32_t words[SEALER_WORDS]; /* what follows its size */
    uint32_t linkedit_protection; /* 0: r-- */
    bool linkedit_section;        /* a section where the signature is */
};

struct sealer_blob {
    uint32_t slot;
    struct view payload; /* the header is added, with the magic number of the slot */
};

/* What the limit of the executable segment states: the size of __TEXT, or all in front of these. */
enum sealer_limit { SEALER_LIMIT_TEXT, SEALER_LIMIT_LINKEDIT, SEALER_LIMIT_SIGNATURE };

#define SEALER_HASHES_MAX 3u
#define SEALER_BLOBS_MAX  8u

struct sealer_spec {
    uint32_t version;                      /* 0: 0x20400 */
    uint32_t flags;                        /* 0: adhoc */
    uint8_t page_shift;                    /* 0: 12 */
    uint8_t hash_types[SEALER_HASHES_MAX]; /* slot 0 and alternates; all 0: sha256 */
    const char *identifier;                /* NULL: SEALER_IDENTIFIER */
    const char *team;
    uint64_t exec_flags;
    enum sealer_limit exec_limit;
    uint32_t runtime;
    uint32_t special_count; /* at least; else what the blobs need */
    struct view info_plist; /* what slot 1 seals; else the section, if there is one */
    struct view resources;  /* what slot 3 seals */
    bool scatter, pre_encrypt, linkage;
    struct sealer_blob blobs[SEALER_BLOBS_MAX]; /* ascending slots, between both kinds of
                                                   directories */
    uint32_t reserved;                          /* zeros behind the SuperBlob */
};

/* An empty requirement set, which codesign always writes; without it only linkers do. */
#define SEALER_NO_REQUIREMENTS           \
    {                                    \
        CODESIG_SLOT_REQUIREMENTS,       \
        {                                \
            (const uint8_t *)"\0\0\0", 4 \
        }                                \
    }
#define SEALER_TABLES     0x20u /* bytes of __LINKEDIT before the signature */
#define SEALER_IDENTIFIER "com.example.sealed"

/* A SuperBlob over `code`. */
void sealer_sign(struct buf *out, struct view code, const struct sealer_image *image,
                 const struct sealer_spec *spec);

/* A whole thin file. */
void sealer_file(struct buf *out, const struct sealer_image *image, const struct sealer_spec *spec);

/* A sound file of each kind that there is in the wild. */
struct sealer_kind {
    const char *name;
    struct sealer_image image;
    struct sealer_spec spec;
};
extern const struct sealer_kind sealer_kinds[];
extern const size_t sealer_kind_count;

#endif
