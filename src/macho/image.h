/*
 * Purpose: the bounded reader of one Mach-O image: header, load commands, segments,
 *     sections, and where the tables of __LINKEDIT lie. Every offset and count in the
 *     structs below has been checked against the bytes that are there.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_image struct image image = {0};
 *         if (image_open(&image, view, &fail) < 0)
 *             return fail_while(&fail, "reading '%s'", name);
 *     The view is the bytes of one slice: of a whole thin file, or of one slice of a
 *     universal file (fat.h lists those). All offsets are relative to it.
 *
 * Ownership: the image borrows the view, and its names point into it; it must not outlive
 *     the bytes. The arrays belong to the image; image_release() frees them.
 *
 * Errors: FAIL_INPUT. The message says what is wrong, with the numbers, but not the file's
 *     name: that is the caller's to add.
 *
 * Determinism: a pure function of the bytes. Nothing is mapped, fixed up or executed.
 */
#ifndef HALLMARK_MACHO_IMAGE_H
#define HALLMARK_MACHO_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"
#include "base/own.h"
#include "macho/constants.h"

/* What a range of bytes is, by its first bytes. */
enum image_kind {
    IMAGE_EMPTY,
    IMAGE_SHORT,   /* fewer bytes than any magic number has */
    IMAGE_THIN,    /* a Mach-O image of any word size and byte order */
    IMAGE_FAT,     /* a universal file, 32- or 64-bit table */
    IMAGE_ARCHIVE, /* a static archive, "!<arch>" */
    IMAGE_ELF,
    IMAGE_PE,
    IMAGE_JAVA, /* a class file: it has the magic number of a universal file */
    IMAGE_TEXT, /* only printable ASCII at the start */
    IMAGE_UNKNOWN,
};

struct load_command {
    uint64_t offset; /* of the command in the file */
    uint32_t cmd;    /* LC_*, with LC_REQ_DYLD where it belongs to the number */
    uint32_t size;   /* cmdsize: at least 8, a multiple of the word size, inside sizeofcmds */
};

struct image_section {
    char segment[17]; /* the segment name that the section header states */
    char name[17];
    uint32_t segment_index; /* of the segment whose command holds this section */
    uint64_t address;
    uint64_t size;   /* in memory */
    uint32_t offset; /* in the file, as stated */
    /* True when [offset, offset + size) lies in the file and holds the section's bytes; false
     * for zero-fill sections and for the sections that a dSYM or a stub only describes. */
    bool has_data;
    uint32_t align_log2;
    uint32_t relocation_offset;
    uint32_t relocation_count;
    uint32_t flags;
    uint32_t reserved1;
    uint32_t reserved2;
};

struct image_segment {
    char name[17];
    uint32_t command; /* index into commands */
    uint64_t address;
    uint64_t memory_size;
    uint64_t offset;    /* in the file; [offset, offset + file_size) was checked to be inside */
    uint64_t file_size; /* never more than memory_size, except in MH_OBJECT and MH_DSYM, and where
                         * memory_size is 0 and the segment is not to be mapped */
    uint32_t max_protection;
    uint32_t initial_protection;
    uint32_t flags;
    uint32_t first_section; /* index into sections */
    uint32_t section_count;
};

/* A range in the file. Present when `command` is not IMAGE_NO_COMMAND; may be empty. */
#define IMAGE_NO_COMMAND UINT32_MAX
struct image_range {
    uint32_t command; /* index of the load command that states it */
    uint64_t offset;
    uint64_t size;
};

struct image_tool {
    uint32_t tool;    /* TOOL_*: arch.h has the names */
    uint32_t version; /* xxxx.yy.zz in nibbles */
};

/* LC_BUILD_VERSION, or one of LC_VERSION_MIN_*. An image can carry several (zippered). */
struct image_build {
    uint32_t command;
    bool is_version_min; /* from LC_VERSION_MIN_*: it states no tools */
    uint32_t platform;   /* PLATFORM_*; for LC_VERSION_MIN_* the one that the command implies */
    uint32_t min_os;
    uint32_t sdk;        /* 0: not stated */
    uint32_t first_tool; /* index into tools */
    uint32_t tool_count;
};

enum library_kind {
    LIBRARY_ID, /* LC_ID_DYLIB: the image's own install name */
    LIBRARY_LOAD,
    LIBRARY_WEAK,
    LIBRARY_REEXPORT,
    LIBRARY_UPWARD,
    LIBRARY_LAZY,
};

struct image_library {
    uint32_t command;
    enum library_kind kind;
    const char *path;
    uint32_t timestamp;
    uint32_t current_version;
    uint32_t compatibility_version;
    /* DYLIB_USE_*, when the command is of the form that newer linkers write for what has no
     * command of its own; 0 in the common form. */
    uint32_t use_flags;
};

struct image_rpath {
    uint32_t command;
    const char *path;
};

struct image_symtab {
    uint32_t command; /* IMAGE_NO_COMMAND: none */
    uint64_t symbols_offset;
    uint64_t symbols_size; /* count times 12 (32-bit) or 16 bytes */
    uint32_t count;
    uint64_t strings_offset;
    uint64_t strings_size;
};

struct image_dysymtab {
    uint32_t command; /* IMAGE_NO_COMMAND: none. The ranges below lie inside the symbol table. */
    uint32_t local_first, local_count;
    uint32_t external_first, external_count;
    uint32_t undefined_first, undefined_count;
    struct image_range indirect; /* the indirect symbol table */
};

/* LC_DYLD_INFO and LC_DYLD_INFO_ONLY: five opcode streams. All NO_COMMAND when there is none. */
struct image_dyld_info {
    struct image_range rebase, bind, weak_bind, lazy_bind, exports;
};

struct image_encryption {
    struct image_range range;
    uint32_t crypt_id; /* 0: not encrypted */
};

struct image {
    struct view file;
    enum byte_order order;
    bool is64;
    uint32_t cputype;
    uint32_t cpusubtype;    /* with its capability bits: arch.h takes them apart */
    uint32_t filetype;      /* MH_* */
    uint32_t flags;         /* MH_* flag bits */
    uint64_t header_size;   /* 28 or 32 */
    uint64_t commands_size; /* sizeofcmds */

    struct load_command *commands;
    uint32_t command_count;
    struct image_segment *segments;
    uint32_t segment_count;
    struct image_section *sections; /* of all segments, in the order of the file */
    uint32_t section_count;
    struct image_build *builds;
    uint32_t build_count;
    struct image_tool *tools;
    uint32_t tool_count;
    /* The libraries that are loaded, in the order of the commands: library ordinal N is
     * libraries[N - 1]. LC_ID_DYLIB is not among them but in `id`. */
    struct image_library *libraries;
    uint32_t library_count;
    struct image_rpath *rpaths;
    uint32_t rpath_count;

    struct image_library id; /* path NULL: none */
    bool has_uuid;
    uint32_t uuid_command;
    uint8_t uuid[16];
    bool has_source_version;
    uint64_t source_version;
    bool has_main; /* LC_MAIN */
    uint64_t main_offset;
    uint64_t main_stack_size;
    const char *dylinker; /* LC_LOAD_DYLINKER or LC_ID_DYLINKER; NULL: none */

    struct image_symtab symtab;
    struct image_dysymtab dysymtab;
    struct image_dyld_info dyld_info;
    struct image_range code_signature;
    struct image_range chained_fixups;
    struct image_range exports_trie;
    struct image_range function_starts;
    struct image_range data_in_code;
    struct image_range segment_split_info;
    struct image_range code_sign_drs;
    struct image_encryption encryption;
};

#define own_image __attribute__((cleanup(image_release)))

/* Sorts a file by its first bytes; looks at no more than 512 of them. */
enum image_kind image_kind(struct view file);

/* "a universal file", "an ELF file", "a static archive", ... */
const char *image_kind_name(enum image_kind kind);

/*
 * Opens a thin 64-bit little-endian image, which is what can be signed and verified. Anything
 * else is refused with a message that says what it is; a universal file names its slices.
 */
int image_open(struct image *out, struct view file, struct fail *fail) must_check;

/* Opens a thin image of any word size and byte order. */
int image_open_any(struct image *out, struct view file, struct fail *fail) must_check;

void image_release(struct image *image);

/* The segment or section of that name (the first one), or NULL. */
const struct image_segment *image_segment(const struct image *image, const char *name);
const struct image_section *image_section(const struct image *image, const char *segment,
                                          const char *name);

/* The bytes of a section, a segment or a range; empty when there are none. */
struct view image_section_data(const struct image *image, const struct image_section *section);
struct view image_segment_data(const struct image *image, const struct image_segment *segment);
struct view image_range_data(const struct image *image, const struct image_range *range);

/* Whether a range is there at all. */
bool image_has(const struct image_range *range);

/* Translates between file offsets and addresses; false when no segment holds it in the file. */
bool image_offset_of_address(uint64_t *out, const struct image *image, uint64_t address);
bool image_address_of_offset(uint64_t *out, const struct image *image, uint64_t offset);

/* The address that offsets of fix-ups, exports and LC_MAIN count from: that of the segment
 * that maps the Mach-O header; 0 when none does. */
uint64_t image_base_address(const struct image *image);

/*
 * Says where a file offset lies: "__TEXT,__cstring+0x12", "header+0x4",
 * "load command 7 (LC_UUID)+0x8", "code signature+0x0", "__LINKEDIT+0x10" or
 * "offset 0x1234" (between segments). Always fits, always NUL-terminated.
 */
#define IMAGE_PLACE_MAX 96
void image_locate_offset(char out[IMAGE_PLACE_MAX], const struct image *image, uint64_t offset);

/*
 * Bytes between the end of the load commands and the first byte that a section, a table or a
 * later segment occupies: what a new load command may use.
 */
uint64_t image_header_room(const struct image *image);

/* The fields that both word sizes have at the command's start, for readers of the commands
 * that the structs above do not carry: `offset` counts from the start of the command. */
bool image_command_u32(uint32_t *out, const struct image *image, uint32_t command, uint32_t offset);

#endif
