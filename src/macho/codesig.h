/*
 * Purpose: read the embedded code signature of a Mach-O file: the SuperBlob with its index, each
 *     CodeDirectory with all fields of versions 0x20001 to 0x20600, and where every other blob is.
 *
 * Layer: macho.
 *
 * Calling sequence: give the bytes that LC_CODE_SIGNATURE names (dataoff, datasize):
 *         own_codesig struct codesig sig = {0};
 *         if (codesig_read(&sig, bytes, &fail) < 0) ...
 *     codesig_parse() is the same for a verifier: it goes on after a malformed structure, lists
 *     what is wrong and fills in what could be read.
 *
 * Ownership: the struct owns its arrays; views, identifiers and teams borrow from the bytes.
 *
 * Errors: codesig_read(): FAIL_INPUT for the first malformed structure. codesig_parse(): findings
 *     "sig.structure". Only what prevents reading is complained about here (ranges outside, wrong
 *     magic numbers, unknown versions and hash types); what a signature ought to say is judged in
 *     sigcheck.h.
 *
 * Determinism: pure function of the bytes.
 *
 * All integers of a signature are big-endian. Offsets of blobs count from the SuperBlob, offsets
 * inside a CodeDirectory from its own start.
 */
#ifndef HALLMARK_MACHO_CODESIG_H
#define HALLMARK_MACHO_CODESIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"
#include "base/finding.h"
#include "port/digest.h"

enum codesig_magic {
    CODESIG_MAGIC_SUPERBLOB = 0xfade0cc0,
    CODESIG_MAGIC_DIRECTORY = 0xfade0c02,
    CODESIG_MAGIC_REQUIREMENT = 0xfade0c00,
    CODESIG_MAGIC_REQUIREMENTS = 0xfade0c01,
    CODESIG_MAGIC_ENTITLEMENTS = 0xfade7171,
    CODESIG_MAGIC_ENTITLEMENTS_DER = 0xfade7172,
    CODESIG_MAGIC_CONSTRAINT = 0xfade8181,
    CODESIG_MAGIC_CMS = 0xfade0b01,
};

/* Slot numbers. Below CODESIG_SLOT_ALTERNATE they are also the numbers of the special hashes. */
enum codesig_slot {
    CODESIG_SLOT_DIRECTORY = 0,
    CODESIG_SLOT_INFO = 1, /* Info.plist: outside of the signature */
    CODESIG_SLOT_REQUIREMENTS = 2,
    CODESIG_SLOT_RESOURCES = 3,   /* _CodeSignature/CodeResources: outside of the file */
    CODESIG_SLOT_APPLICATION = 4, /* outside of the file */
    CODESIG_SLOT_ENTITLEMENTS = 5,
    CODESIG_SLOT_REP_SPECIFIC = 6, /* outside of the file */
    CODESIG_SLOT_ENTITLEMENTS_DER = 7,
    CODESIG_SLOT_CONSTRAINT_SELF = 8,
    CODESIG_SLOT_CONSTRAINT_PARENT = 9,
    CODESIG_SLOT_CONSTRAINT_RESPONSIBLE = 10,
    CODESIG_SLOT_CONSTRAINT_LIBRARY = 11,
    CODESIG_SLOT_ALTERNATE = 0x1000,     /* further CodeDirectories, 0x1000 to 0x1004 */
    CODESIG_SLOT_ALTERNATE_END = 0x1005, /* the first number behind them */
    CODESIG_SLOT_CMS = 0x10000,
};

#define CODESIG_SPECIAL_MAX   11u /* the highest special slot that has a meaning */
#define CODESIG_SUPERBLOB_LEN 12u /* magic, length, count */
#define CODESIG_INDEX_LEN     8u  /* slot, offset */
#define CODESIG_BLOB_LEN      8u  /* magic, length */
#define CODESIG_BLOBS_MAX     64u /* more are refused; real ones have at most 18 */
#define CDHASH_LEN            20u
#define CDHASH_HEX            41u

enum codesig_flag {
    CODESIG_FLAG_ADHOC = 0x2,
    CODESIG_FLAG_RUNTIME = 0x10000,
    CODESIG_FLAG_LINKER_SIGNED = 0x20000,
};

enum codesig_exec_flag {
    CODESIG_EXEC_MAIN_BINARY = 0x1,
    CODESIG_EXEC_ALLOW_UNSIGNED = 0x10,
    CODESIG_EXEC_DEBUGGER = 0x20,
    CODESIG_EXEC_JIT = 0x40,
    CODESIG_EXEC_SKIP_LIBRARY_VALIDATION = 0x80,
    CODESIG_EXEC_LOAD_CDHASH = 0x100,
    CODESIG_EXEC_EXECUTE_CDHASH = 0x200,
};

enum codesig_hash {
    CODESIG_HASH_SHA1 = 1,
    CODESIG_HASH_SHA256 = 2,
    CODESIG_HASH_SHA256_TRUNCATED = 3, /* the first 20 bytes */
    CODESIG_HASH_SHA384 = 4,
};

enum codesig_kind {
    CODESIG_NONE,   /* no CodeDirectory could be read */
    CODESIG_LINKER, /* ad hoc, flag linker-signed */
    CODESIG_ADHOC,  /* ad hoc, by codesign or a tool like it */
    CODESIG_CMS,    /* with a CMS signature */
};

/* One entry of the index. */
struct codesig_blob {
    uint32_t slot;
    uint32_t magic;
    uint64_t offset;   /* from the start of the SuperBlob */
    struct view bytes; /* header included; empty when the entry is malformed */
};

struct codesig_directory {
    uint32_t slot;
    uint64_t offset;   /* of the blob in the SuperBlob */
    struct view bytes; /* the whole blob */
    uint32_t version;
    uint32_t flags;
    uint32_t hash_off; /* of the hash of code page 0 */
    uint32_t ident_off;
    uint32_t special_count;
    uint32_t code_count;
    uint32_t code_limit32;
    uint8_t hash_size;
    uint8_t hash_type; /* enum codesig_hash */
    uint8_t platform;
    uint8_t page_shift; /* 0: one page of unlimited size */
    uint32_t spare2;
    uint32_t scatter_off; /* from version 0x20100 */
    uint32_t team_off;    /* from version 0x20200 */
    uint32_t spare3;      /* from version 0x20300, with the next */
    uint64_t code_limit64;
    uint64_t exec_base; /* from version 0x20400, with the next two */
    uint64_t exec_limit;
    uint64_t exec_flags;
    uint32_t runtime; /* from version 0x20500, with the next */
    uint32_t pre_encrypt_off;
    uint8_t linkage_hash_type; /* from version 0x20600, with the next four */
    uint8_t linkage_type;
    uint16_t linkage_subtype;
    uint32_t linkage_off;
    uint32_t linkage_size;
    uint64_t header_len;    /* what the version makes it */
    const char *identifier; /* never NULL; "" when it could not be read */
    const char *team;       /* NULL when there is none */
    uint8_t cdhash[CDHASH_LEN];
};

struct codesig {
    struct view data;       /* all that LC_CODE_SIGNATURE names */
    struct view super_blob; /* without the padding behind it */
    struct codesig_blob *blobs;
    size_t blob_count;
    struct codesig_directory *directories; /* in the order of the index */
    size_t directory_count;
};

#define own_codesig __attribute__((cleanup(codesig_release)))

/* Reads all structures; a malformed one is the failure. */
int codesig_read(struct codesig *out, struct view data, struct fail *fail) must_check;

/* Reads what can be read; a malformed structure is a finding. */
void codesig_parse(struct codesig *out, struct findings *findings, struct view data);

void codesig_release(struct codesig *sig);

enum codesig_kind codesig_kind(const struct codesig *sig);
const char *codesig_kind_name(enum codesig_kind kind); /* "none", "linker", "adhoc", "cms" */

/* The blob in a slot; NULL when there is none. */
const struct codesig_blob *codesig_find(const struct codesig *sig, uint32_t slot);

/* The CodeDirectory that counts: the one with the strongest hash; NULL when there is none. */
const struct codesig_directory *codesig_best(const struct codesig *sig);

/* The bytes of a CMS signature without the blob header; false when absent or empty. */
bool codesig_cms(struct view *out, const struct codesig *sig);

/* The number of bytes that a page holds; UINT64_MAX when the directory has one page for all. */
uint64_t codesig_page_len(const struct codesig_directory *directory);

/* The number of bytes that the code hashes cover. */
uint64_t codesig_code_limit(const struct codesig_directory *directory);

/* The hash of code page `page` or of special slot `slot`; false when there is none. */
bool codesig_page_hash(struct view *out, const struct codesig_directory *directory, uint64_t page);
bool codesig_special_hash(struct view *out, const struct codesig_directory *directory,
                          uint32_t slot);

/* One run of pages in a scatter table: the next `page_count` hashes are those of the pages from
 * `first_page` on. */
struct codesig_scatter {
    uint32_t page_count; /* 0: the entry that ends the table */
    uint32_t first_page;
    uint64_t target_offset; /* of the first page in the file */
    uint64_t spare;
};
#define CODESIG_SCATTER_LEN 24u

/* Entry `index` of the scatter table; false when it is outside of the CodeDirectory. */
bool codesig_scatter_entry(struct codesig_scatter *out, const struct codesig_directory *directory,
                           uint64_t index);

/* The bytes of the scatter table with the entry that ends it, or as many as are there; 0 when
 * there is none. */
uint64_t codesig_scatter_len(const struct codesig_directory *directory);

/* Length of the fixed part of a CodeDirectory of that version; 0 for an unknown version. */
uint64_t codesig_header_len(uint32_t version);

/* Bytes in a hash of that type; 0 for an unknown type. Name: "sha1", "sha256", ...; "unknown". */
uint8_t codesig_hash_len(uint8_t hash_type);
const char *codesig_hash_name(uint8_t hash_type);

/* The digest of which a hash of that type has the first bytes. */
enum digest_kind codesig_hash_kind(uint8_t hash_type);

/* out[codesig_hash_len(hash_type)]; the type must be known. */
void codesig_hash_bytes(uint8_t *out, uint8_t hash_type, struct view bytes);

#endif
