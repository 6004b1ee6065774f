/*
 * arm64e_parts.h: the slots of personality routines. The unwinder authenticates what it loads
 * from them, so each must be signed; both tables that can name one are read: the list of
 * __unwind_info, and the CIEs of __eh_frame.
 */
#include <inttypes.h>
#include <string.h>

#include "macho/arm64e_parts.h"

#define PCREL_INDIRECT_32 0x9bu /* DW_EH_PE_indirect | pcrel | sdata4 */

static int mark(struct arm64e *e, uint64_t slot, const char *table, struct fail *fail)
{
    size_t index = 0;
    if (!arm64e_slot_at(&index, e, slot))
        return fail_set(fail, FAIL_INPUT,
                        "%s names a personality routine at 0x%" PRIx64
                        ", which is no slot of __got",
                        table, slot);
    e->slots[index].personality = true;
    return 0;
}

static int read_unwind_info(struct arm64e *e, struct fail *fail)
{
    const struct image_section *section = image_section(e->image, "__TEXT", "__unwind_info");
    if (section == NULL)
        return 0;
    struct view table = image_section_data(e->image, section);
    uint32_t offset = 0;
    uint32_t count = 0;
    if (!view_u32(&offset, table, 12, LITTLE_ENDIAN_BYTES) ||
        !view_u32(&count, table, 16, LITTLE_ENDIAN_BYTES) ||
        !range_fits(offset, 4 * (uint64_t)count, table.len))
        return fail_set(fail, FAIL_INPUT,
                        "the personality routines of __unwind_info are outside "
                        "of it");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = 0;
        (void)view_u32(&slot, table, offset + 4 * (uint64_t)i, LITTLE_ENDIAN_BYTES);
        if (mark(e, e->base + slot, "__unwind_info", fail) < 0)
            return -1;
    }
    return 0;
}

static int bad_cie(uint64_t at, const char *why, struct fail *fail)
{
    return fail_set(fail, FAIL_INPUT, "the CIE at offset 0x%" PRIx64 " of __eh_frame %s", at, why);
}

/* What the letters of the augmentation announce, in their order. */
static int read_augmentation(struct arm64e *e, struct cursor *cie, const char *letters,
                             uint64_t address, uint64_t at, struct fail *fail)
{
    for (; *letters != '\0'; letters++) {
        uint64_t place = 0;
        int32_t distance = 0;
        switch (*letters) {
        case 'P':
            if (cursor_u8(cie) != PCREL_INDIRECT_32)
                return bad_cie(at, "has a personality routine in a form that is not known", fail);
            place = address + cie->offset;
            distance = (int32_t)cursor_u32(cie);
            if (!cie->failed &&
                mark(e, place + (uint64_t)(int64_t)distance, "__eh_frame", fail) < 0)
                return -1;
            break;
        case 'L':
        case 'R':
            (void)cursor_u8(cie);
            break;
        case 'B': /* return addresses signed with key B */
        case 'S':
            break;
        default:
            return bad_cie(at, "has an augmentation that is not known", fail);
        }
    }
    return 0;
}

/* `body` begins behind the length and ends with the entry; `address` is that of its start. */
static int read_cie(struct arm64e *e, struct view body, uint64_t address, uint64_t at,
                    struct fail *fail)
{
    struct cursor cie = cursor_start(body, LITTLE_ENDIAN_BYTES);
    cursor_skip(&cie, 5); /* the zero that says CIE, and the version */
    const char *letters = cursor_text(&cie);
    if (letters[0] == '\0' && !cie.failed)
        return 0;
    if (letters[0] != 'z')
        return bad_cie(at, "has an augmentation that is not known", fail);
    (void)cursor_uleb(&cie); /* code alignment */
    (void)cursor_sleb(&cie); /* data alignment */
    (void)cursor_uleb(&cie); /* return address register */
    (void)cursor_uleb(&cie); /* length of what follows */
    if (read_augmentation(e, &cie, letters + 1, address, at, fail) < 0)
        return -1;
    return cie.failed ? bad_cie(at, "is truncated", fail) : 0;
}

static int read_eh_frame(struct arm64e *e, struct fail *fail)
{
    const struct image_section *section = image_section(e->image, "__TEXT", "__eh_frame");
    if (section == NULL)
        return 0;
    struct view table = image_section_data(e->image, section);
    uint64_t at = 0;
    while (at < table.len) {
        uint32_t len = 0;
        uint32_t id = 0;
        struct view body = {0};
        if (!view_u32(&len, table, at, LITTLE_ENDIAN_BYTES))
            return fail_set(fail, FAIL_INPUT, "__eh_frame ends within an entry");
        if (len == 0)
            break;
        if (!view_slice(&body, table, at + 4, len) || !view_u32(&id, body, 0, LITTLE_ENDIAN_BYTES))
            return fail_set(fail, FAIL_INPUT,
                            "the entry at offset 0x%" PRIx64 " of __eh_frame is outside of it", at);
        if (id == 0 && read_cie(e, body, section->address + at + 4, at, fail) < 0)
            return -1;
        at += 4 + (uint64_t)len;
    }
    return 0;
}

int arm64e_read_unwind(struct arm64e *e, struct fail *fail)
{
    return read_unwind_info(e, fail) < 0 || read_eh_frame(e, fail) < 0 ? -1 : 0;
}
