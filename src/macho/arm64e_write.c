/* arm64e_parts.h: the new bytes. */
#include <inttypes.h>
#include <string.h>

#include "macho/arm64e_parts.h"
#include "port/digest.h"

#define STRIDE       8u
#define STEP_MAX     0x7ffu    /* eleven bits, in strides */
#define IMPORT_MAX   0xffffffu /* twenty-four bits */
#define TARGET_MAX   UINT64_C(0x7ffffffffff)
#define UUID_VERSION 8u /* RFC 9562: made as its maker says */

static void set_u16le(struct buf *out, uint64_t offset, uint16_t value)
{
    out->data[offset] = (uint8_t)value;
    out->data[offset + 1] = (uint8_t)(value >> 8);
}

/* The bits of one location but for the step to the next. */
static int encode(uint64_t *out, const struct fixup *fixup, uint64_t base, struct fail *fail)
{
    uint64_t value = (uint64_t)fixup->bind << 62;
    if (fixup->auth)
        value |= UINT64_C(1) << 63 | (uint64_t)fixup->key << 49 |
                 (uint64_t)fixup->address_diversity << 48 | (uint64_t)fixup->diversity << 32;
    if (fixup->bind) {
        if (fixup->import > IMPORT_MAX)
            return fail_set(fail, FAIL_INPUT, "more than 2^24 imports");
        value |= fixup->import;
        if (!fixup->auth) /* nineteen bits; the addend was eight bits */
            value |= (uint64_t)fixup->addend << 32;
    } else {
        uint64_t target = fixup->target - base;
        if (target > (fixup->auth ? UINT32_MAX : TARGET_MAX))
            return fail_set(fail, FAIL_INPUT,
                            "the pointer to 0x%" PRIx64 " does not fit a fix-up of arm64e",
                            fixup->target);
        value |= target;
    }
    *out = value;
    return 0;
}

static int write_fixups(struct buf *out, const struct arm64e_account *account,
                        const struct arm64e *e, struct fail *fail)
{
    struct view chains = image_range_data(e->image, &e->image->chained_fixups);
    for (size_t i = 0; i < account->count; i++) {
        const struct fixup *fixup = &account->list[i].fixup;
        const struct fixup *next = i + 1 < account->count ? &account->list[i + 1].fixup : NULL;
        uint64_t start = e->image->segments[fixup->segment].address;
        uint16_t page_size = 0;
        uint64_t value = 0;
        uint64_t step = 0;
        (void)view_u16(&page_size, chains, arm64e_starts_of(e, fixup->segment) + CHAIN_PAGE_SIZE,
                       LITTLE_ENDIAN_BYTES);
        if (next != NULL && next->segment == fixup->segment && page_size != 0 &&
            (next->address - start) / page_size == (fixup->address - start) / page_size)
            step = (next->address - fixup->address) / STRIDE;
        if (step > STEP_MAX)
            return fail_set(fail, FAIL_INPUT,
                            "the step from the fix-up at 0x%" PRIx64 " to the next is too long",
                            fixup->address);
        if (encode(&value, fixup, e->base, fail) < 0)
            return -1;
        buf_set_u64le(out, fixup->offset, value | step << 51);
    }
    return 0;
}

static void write_formats(struct buf *out, const struct arm64e *e)
{
    for (uint32_t i = 0; i < e->image->segment_count; i++) {
        uint64_t starts = arm64e_starts_of(e, i);
        if (starts != 0)
            set_u16le(out, e->image->chained_fixups.offset + starts + CHAIN_FORMAT,
                      CHAINED_ARM64E_USERLAND24);
    }
}

/* adr x17, slot; ldr x16, [x17]; braa x16, x17: the address of the slot is the modifier. */
static void write_stubs(struct buf *out, const struct arm64e_account *account,
                        const struct arm64e *e)
{
    uint64_t size = e->stubs == NULL ? 0 : e->stubs->size;
    for (uint64_t i = 0; i < size; i += ARM64E_STUB_SIZE) {
        uint64_t slot = 0;
        size_t index = 0;
        uint64_t address = e->stubs->address + i;
        size_t at = (size_t)(e->stubs->offset + i);
        if (!arm64e_stub_slot(&slot, e, address) || !arm64e_slot_at(&index, e, slot) ||
            !account->list[index].fixup.auth)
            continue;
        uint32_t distance = (uint32_t)(slot - address);
        buf_set_u32le(out, at, 0x10000011u | (distance & 3) << 29 | (distance >> 2 & 0x7ffff) << 5);
        buf_set_u32le(out, at + 4, 0xf9400230u);
        buf_set_u32le(out, at + 8, 0xd71f0a11u);
    }
}

#define HEADER_CPUSUBTYPE    8u
#define HEADER_COMMAND_COUNT 16u
#define HEADER_COMMANDS_SIZE 20u
#define SEGMENT_MEMORY_SIZE  32u
#define SEGMENT_FILE_SIZE    48u
#define LINKEDIT_ALIGN       0x4000u

/* Takes off the linker's signature, which holds no longer: the signer's work comes after. */
static int drop_signature(struct buf *out, const struct arm64e *e, struct fail *fail)
{
    const struct image *image = e->image;
    const struct image_range *range = &image->code_signature;
    const struct image_segment *linkedit = image_segment(image, "__LINKEDIT");
    if (!image_has(range))
        return 0;
    const struct load_command *command = &image->commands[range->command];
    if (linkedit == NULL || range->command + 1 != image->command_count ||
        range->offset < linkedit->offset || range->offset + range->size != image->file.len)
        return fail_set(fail, FAIL_INPUT,
                        "the signature is not the last load command, and the last "
                        "of __LINKEDIT");
    uint64_t len = range->offset - linkedit->offset;
    uint64_t segment = image->commands[linkedit->command].offset;
    buf_set_u64le(out, segment + SEGMENT_FILE_SIZE, len);
    buf_set_u64le(out, segment + SEGMENT_MEMORY_SIZE,
                  (len + LINKEDIT_ALIGN - 1) / LINKEDIT_ALIGN * LINKEDIT_ALIGN);
    memset(out->data + command->offset, 0, command->size);
    buf_set_u32le(out, HEADER_COMMAND_COUNT, image->command_count - 1);
    buf_set_u32le(out, HEADER_COMMANDS_SIZE, (uint32_t)image->commands_size - command->size);
    buf_truncate(out, range->offset);
    return 0;
}

/* From all the bytes, with the UUID itself as zeros. */
static void write_uuid(struct buf *out, const struct arm64e *e)
{
    uint8_t digest[DIGEST_MAX];
    uint8_t *uuid = out->data + e->image->commands[e->image->uuid_command].offset + 8;
    memset(uuid, 0, 16);
    digest_once(digest, DIGEST_SHA256, out->data, out->len);
    digest[6] = (uint8_t)((digest[6] & 0x0f) | UUID_VERSION << 4);
    digest[8] = (uint8_t)((digest[8] & 0x3f) | 0x80);
    memcpy(uuid, digest, 16);
}

static bool same_fixup(const struct fixup *a, const struct fixup *b)
{
    if (a->address != b->address || a->bind != b->bind || a->auth != b->auth)
        return false;
    if (a->auth && (a->key != b->key || a->diversity != b->diversity ||
                    a->address_diversity != b->address_diversity))
        return false;
    return a->bind ? a->import == b->import && a->addend == b->addend : a->target == b->target;
}

/* Reads back what was written: an image whose parts lie over each other does not come out. */
static int check_written(const struct buf *out, const struct arm64e_account *account,
                         struct fail *fail)
{
    own_image struct image image = {0};
    own_fixups struct fixup_list fixups = {0};
    if (image_open(&image, (struct view){.data = out->data, .len = out->len}, fail) < 0 ||
        fixups_read(&fixups, &image, fail) < 0)
        return fail_while(fail, "reading back what was written");
    bool same = fixups.count == account->count;
    for (size_t i = 0; same && i < fixups.count; i++)
        same = same_fixup(&fixups.list[i], &account->list[i].fixup);
    return same ? 0
                : fail_set(fail, FAIL_INPUT, "the fix-ups do not read back as they were written");
}

int arm64e_write(struct buf *out, const struct arm64e_account *account, const struct arm64e *e,
                 struct fail *fail)
{
    buf_truncate(out, 0);
    buf_append(out, e->image->file.data, (size_t)e->image->file.len);
    if (write_fixups(out, account, e, fail) < 0)
        return -1;
    write_formats(out, e);
    write_stubs(out, account, e);
    buf_set_u32le(out, HEADER_CPUSUBTYPE, ARM64E_CPUSUBTYPE);
    if (drop_signature(out, e, fail) < 0)
        return -1;
    write_uuid(out, e);
    return check_written(out, account, fail);
}
