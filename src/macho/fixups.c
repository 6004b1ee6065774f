#include "macho/fixups.h"

#include <inttypes.h>
#include <stdlib.h>

#include "macho/arch.h"
#include "macho/fixups_parts.h"
#include "macho/names.h"

#define PAGE_START_NONE  0xffffu
#define PAGE_START_MULTI 0x8000u
#define PAGE_START_LAST  0x8000u
#define SEGMENT_HEADER   22u

struct chains_header {
    uint32_t version, starts, imports, symbols, import_count, import_format, symbol_format;
};

/* The chains of one segment while they are walked. */
struct walk {
    struct fixup_list *out;
    const struct image *image;
    struct view starts; /* the starts-in-segment structure and what follows it */
    uint64_t base;      /* address that offsets count from */
    uint32_t segment;
    uint64_t page_size;
    uint32_t format;
    uint32_t max_pointer;
    uint32_t page_count;
    uint64_t steps_left;
};

static uint64_t bits(uint64_t raw, unsigned first, unsigned count)
{
    return raw >> first & ((UINT64_C(1) << count) - 1);
}

static int64_t sign_extended(uint64_t value, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (int64_t)((value ^ sign) - sign);
}

static int read_header(struct chains_header *out, const struct image *image, struct view chains,
                       struct fail *fail)
{
    struct cursor cursor = cursor_start(chains, image->order);
    out->version = cursor_u32(&cursor);
    out->starts = cursor_u32(&cursor);
    out->imports = cursor_u32(&cursor);
    out->symbols = cursor_u32(&cursor);
    out->import_count = cursor_u32(&cursor);
    out->import_format = cursor_u32(&cursor);
    out->symbol_format = cursor_u32(&cursor);
    if (cursor.failed)
        return fail_set(fail, FAIL_INPUT,
                        "the table of chained fix-ups is truncated (needs 28 bytes, %" PRIu64
                        " left)",
                        chains.len);
    if (image->order == BIG_ENDIAN_BYTES)
        return fail_set(fail, FAIL_INPUT, "chained fix-ups in a big-endian image");
    if (out->version != 0)
        return fail_set(fail, FAIL_INPUT, "chained fix-ups of version %" PRIu32 ", not 0",
                        out->version);
    if (out->symbol_format != 0)
        return fail_set(fail, FAIL_INPUT,
                        "chained fix-ups with compressed symbol names (format %" PRIu32 ")",
                        out->symbol_format);
    return 0;
}

/* One import; `entry` has the size that the format says. Returns the offset of its name. */
static uint32_t decode_import(struct fixup_import *out, struct view entry, uint32_t format)
{
    uint32_t low = 0;
    (void)view_u32(&low, entry, 0, LITTLE_ENDIAN_BYTES);
    if (format == 3) {
        uint64_t raw = 0;
        uint64_t addend = 0;
        (void)view_u64(&raw, entry, 0, LITTLE_ENDIAN_BYTES);
        (void)view_u64(&addend, entry, 8, LITTLE_ENDIAN_BYTES);
        uint32_t ordinal = (uint32_t)bits(raw, 0, 16);
        /* The highest fifteen values are the negative ones. */
        out->ordinal = ordinal > 0xfff0 ? (int)ordinal - 0x10000 : (int)ordinal;
        out->weak = bits(raw, 16, 1) != 0;
        out->addend = (int64_t)addend;
        return (uint32_t)bits(raw, 32, 32);
    }
    uint32_t ordinal = low & 0xff;
    out->ordinal = ordinal > 0xf0 ? (int)ordinal - 0x100 : (int)ordinal;
    out->weak = (low >> 8 & 1) != 0;
    if (format == 2) {
        uint32_t addend = 0;
        (void)view_u32(&addend, entry, 4, LITTLE_ENDIAN_BYTES);
        out->addend = (int32_t)addend;
    }
    return low >> 9;
}

static int read_imports(struct fixup_list *out, const struct chains_header *header,
                        struct view chains, struct fail *fail)
{
    static const uint32_t sizes[] = {0, 4, 8, 16};
    if (header->import_count == 0)
        return 0;
    if (header->import_format < 1 || header->import_format > 3)
        return fail_set(fail, FAIL_INPUT, "chained imports of unknown format %" PRIu32,
                        header->import_format);
    uint64_t size = sizes[header->import_format];
    struct view table = {0};
    struct view strings = {0};
    if (!view_slice(&table, chains, header->imports, size * header->import_count))
        return fail_set(fail, FAIL_INPUT,
                        "the table of %" PRIu32 " chained imports is truncated (needs %" PRIu64
                        " bytes at offset %" PRIu32 " of %" PRIu64 ")",
                        header->import_count, size * header->import_count, header->imports,
                        chains.len);
    if (!view_slice(&strings, chains, header->symbols,
                    header->symbols <= chains.len ? chains.len - header->symbols : 0))
        return fail_set(fail, FAIL_INPUT,
                        "the names of the chained imports are outside of their table (offset "
                        "%" PRIu32 " of %" PRIu64 ")",
                        header->symbols, chains.len);
    struct names names = names_start(strings);
    out->imports = mem_new(header->import_count, sizeof *out->imports);
    for (uint32_t i = 0; i < header->import_count; i++) {
        struct view entry = {0};
        (void)view_slice(&entry, table, size * i, size);
        uint32_t offset = decode_import(&out->imports[i], entry, header->import_format);
        out->imports[i].name = names_at(&names, offset);
        if (out->imports[i].name == NULL)
            return names_fail(&names, "chained import", i, offset, fail);
    }
    out->import_count = header->import_count;
    out->import_format = header->import_format;
    return 0;
}

static bool is_arm64e(uint32_t format)
{
    return format == CHAINED_ARM64E || format == CHAINED_ARM64E_KERNEL ||
           format == CHAINED_ARM64E_USERLAND || format == CHAINED_ARM64E_FIRMWARE ||
           format == CHAINED_ARM64E_USERLAND24;
}

static bool is_kernel_cache(uint32_t format)
{
    return format == CHAINED_64_KERNEL_CACHE || format == CHAINED_X86_64_CACHE;
}

/* Pointers of four bytes. */
static bool is_small(uint32_t format)
{
    return format == CHAINED_32 || format == CHAINED_32_CACHE || format == CHAINED_32_FIRMWARE;
}

static bool is_known(uint32_t format)
{
    return is_arm64e(format) || is_kernel_cache(format) || is_small(format) ||
           format == CHAINED_64 || format == CHAINED_64_OFFSET;
}

/* Bytes that one unit of `next` stands for. */
static uint32_t stride(uint32_t format)
{
    if (format == CHAINED_X86_64_CACHE)
        return 1;
    return is_arm64e(format) && format != CHAINED_ARM64E_KERNEL && format != CHAINED_ARM64E_FIRMWARE
               ? 8
               : 4;
}

/* Returns `next` in bytes. */
static uint64_t decode_arm64e(struct fixup *out, uint64_t raw, const struct walk *w)
{
    bool wide = w->format == CHAINED_ARM64E_USERLAND24;
    out->auth = bits(raw, 63, 1) != 0;
    out->bind = bits(raw, 62, 1) != 0;
    if (out->bind)
        out->import = (uint32_t)bits(raw, 0, wide ? 24 : 16);
    if (out->auth) {
        out->diversity = (uint16_t)bits(raw, 32, 16);
        out->address_diversity = bits(raw, 48, 1) != 0;
        out->key = (enum fixup_key)bits(raw, 49, 2);
        if (!out->bind)
            out->target = w->base + bits(raw, 0, 32);
    } else if (out->bind) {
        out->addend = sign_extended(bits(raw, 32, 19), 19);
    } else {
        bool absolute = w->format == CHAINED_ARM64E || w->format == CHAINED_ARM64E_FIRMWARE;
        out->target = bits(raw, 0, 43) + (absolute ? 0 : w->base);
        out->target |= bits(raw, 43, 8) << 56;
    }
    return bits(raw, 51, 11) * stride(w->format);
}

static uint64_t decode_64(struct fixup *out, uint64_t raw, const struct walk *w)
{
    out->bind = bits(raw, 63, 1) != 0;
    if (out->bind) {
        out->import = (uint32_t)bits(raw, 0, 24);
        out->addend = (int64_t)bits(raw, 24, 8);
    } else {
        bool absolute = w->format == CHAINED_64;
        out->target = bits(raw, 0, 36) + (absolute ? 0 : w->base);
        out->target |= bits(raw, 36, 8) << 56;
    }
    return bits(raw, 51, 12) * stride(w->format);
}

/* Of a collection of kernel extensions: offsets in it, or in another one that it builds on. */
static uint64_t decode_kernel_cache(struct fixup *out, uint64_t raw, const struct walk *w)
{
    uint64_t level = bits(raw, 30, 2);
    out->target = bits(raw, 0, 30) + (level == 0 ? w->base : 0);
    out->auth = bits(raw, 63, 1) != 0;
    if (out->auth) {
        out->diversity = (uint16_t)bits(raw, 32, 16);
        out->address_diversity = bits(raw, 48, 1) != 0;
        out->key = (enum fixup_key)bits(raw, 49, 2);
    }
    return bits(raw, 51, 12) * stride(w->format);
}

/* `plain` is set for a number that only lies in the chain and is no pointer. */
static uint64_t decode_32(struct fixup *out, bool *plain, uint64_t raw, const struct walk *w)
{
    if (w->format == CHAINED_32_CACHE) {
        out->target = w->base + bits(raw, 0, 30);
        return bits(raw, 30, 2) * stride(w->format);
    }
    if (w->format == CHAINED_32_FIRMWARE) {
        out->target = bits(raw, 0, 26);
        return bits(raw, 26, 6) * stride(w->format);
    }
    out->bind = bits(raw, 31, 1) != 0;
    if (out->bind) {
        out->import = (uint32_t)bits(raw, 0, 20);
        out->addend = (int64_t)bits(raw, 20, 6);
    } else {
        out->target = bits(raw, 0, 26);
        *plain = out->target > w->max_pointer;
    }
    return bits(raw, 26, 5) * stride(w->format);
}

void fixups_add(struct fixup_list *out, const struct fixup *fixup)
{
    out->bind_count += fixup->bind;
    out->rebase_count += !fixup->bind;
    out->auth_count += fixup->auth;
    if (out->counted_only)
        return;
    out->list = mem_grow(out->list, out->count, &out->capacity, sizeof *out->list);
    out->list[out->count++] = *fixup;
}

static int take_fixup(struct walk *w, struct fixup *fixup, struct fail *fail)
{
    struct fixup_list *out = w->out;
    if (fixup->bind && fixup->import >= out->import_count)
        return fail_set(fail, FAIL_INPUT,
                        "the fix-up at address 0x%" PRIx64 " binds import %" PRIu32 " of %" PRIu32,
                        fixup->address, fixup->import, out->import_count);
    if (fixup->bind) /* both are stated by the file: no overflow may be undefined */
        fixup->addend =
            (int64_t)((uint64_t)fixup->addend + (uint64_t)out->imports[fixup->import].addend);
    fixups_add(out, fixup);
    return 0;
}

/* Follows one chain of page `page` from `offset` in the segment on. */
static int walk_chain(struct walk *w, uint32_t page, uint64_t offset, struct fail *fail)
{
    const struct image_segment *segment = &w->image->segments[w->segment];
    struct view bytes = image_segment_data(w->image, segment);
    uint64_t page_end = ((uint64_t)page + 1) * w->page_size;
    for (uint64_t next = 1; next != 0; offset += next) {
        struct fixup fixup = {.address = segment->address + offset,
                              .offset = segment->offset + offset,
                              .segment = w->segment};
        uint64_t raw = 0;
        uint32_t raw32 = 0;
        bool plain = false;
        bool small = is_small(w->format);
        bool inside = small ? view_u32(&raw32, bytes, offset, LITTLE_ENDIAN_BYTES)
                            : view_u64(&raw, bytes, offset, LITTLE_ENDIAN_BYTES);
        if (offset >= page_end || !inside)
            return fail_set(fail, FAIL_INPUT,
                            "a chain of fix-ups leaves page %" PRIu32 " of segment '%s' (offset "
                            "0x%" PRIx64 ")",
                            page, segment->name, offset);
        if (w->steps_left-- == 0)
            return fail_set(fail, FAIL_INPUT, "the file has more fix-ups than room for them");
        if (small)
            next = decode_32(&fixup, &plain, raw32, w);
        else if (is_arm64e(w->format))
            next = decode_arm64e(&fixup, raw, w);
        else if (is_kernel_cache(w->format))
            next = decode_kernel_cache(&fixup, raw, w);
        else
            next = decode_64(&fixup, raw, w);
        if (!plain && take_fixup(w, &fixup, fail) < 0)
            return -1;
    }
    return 0;
}

/* A page of a 32-bit image can have several chains, listed behind the page starts. */
static int walk_many(struct walk *w, uint32_t page, uint16_t start, struct fail *fail)
{
    uint64_t index = start & ~PAGE_START_MULTI;
    uint16_t entry = 0;
    do {
        if (!view_u16(&entry, w->starts, SEGMENT_HEADER + 2 * index, LITTLE_ENDIAN_BYTES) ||
            w->steps_left == 0)
            return fail_set(fail, FAIL_INPUT, "the list of chains of page %" PRIu32 " has no end",
                            page);
        uint64_t offset = (uint64_t)page * w->page_size + (entry & ~PAGE_START_LAST);
        if (walk_chain(w, page, offset, fail) < 0)
            return -1;
        index++;
    } while ((entry & PAGE_START_LAST) == 0);
    return 0;
}

static int walk_pages(struct walk *w, struct fail *fail)
{
    for (uint32_t page = 0; page < w->page_count; page++) {
        uint16_t start = 0;
        int result = 0;
        (void)view_u16(&start, w->starts, SEGMENT_HEADER + 2 * (uint64_t)page, LITTLE_ENDIAN_BYTES);
        if (start == PAGE_START_NONE)
            continue;
        if (is_small(w->format) && (start & PAGE_START_MULTI) != 0)
            result = walk_many(w, page, start, fail);
        else
            result = walk_chain(w, page, (uint64_t)page * w->page_size + start, fail);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* Reads the structure that describes one segment's chains; w->starts is set. */
static int read_segment(struct walk *w, struct fail *fail)
{
    const struct image_segment *segment = &w->image->segments[w->segment];
    struct cursor cursor = cursor_start(w->starts, LITTLE_ENDIAN_BYTES);
    cursor_skip(&cursor, 4);
    w->page_size = cursor_u16(&cursor);
    w->format = cursor_u16(&cursor);
    uint64_t segment_offset = cursor_u64(&cursor);
    w->max_pointer = cursor_u32(&cursor);
    w->page_count = cursor_u16(&cursor);
    cursor_skip(&cursor, 2 * (uint64_t)w->page_count);
    if (cursor.failed)
        return fail_set(fail, FAIL_INPUT,
                        "the starts of the fix-up chains of segment '%s' are truncated (%" PRIu64
                        " bytes left)",
                        segment->name, w->starts.len);
    if (w->page_count != 0 && w->page_size == 0)
        return fail_set(fail, FAIL_INPUT, "the fix-up chains of segment '%s' have pages of 0 bytes",
                        segment->name);
    if (w->page_count != 0 && segment_offset != segment->address - w->base)
        return fail_set(fail, FAIL_INPUT,
                        "the fix-up chains of segment '%s' are for offset 0x%" PRIx64
                        ", but it is at 0x%" PRIx64,
                        segment->name, segment_offset, segment->address - w->base);
    if (w->out->pointer_format == 0)
        w->out->pointer_format = w->format;
    return 0;
}

static int check_format(const struct walk *w, struct fail *fail)
{
    const char *name = macho_chained_format_name(w->format);
    if (is_known(w->format))
        return 0;
    return fail_set(fail, FAIL_INPUT, "chained fix-ups of pointer format %" PRIu32 "%s%s%s",
                    w->format, name == NULL ? "" : " (", name == NULL ? "" : name,
                    name == NULL ? ", which is unknown" : ") cannot be read");
}

static int read_starts(struct fixup_list *out, const struct image *image, struct view chains,
                       uint32_t starts, bool walk_all, struct fail *fail)
{
    struct walk w = {.out = out,
                     .image = image,
                     .base = image_base_address(image),
                     .steps_left = fixups_limit(image)};
    uint32_t count = 0;
    if (!view_u32(&count, chains, starts, LITTLE_ENDIAN_BYTES) ||
        !range_fits((uint64_t)starts + 4, 4 * (uint64_t)count, chains.len))
        return fail_set(fail, FAIL_INPUT,
                        "the starts of the fix-up chains are outside of their table (offset "
                        "%" PRIu32 " of %" PRIu64 ")",
                        starts, chains.len);
    if (count > image->segment_count)
        return fail_set(fail, FAIL_INPUT,
                        "the fix-up chains are for %" PRIu32 " segments, but there are %" PRIu32,
                        count, image->segment_count);
    for (w.segment = 0; w.segment < count; w.segment++) {
        uint32_t offset = 0;
        (void)view_u32(&offset, chains, (uint64_t)starts + 4 + 4 * (uint64_t)w.segment,
                       LITTLE_ENDIAN_BYTES);
        if (offset == 0)
            continue;
        uint64_t at = (uint64_t)starts + offset;
        w.starts = (struct view){0};
        (void)view_slice(&w.starts, chains, at, at <= chains.len ? chains.len - at : 0);
        if (read_segment(&w, fail) < 0)
            return -1;
        if (walk_all && w.page_count != 0 &&
            (check_format(&w, fail) < 0 || walk_pages(&w, fail) < 0))
            return -1;
    }
    return 0;
}

static int read_chains(struct fixup_list *list, const struct image *image, bool walk_all,
                       struct fail *fail)
{
    struct chains_header header = {0};
    struct view chains = image_range_data(image, &image->chained_fixups);
    /* A dSYM and a stub may carry the command without its table. */
    if (chains.len == 0)
        return 0;
    if (read_header(&header, image, chains, fail) < 0 ||
        read_imports(list, &header, chains, fail) < 0)
        return -1;
    return read_starts(list, image, chains, header.starts, walk_all, fail);
}

uint64_t fixups_limit(const struct image *image)
{
    return image->file.len / 4 + 1;
}

int fixups_walk_thread(struct fixup_list *out, const struct image *image, uint32_t segment,
                       uint64_t offset, uint64_t *steps_left, struct fail *fail)
{
    struct walk w = {.out = out,
                     .image = image,
                     .base = image_base_address(image),
                     .segment = segment,
                     .page_size = image->segments[segment].file_size,
                     .format = CHAINED_ARM64E,
                     .steps_left = *steps_left};
    if (walk_chain(&w, 0, offset, fail) < 0)
        return -1;
    *steps_left = w.steps_left;
    return 0;
}

static int finish(struct fixup_list *out, struct fixup_list *list, int result)
{
    if (result < 0)
        return -1;
    *out = *list;
    *list = (struct fixup_list){0};
    return 0;
}

static int read_all(struct fixup_list *out, const struct image *image, bool counted_only,
                    struct fail *fail)
{
    own_fixups struct fixup_list list = {.counted_only = counted_only};
    bool chained = image_has(&image->chained_fixups);
    return finish(out, &list,
                  chained ? read_chains(&list, image, true, fail)
                          : fixups_read_opcodes(&list, image, fail));
}

int fixups_read(struct fixup_list *out, const struct image *image, struct fail *fail)
{
    return read_all(out, image, false, fail);
}

int fixups_count(struct fixup_list *out, const struct image *image, struct fail *fail)
{
    return read_all(out, image, true, fail);
}

int fixups_read_imports(struct fixup_list *out, const struct image *image, struct fail *fail)
{
    own_fixups struct fixup_list list = {0};
    return finish(out, &list, read_chains(&list, image, false, fail));
}

void fixups_release(struct fixup_list *list)
{
    free(list->imports);
    free(list->list);
    *list = (struct fixup_list){0};
}
