#include "macho/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/fat.h"
#include "macho/image_commands.h"

#define HEADER_SIZE_32 28u
#define HEADER_SIZE_64 32u
#define KIND_PREFIX    512u

static bool starts_with(struct view file, const char *magic, size_t len)
{
    return file.len >= len && memcmp(file.data, magic, len) == 0;
}

static bool is_text(struct view file)
{
    uint64_t len = file.len < KIND_PREFIX ? file.len : KIND_PREFIX;
    for (uint64_t i = 0; i < len; i++) {
        uint8_t c = file.data[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c >= 0x7f)
            return false;
    }
    return true;
}

/* A class file has the minor version (0, 3 or 0xffff) and the major one (from 45 on) where a
 * universal file has its count of slices. */
static bool is_java(struct view file)
{
    uint16_t minor = 0;
    uint16_t major = 0;
    return view_u16(&minor, file, 4, BIG_ENDIAN_BYTES) &&
           view_u16(&major, file, 6, BIG_ENDIAN_BYTES) &&
           (minor == 0 || minor == 3 || minor == 0xffff) && major >= 45 && major < 256;
}

enum image_kind image_kind(struct view file)
{
    uint32_t big = 0;
    uint32_t little = 0;
    if (file.len == 0)
        return IMAGE_EMPTY;
    if (!view_u32(&big, file, 0, BIG_ENDIAN_BYTES) ||
        !view_u32(&little, file, 0, LITTLE_ENDIAN_BYTES))
        return IMAGE_SHORT;
    if (big == MH_MAGIC || big == MH_MAGIC_64 || little == MH_MAGIC || little == MH_MAGIC_64)
        return IMAGE_THIN;
    if (big == FAT_MAGIC)
        return is_java(file) ? IMAGE_JAVA : IMAGE_FAT;
    if (big == FAT_MAGIC_64)
        return IMAGE_FAT;
    if (starts_with(file, "!<arch>\n", 8) || starts_with(file, "!<thin>\n", 8))
        return IMAGE_ARCHIVE;
    if (starts_with(file, "\177ELF", 4))
        return IMAGE_ELF;
    if (starts_with(file, "MZ", 2))
        return IMAGE_PE;
    return is_text(file) ? IMAGE_TEXT : IMAGE_UNKNOWN;
}

const char *image_kind_name(enum image_kind kind)
{
    switch (kind) {
    case IMAGE_EMPTY:
        return "an empty file";
    case IMAGE_SHORT:
        return "a file of less than 4 bytes";
    case IMAGE_THIN:
        return "a Mach-O image";
    case IMAGE_FAT:
        return "a universal file";
    case IMAGE_ARCHIVE:
        return "a static archive";
    case IMAGE_ELF:
        return "an ELF file";
    case IMAGE_PE:
        return "a Windows or DOS executable";
    case IMAGE_JAVA:
        return "a Java class file";
    case IMAGE_TEXT:
        return "a text file";
    case IMAGE_UNKNOWN:
        break;
    }
    return "a file of unknown format";
}

static int refuse_kind(enum image_kind kind, struct view file, struct fail *fail)
{
    if (kind != IMAGE_FAT)
        return fail_set(fail, FAIL_INPUT, "%s is no Mach-O file", image_kind_name(kind));
    own_mem char *archs = fat_arch_list(file);
    fail_set(fail, FAIL_INPUT, "a universal file%s%s is no thin Mach-O image",
             archs[0] == '\0' ? "" : " of ", archs);
    return fail_hint(fail, "take one slice out first, with lipo -thin");
}

static int read_header(struct image *image, struct fail *fail)
{
    uint32_t magic = 0;
    struct view file = image->file;
    if (!view_u32(&magic, file, 0, LITTLE_ENDIAN_BYTES))
        return fail_set(fail, FAIL_BUG, "a Mach-O image has lost its magic number");
    image->order = LITTLE_ENDIAN_BYTES;
    if (magic != MH_MAGIC && magic != MH_MAGIC_64) {
        image->order = BIG_ENDIAN_BYTES;
        (void)view_u32(&magic, file, 0, BIG_ENDIAN_BYTES);
    }
    image->is64 = magic == MH_MAGIC_64;
    image->header_size = image->is64 ? HEADER_SIZE_64 : HEADER_SIZE_32;
    if (file.len < image->header_size)
        return fail_set(fail, FAIL_INPUT,
                        "the Mach-O header is truncated (needs %" PRIu64 " bytes, %" PRIu64
                        " left)",
                        image->header_size, file.len);
    struct cursor cursor = cursor_start(file, image->order);
    cursor_skip(&cursor, 4);
    image->cputype = cursor_u32(&cursor);
    image->cpusubtype = cursor_u32(&cursor);
    image->filetype = cursor_u32(&cursor);
    image->command_count = cursor_u32(&cursor);
    image->commands_size = cursor_u32(&cursor);
    image->flags = cursor_u32(&cursor);
    return 0;
}

/* The extent of load command `index`, which begins at `offset`. */
static int read_command(struct image *image, uint32_t index, uint64_t offset, struct fail *fail)
{
    uint64_t left = image->header_size + image->commands_size - offset;
    uint32_t alignment = image->is64 && image->filetype != MH_CORE ? 8 : 4;
    struct load_command *command = &image->commands[index];
    char text[IMAGE_COMMAND_TEXT_MAX];
    if (left < 8)
        return fail_set(fail, FAIL_INPUT,
                        "load command %" PRIu32 " is truncated (needs 8 bytes, %" PRIu64 " left)",
                        index, left);
    command->offset = offset;
    (void)view_u32(&command->cmd, image->file, offset, image->order);
    (void)view_u32(&command->size, image->file, offset + 4, image->order);
    image_command_text(text, image, index);
    if (command->size < 8 || command->size % alignment != 0)
        return fail_set(fail, FAIL_INPUT,
                        "%s has a size of %" PRIu32 ", not a multiple of %" PRIu32
                        " that is at least 8",
                        text, command->size, alignment);
    if (command->size > left)
        return fail_set(fail, FAIL_INPUT,
                        "%s is truncated (needs %" PRIu32 " bytes, %" PRIu64 " left)", text,
                        command->size, left);
    return 0;
}

static int read_command_table(struct image *image, struct fail *fail)
{
    uint64_t left = image->file.len - image->header_size;
    if (image->commands_size > left)
        return fail_set(fail, FAIL_INPUT,
                        "the load commands are truncated (need %" PRIu64 " bytes, %" PRIu64
                        " left)",
                        image->commands_size, left);
    if (image->command_count > image->commands_size / 8)
        return fail_set(fail, FAIL_INPUT,
                        "the header counts %" PRIu32 " load commands, but has only %" PRIu64
                        " bytes for them",
                        image->command_count, image->commands_size);
    image->commands = mem_new(image->command_count, sizeof *image->commands);
    uint64_t offset = image->header_size;
    for (uint32_t i = 0; i < image->command_count; i++) {
        if (read_command(image, i, offset, fail) < 0)
            return -1;
        offset += image->commands[i].size;
    }
    return 0;
}

static void clear_ranges(struct image *image)
{
    struct image_range *ranges[] = {
        &image->code_signature,    &image->chained_fixups,      &image->exports_trie,
        &image->function_starts,   &image->data_in_code,        &image->segment_split_info,
        &image->code_sign_drs,     &image->encryption.range,    &image->dyld_info.rebase,
        &image->dyld_info.bind,    &image->dyld_info.weak_bind, &image->dyld_info.lazy_bind,
        &image->dyld_info.exports, &image->dysymtab.indirect,
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        ranges[i]->command = IMAGE_NO_COMMAND;
    image->symtab.command = IMAGE_NO_COMMAND;
    image->dysymtab.command = IMAGE_NO_COMMAND;
}

int image_open_any(struct image *out, struct view file, struct fail *fail)
{
    own_image struct image image = {.file = file};
    enum image_kind kind = image_kind(file);
    clear_ranges(&image);
    if (kind != IMAGE_THIN)
        return refuse_kind(kind, file, fail);
    if (read_header(&image, fail) < 0 || read_command_table(&image, fail) < 0 ||
        image_read_commands(&image, fail) < 0)
        return -1;
    *out = image;
    image = (struct image){0};
    return 0;
}

int image_open(struct image *out, struct view file, struct fail *fail)
{
    own_image struct image image = {0};
    if (image_open_any(&image, file, fail) < 0)
        return -1;
    if (!image.is64 || image.order != LITTLE_ENDIAN_BYTES) {
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, image.cputype, image.cpusubtype);
        return fail_set(fail, FAIL_INPUT,
                        "a %s %s-endian image (%s) is not supported; a 64-bit little-endian one "
                        "is needed",
                        image.is64 ? "64-bit" : "32-bit",
                        image.order == BIG_ENDIAN_BYTES ? "big" : "little", arch);
    }
    *out = image;
    image = (struct image){0};
    return 0;
}

void image_release(struct image *image)
{
    free(image->commands);
    free(image->segments);
    free(image->sections);
    free(image->builds);
    free(image->tools);
    free(image->libraries);
    free(image->rpaths);
    *image = (struct image){0};
}
