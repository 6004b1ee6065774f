#include "macho/describe.h"

#include <inttypes.h>
#include <stdlib.h>

#include "macho/arch.h"
#include "macho/describe_parts.h"
#include "macho/sigcheck.h"

static void read_tables(struct description_slice *slice)
{
    struct fail *fail = &slice->symbols_fault;
    const struct image *image = &slice->image;
    if (symbols_imports(&slice->imports, image, fail) < 0 ||
        symbols_exports(&slice->exports, image, fail) < 0 ||
        symbols_locals(&slice->locals, image, fail) < 0) {
        symbols_release(&slice->imports);
        symbols_release(&slice->exports);
        symbols_release(&slice->locals);
    }
    if (fixups_read(&slice->fixups, image, &slice->fixups_fault) == 0) {
        for (size_t i = 0; i < slice->fixups.count; i++) {
            slice->bind_count += slice->fixups.list[i].bind;
            slice->auth_count += slice->fixups.list[i].auth;
        }
    }
    if (objcmeta_selectors(&slice->selectors, image, &slice->objc_fault) < 0 ||
        objcmeta_classes(&slice->classes, image, &slice->objc_fault) < 0)
        text_list_release(&slice->selectors);
}

static void read_signature(struct description_slice *slice)
{
    own_findings struct findings ignored = {0};
    struct sigcheck_options options = {.allow_residue = true};
    if (!image_has(&slice->image.code_signature))
        return;
    /* sigcheck reports the same findings, and more. */
    codesig_parse(&slice->signature, &ignored,
                  image_range_data(&slice->image, &slice->image.code_signature));
    sigcheck_verify(&slice->findings, &slice->image, &options);
}

static int read_slice(struct description_slice *slice, const struct fat_slice *where,
                      struct fail *fail)
{
    slice->where = where;
    if (image_open_any(&slice->image, where->data, fail) < 0)
        return -1;
    /* The table of a universal file and the slice must agree on what it is. */
    if (slice->image.cputype != where->cputype ||
        (slice->image.cpusubtype & ~0xff000000u) != (where->cpusubtype & ~0xff000000u)) {
        char table[MACHO_ARCH_MAX];
        char header[MACHO_ARCH_MAX];
        macho_arch_text(table, where->cputype, where->cpusubtype);
        macho_arch_text(header, slice->image.cputype, slice->image.cpusubtype);
        return fail_set(fail, FAIL_INPUT, "the universal table says %s, but the slice is %s", table,
                        header);
    }
    read_tables(slice);
    read_signature(slice);
    return 0;
}

static int read_all(struct description *made, struct fail *fail)
{
    const struct fat *fat = &made->fat;
    if (fat_open(&made->fat, made->file, fail) < 0)
        return -1;
    made->slices = mem_new(fat->slice_count, sizeof *made->slices);
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        if (read_slice(&made->slices[i], &fat->slices[i], fail) == 0)
            continue;
        if (fat->is_fat) {
            char arch[MACHO_ARCH_MAX];
            macho_arch_text(arch, fat->slices[i].cputype, fat->slices[i].cpusubtype);
            fail_while(fail, "reading slice %" PRIu32 " (%s)", i, arch);
        }
        return -1;
    }
    digest_sha256_hex(made->sha256, made->file.data, (size_t)made->file.len);
    return 0;
}

int describe_open(struct description *out, const char *path, struct view file, struct fail *fail)
{
    *out = (struct description){.path = path, .file = file};
    if (read_all(out, fail) < 0) {
        description_release(out);
        return -1;
    }
    return 0;
}

static void release_slice(struct description_slice *slice)
{
    image_release(&slice->image);
    symbols_release(&slice->imports);
    symbols_release(&slice->exports);
    symbols_release(&slice->locals);
    fixups_release(&slice->fixups);
    text_list_release(&slice->selectors);
    text_list_release(&slice->classes);
    codesig_release(&slice->signature);
    findings_release(&slice->findings);
    fail_release(&slice->symbols_fault);
    fail_release(&slice->fixups_fault);
    fail_release(&slice->objc_fault);
}

void description_release(struct description *description)
{
    for (uint32_t i = 0; description->slices != NULL && i < description->fat.slice_count; i++)
        release_slice(&description->slices[i]);
    free(description->slices);
    fat_release(&description->fat);
    *description = (struct description){0};
}

const struct fail *describe_first_fault(const struct description *description, uint32_t *slice)
{
    for (uint32_t i = 0; i < description->fat.slice_count; i++) {
        const struct description_slice *s = &description->slices[i];
        const struct fail *faults[] = {&s->symbols_fault, &s->fixups_fault, &s->objc_fault};
        *slice = i;
        for (size_t k = 0; k < 3; k++) {
            if (faults[k]->code != FAIL_NONE)
                return faults[k];
        }
    }
    return NULL;
}

void describe_put_name(struct buf *out, const char *name)
{
    own_mem char *clean = text_clean(name);
    buf_puts(out, clean);
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

const char *describe_fixup_kind(const struct image *image)
{
    if (image_has(&image->chained_fixups))
        return "chained";
    return image_has(&image->dyld_info.rebase) ? "dyld-info" : "none";
}

const char *describe_library_kind(enum library_kind kind)
{
    switch (kind) {
    case LIBRARY_ID:
        return "id";
    case LIBRARY_LOAD:
        return "";
    case LIBRARY_WEAK:
        return "weak";
    case LIBRARY_REEXPORT:
        return "re-export";
    case LIBRARY_UPWARD:
        return "upward";
    case LIBRARY_LAZY:
        return "lazy";
    }
    return "";
}
