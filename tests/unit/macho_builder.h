/*
 * Purpose: makes Mach-O bytes in code, so that no test needs an opaque file: commands and
 *     segments are appended, each of their fields can be changed afterwards, and nothing is
 *     checked, since most tests want something broken.
 *
 * Layer: tests.
 *
 * Calling sequence:
 *         struct macho_builder b;
 *         macho_begin(&b);
 *         macho_segment(&b, "__TEXT", 0, 0x4000, 5);
 *         macho_section(&b, "__TEXT", "__cstring", 0x600, 13, S_CSTRING_LITERALS);
 *         macho_put(&b, 0x600, "hello, world", 13);
 *         macho_library(&b, LC_LOAD_DYLIB, "/usr/lib/libSystem.B.dylib", 0x10000, 0x10000);
 *         macho_finish(&b, 0x4000);                 // b.out has the file
 *         macho_release(&b);
 *     or macho_small_dylib(&b): a complete sound dylib in one call.
 *
 * Ownership: the builder owns its buffers; macho_release() frees them.
 *
 * Errors: none; a wrong use aborts.
 *
 * Determinism: bytes depend on the calls alone.
 */
#ifndef HALLMARK_TESTS_MACHO_BUILDER_H
#define HALLMARK_TESTS_MACHO_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "macho/constants.h"

struct macho_builder {
    bool is64;
    enum byte_order order;
    uint32_t cputype, cpusubtype, filetype, flags;
    uint64_t base_address; /* added to every file offset to give the address */
    struct buf commands;   /* the load commands, without the header */
    uint32_t command_count;
    size_t last_segment; /* offset in commands of the segment that takes sections */
    uint32_t section_count;
    struct buf body; /* the file's content by file offset; what the header covers is unused */
    struct buf out;  /* the file, after macho_finish() */
};

/* An arm64 dylib (64-bit little-endian); change the fields before the first command. */
void macho_begin(struct macho_builder *b);

/* A command of `len` bytes of payload (cmd and cmdsize are added, the payload is padded to the
 * word size); returns its offset in b->commands. */
size_t macho_command(struct macho_builder *b, uint32_t cmd, const void *payload, size_t len);
/* A command whose payload is 32-bit fields in the file's byte order. */
size_t macho_command_words(struct macho_builder *b, uint32_t cmd, const uint32_t *words,
                           size_t count);
/* A command with 32-bit fields, the first of which becomes the offset of a string. */
size_t macho_command_text(struct macho_builder *b, uint32_t cmd, const uint32_t *words,
                          size_t count, const char *text);

/* A segment whose addresses are base_address + its file offset. */
size_t macho_segment(struct macho_builder *b, const char *name, uint64_t offset, uint64_t size,
                     uint32_t protection);
/* A section of the last segment, at this file offset; returns its header's offset in
 * b->commands. */
size_t macho_section(struct macho_builder *b, const char *segment, const char *name,
                     uint64_t offset, uint64_t size, uint32_t flags);

size_t macho_library(struct macho_builder *b, uint32_t cmd, const char *path, uint32_t current,
                     uint32_t compatibility);

/* Bytes, or a number in the file's byte order, at a file offset behind the load commands; the
 * file grows as needed. */
void macho_put(struct macho_builder *b, uint64_t offset, const void *data, size_t len);
void macho_put_u32(struct macho_builder *b, uint64_t offset, uint32_t value);
void macho_put_u64(struct macho_builder *b, uint64_t offset, uint64_t value);

/* Writes one 32-bit field of a command, by offset in b->commands. */
void macho_set_u32(struct macho_builder *b, size_t offset, uint32_t value);

/* Header, commands and content become b->out.data / .len; the file has at least `size` bytes. */
void macho_finish(struct macho_builder *b, uint64_t size);

struct view macho_view(const struct macho_builder *b);
void macho_release(struct macho_builder *b);

/*
 * A complete arm64 dylib of less than 4 KiB: __TEXT with __text, __cstring, __objc_methname and
 * __objc_classname, __DATA with two chained fix-ups (a bind and a rebase), __LINKEDIT with
 * chained fix-ups (import _getenv of libSystem), an export trie (_exported), a symbol table
 * (_local, _exported, undefined _getenv), LC_BUILD_VERSION (macOS 13.0, SDK 14.0, lld 19.1.7),
 * LC_UUID, an install name and an rpath. It is not signed.
 */
void macho_small_dylib(struct macho_builder *b);
#define MACHO_SMALL_SIZE 0xc00u

/* A universal file around the given slices, each at a multiple of 2^align_log2. */
struct macho_fat_slice {
    uint32_t cputype, cpusubtype;
    struct view data;
};
void macho_fat(struct buf *out, const struct macho_fat_slice *slices, uint32_t count, bool is64,
               uint32_t align_log2);

#endif
