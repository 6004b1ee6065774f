#include "macho/objcmeta.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/fixups.h"
#include "macho/names.h"

#define ARM64E_TARGET_BITS ((UINT64_C(1) << 43) - 1)

static void add_text(struct text_list *list, const char *text)
{
    list->list = mem_grow(list->list, list->count, &list->capacity, sizeof *list->list);
    list->list[list->count++] = text;
}

static int order(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;
    return *x == *y ? 0 : strcmp(*x, *y);
}

static void sort_unique(struct text_list *list)
{
    size_t kept = 0;
    if (list->count != 0)
        qsort(list->list, list->count, sizeof *list->list, order);
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || strcmp(list->list[kept - 1], list->list[i]) != 0)
            list->list[kept++] = list->list[i];
    }
    list->count = kept;
}

static int read_strings(struct text_list *list, const struct image *image,
                        const struct image_section *section, struct fail *fail)
{
    struct cursor cursor = cursor_start(image_section_data(image, section), image->order);
    while (cursor_left(&cursor) != 0) {
        const char *text = cursor_text(&cursor);
        if (cursor.failed)
            return fail_set(fail, FAIL_INPUT, "section '%s,%s' does not end with a NUL",
                            section->segment, section->name);
        if (text[0] != '\0') /* padding */
            add_text(list, text);
    }
    return 0;
}

static int read_sections(struct text_list *list, const struct image *image, const char *name,
                         struct fail *fail)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (strcmp(image->sections[i].name, name) == 0 &&
            read_strings(list, image, &image->sections[i], fail) < 0)
            return -1;
    }
    return 0;
}

/* The string that the selector reference at `place` leads to. */
static int take_reference(struct text_list *list, const struct image *image, struct names *names,
                          uint64_t place, uint64_t target, struct fail *fail)
{
    uint64_t offset = 0;
    if (!image_offset_of_address(&offset, image, target))
        return fail_set(fail, FAIL_INPUT,
                        "the selector reference at address 0x%" PRIx64 " leads to 0x%" PRIx64
                        ", outside of the file",
                        place, target);
    const char *text = names_at(names, offset);
    if (text == NULL)
        return names_fail(names, "selector reference", place, offset, fail);
    add_text(list, text);
    return 0;
}

static bool is_selrefs(const struct image_section *section)
{
    return strcmp(section->name, "__objc_selrefs") == 0 && section->has_data;
}

/* A range of addresses; sorted ones do not overlap in sound files. */
struct span {
    uint64_t start;
    uint64_t size;
};

static int span_order(const void *a, const void *b)
{
    const struct span *x = a;
    const struct span *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* The sections with selector references, by address; returns their number. */
static size_t selref_spans(struct span **out, const struct image *image)
{
    size_t count = 0;
    *out = mem_new(image->section_count, sizeof **out);
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct image_section *section = &image->sections[i];
        if (is_selrefs(section))
            (*out)[count++] = (struct span){.start = section->address, .size = section->size};
    }
    qsort(*out, count, sizeof **out, span_order);
    /* Overlapping ones become one, so that a search by the last start is enough. */
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct span *last = kept == 0 ? NULL : &(*out)[kept - 1];
        const struct span *span = &(*out)[i];
        if (last == NULL || span->start - last->start > last->size)
            (*out)[kept++] = *span;
        else if (span->start - last->start + span->size > last->size)
            last->size = span->start - last->start + span->size;
    }
    return kept;
}

static bool in_spans(const struct span *spans, size_t count, uint64_t address)
{
    while (count != 0) { /* the last span that begins at or before the address */
        size_t half = count / 2;
        if (spans[half].start > address) {
            count = half;
        } else if (half == 0) {
            return address - spans[0].start < spans[0].size;
        } else {
            spans += half;
            count -= half;
        }
    }
    return false;
}

/* Pointers that the loader makes from fix-up chains. */
static int read_chained(struct text_list *list, const struct image *image, struct names *names,
                        struct fail *fail)
{
    own_fixups struct fixup_list fixups = {0};
    own_mem struct span *spans = NULL;
    size_t span_count = selref_spans(&spans, image);
    if (fixups_read(&fixups, image, fail) < 0)
        return -1;
    for (size_t i = 0; i < fixups.count; i++) {
        const struct fixup *fixup = &fixups.list[i];
        uint64_t target = fixup->target & ~(UINT64_C(0xff) << 56);
        if (!fixup->bind && in_spans(spans, span_count, fixup->address) &&
            take_reference(list, image, names, fixup->address, target, fail) < 0)
            return -1;
    }
    return 0;
}

/* Pointers that lie in the file as addresses, for the loader to slide. */
static int read_plain(struct text_list *list, const struct image *image,
                      const struct image_section *section, struct names *names, struct fail *fail)
{
    struct view bytes = image_section_data(image, section);
    uint64_t word = image->is64 ? 8 : 4;
    for (uint64_t at = 0; range_fits(at, word, bytes.len); at += word) {
        uint64_t target = 0;
        uint32_t narrow = 0;
        if (image->is64)
            (void)view_u64(&target, bytes, at, image->order);
        else if (view_u32(&narrow, bytes, at, image->order))
            target = narrow;
        if (image->cputype == CPU_TYPE_ARM64)
            target &= ARM64E_TARGET_BITS;
        if (target != 0 &&
            take_reference(list, image, names, section->address + at, target, fail) < 0)
            return -1;
    }
    return 0;
}

static int read_references(struct text_list *list, const struct image *image, struct fail *fail)
{
    struct names names = names_start(image->file);
    bool any = false;
    /* References of an object file are relocations into its own names section. */
    if (image->filetype == MH_OBJECT)
        return 0;
    for (uint32_t i = 0; i < image->section_count; i++)
        any = any || is_selrefs(&image->sections[i]);
    if (!any)
        return 0;
    if (image_has(&image->chained_fixups))
        return read_chained(list, image, &names, fail);
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (is_selrefs(&image->sections[i]) &&
            read_plain(list, image, &image->sections[i], &names, fail) < 0)
            return -1;
    }
    return 0;
}

bool objcmeta_encrypted(const struct image *image)
{
    static const char *const names[] = {"__objc_methname", "__objc_classname", "__objc_selrefs"};
    if (image->encryption.crypt_id == 0 || image->encryption.range.size == 0)
        return false;
    for (uint32_t i = 0; i < image->section_count; i++) {
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            if (strcmp(image->sections[i].name, names[j]) == 0)
                return true;
        }
    }
    return false;
}

static int refuse_encrypted(const struct image *image, struct fail *fail)
{
    if (objcmeta_encrypted(image))
        return fail_set(fail, FAIL_INPUT, "the Objective-C names are encrypted");
    return 0;
}

static int finish(struct text_list *out, struct text_list *list)
{
    sort_unique(list);
    *out = *list;
    *list = (struct text_list){0};
    return 0;
}

int objcmeta_selectors(struct text_list *out, const struct image *image, struct fail *fail)
{
    own_texts struct text_list list = {0};
    if (refuse_encrypted(image, fail) < 0 ||
        read_sections(&list, image, "__objc_methname", fail) < 0 ||
        read_references(&list, image, fail) < 0)
        return -1;
    return finish(out, &list);
}

int objcmeta_classes(struct text_list *out, const struct image *image, struct fail *fail)
{
    own_texts struct text_list list = {0};
    if (refuse_encrypted(image, fail) < 0 ||
        read_sections(&list, image, "__objc_classname", fail) < 0)
        return -1;
    return finish(out, &list);
}

void text_list_release(struct text_list *list)
{
    free(list->list);
    *list = (struct text_list){0};
}
