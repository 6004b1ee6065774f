/* Whole files: each slice of a universal file signed, renewed or stripped, and the file laid out
 * anew. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/adhoc_parts.h"
#include "macho/arch.h"
#include "macho/fat.h"

/* Offsets in an entry of the table. */
#define FAT_HEADER_LEN 8u
#define ENTRY_LEN_32   20u
#define ENTRY_LEN_64   32u
#define ENTRY_OFFSET   8u

/* What is done to each slice. */
struct work {
    enum adhoc_job job;
    const struct adhoc_options *options; /* of ADHOC_SIGN */
    uint32_t with_signature;             /* slices that had one */
};

static int do_image(struct pieces *out, struct work *work, const struct image *image,
                    struct fail *fail)
{
    work->with_signature += image_has(&image->code_signature);
    switch (work->job) {
    case ADHOC_SIGN:
        return adhoc_sign_image(out, image, work->options, fail);
    case ADHOC_RENEW:
        return adhoc_renew_image(out, image, fail);
    case ADHOC_STRIP:
        break;
    }
    return adhoc_strip_image(out, image, fail);
}

static int do_thin(struct pieces *out, struct work *work, struct view file, struct fail *fail)
{
    own_image struct image image = {0};
    if (image_open_any(&image, file, fail) < 0)
        return -1;
    return do_image(out, work, &image, fail);
}

static int do_slice(struct pieces *out, struct work *work, const struct fat_slice *slice,
                    struct fail *fail)
{
    own_image struct image image = {0};
    char arch[MACHO_ARCH_MAX];
    macho_arch_text(arch, slice->cputype, slice->cpusubtype);
    int result = image_open_any(&image, slice->data, fail);
    if (result == 0 && work->job == ADHOC_RENEW && !image_has(&image.code_signature))
        pieces_borrow(out, slice->data); /* Slices of other linkers' making have none. */
    else if (result == 0)
        result = do_image(out, work, &image, fail);
    if (result < 0)
        return fail_while(fail, "%s slice %s", work->job == ADHOC_STRIP ? "stripping" : "signing",
                          arch);
    return 0;
}

/* A new universal file while it is laid out. */
struct layout {
    const struct fat *fat;
    struct view file;
    const struct fat_slice **order; /* by their offset */
    struct pieces *slices;          /* new ones, by their index in the table */
    uint64_t *offsets;              /* new ones, by their index in the table */
};

static void layout_release(struct layout *layout)
{
    for (uint32_t i = 0; layout->slices && i < layout->fat->slice_count; i++)
        pieces_release(&layout->slices[i]);
    free(layout->order);
    free(layout->slices);
    free(layout->offsets);
}

static int by_offset(const void *a, const void *b)
{
    const struct fat_slice *const *x = a;
    const struct fat_slice *const *y = b;
    if ((*x)->offset != (*y)->offset)
        return (*x)->offset < (*y)->offset ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

static void layout_init(struct layout *out, const struct fat *fat, struct view file)
{
    *out = (struct layout){.fat = fat, .file = file};
    out->order = mem_new(fat->slice_count, sizeof(*out->order));
    out->slices = mem_new(fat->slice_count, sizeof(*out->slices));
    out->offsets = mem_new(fat->slice_count, sizeof(*out->offsets));
    for (uint32_t i = 0; i < fat->slice_count; i++)
        out->order[i] = &fat->slices[i];
    qsort(out->order, fat->slice_count, sizeof(*out->order), by_offset);
}

/* Bytes that belong to no slice are padding; anything else would be lost. */
static int check_gap(const struct layout *layout, uint64_t from, uint64_t to, struct fail *fail)
{
    static const uint8_t zeros[1u << 16];
    const uint8_t *data = layout->file.data;
    while (to - from > sizeof(zeros) && memcmp(data + from, zeros, sizeof(zeros)) == 0)
        from += sizeof(zeros);
    for (; from < to; from++)
        if (data[from] != 0)
            return fail_set(fail, FAIL_INPUT,
                            "the universal file has a byte 0x%02x at offset %" PRIu64
                            ", which belongs to no slice",
                            data[from], from);
    return 0;
}

/* What no slice covers: no signature would, either. */
static int check_gaps(const struct layout *layout, uint64_t table_end, struct fail *fail)
{
    uint64_t end = table_end;
    for (uint32_t i = 0; i < layout->fat->slice_count; i++) {
        const struct fat_slice *slice = layout->order[i];
        if (slice->reserved != 0)
            return fail_set(fail, FAIL_INPUT,
                            "the table of slices has 0x%08" PRIx32 " in the reserved field of the "
                            "slice at offset %" PRIu64 ", which should be zero",
                            slice->reserved, slice->offset);
        if (check_gap(layout, end, slice->offset, fail) < 0)
            return -1;
        end = slice->offset + slice->data.len;
    }
    if (end == layout->file.len)
        return 0;
    fail_set(fail, FAIL_INPUT,
             "the last slice ends at offset %" PRIu64 ", but the file has %" PRIu64
             " bytes behind it",
             end, layout->file.len - end);
    return fail_hint(fail, "remove what was appended; no slice covers it");
}

/* Slices stay where they are while all keep their lengths. Else the first one stays, and each
 * further one follows the one before, aligned as the table states. */
static int place_slices(struct layout *layout, struct fail *fail)
{
    const struct fat *fat = layout->fat;
    bool moved = false;
    uint64_t end = 0;
    for (uint32_t i = 0; i < fat->slice_count; i++)
        moved = moved || layout->slices[i].len != fat->slices[i].data.len;
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        size_t slice = (size_t)(layout->order[i] - fat->slices);
        uint64_t offset = layout->order[i]->offset;
        if (moved && i > 0)
            offset = adhoc_align_up(end, UINT64_C(1) << layout->order[i]->align_log2);
        layout->offsets[slice] = offset;
        end = offset > UINT64_MAX - layout->slices[slice].len ? UINT64_MAX
                                                              : offset + layout->slices[slice].len;
        if (!fat->is64 && end > UINT32_MAX)
            return fail_set(fail, FAIL_INPUT,
                            "slice %zu would end at offset %" PRIu64
                            ", which a 32-bit table of slices cannot state",
                            slice + 1, end);
    }
    return 0;
}

static void put_u64be(struct buf *out, size_t offset, uint64_t value)
{
    buf_set_u32be(out, offset, (uint32_t)(value >> 32));
    buf_set_u32be(out, offset + 4, (uint32_t)value);
}

static void write_layout(struct pieces *out, struct layout *layout, uint64_t table_end)
{
    own_buf struct buf table = {0};
    const struct fat *fat = layout->fat;
    buf_append(&table, layout->file.data, (size_t)table_end);
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        size_t entry =
            FAT_HEADER_LEN + (size_t)i * (fat->is64 ? ENTRY_LEN_64 : ENTRY_LEN_32) + ENTRY_OFFSET;
        if (fat->is64) {
            put_u64be(&table, entry, layout->offsets[i]);
            put_u64be(&table, entry + 8, layout->slices[i].len);
        } else {
            buf_set_u32be(&table, entry, (uint32_t)layout->offsets[i]);
            buf_set_u32be(&table, entry + 4, (uint32_t)layout->slices[i].len);
        }
    }
    pieces_take(out, &table);
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        size_t slice = (size_t)(layout->order[i] - fat->slices);
        pieces_zeros(out, layout->offsets[slice] - out->len);
        pieces_move(out, &layout->slices[slice]);
    }
}

static int do_fat(struct pieces *out, struct work *work, const struct fat *fat, struct view file,
                  struct fail *fail)
{
    __attribute__((cleanup(layout_release))) struct layout layout = {0};
    own_pieces struct pieces whole = {0};
    uint64_t table_end =
        FAT_HEADER_LEN + (uint64_t)fat->slice_count * (fat->is64 ? ENTRY_LEN_64 : ENTRY_LEN_32);
    layout_init(&layout, fat, file);
    if (check_gaps(&layout, table_end, fail) < 0)
        return -1;
    for (uint32_t i = 0; i < fat->slice_count; i++)
        if (do_slice(&layout.slices[i], work, &fat->slices[i], fail) < 0)
            return -1;
    if (place_slices(&layout, fail) < 0)
        return -1;
    write_layout(&whole, &layout, table_end);
    pieces_move(out, &whole);
    return 0;
}

static int do_file(struct pieces *out, struct work *work, struct view file, struct fail *fail)
{
    own_fat struct fat fat = {0};
    if (fat_open(&fat, file, fail) < 0)
        return -1;
    return fat.is_fat ? do_fat(out, work, &fat, file, fail) : do_thin(out, work, file, fail);
}

int adhoc_sign_file(struct pieces *out, struct view file, const struct adhoc_options *options,
                    struct fail *fail)
{
    own_fat struct fat fat = {0};
    own_image struct image lead = {0};
    own_fail struct fail unreadable = {0};
    struct adhoc_options for_slices = *options;
    struct work work = {.job = ADHOC_SIGN, .options = &for_slices};
    if (fat_open(&fat, file, fail) < 0)
        return -1;
    /* When the first slice cannot be read, signing it says so. */
    if (fat.is_fat && image_open_any(&lead, fat.slices[0].data, &unreadable) == 0)
        for_slices.lead = &lead;
    return do_file(out, &work, file, fail);
}

int adhoc_renew_file(struct pieces *out, struct view file, struct fail *fail)
{
    own_pieces struct pieces renewed = {0};
    struct work work = {.job = ADHOC_RENEW};
    if (do_file(&renewed, &work, file, fail) < 0)
        return -1;
    if (work.with_signature == 0) {
        fail_set(fail, FAIL_INPUT, "no slice has a signature to renew");
        return fail_hint(fail, "sign it without --renew");
    }
    pieces_move(out, &renewed);
    return 0;
}

int adhoc_strip_file(struct pieces *out, uint32_t *stripped, struct view file, struct fail *fail)
{
    struct work work = {.job = ADHOC_STRIP};
    if (do_file(out, &work, file, fail) < 0)
        return -1;
    *stripped = work.with_signature;
    return 0;
}
