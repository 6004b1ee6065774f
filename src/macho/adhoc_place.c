/* Where a signature goes in an image, and what header and load commands say of it. */
#include <inttypes.h>
#include <string.h>

#include "macho/adhoc_parts.h"
#include "macho/arch.h"
#include "macho/stated.h"

#define SIGNATURE_COMMAND_LEN 16u
#define SIGNATURE_ALIGNMENT   16u

/* Offsets of fields; those of segment commands depend on the word size. */
#define HEADER_NCMDS       16u
#define HEADER_SIZEOFCMDS  20u
#define SIGNATURE_DATAOFF  8u
#define SIGNATURE_DATASIZE 12u

uint64_t adhoc_align_up(uint64_t value, uint64_t alignment)
{
    uint64_t over = value % alignment;
    if (over == 0)
        return value;
    return value > UINT64_MAX - (alignment - over) ? UINT64_MAX : value + (alignment - over);
}

uint64_t adhoc_segment_alignment(const struct image *image)
{
    uint32_t family = image->cputype & ~(CPU_ARCH_ABI64 | CPU_ARCH_ABI64_32);
    return family == CPU_TYPE_ARM || image->cputype == CPU_TYPE_X86_64 ? 16384 : 4096;
}

/* codesign signs these in place; any other file is data to it, signed outside of the file. */
static int check_file_type(const struct image *image, struct fail *fail)
{
    switch (image->filetype) {
    case MH_EXECUTE:
    case MH_DYLIB:
    case MH_DYLINKER:
    case MH_BUNDLE:
    case MH_KEXT_BUNDLE:
    case MH_PRELOAD:
        return 0;
    default:
        break;
    }
    const char *name = macho_filetype_name(image->filetype);
    fail_set(fail, FAIL_INPUT, "a file of type %s cannot hold a signature",
             name ? name : "unknown");
    return fail_hint(fail, image->filetype == MH_DSYM ? "sign the file that the symbols are of"
                                                      : "sign what is linked from it");
}

/* __LINKEDIT must be last, in the file and in memory, so that it can grow. */
static int find_linkedit(struct adhoc_place *place, const struct image *image, struct fail *fail)
{
    place->linkedit = image_segment(image, "__LINKEDIT");
    if (!place->linkedit)
        return fail_set(fail, FAIL_INPUT,
                        "there is no segment __LINKEDIT, which would hold the signature");
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *other = &image->segments[i];
        if (other == place->linkedit)
            continue;
        /* An empty one as well: the file may end before it when it is signed. */
        if (other->offset + other->file_size > place->linkedit->offset)
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

/* A segment holds header and load commands whole, or nothing of them: then there is room where a
 * command was taken away. __LINKEDIT is behind them, be it empty. */
static int check_segments(const struct adhoc_place *place, const struct image *image,
                          struct fail *fail)
{
    uint64_t commands_end = image->header_size + image->commands_size;
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        if (segment->offset >= commands_end ||
            (segment != place->linkedit && (segment->file_size == 0 || segment->offset == 0)))
            continue;
        return fail_set(fail, FAIL_INPUT,
                        "segment %s at offset %" PRIu64 " overlaps the load commands, which end at "
                        "%" PRIu64,
                        segment->name, segment->offset, commands_end);
    }
    return 0;
}

/* What follows the code limit is sealed by nothing, so that no code may be there. */
static int check_protection(const struct image_segment *linkedit, struct fail *fail)
{
    if (!(linkedit->initial_protection & VM_PROT_EXECUTE))
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "__LINKEDIT can be executed (protection %" PRIu32
                    ", expected 1): no signature would hold",
                    linkedit->initial_protection);
}

/* The load commands fill what the header says, so that one can be added or taken away. */
static int check_commands(const struct image *image, struct fail *fail)
{
    uint64_t end = image->header_size + image->commands_size;
    uint64_t last = image->header_size;
    for (uint32_t i = 0; i < image->command_count; i++)
        last = image->commands[i].offset + image->commands[i].size;
    if (last == end)
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "the last load command ends at offset %" PRIu64
                    ", but the header says %" PRIu64,
                    last, end);
}

/* What lies behind the code limit is sealed by nothing: it would be cut off with a present
 * signature, or reach into the new one. What lies in the load commands would change with them,
 * behind the back of a slot that seals it. */
static int check_stated(const struct image *image, uint64_t limit, struct fail *fail)
{
    uint64_t commands_end = image->header_size + image->commands_size;
    struct stated range = {0};
    while (stated_next(&range, image)) {
        if (range.start < commands_end)
            return fail_set(fail, FAIL_INPUT,
                            "the %s%s at offset %" PRIu64 " overlaps header and load commands, "
                            "which end at offset %" PRIu64,
                            range.section ? "section " : "", range.name, range.start, commands_end);
        if (range.end > limit)
            return fail_set(fail, FAIL_INPUT,
                            "the %s%s at offset %" PRIu64 " ends at offset %" PRIu64
                            ", behind what can be signed, which ends at %" PRIu64,
                            range.section ? "section " : "", range.name, range.start, range.end,
                            limit);
    }
    return 0;
}

/* A new load command goes behind the last one, over zeros. */
static int find_room(struct adhoc_place *place, const struct image *image, struct fail *fail)
{
    uint64_t end = image->header_size + image->commands_size;
    uint64_t room = image_header_room(image);
    struct view bytes = {0};
    if (check_commands(image, fail) < 0)
        return -1;
    if (room < SIGNATURE_COMMAND_LEN ||
        !view_slice(&bytes, image->file, end, SIGNATURE_COMMAND_LEN)) {
        fail_set(fail, FAIL_INPUT,
                 "there is no room for LC_CODE_SIGNATURE (needs %u bytes, %" PRIu64
                 " left behind the load commands)",
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
    return check_stated(image, image->file.len, fail);
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

/* Where the last section or table ends. */
static uint64_t tables_end(const struct image *image)
{
    struct stated range = {0};
    uint64_t end = 0;
    while (stated_next(&range, image))
        end = range.end > end ? range.end : end;
    return end;
}

/* Zeros that a signer put between the last table and the signature, to align it, are no content. */
static uint64_t unpadded_end(const struct image *image, uint64_t tables, uint64_t start)
{
    if (start % SIGNATURE_ALIGNMENT != 0 || start - tables >= SIGNATURE_ALIGNMENT)
        return start;
    for (uint64_t i = tables; i < start; i++)
        if (image->file.data[i] != 0)
            return start;
    return tables;
}

/* A signature that is there, and the bytes in front of it. */
static int find_present(struct adhoc_place *place, const struct image *image, enum adhoc_job job,
                        struct fail *fail)
{
    const struct image_range *present = &image->code_signature;
    const struct load_command *command = &image->commands[present->command];
    place->present = true;
    place->command = command->offset;
    if (command->size != SIGNATURE_COMMAND_LEN)
        return fail_set(fail, FAIL_INPUT, "LC_CODE_SIGNATURE has %" PRIu32 " bytes, not %u",
                        command->size, SIGNATURE_COMMAND_LEN);
    if (check_commands(image, fail) < 0)
        return -1;
    if (present->size == 0) /* a command without a signature: all of the file is signed */
        return check_stated(image, image->file.len, fail);
    if (present->offset < place->linkedit->offset)
        return fail_set(fail, FAIL_INPUT,
                        "the present signature at offset %" PRIu64 " is not in __LINKEDIT",
                        present->offset);
    uint64_t tables = tables_end(image);
    if (check_end(image, present->offset + present->size, "the present signature", fail) < 0)
        return -1;
    if (check_stated(image, present->offset, fail) < 0)
        return -1;
    place->kept = present->offset;
    if (job != ADHOC_RENEW && tables >= place->linkedit->offset)
        place->kept = unpadded_end(image, tables, present->offset);
    return 0;
}

/* What the linker rounded the other segments to. */
static uint64_t other_alignment(const struct image *image, const struct image_segment *linkedit)
{
    uint64_t all = linkedit->address;
    for (uint32_t i = 0; i < image->segment_count; i++)
        if (&image->segments[i] != linkedit)
            all |= image->segments[i].address | image->segments[i].memory_size;
    if (all % 16384 == 0)
        return 16384;
    return all % 4096 == 0 ? 4096 : 1;
}

/* Whether nobody rounded that memory size. */
static bool is_exact(const struct image *image, uint64_t file_size, uint64_t memory_size)
{
    return memory_size == file_size &&
           (file_size % adhoc_segment_alignment(image) != 0 || adhoc_is_exact(image));
}

/*
 * The memory size that __LINKEDIT had before it was signed, from what is there now: lld and Go
 * leave it at the file size, and so does strip; others round it like the other segments, and so
 * did who put a linker's signature beside a rounded size. A size that no signer makes today stays.
 */
static uint64_t unsigned_memory(const struct image *image, const struct adhoc_place *place)
{
    own_codesig struct codesig sig = {0};
    const struct image_segment *linkedit = place->linkedit;
    uint64_t alignment = adhoc_segment_alignment(image);
    if (is_exact(image, linkedit->file_size, linkedit->memory_size))
        return place->file_size;
    if (linkedit->memory_size != adhoc_align_up(linkedit->file_size, alignment))
        return linkedit->memory_size;
    if (adhoc_linker_signature(&sig, image))
        return adhoc_align_up(place->file_size, alignment);
    if (adhoc_is_exact(image) || adhoc_is_stripped(image))
        return place->file_size;
    uint64_t size = adhoc_align_up(place->file_size, other_alignment(image, linkedit));
    return size < linkedit->memory_size ? size : linkedit->memory_size;
}

int adhoc_place_find(struct adhoc_place *out, const struct image *image, enum adhoc_job job,
                     struct fail *fail)
{
    struct adhoc_place place = {.kept = image->file.len};
    if ((job == ADHOC_SIGN && check_file_type(image, fail) < 0) ||
        find_linkedit(&place, image, fail) < 0 || check_segments(&place, image, fail) < 0 ||
        (job != ADHOC_STRIP && check_protection(place.linkedit, fail) < 0))
        return -1;
    uint64_t end = place.linkedit->offset + place.linkedit->file_size;
    if (check_end(image, end, "__LINKEDIT", fail) < 0)
        return -1;
    int found = image_has(&image->code_signature) ? find_present(&place, image, job, fail)
                                                  : find_room(&place, image, fail);
    if (found < 0)
        return -1;
    place.start = job == ADHOC_RENEW ? place.kept : adhoc_align_up(place.kept, SIGNATURE_ALIGNMENT);
    place.file_size = place.kept - place.linkedit->offset;
    place.memory_size = place.linkedit->memory_size;
    if (place.present)
        place.memory_size = unsigned_memory(image, &place);
    place.exact = is_exact(image, place.file_size, place.memory_size);
    *out = place;
    return 0;
}

/* A field of `len` bytes in the image's byte order. */
static void put(struct buf *head, const struct image *image, uint64_t offset, uint64_t value,
                size_t len)
{
    for (size_t i = 0; i < len; i++) {
        size_t at = image->order == BIG_ENDIAN_BYTES ? len - 1 - i : i;
        head->data[offset + at] = (uint8_t)(value >> (8 * i));
    }
}

static void add_command(struct buf *head, const struct image *image,
                        const struct adhoc_place *place)
{
    put(head, image, HEADER_NCMDS, (uint64_t)image->command_count + 1, 4);
    put(head, image, HEADER_SIZEOFCMDS, image->commands_size + SIGNATURE_COMMAND_LEN, 4);
    put(head, image, place->command, LC_CODE_SIGNATURE, 4);
    put(head, image, place->command + 4, SIGNATURE_COMMAND_LEN, 4);
}

static void remove_command(struct buf *head, const struct image *image,
                           const struct adhoc_place *place)
{
    uint64_t end = image->header_size + image->commands_size;
    uint64_t next = place->command + SIGNATURE_COMMAND_LEN;
    memmove(head->data + place->command, head->data + next, (size_t)(end - next));
    memset(head->data + end - SIGNATURE_COMMAND_LEN, 0, SIGNATURE_COMMAND_LEN);
    put(head, image, HEADER_NCMDS, (uint64_t)image->command_count - 1, 4);
    put(head, image, HEADER_SIZEOFCMDS, image->commands_size - SIGNATURE_COMMAND_LEN, 4);
}

int adhoc_place_header(struct buf *out, const struct image *image, const struct adhoc_place *place,
                       uint64_t space, uint64_t memory_size, uint64_t len, struct fail *fail)
{
    const struct image_segment *linkedit = place->linkedit;
    uint64_t segment = image->commands[linkedit->command].offset;
    uint64_t file_size = space == 0 ? place->file_size : place->start + space - linkedit->offset;
    uint64_t address_max = image->is64 ? UINT64_MAX : UINT32_MAX;
    size_t word = image->is64 ? 8 : 4;
    if (memory_size > address_max - linkedit->address)
        return fail_set(fail, FAIL_INPUT,
                        "__LINKEDIT at address 0x%" PRIx64 " cannot grow to %" PRIu64 " bytes",
                        linkedit->address, memory_size);
    buf_append(out, image->file.data, (size_t)(len < place->kept ? len : place->kept));
    buf_zeros(out, (size_t)(len < place->kept ? 0 : len - place->kept));
    /* The name comes behind eight bytes and has sixteen, then address, memory size, offset and
     * file size. */
    put(out, image, segment + 24 + word, memory_size, word);
    put(out, image, segment + 24 + 3 * word, file_size, word);
    if (space == 0) {
        remove_command(out, image, place);
        return 0;
    }
    if (!place->present)
        add_command(out, image, place);
    put(out, image, place->command + SIGNATURE_DATAOFF, place->start, 4);
    put(out, image, place->command + SIGNATURE_DATASIZE, space, 4);
    return 0;
}
