#include "macho/adhoc.h"

#include <inttypes.h>
#include <string.h>

#include "macho/adhoc_parts.h"

#define SIGNATURE_COMMAND_LEN 16u
#define SIGNATURE_ALIGNMENT   16u

/* Offsets of fields in the structures of a 64-bit file. */
#define HEADER_NCMDS       16u
#define HEADER_SIZEOFCMDS  20u
#define SEGMENT_VMSIZE     32u
#define SEGMENT_FILESIZE   48u
#define SIGNATURE_DATAOFF  8u
#define SIGNATURE_DATASIZE 12u

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/* Where the signature goes, and where in the header that is written. */
struct place {
    const struct image_segment *linkedit;
    uint64_t kept;    /* bytes of the file that stay */
    uint64_t start;   /* of the signature */
    uint64_t command; /* offset of LC_CODE_SIGNATURE */
    bool add_command;
};

/* __LINKEDIT must be last, in the file and in memory, so that it can grow. */
static int find_linkedit(struct place *place, const struct image *image, struct fail *fail)
{
    place->linkedit = image_segment(image, "__LINKEDIT");
    if (!place->linkedit)
        return fail_set(fail, FAIL_INPUT,
                        "there is no segment __LINKEDIT, which would hold the signature");
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *other = &image->segments[i];
        if (other == place->linkedit)
            continue;
        if (other->offset + other->file_size > place->linkedit->offset && other->file_size > 0)
            return fail_set(fail, FAIL_INPUT,
                            "segment %s ends at offset %" PRIu64 ", behind the start of __LINKEDIT "
                            "at %" PRIu64,
                            other->name, other->offset + other->file_size, place->linkedit->offset);
        if (other->address > place->linkedit->address)
            return fail_set(fail, FAIL_INPUT,
                            "segment %s is at address 0x%" PRIx64
                            ", behind __LINKEDIT at 0x%" PRIx64,
                            other->name, other->address, place->linkedit->address);
    }
    return 0;
}

/* A new load command goes behind the last one, over zeros. */
static int find_room(struct place *place, const struct image *image, struct fail *fail)
{
    uint64_t end = image->header_size + image->commands_size;
    uint64_t room = image_header_room(image);
    uint64_t last = image->header_size;
    struct view bytes = {0};
    for (uint32_t i = 0; i < image->command_count; i++)
        last = image->commands[i].offset + image->commands[i].size;
    if (last != end)
        return fail_set(fail, FAIL_INPUT,
                        "the last load command ends at offset %" PRIu64
                        ", but the header says %" PRIu64,
                        last, end);
    if (room < SIGNATURE_COMMAND_LEN ||
        !view_slice(&bytes, image->file, end, SIGNATURE_COMMAND_LEN)) {
        fail_set(fail, FAIL_INPUT,
                 "there is no room for LC_CODE_SIGNATURE (needs %u bytes, %" PRIu64
                 " left between the load commands and the first section)",
                 SIGNATURE_COMMAND_LEN, room);
        return fail_hint(fail, "link it again with -headerpad 0x20 or more");
    }
    for (uint64_t i = 0; i < bytes.len; i++) {
        if (bytes.data[i] == 0)
            continue;
        return fail_set(fail, FAIL_INPUT,
                        "the %u bytes behind the load commands, which LC_CODE_SIGNATURE needs, are "
                        "not zero (0x%02x at offset %" PRIu64 ")",
                        SIGNATURE_COMMAND_LEN, bytes.data[i], end + i);
    }
    place->command = end;
    place->add_command = true;
    return 0;
}

static int check_end(const struct image *image, uint64_t end, const char *what, struct fail *fail)
{
    if (end == image->file.len)
        return 0;
    fail_set(fail, FAIL_INPUT,
             "%s ends at offset %" PRIu64 ", but the file has %" PRIu64 " bytes behind it", what,
             end, image->file.len - end);
    return fail_hint(fail, "remove what was appended; signing would not cover it");
}

static int check_command(const struct image *image, struct fail *fail)
{
    const struct load_command *command = &image->commands[image->code_signature.command];
    if (command->size == SIGNATURE_COMMAND_LEN)
        return 0;
    return fail_set(fail, FAIL_INPUT, "LC_CODE_SIGNATURE has %" PRIu32 " bytes, not %u",
                    command->size, SIGNATURE_COMMAND_LEN);
}

/* Tables that lie in or behind a present signature would be cut off with it. */
static int check_tables(const struct image *image, uint64_t kept, struct fail *fail)
{
    const struct image_range *ranges[] = {
        &image->dyld_info.rebase,    &image->dyld_info.bind,    &image->dyld_info.weak_bind,
        &image->dyld_info.lazy_bind, &image->dyld_info.exports, &image->chained_fixups,
        &image->exports_trie,        &image->function_starts,   &image->data_in_code,
        &image->segment_split_info,  &image->code_sign_drs,     &image->dysymtab.indirect,
    };
    uint64_t end = 0;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (image_has(ranges[i]) && ranges[i]->offset + ranges[i]->size > end)
            end = ranges[i]->offset + ranges[i]->size;
    if (image->symtab.command != IMAGE_NO_COMMAND) {
        uint64_t symbols = image->symtab.symbols_offset + image->symtab.symbols_size;
        uint64_t strings = image->symtab.strings_offset + image->symtab.strings_size;
        end = symbols > end ? symbols : end;
        end = strings > end ? strings : end;
    }
    if (end <= kept)
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "a table of __LINKEDIT ends at offset %" PRIu64 ", behind the start of the "
                    "present signature at %" PRIu64,
                    end, kept);
}

static int find_place(struct place *place, const struct image *image, struct fail *fail)
{
    const struct image_range *present = &image->code_signature;
    *place = (struct place){0};
    if (find_linkedit(place, image, fail) < 0)
        return -1;
    uint64_t end = place->linkedit->offset + place->linkedit->file_size;
    if (check_end(image, end, "__LINKEDIT", fail) < 0)
        return -1;
    place->kept = image->file.len;
    if (present->command == IMAGE_NO_COMMAND) {
        if (find_room(place, image, fail) < 0)
            return -1;
    } else {
        place->command = image->commands[present->command].offset;
        if (check_command(image, fail) < 0)
            return -1;
        if (image_has(present) && present->size > 0) {
            if (present->offset < place->linkedit->offset)
                return fail_set(fail, FAIL_INPUT,
                                "the present signature at offset %" PRIu64 " is not in __LINKEDIT",
                                present->offset);
            if (check_end(image, present->offset + present->size, "the present signature", fail) <
                    0 ||
                check_tables(image, present->offset, fail) < 0)
                return -1;
            place->kept = present->offset;
        }
    }
    place->start = align_up(place->kept, SIGNATURE_ALIGNMENT);
    return 0;
}

/* What the linkers of that architecture round the size of a segment to. */
static uint64_t segment_alignment(const struct image *image)
{
    return image->cputype == CPU_TYPE_X86_64 ? 4096 : 16384;
}

/* lld and Go leave the memory size of __LINKEDIT as it comes; codesign rounds it. */
static bool leaves_size(const struct image *image, const struct adhoc_profile *profile,
                        const struct image_segment *linkedit)
{
    return profile->directories[0].flags & CODESIG_FLAG_LINKER_SIGNED &&
           linkedit->memory_size == linkedit->file_size &&
           (profile->lld_layout || linkedit->memory_size % segment_alignment(image) != 0);
}

static int patch_linkedit(struct buf *out, const struct image *image,
                          const struct adhoc_profile *profile, const struct place *place,
                          uint64_t end, struct fail *fail)
{
    const struct image_segment *linkedit = place->linkedit;
    uint64_t command = image->commands[linkedit->command].offset;
    uint64_t file_size = end - linkedit->offset;
    uint64_t memory_size = linkedit->memory_size;
    if (memory_size < file_size)
        memory_size = leaves_size(image, profile, linkedit)
                          ? file_size
                          : align_up(file_size, segment_alignment(image));
    if (memory_size > UINT64_MAX - linkedit->address)
        return fail_set(fail, FAIL_INPUT,
                        "__LINKEDIT at address 0x%" PRIx64 " cannot grow to %" PRIu64 " bytes",
                        linkedit->address, memory_size);
    buf_set_u64le(out, (size_t)(command + SEGMENT_VMSIZE), memory_size);
    buf_set_u64le(out, (size_t)(command + SEGMENT_FILESIZE), file_size);
    return 0;
}

/* Writes the whole new file. */
static int write_signed(struct buf *out, const struct image *image, const struct place *place,
                        const struct adhoc_profile *profile, struct fail *fail)
{
    uint64_t space = adhoc_build_space(profile, place->start);
    if (place->start + space > UINT32_MAX)
        return fail_set(fail, FAIL_INPUT,
                        "the file is too large to be signed (%" PRIu64
                        " bytes with its signature, at most 4294967295)",
                        place->start + space);
    buf_reserve(out, (size_t)(place->start + space));
    buf_append(out, image->file.data, (size_t)place->kept);
    buf_zeros(out, (size_t)(place->start - place->kept));
    if (place->add_command) {
        buf_set_u32le(out, HEADER_NCMDS, image->command_count + 1);
        buf_set_u32le(out, HEADER_SIZEOFCMDS,
                      (uint32_t)image->commands_size + SIGNATURE_COMMAND_LEN);
        buf_set_u32le(out, (size_t)place->command, LC_CODE_SIGNATURE);
        buf_set_u32le(out, (size_t)place->command + 4, SIGNATURE_COMMAND_LEN);
    }
    buf_set_u32le(out, (size_t)place->command + SIGNATURE_DATAOFF, (uint32_t)place->start);
    buf_set_u32le(out, (size_t)place->command + SIGNATURE_DATASIZE, (uint32_t)space);
    if (patch_linkedit(out, image, profile, place, place->start + space, fail) < 0)
        return -1;
    own_buf struct buf signature = {0};
    adhoc_build(&signature, profile, (struct view){out->data, place->start}, space);
    buf_append(out, signature.data, signature.len);
    return 0;
}

/* With options: a new signature; without: the present one anew. */
static int sign(struct buf *out, const struct image *image, const struct adhoc_options *options,
                struct fail *fail)
{
    own_adhoc_profile struct adhoc_profile profile = {0};
    own_buf struct buf file = {0};
    struct place place = {0};
    if (!image->is64 || image->order != LITTLE_ENDIAN_BYTES)
        return fail_set(fail, FAIL_INPUT, "only 64-bit little-endian files can be signed");
    if (find_place(&place, image, fail) < 0)
        return -1;
    if (options ? adhoc_profile_choose(&profile, image, options, fail) < 0
                : adhoc_profile_present(&profile, image, fail) < 0)
        return -1;
    if (write_signed(&file, image, &place, &profile, fail) < 0)
        return -1;
    buf_release(out);
    *out = file;
    file = (struct buf){0};
    return 0;
}

int adhoc_sign(struct buf *out, const struct image *image, const struct adhoc_options *options,
               struct fail *fail)
{
    return sign(out, image, options, fail);
}

int adhoc_renew(struct buf *out, const struct image *image, struct fail *fail)
{
    return sign(out, image, NULL, fail);
}
