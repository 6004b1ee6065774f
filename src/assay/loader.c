#include "assay/loader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/constants.h"

#define FIRST_ADDRESS UINT64_C(0x100000000)
#define IMAGE_SPACE   UINT64_C(0x10000000) /* 256 MiB for each image */
#define PAGE_LEN      UINT64_C(4096)
#define FIXUP_WORK    16u

static uint64_t page_up(uint64_t value)
{
    return (value + PAGE_LEN - 1) & ~(PAGE_LEN - 1);
}

/* ---- segments ------------------------------------------------------------------------------- */

static bool is_mapped(const struct image_segment *segment)
{
    return segment->memory_size != 0 && strcmp(segment->name, "__PAGEZERO") != 0;
}

/* After the fix-ups. */
static unsigned access_of(const struct image_segment *segment)
{
    bool may_write =
        (segment->initial_protection & VM_PROT_WRITE) != 0 && (segment->flags & SG_READ_ONLY) == 0;
    return (segment->initial_protection & VM_PROT_READ ? EMU_READ : 0u) |
           (may_write ? EMU_WRITE : 0u) |
           (segment->initial_protection & VM_PROT_EXECUTE ? EMU_EXECUTE : 0u);
}

/* Where the image begins without a slide, and that it fits into the space of one image. */
static int find_start(uint64_t *start, const struct image *image, struct fail *fail)
{
    uint64_t end = 0;
    *start = UINT64_MAX;
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct image_segment *segment = &image->segments[i];
        if (!is_mapped(segment))
            continue;
        if (segment->address % PAGE_LEN != 0 || segment->memory_size > IMAGE_SPACE ||
            segment->address > UINT64_MAX - 2 * IMAGE_SPACE)
            return fail_set(fail, FAIL_INPUT,
                            "segment '%s' (0x%" PRIx64 " bytes at 0x%" PRIx64
                            ") is not aligned to pages, or too large for a trial",
                            segment->name, segment->memory_size, segment->address);
        if ((segment->initial_protection & VM_PROT_WRITE) != 0 &&
            (segment->initial_protection & VM_PROT_EXECUTE) != 0)
            return fail_set(fail, FAIL_INPUT,
                            "segment '%s' is writable and executable, which no process of arm64 "
                            "may have",
                            segment->name);
        if (segment->address < *start)
            *start = segment->address;
        if (segment->address + segment->memory_size > end)
            end = segment->address + segment->memory_size;
    }
    if (*start == UINT64_MAX)
        return fail_set(fail, FAIL_INPUT, "the image has no segments");
    if (end - *start > IMAGE_SPACE)
        return fail_set(fail, FAIL_INPUT,
                        "the segments are spread over 0x%" PRIx64
                        " bytes, a trial has room for 0x%" PRIx64,
                        end - *start, IMAGE_SPACE);
    return 0;
}

static int map_segments(struct loader *loader, const struct loader_image *entry, struct fail *fail)
{
    struct emu *emu = process_emu(loader->process);
    for (uint32_t i = 0; i < entry->image.segment_count; i++) {
        const struct image_segment *segment = &entry->image.segments[i];
        if (!is_mapped(segment))
            continue;
        uint64_t address = segment->address + entry->slide;
        struct view bytes = image_segment_data(&entry->image, segment);
        if (emu_map(emu, address, page_up(segment->memory_size), EMU_READ, fail) < 0)
            return fail_while(fail, "mapping segment '%s'", segment->name);
        if (bytes.len > segment->memory_size || !emu_write(emu, address, bytes.data, bytes.len))
            return fail_set(fail, FAIL_INPUT, "segment '%s' does not hold its own bytes",
                            segment->name);
    }
    return 0;
}

static int protect_segments(struct loader *loader, const struct loader_image *entry,
                            struct fail *fail)
{
    struct emu *emu = process_emu(loader->process);
    for (uint32_t i = 0; i < entry->image.segment_count; i++) {
        const struct image_segment *segment = &entry->image.segments[i];
        if (!is_mapped(segment))
            continue;
        uint64_t address = segment->address + entry->slide;
        uint64_t len = page_up(segment->memory_size);
        if (emu_protect(emu, address, len, access_of(segment), fail) < 0 ||
            emu_watch(emu, address, len, fail) < 0)
            return -1;
    }
    return 0;
}

/* ---- fix-ups -------------------------------------------------------------------------------- */

/* Among the exports of the images that are there already; the install name must be the one that
 * the symbol is looked for in. */
static uint64_t find_export(const struct loader *loader, const char *name, const char *library)
{
    for (unsigned i = 0; i < loader->image_count && library != NULL; i++) {
        const struct loader_image *entry = &loader->images[i];
        if (entry->image.id.path == NULL || strcmp(entry->image.id.path, library) != 0)
            continue;
        const struct symbol *symbol = symbols_find(&entry->exports, name);
        if (symbol != NULL && !symbol->reexport)
            return symbol->address + entry->slide;
    }
    return 0;
}

static const char *library_of(const struct image *image, int ordinal)
{
    if (ordinal <= 0 || (uint32_t)ordinal > image->library_count)
        return NULL;
    return image->libraries[ordinal - 1].path;
}

/* The addresses of all imports; a symbol that nobody has is a finding. */
static uint64_t *resolve_imports(struct loader *loader, const struct loader_image *entry)
{
    uint64_t *addresses = mem_new(entry->fixups.import_count, sizeof *addresses);
    for (uint32_t i = 0;
         i < entry->fixups.import_count && process_work(loader->process, FIXUP_WORK); i++) {
        const struct fixup_import *import = &entry->fixups.imports[i];
        const char *library = library_of(&entry->image, import->ordinal);
        addresses[i] = find_export(loader, import->name, library);
        if (addresses[i] == 0)
            addresses[i] = loader->resolve(loader->context, import->name);
        if (addresses[i] != 0)
            continue;
        own_mem char *name = text_clean(import->name);
        own_mem char *from = text_clean(library == NULL ? "no library" : library);
        own_mem char *actual = text_printf("'%s' of %s", name, from);
        struct finding *finding = finding_add(loader->findings, FINDING_ERROR, "assay.import");
        finding_place(finding, "%s", entry->name);
        finding_expected(finding, "a symbol that the emulated world has");
        finding_actual(finding, "%s", actual);
        finding_remedy(finding, "do without it, or teach it to the world; hallmark(1), "
                                "\"The world of a trial\", lists what is there");
        process_end(loader->process);
    }
    return addresses;
}

static uint64_t sign_pointer(struct process *process, const struct fixup *fixup, uint64_t value,
                             uint64_t slot)
{
    static const enum emu_key keys[] = {EMU_KEY_IA, EMU_KEY_IB, EMU_KEY_DA, EMU_KEY_DB};
    uint64_t modifier = fixup->diversity;
    if (fixup->address_diversity)
        modifier = (slot & UINT64_C(0xffffffffffff)) | modifier << 48;
    return emu_sign(process_emu(process), value, keys[fixup->key], modifier);
}

static int write_fixups(struct loader *loader, const struct loader_image *entry,
                        const uint64_t *imports, struct fail *fail)
{
    for (size_t i = 0; i < entry->fixups.count && process_work(loader->process, FIXUP_WORK); i++) {
        const struct fixup *fixup = &entry->fixups.list[i];
        uint64_t slot = fixup->address + entry->slide;
        uint64_t value = fixup->bind ? imports[fixup->import] + (uint64_t)fixup->addend
                                     : fixup->target + entry->slide;
        if (fixup->auth)
            value = sign_pointer(loader->process, fixup, value, slot);
        uint8_t bytes[8] = {0};
        for (unsigned b = 0; b < sizeof bytes; b++)
            bytes[b] = (uint8_t)(value >> 8 * b);
        if (!emu_write(process_emu(loader->process), slot, bytes, sizeof bytes))
            return fail_set(fail, FAIL_INPUT, "fix-up %zu at 0x%" PRIx64 " is in no segment", i,
                            fixup->address);
    }
    return 0;
}

static int apply_fixups(struct loader *loader, const struct loader_image *entry, struct fail *fail)
{
    own_mem uint64_t *imports = resolve_imports(loader, entry);
    if (process_ended(loader->process))
        return 0;
    return write_fixups(loader, entry, imports, fail);
}

/* ---- names for findings --------------------------------------------------------------------- */

static const struct loader_image *image_at(const struct loader *loader, uint64_t address)
{
    for (unsigned i = 0; i < loader->image_count; i++) {
        const struct loader_image *entry = &loader->images[i];
        for (uint32_t s = 0; s < entry->image.segment_count; s++) {
            const struct image_segment *segment = &entry->image.segments[s];
            if (is_mapped(segment) &&
                address - (segment->address + entry->slide) < segment->memory_size)
                return entry;
        }
    }
    return NULL;
}

static bool name_place(char **out, void *context, uint64_t address)
{
    const struct loader *loader = (const struct loader *)context;
    const struct loader_image *entry = image_at(loader, address);
    const char *function = process_stand_in_name(loader->process, address);
    if (function != NULL) {
        *out = text_clean(function);
        return true;
    }
    if (entry == NULL)
        return false;
    uint64_t offset = 0;
    char place[IMAGE_PLACE_MAX] = "";
    if (image_offset_of_address(&offset, &entry->image, address - entry->slide))
        image_locate_offset(place, &entry->image, offset);
    *out = text_printf("%s: address 0x%" PRIx64 "%s%s%s", entry->name, address - entry->slide,
                       place[0] == '\0' ? "" : " (", place, place[0] == '\0' ? "" : ")");
    return true;
}

static char *describe_fixup(const struct loader_image *entry, const struct fixup *fixup)
{
    static const char *const keys[] = {"IA", "IB", "DA", "DB"};
    char place[IMAGE_PLACE_MAX] = "";
    own_mem char *what = fixup->bind ? text_clean(entry->fixups.imports[fixup->import].name)
                                     : text_printf("0x%" PRIx64, fixup->target);
    image_locate_offset(place, &entry->image, fixup->offset);
    if (!fixup->auth)
        return text_printf("the fix-up at %s (%s to %s, not signed)", place,
                           fixup->bind ? "bind" : "rebase", what);
    return text_printf("the fix-up at %s (%s to %s, key %s, diversity 0x%04x%s)", place,
                       fixup->bind ? "bind" : "rebase", what, keys[fixup->key],
                       (unsigned)fixup->diversity,
                       fixup->address_diversity ? ", address diversity" : "");
}

static bool name_origin(char **out, void *context, uint64_t slot)
{
    const struct loader *loader = (const struct loader *)context;
    const struct loader_image *entry = image_at(loader, slot);
    for (size_t i = 0; entry != NULL && i < entry->fixups.count; i++) {
        if (entry->fixups.list[i].address + entry->slide != slot)
            continue;
        *out = describe_fixup(entry, &entry->fixups.list[i]);
        return true;
    }
    return false;
}

void loader_start(struct loader *loader)
{
    const struct process_names names = {name_place, name_origin, loader};
    process_set_names(loader->process, &names);
}

/* ---- loading -------------------------------------------------------------------------------- */

static int check_kind(const struct image *image, bool authenticate, struct fail *fail)
{
    bool is_arm64e = (image->cpusubtype & ~CPU_SUBTYPE_MASK) == CPU_SUBTYPE_ARM64E;
    if (image->cputype != CPU_TYPE_ARM64 || !image->is64)
        return fail_set(fail, FAIL_INPUT, "only arm64 and arm64e can be emulated, this is %s",
                        macho_arch_name(image->cputype, image->cpusubtype));
    if (is_arm64e != authenticate)
        return fail_set(fail, FAIL_INPUT, "an %s image does not go into an %s process",
                        is_arm64e ? "arm64e" : "arm64", authenticate ? "arm64e" : "arm64");
    if (image->filetype != MH_DYLIB && image->filetype != MH_BUNDLE &&
        image->filetype != MH_EXECUTE)
        return fail_set(fail, FAIL_INPUT, "a file of type %s cannot be loaded",
                        macho_filetype_name(image->filetype));
    if (image_has(&image->dyld_info.bind) || image_has(&image->dyld_info.rebase))
        return fail_set(fail, FAIL_INPUT, "the image has no chained fix-ups but opcodes for dyld");
    return 0;
}

static int load_into(struct loader *loader, struct loader_image *entry, struct view bytes,
                     struct fail *fail)
{
    uint64_t start = 0;
    if (image_open(&entry->image, bytes, fail) < 0 ||
        check_kind(&entry->image, process_authenticates(loader->process), fail) < 0 ||
        find_start(&start, &entry->image, fail) < 0 ||
        fixups_read(&entry->fixups, &entry->image, fail) < 0 ||
        symbols_exports(&entry->exports, &entry->image, fail) < 0)
        return -1;
    entry->slide = FIRST_ADDRESS + IMAGE_SPACE * loader->image_count - start;
    if (map_segments(loader, entry, fail) < 0 || apply_fixups(loader, entry, fail) < 0 ||
        protect_segments(loader, entry, fail) < 0)
        return -1;
    loader->image_count++;
    return 0;
}

static void release_image(struct loader_image *entry)
{
    free(entry->name);
    symbols_release(&entry->exports);
    fixups_release(&entry->fixups);
    image_release(&entry->image);
    *entry = (struct loader_image){0};
}

int loader_load(struct loader *loader, const char *name, struct view bytes, struct fail *fail)
{
    if (loader->image_count == LOADER_IMAGES_MAX)
        return fail_set(fail, FAIL_INPUT, "more than %u images in one process", LOADER_IMAGES_MAX);
    struct loader_image *entry = &loader->images[loader->image_count];
    entry->name = text_clean(name);
    if (load_into(loader, entry, bytes, fail) == 0)
        return 0;
    fail_while(fail, "loading '%s' into the emulated process", entry->name);
    release_image(entry);
    return -1;
}

void loader_release(struct loader *loader)
{
    for (unsigned i = 0; i < loader->image_count; i++)
        release_image(&loader->images[i]);
    loader->image_count = 0;
}

/* ---- initialisers --------------------------------------------------------------------------- */

static bool is_code(const struct loader_image *entry, uint64_t address)
{
    for (uint32_t i = 0; i < entry->image.segment_count; i++) {
        const struct image_segment *segment = &entry->image.segments[i];
        if ((segment->initial_protection & VM_PROT_EXECUTE) != 0 &&
            address - (segment->address + entry->slide) < segment->memory_size)
            return true;
    }
    return false;
}

static void run_initialiser(struct loader *loader, const struct loader_image *entry,
                            uint64_t address)
{
    if (is_code(entry, address)) {
        if (process_call(loader->process, address, NULL, 0, NULL) < 0)
            process_end(loader->process);
        return;
    }
    own_mem char *actual = text_printf("address 0x%" PRIx64, address - entry->slide);
    finding_error(loader->findings, "assay.initialiser", entry->name, "an address in code", actual);
    process_end(loader->process);
}

/* The value of one entry: an offset from the header, or a pointer that was fixed up. */
static bool read_initialiser(struct loader *loader, const struct loader_image *entry,
                             const struct image_section *section, uint64_t index, uint64_t *out)
{
    uint64_t address = section->address + entry->slide;
    uint8_t bytes[8] = {0};
    if ((section->flags & SECTION_TYPE) == S_INIT_FUNC_OFFSETS) {
        uint32_t offset = 0;
        if (!process_read(loader->process, bytes, address + 4 * index, 4) ||
            !view_u32(&offset, (struct view){bytes, 4}, 0, LITTLE_ENDIAN_BYTES))
            return false;
        *out = image_base_address(&entry->image) + entry->slide + offset;
        return true;
    }
    uint64_t pointer = 0;
    return process_read_u64(loader->process, &pointer, address + 8 * index) &&
           process_code_pointer(loader->process, out, pointer);
}

static void run_section(struct loader *loader, const struct loader_image *entry,
                        const struct image_section *section)
{
    uint32_t type = section->flags & SECTION_TYPE;
    uint64_t entry_len = type == S_INIT_FUNC_OFFSETS ? 4 : 8;
    if (type != S_INIT_FUNC_OFFSETS && type != S_MOD_INIT_FUNC_POINTERS)
        return;
    for (uint64_t i = 0; i < section->size / entry_len && !process_ended(loader->process); i++) {
        uint64_t address = 0;
        if (read_initialiser(loader, entry, section, i, &address))
            run_initialiser(loader, entry, address);
    }
}

void loader_initialise(struct loader *loader, unsigned image)
{
    const struct loader_image *entry = &loader->images[image];
    for (uint32_t i = 0; i < entry->image.section_count; i++)
        run_section(loader, entry, &entry->image.sections[i]);
}

uint64_t loader_entry(const struct loader *loader, unsigned image)
{
    const struct loader_image *entry = &loader->images[image];
    if (!entry->image.has_main)
        return 0;
    return image_base_address(&entry->image) + entry->slide + entry->image.main_offset;
}
