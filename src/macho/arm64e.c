#include "macho/arm64e.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/a64.h"
#include "macho/arm64e_parts.h"

void arm64e_account_release(struct arm64e_account *account)
{
    free(account->list);
    *account = (struct arm64e_account){0};
}

void arm64e_release(struct arm64e *e)
{
    fixups_release(&e->fixups);
    free(e->slots);
    free(e->functions);
}

const char *arm64e_role_name(enum arm64e_role role)
{
    switch (role) {
    case ARM64E_POINTER:
        return "pointer";
    case ARM64E_IMPORT:
        return "import";
    case ARM64E_CODE_POINTER:
        return "code pointer";
    case ARM64E_STRING_ISA:
        return "string isa";
    case ARM64E_STUB:
        return "stub";
    case ARM64E_SHARED_STUB:
        return "shared stub";
    case ARM64E_PERSONALITY:
        return "personality";
    }
    return "?";
}

bool arm64e_in_section(const struct image_section *section, uint64_t address)
{
    return section != NULL && address >= section->address &&
           address - section->address < section->size;
}

char *arm64e_place(const struct arm64e *e, uint64_t address)
{
    uint64_t offset = 0;
    char place[IMAGE_PLACE_MAX] = "no section";
    if (image_offset_of_address(&offset, e->image, address))
        image_locate_offset(place, e->image, offset);
    return text_printf("%s (0x%" PRIx64 ")", place, address);
}

bool arm64e_slot_at(size_t *out, const struct arm64e *e, uint64_t address)
{
    size_t low = 0;
    size_t high = e->fixups.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->fixups.list[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    *out = low;
    return low < e->fixups.count && e->fixups.list[low].address == address &&
           arm64e_in_section(e->got, address);
}

bool arm64e_stub_slot(uint64_t *out, const struct arm64e *e, uint64_t address)
{
    struct view code = image_section_data(e->image, e->stubs);
    uint64_t offset = address - e->stubs->address;
    struct a64 page;
    struct a64 load;
    uint32_t words[3] = {0};
    for (unsigned i = 0; i < 3; i++) {
        if (!view_u32(&words[i], code, offset + 4 * (uint64_t)i, LITTLE_ENDIAN_BYTES))
            return false;
    }
    a64_decode(&page, words[0], address);
    a64_decode(&load, words[1], address + 4);
    *out = page.value + load.value;
    /* adrp x16, page; ldr x16, [x16, offset]; br x16 */
    return page.kind == A64_PAGE && page.rd == 16 && (words[1] & 0xffc003ffu) == 0xf9400210u &&
           words[2] == 0xd61f0200u;
}

int arm64e_read_stubs(struct arm64e *e, struct fail *fail)
{
    if (e->stubs == NULL)
        return 0;
    if (e->stubs->reserved2 != ARM64E_STUB_SIZE || e->stubs->size % ARM64E_STUB_SIZE != 0)
        return fail_set(fail, FAIL_INPUT,
                        "the stubs are %" PRIu32 " bytes each, not the 12 of lld's",
                        e->stubs->reserved2);
    for (uint64_t i = 0; i < e->stubs->size; i += ARM64E_STUB_SIZE) {
        uint64_t slot = 0;
        size_t index = 0;
        uint64_t at = e->stubs->address + i;
        own_mem char *place = arm64e_place(e, at);
        if (!arm64e_stub_slot(&slot, e, at))
            return fail_set(fail, FAIL_INPUT, "the stub at %s is not shaped as lld's", place);
        if (!arm64e_slot_at(&index, e, slot) || !e->fixups.list[index].bind)
            return fail_set(fail, FAIL_INPUT,
                            "the stub at %s jumps through 0x%" PRIx64
                            ", which is no imported slot of __got",
                            place, slot);
        if (slot - at + (1u << 20) >= 1u << 21)
            return fail_set(fail, FAIL_INPUT,
                            "the stub at %s is more than 1 MiB away from its slot at 0x%" PRIx64,
                            place, slot);
        e->slots[index].stub = true;
    }
    return 0;
}

static int refuse(const struct arm64e *e, const struct fixup *fixup, const char *why,
                  struct fail *fail)
{
    own_mem char *place = arm64e_place(e, fixup->address);
    if (fixup->bind)
        return fail_set(fail, FAIL_INPUT, "the import of '%s' at %s %s",
                        e->fixups.imports[fixup->import].name, place, why);
    return fail_set(fail, FAIL_INPUT, "the pointer to 0x%" PRIx64 " at %s %s", fixup->target, place,
                    why);
}

static const struct image_section *section_at(const struct arm64e *e, uint64_t address)
{
    for (uint32_t i = 0; i < e->image->section_count; i++) {
        if (arm64e_in_section(&e->image->sections[i], address))
            return &e->image->sections[i];
    }
    return NULL;
}

/* The end of a segment is a place too: that of the end of an array. */
static bool in_segment(const struct arm64e *e, uint64_t address)
{
    for (uint32_t i = 0; i < e->image->segment_count; i++) {
        const struct image_segment *segment = &e->image->segments[i];
        if (address >= segment->address && address - segment->address <= segment->memory_size)
            return true;
    }
    return false;
}

static void sign(struct arm64e_fixup *out, enum arm64e_role role, enum fixup_key key,
                 unsigned diversity, bool address_diversity)
{
    out->role = role;
    out->fixup.auth = true;
    out->fixup.key = key;
    out->fixup.diversity = (uint16_t)diversity;
    out->fixup.address_diversity = address_diversity;
}

/* A slot of __got. */
static int assign_slot(struct arm64e_fixup *out, const struct arm64e *e,
                       const struct arm64e_slot *slot, struct fail *fail)
{
    out->role = out->fixup.bind ? ARM64E_IMPORT : ARM64E_POINTER;
    if (slot->personality && slot->read)
        return refuse(e, &out->fixup, "is a personality routine, and code reads it too", fail);
    if (slot->personality)
        sign(out, ARM64E_PERSONALITY, FIXUP_IA, 0, true);
    else if (slot->stub && slot->read)
        out->role = ARM64E_SHARED_STUB;
    else if (slot->stub)
        sign(out, ARM64E_STUB, FIXUP_IA, 0, true);
    return 0;
}

#define STRING_CLASS "___CFConstantStringClassReference"
#define STRING_SIZE  32u

/* A constant string: isa, flags, characters, length. */
static int assign_string(struct arm64e_fixup *out, const struct arm64e *e,
                         const struct image_section *section, struct fail *fail)
{
    const struct fixup *fixup = &out->fixup;
    uint64_t field = (fixup->address - section->address) % STRING_SIZE;
    if (field == 16 && !fixup->bind)
        return 0;
    if (field != 0 || out->import == NULL || strcmp(out->import, STRING_CLASS) != 0)
        return refuse(e, fixup, "is no part of a constant string that this pass knows", fail);
    sign(out, ARM64E_STRING_ISA, FIXUP_DA, ARM64E_STRING_DIVERSITY, true);
    return 0;
}

/* A pointer to code is signed as C signs the address of a function. */
static int assign_rebase(struct arm64e_fixup *out, const struct arm64e *e,
                         const struct image_section *section, struct fail *fail)
{
    const struct fixup *fixup = &out->fixup;
    bool plain_data = strcmp(section->name, "__data") == 0 || strcmp(section->name, "__const") == 0;
    if (!arm64e_in_section(e->text, fixup->target) && !arm64e_in_section(e->stubs, fixup->target))
        return 0;
    if (!arm64e_is_function(e, fixup->target))
        return refuse(e, fixup, "leads into code, but not to the start of a function", fail);
    if (!plain_data)
        return refuse(e, fixup, "is one to a function in a section that has none", fail);
    sign(out, ARM64E_CODE_POINTER, FIXUP_IA, 0, false);
    return 0;
}

static int assign(struct arm64e_fixup *out, const struct arm64e *e, size_t index, struct fail *fail)
{
    const struct fixup *fixup = &e->fixups.list[index];
    const struct image_section *section = section_at(e, fixup->address);
    *out = (struct arm64e_fixup){.fixup = *fixup, .role = ARM64E_POINTER};
    if (fixup->bind)
        out->import = e->fixups.imports[fixup->import].name;
    if (section == NULL || (!fixup->bind && !in_segment(e, fixup->target)))
        return refuse(e, fixup, "lies in no section, or leads to no segment", fail);
    if (section == e->got)
        return assign_slot(out, e, &e->slots[index], fail);
    if (strcmp(section->name, "__cfstring") == 0)
        return assign_string(out, e, section, fail);
    if (!fixup->bind)
        return assign_rebase(out, e, section, fail);
    if (strcmp(section->name, "__objc_classrefs") != 0)
        return refuse(e, fixup,
                      "may be one of a function or of data: it cannot be told how to sign it",
                      fail);
    out->role = ARM64E_IMPORT;
    return 0;
}

int arm64e_assign(struct arm64e_account *account, const struct arm64e *e, struct fail *fail)
{
    own_arm64e struct arm64e_account made = {.list = mem_new(e->fixups.count, sizeof *made.list),
                                             .count = e->fixups.count};
    for (size_t i = 0; i < made.count; i++) {
        struct arm64e_fixup *fixup = &made.list[i];
        if (assign(fixup, e, i, fail) < 0)
            return -1;
        if (fixup->fixup.auth && fixup->fixup.addend != 0)
            return refuse(e, &fixup->fixup, "is to be signed, and has something added to it", fail);
    }
    *account = made;
    made.list = NULL;
    return 0;
}

int arm64e_convert(struct buf *out, struct arm64e_account *account, const struct image *image,
                   struct fail *fail)
{
    own_arm64e_image struct arm64e e = {.image = image, .base = image_base_address(image)};
    own_arm64e struct arm64e_account made = {0};
    if (arm64e_check_image(&e, fail) < 0 || arm64e_read_fixups(&e, fail) < 0 ||
        arm64e_read_functions(&e, fail) < 0 || arm64e_read_stubs(&e, fail) < 0 ||
        arm64e_read_unwind(&e, fail) < 0 || arm64e_read_code(&e, fail) < 0 ||
        arm64e_assign(&made, &e, fail) < 0 || arm64e_write(out, &made, &e, fail) < 0)
        return fail_while(fail, "making it arm64e");
    *account = made;
    made.list = NULL;
    return 0;
}
