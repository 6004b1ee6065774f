#include "macho/describe_parts.h"

/* LC_DYSYMTAB: numbers of relocation entries. */
#define DYSYMTAB_EXTERNAL_COUNT_AT 68u
#define DYSYMTAB_LOCAL_COUNT_AT    76u

const char *describe_fault_name(size_t fault)
{
    static const char *const names[FAULT_COUNT] = {
        [FAULT_SLICE] = "slice",
        [FAULT_SYMBOLS] = "symbols",
        [FAULT_FIXUPS] = "fix-ups",
        [FAULT_OBJC] = "Objective-C names",
        [FAULT_SIGNATURE] = "signature",
        [FAULT_REQUIREMENTS] = "requirements",
        [FAULT_CMS] = "CMS signature",
        [FAULT_LIST + LIST_ENTITLEMENTS] = "entitlements",
        [FAULT_LIST + LIST_ENTITLEMENTS_DER] = "DER entitlements",
        [FAULT_LIST + LIST_CONSTRAINT_SELF] = "launch constraint of itself",
        [FAULT_LIST + LIST_CONSTRAINT_PARENT] = "launch constraint of the parent",
        [FAULT_LIST + LIST_CONSTRAINT_RESPONSIBLE] = "launch constraint of the responsible process",
        [FAULT_LIST + LIST_CONSTRAINT_LIBRARY] = "library constraint",
    };
    return names[fault];
}

uint32_t describe_list_slot(size_t list)
{
    static const uint32_t slots[LIST_COUNT] = {
        [LIST_ENTITLEMENTS] = CODESIG_SLOT_ENTITLEMENTS,
        [LIST_ENTITLEMENTS_DER] = CODESIG_SLOT_ENTITLEMENTS_DER,
        [LIST_CONSTRAINT_SELF] = CODESIG_SLOT_CONSTRAINT_SELF,
        [LIST_CONSTRAINT_PARENT] = CODESIG_SLOT_CONSTRAINT_PARENT,
        [LIST_CONSTRAINT_RESPONSIBLE] = CODESIG_SLOT_CONSTRAINT_RESPONSIBLE,
        [LIST_CONSTRAINT_LIBRARY] = CODESIG_SLOT_CONSTRAINT_LIBRARY,
    };
    return slots[list];
}

const char *describe_slot_name(uint32_t slot)
{
    static const char *const names[] = {
        "CodeDirectory",
        "Info.plist",
        "requirements",
        "CodeResources",
        "application",
        "entitlements",
        "representation",
        "DER entitlements",
        "launch constraint (self)",
        "launch constraint (parent)",
        "launch constraint (responsible)",
        "library constraint",
    };
    if (slot < sizeof names / sizeof *names)
        return names[slot];
    if (slot >= CODESIG_SLOT_ALTERNATE && slot < CODESIG_SLOT_ALTERNATE_END)
        return "alternate CodeDirectory";
    return slot == CODESIG_SLOT_CMS ? "CMS signature" : NULL;
}

bool describe_special_hash(char hex[2 * DIGEST_MAX + 1], const struct codesig_directory *directory,
                           uint32_t slot)
{
    struct view hash = {0};
    bool used = false;
    hex[0] = '\0';
    if (!codesig_special_hash(&hash, directory, slot) || hash.len > DIGEST_MAX)
        return false;
    for (uint64_t i = 0; i < hash.len; i++)
        used = used || hash.data[i] != 0;
    text_hex(hex, hash.data, hash.len);
    return used;
}

void describe_uuid(char out[UUID_TEXT_MAX], const uint8_t uuid[16])
{
    static const char digits[] = "0123456789ABCDEF";
    size_t used = 0;
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            out[used++] = '-';
        out[used++] = digits[uuid[i] >> 4];
        out[used++] = digits[uuid[i] & 15];
    }
    out[used] = '\0';
}

struct describe_relocations describe_relocations(const struct image *image)
{
    struct describe_relocations made = {0};
    uint32_t command = image->dysymtab.command;
    if (command != IMAGE_NO_COMMAND &&
        (!image_command_u32(&made.external, image, command, DYSYMTAB_EXTERNAL_COUNT_AT) ||
         !image_command_u32(&made.local, image, command, DYSYMTAB_LOCAL_COUNT_AT)))
        made = (struct describe_relocations){0};
    for (uint32_t i = 0; i < image->section_count; i++)
        made.sections += image->sections[i].relocation_count;
    return made;
}

const char *describe_fixup_kind(const struct image *image)
{
    if (image_has(&image->chained_fixups))
        return "chained";
    if (image_has(&image->dyld_info.rebase))
        return "dyld-info";
    struct describe_relocations relocations = describe_relocations(image);
    bool any = relocations.external != 0 || relocations.local != 0 || relocations.sections != 0;
    return any ? "relocations" : "none";
}

const char *describe_library_kind(const struct image_library *library)
{
    if ((library->use_flags & DYLIB_USE_REEXPORT) != 0)
        return "re-export";
    if ((library->use_flags & DYLIB_USE_UPWARD) != 0)
        return "upward";
    if ((library->use_flags & DYLIB_USE_WEAK_LINK) != 0)
        return "weak";
    switch (library->kind) {
    case LIBRARY_ID:
        return "id";
    case LIBRARY_LOAD:
        return "load";
    case LIBRARY_WEAK:
        return "weak";
    case LIBRARY_REEXPORT:
        return "re-export";
    case LIBRARY_UPWARD:
        return "upward";
    case LIBRARY_LAZY:
        return "lazy";
    }
    return "load";
}

const char *describe_signature_flag(unsigned bit)
{
    static const char *const names[32] = {
        [0] = "host",     [1] = "adhoc",          [8] = "hard",         [9] = "kill",
        [10] = "expires", [11] = "restrict",      [12] = "enforcement", [13] = "library-validation",
        [16] = "runtime", [17] = "linker-signed",
    };
    return bit < 32 ? names[bit] : NULL;
}

const char *describe_exec_flag(unsigned bit)
{
    static const char *const names[] = {
        [0] = "main-binary",
        [4] = "allow-unsigned",
        [5] = "debugger",
        [6] = "jit",
        [7] = "skip-library-validation",
        [8] = "can-load-cdhash",
        [9] = "can-exec-cdhash",
    };
    return bit < sizeof names / sizeof *names ? names[bit] : NULL;
}
