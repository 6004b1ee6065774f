#include "macho/describe.h"

#include <inttypes.h>
#include <stdlib.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"

static void read_symbols(struct description_slice *slice, const struct describe_options *options)
{
    struct fail *fault = &slice->faults[FAULT_SYMBOLS];
    const struct image *image = &slice->image;
    if (symbols_imports(&slice->imports, image, fault) < 0 ||
        (options->symbols ? symbols_exports(&slice->exports, image, fault)
                          : symbols_count_exports(&slice->export_count, image, fault)) < 0 ||
        (options->symbols && symbols_locals(&slice->locals, image, fault) < 0)) {
        symbols_release(&slice->imports);
        symbols_release(&slice->exports);
        symbols_release(&slice->locals);
        return;
    }
    if (options->symbols)
        slice->export_count = slice->exports.count;
    slice->local_count = options->symbols ? slice->locals.count : symbols_count_locals(image);
}

static void read_fixups(struct description_slice *slice, const struct describe_options *options)
{
    struct fail *fault = &slice->faults[FAULT_FIXUPS];
    if ((options->fixups ? fixups_read(&slice->fixups, &slice->image, fault)
                         : fixups_count(&slice->fixups, &slice->image, fault)) < 0)
        slice->fixups = (struct fixup_list){0};
}

static void read_objc(struct description_slice *slice)
{
    struct fail *fault = &slice->faults[FAULT_OBJC];
    slice->names_encrypted = objcmeta_encrypted(&slice->image);
    if (slice->names_encrypted) /* as its maker meant it: no fault of the file */
        return;
    if (objcmeta_selectors(&slice->selectors, &slice->image, fault) < 0 ||
        objcmeta_classes(&slice->classes, &slice->image, fault) < 0)
        text_list_release(&slice->selectors);
}

/* The table of a universal file and the slice must agree on what it is. */
static void check_arch(const struct fat_slice *where, const struct image *image, struct fail *fault)
{
    char table[MACHO_ARCH_MAX];
    char header[MACHO_ARCH_MAX];
    if (image->cputype == where->cputype &&
        (image->cpusubtype & ~CPU_SUBTYPE_MASK) == (where->cpusubtype & ~CPU_SUBTYPE_MASK))
        return;
    macho_arch_text(table, where->cputype, where->cpusubtype);
    macho_arch_text(header, image->cputype, image->cpusubtype);
    fail_set(fault, FAIL_INPUT, "the universal table says %s, but the slice is %s", table, header);
}

static void read_slice(struct description_slice *slice, const struct fat_slice *where,
                       const struct describe_options *options)
{
    struct fail *fault = &slice->faults[FAULT_SLICE];
    slice->where = where;
    if (where->fault != NULL) {
        fail_set(fault, FAIL_INPUT, "the slice %s", where->fault);
        return;
    }
    if (image_kind(where->data) == IMAGE_ARCHIVE) {
        slice->is_archive = true;
        slice->has_image = false;
    } else {
        slice->has_image = image_open_any(&slice->image, where->data, fault) == 0;
    }
    /* The members before a broken one are shown. */
    if (slice->is_archive && ar_read(&slice->archive, where->data, fault) < 0)
        return;
    if (!slice->has_image)
        return;
    check_arch(where, &slice->image, fault);
    read_symbols(slice, options);
    read_fixups(slice, options);
    read_objc(slice);
    describe_read_signature(slice, options);
}

/* A static archive is one slice, as a thin image is. */
static void open_archive(struct description *made)
{
    made->fat.slices = mem_new(1, sizeof *made->fat.slices);
    made->fat.slice_count = 1;
    made->fat.slices[0].data = made->file;
    made->fat.slices[0].size = made->file.len;
}

static int read_all(struct description *made, struct fail *fail)
{
    const struct fat *fat = &made->fat;
    if (image_kind(made->file) == IMAGE_ARCHIVE)
        open_archive(made);
    else if (fat_read(&made->fat, made->file, fail) < 0)
        return -1;
    made->slices = mem_new(fat->slice_count, sizeof *made->slices);
    for (uint32_t i = 0; i < fat->slice_count; i++)
        read_slice(&made->slices[i], &fat->slices[i], &made->options);
    struct description_slice *first = &made->slices[0];
    if (!fat->is_fat && !first->has_image && !first->is_archive)
        return fail_move(fail, &first->faults[FAULT_SLICE]);
    if (made->options.judge)
        digest_sha256_hex(made->sha256, made->file.data, (size_t)made->file.len);
    return 0;
}

int describe_open(struct description *out, const char *path, struct view file,
                  const struct describe_options *options, struct fail *fail)
{
    *out = (struct description){.path = path, .file = file, .options = *options};
    if (read_all(out, fail) < 0) {
        description_release(out);
        return -1;
    }
    return 0;
}

static void release_slice(struct description_slice *slice)
{
    image_release(&slice->image);
    ar_release(&slice->archive);
    symbols_release(&slice->imports);
    symbols_release(&slice->exports);
    symbols_release(&slice->locals);
    fixups_release(&slice->fixups);
    text_list_release(&slice->selectors);
    text_list_release(&slice->classes);
    describe_release_signature(&slice->signature);
    for (size_t i = 0; i < FAULT_COUNT; i++)
        fail_release(&slice->faults[i]);
}

void description_release(struct description *description)
{
    for (uint32_t i = 0; description->slices != NULL && i < description->fat.slice_count; i++)
        release_slice(&description->slices[i]);
    free(description->slices);
    fat_release(&description->fat);
    *description = (struct description){0};
}

int describe_fault(const struct description *description, struct fail *fail)
{
    size_t count = 0;
    size_t first = 0; /* slice times FAULT_COUNT plus part */
    for (size_t i = 0; i < (size_t)description->fat.slice_count * FAULT_COUNT; i++) {
        const struct fail *faults = description->slices[i / FAULT_COUNT].faults;
        if (faults[i % FAULT_COUNT].code == FAIL_NONE)
            continue;
        if (count++ == 0)
            first = i;
    }
    if (count == 0)
        return 0;
    const struct fail *fault =
        &description->slices[first / FAULT_COUNT].faults[first % FAULT_COUNT];
    fail_set(fail, fault->code, "%s", fault->message);
    if (first % FAULT_COUNT != FAULT_SLICE)
        fail_while(fail, "reading the %s", describe_fault_name(first % FAULT_COUNT));
    if (description->fat.is_fat) {
        const struct fat_slice *where = &description->fat.slices[first / FAULT_COUNT];
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, where->cputype, where->cpusubtype);
        fail_while(fail, "reading slice %zu (%s)", first / FAULT_COUNT + 1, arch);
    }
    if (count > 1)
        fail_hint(fail, "the answer tells of %zu more part%s that cannot be read", count - 1,
                  count == 2 ? "" : "s");
    return -1;
}
