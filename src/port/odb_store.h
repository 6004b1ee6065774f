/*
 * Purpose: the object store below odb.h: loose objects, packs and alternates,
 *     read with bounded memory and without trusting a byte of them.
 *
 * Layer: port; private to src/port/odb*.c and their tests.
 *
 * Calling sequence: store_open(); store_object_open() locates an object and
 *     tells kind and length; store_object_stream() hands out the bytes and
 *     checks their SHA-1. The parts below (packfile, loose, delta, inflate)
 *     are stated here for the unit tests and the fuzz target.
 *
 * Ownership: the store owns packs, caches and descriptors; a struct
 *     store_object belongs to the store and holds until the next
 *     store_object_open().
 *
 * Errors: FAIL_INPUT with the reason for everything that is wrong in the
 *     files ("... is corrupt (...)"), FAIL_SYSTEM for reads that fail,
 *     FAIL_SIGNAL. Objects that are not there are 0, not a failure.
 *
 * Determinism: bytes depend on the object's id only.
 *
 * Format: gitformat-pack(5) for packs and their indexes; a loose object is
 *     zlib("KIND LENGTH\0" content).
 */
#ifndef HALLMARK_PORT_ODB_STORE_H
#define HALLMARK_PORT_ODB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"
#include "port/odb.h"

#define STORE_PIECE      262144u     /* bytes in one call of a sink */
#define STORE_MEMORY_MAX (1u << 20)  /* larger bodies of deltas go to temporary files */
#define STORE_CACHE_MAX  (12u << 20) /* bytes of delta bases that are kept */
#define STORE_BLOCK      131072u     /* packs are read in aligned blocks of this size */
#define STORE_BLOCKS     32u         /* blocks that are kept, a power of two */
#define STORE_CHAIN_MAX  10000u      /* deltas on top of each other; git writes at most 4095 */
#define STORE_PACKS_MAX  20000u      /* packs of one repository and its alternates */
#define STORE_PACKS_OPEN 64u         /* packs whose files are open at the same time */
#define STORE_DEPTH_MAX  5u          /* alternates of alternates, as in git */

/* ---- inflate (odb_inflate.c) ---- */

/*
 * Where compressed bytes come from: sets *data and *len (at least 1 byte) to what follows at
 * `offset`, valid until the next call; *len = 0 at the end. -1 with a failure.
 */
typedef int source_bytes(void *context, uint64_t offset, const uint8_t **data, size_t *len,
                         struct fail *fail);

struct inflater {
    z_stream stream;
    bool ready; /* stream is initialised */
    bool ended; /* the zlib stream is complete */
    source_bytes *source;
    void *context;
    uint64_t offset; /* of the next compressed byte */
};

#define own_inflater __attribute__((cleanup(inflater_release)))
void inflater_start(struct inflater *inflater, source_bytes *source, void *context,
                    uint64_t offset);
void inflater_release(struct inflater *inflater);

/* Inflates up to `want` bytes; fewer only at the end of the stream. A broken stream is
 * FAIL_INPUT with a bare reason ("..."), which callers put into their message. */
int inflater_read(struct inflater *inflater, void *out, size_t want, size_t *got,
                  struct fail *fail) must_check;

/* The same when `room` is more than the stream should have: faster, in one call of zlib. */
int inflater_read_all(struct inflater *inflater, void *out, size_t room, size_t *got,
                      struct fail *fail) must_check;

/* Succeeds when the stream ends here, its check sum included. */
int inflater_end(struct inflater *inflater, struct fail *fail) must_check;

/* Inflates exactly `len` bytes, to the end of the stream, in pieces to a sink. */
int inflater_to_sink(struct inflater *inflater, uint64_t len, odb_sink *sink, void *context,
                     struct fail *fail) must_check;

/* ---- bodies and deltas (odb_delta.c) ---- */

/* The content of an object, in memory or in an unlinked temporary file. */
struct body {
    uint8_t *data; /* NULL: in fd */
    int fd;
    uint64_t len;
    bool borrowed; /* data belongs to the cache */
};
#define BODY_INIT \
    {             \
        .fd = -1  \
    }
#define own_body __attribute__((cleanup(body_release)))
void body_release(struct body *body);

/* Hands the body to a sink in pieces. */
int body_stream(const struct body *body, odb_sink *sink, void *context,
                struct fail *fail) must_check;

/* A temporary file that no other process can find, in $TMPDIR or /tmp. */
int body_file_open(struct body *body, struct fail *fail) must_check;
/* A sink (its context is the struct body) that appends to the file. */
int body_file_append(void *body, const void *data, size_t len, struct fail *fail);

/* Reads the two lengths that a delta begins with; false when they are cut short. */
bool delta_lengths(uint64_t *base_len, uint64_t *result_len, struct cursor *cursor);

/* Applies a whole delta to a base, both in memory; out[out_len]. NULL, or what is wrong. */
const char *delta_apply(uint8_t *out, uint64_t out_len, struct view base, struct view delta);

/*
 * Applies a delta of `delta_len` bytes that is inflated piece by piece; the result, of
 * result_len bytes, goes to the sink. Wrong deltas are FAIL_INPUT with a bare reason.
 */
int delta_stream(const struct body *base, struct inflater *delta, uint64_t delta_len,
                 uint64_t result_len, odb_sink *sink, void *context, struct fail *fail) must_check;

/* ---- packs (odb_packfile.c) ---- */

struct packfile {
    char *path; /* of the .pack file */
    int pack_fd;
    int index_fd;
    uint64_t pack_len;
    uint64_t index_len;
    uint32_t count;   /* objects */
    uint32_t *fanout; /* 256 numbers; NULL until the pack was opened once */
    uint64_t used;    /* when it was used last, in look-ups */
};

enum { PACK_OFS_DELTA = 6, PACK_REF_DELTA = 7 };

/* What stands at an offset of a pack. */
struct pack_header {
    int type;              /* enum odb_kind, or a delta */
    uint64_t len;          /* inflated */
    uint64_t data_off;     /* where the zlib stream begins */
    uint64_t base_off;     /* of PACK_OFS_DELTA */
    struct odb_id base_id; /* of PACK_REF_DELTA */
};

/* Blocks of files that were read lately; see STORE_BLOCK. A file is known by the address of
 * its descriptor in struct packfile. */
struct block {
    const int *file;
    uint64_t number;
    size_t len;
    uint8_t *data;
};
struct blocks {
    struct block list[STORE_BLOCKS];
};

/* Opens and checks what descriptors `pack` has (both valid): header, sizes, fan-out. */
int packfile_check(struct packfile *pack, struct fail *fail) must_check;

/* The same by path: 1, or 0 when the files are gone. */
int packfile_open(struct packfile *pack, struct fail *fail) must_check;
void packfile_close(struct packfile *pack);

/* 1 and the offset, 0 when the pack does not hold it, -1. */
int packfile_find(uint64_t *offset, struct packfile *pack, struct blocks *blocks,
                  const struct odb_id *id, struct fail *fail) must_check;

/* Position of the first id >= `id` in the index, and the id at a position (< count). */
int packfile_lower_bound(uint32_t *position, struct packfile *pack, struct blocks *blocks,
                         const struct odb_id *id, struct fail *fail) must_check;
int packfile_id(struct odb_id *id, struct packfile *pack, struct blocks *blocks, uint32_t position,
                struct fail *fail) must_check;

/* Bytes at an offset, as in source_bytes; ends before the pack's trailer. */
int packfile_bytes(struct packfile *pack, struct blocks *blocks, uint64_t offset,
                   const uint8_t **data, size_t *len, struct fail *fail) must_check;

int packfile_header(struct pack_header *out, struct packfile *pack, struct blocks *blocks,
                    uint64_t offset, struct fail *fail) must_check;

/* ---- delta bases (odb_cache.c) ---- */

struct cache_entry;
struct cache {
    struct cache_entry *table[1024];
    struct cache_entry *newest;
    struct cache_entry *oldest;
    uint64_t len;        /* bytes held */
    uint64_t generation; /* changes when an entry goes away */
};
void cache_release(struct cache *cache);

/* The body at an offset of a pack; borrowed until the next cache_take(). False: not there. */
bool cache_find(struct body *out, enum odb_kind *kind, struct cache *cache,
                const struct packfile *pack, uint64_t offset);

/* Takes over `body` (in memory) when it is worth keeping; it is borrowed afterwards. */
void cache_take(struct cache *cache, const struct packfile *pack, uint64_t offset,
                enum odb_kind kind, struct body *body);

/* ---- packed objects (odb_unpack.c) ---- */

struct chain_link {
    uint64_t offset;
    uint64_t data_off;
    uint64_t len; /* of the inflated delta, or of the base when it is the last link */
};

/* The delta of a link, inflated: all of it when it is small, else its first bytes. */
struct delta {
    uint8_t *data;
    uint64_t len;
    uint64_t base_len;
    uint64_t result_len;
};

/* An object of a pack: its delta, the delta that one builds on, ..., the base. */
struct chain {
    struct packfile *pack;
    struct chain_link *links;
    size_t count;
    size_t capacity;
    enum odb_kind kind;
    uint64_t len;     /* of the resulting object */
    struct delta top; /* of links[0], when that is a delta */
    bool base_cached; /* the last link's body is in the cache */
    uint64_t generation;
};

struct unpacker {
    struct blocks blocks;       /* of packs */
    struct blocks index_blocks; /* of their indexes */
    struct cache cache;
    struct inflater inflater; /* kept, so that zlib's memory is */
};
void unpacker_release(struct unpacker *unpacker);

/* Follows the deltas from `offset` to the base; fills kind and length. */
int chain_follow(struct chain *chain, struct unpacker *unpacker, struct packfile *pack,
                 uint64_t offset, struct fail *fail) must_check;

/* Hands out the object's bytes: exactly chain->len, or -1. */
int chain_stream(struct chain *chain, struct unpacker *unpacker, odb_sink *sink, void *context,
                 struct fail *fail) must_check;
void chain_release(struct chain *chain);

/* ---- loose objects (odb_loose.c) ---- */

struct loose {
    int fd;
    enum odb_kind kind;
    uint64_t len;
    uint8_t *buffer; /* STORE_BLOCK bytes */
    struct inflater inflater;
    uint8_t head[64]; /* the first inflated bytes; those behind the header are content */
    size_t head_len;
    size_t head_used;
};
#define LOOSE_INIT \
    {              \
        .fd = -1   \
    }
void loose_release(struct loose *loose);

/* Opens objects/xx/yy...: 1, 0 when there is none, -1. Reads the header. */
int loose_open(struct loose *loose, int objects_fd, const struct odb_id *id,
               struct fail *fail) must_check;
/* Once for each loose_open(). */
int loose_stream(struct loose *loose, odb_sink *sink, void *context, struct fail *fail) must_check;

/* ---- the store (odb_store.c, odb_dirs.c) ---- */

struct store_dir {
    char *path; /* of objects/, absolute, resolved */
    int fd;
};

struct store {
    struct store_dir *dirs; /* the repository's own, then alternates */
    size_t dir_count;
    size_t dir_capacity;
    struct packfile **packs; /* by directory, then name */
    size_t pack_count;
    size_t pack_capacity;
    size_t last_pack; /* where the last object was */
    uint64_t clock;   /* for packfile.used */
    size_t open_count;
    char *bare_pack;      /* a pack that has no index; NULL: none */
    char *lost_alternate; /* an alternate that does not exist; NULL: none */
    struct unpacker unpacker;
    /* the object that store_object_open() found last */
    struct odb_id id;
    bool found;
    bool is_loose;
    enum odb_kind kind;
    uint64_t len;
    struct chain chain;
    struct loose loose;
    size_t loose_dir; /* whose */
};

int store_open(struct store **out, const char *objects_path, struct fail *fail) must_check;
void store_free(struct store *store);

/* Lists the directory and its alternates. */
int store_scan_dirs(struct store *store, const char *objects_path, struct fail *fail) must_check;
/* Lists packs; called again it adds those that are new. */
int store_scan_packs(struct store *store, struct fail *fail) must_check;

/* 1 with kind and length, 0 when it is not there, -1. */
int store_object_open(enum odb_kind *kind, uint64_t *len, struct store *store,
                      const struct odb_id *id, struct fail *fail) must_check;

/* The bytes of the object opened last, which must be `id`; its SHA-1 is checked at the end. */
int store_object_stream(struct store *store, odb_sink *sink, void *context,
                        struct fail *fail) must_check;

/* The ids that begin with `digits` hexadecimal digits of `prefix`: at most `max` of them,
 * each once, ascending. */
int store_prefix(struct odb_id *ids, size_t *count, size_t max, struct store *store,
                 const char *prefix, struct fail *fail) must_check;

/* Makes "object ID in 'WHERE' is corrupt (REASON)" of a bare reason; other failures get
 * a "while reading object ID". Returns -1. */
int store_corrupt(struct fail *fail, const struct odb_id *id, const char *where);

#endif
