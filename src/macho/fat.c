#include "macho/fat.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "macho/arch.h"
#include "macho/image.h"

#define FAT_HEADER_SIZE 8u
#define FAT_ENTRY_32    20u
#define FAT_ENTRY_64    32u
#define FAT_ALIGN_MAX   32u /* log2; real files use 2 to 14 */

static uint32_t entry_size(const struct fat *fat)
{
    return fat->is64 ? FAT_ENTRY_64 : FAT_ENTRY_32;
}

/* The table's entry as stated; false when it is outside of the file. */
static bool read_entry(struct fat_slice *slice, uint64_t *size, const struct fat *fat,
                       struct view file, uint32_t index)
{
    struct view bytes = {0};
    uint64_t offset = FAT_HEADER_SIZE + (uint64_t)index * entry_size(fat);
    if (!view_slice(&bytes, file, offset, entry_size(fat)))
        return false;
    struct cursor cursor = cursor_start(bytes, BIG_ENDIAN_BYTES);
    slice->cputype = cursor_u32(&cursor);
    slice->cpusubtype = cursor_u32(&cursor);
    slice->offset = fat->is64 ? cursor_u64(&cursor) : cursor_u32(&cursor);
    *size = fat->is64 ? cursor_u64(&cursor) : cursor_u32(&cursor);
    slice->align_log2 = cursor_u32(&cursor);
    slice->reserved = fat->is64 ? cursor_u32(&cursor) : 0;
    return !cursor.failed;
}

static int read_slice(struct fat *fat, struct view file, uint32_t index, struct fail *fail)
{
    struct fat_slice *slice = &fat->slices[index];
    uint64_t size = 0;
    uint64_t table = FAT_HEADER_SIZE + (uint64_t)fat->slice_count * entry_size(fat);
    char arch[MACHO_ARCH_MAX];
    if (!read_entry(slice, &size, fat, file, index))
        return fail_set(fail, FAIL_BUG, "slice %" PRIu32 " was not checked", index);
    macho_arch_text(arch, slice->cputype, slice->cpusubtype);
    if (slice->align_log2 > FAT_ALIGN_MAX)
        return fail_set(fail, FAIL_INPUT,
                        "slice %" PRIu32 " (%s) has an absurd alignment (2^%" PRIu32 ")", index,
                        arch, slice->align_log2);
    if (slice->offset % (UINT64_C(1) << slice->align_log2) != 0)
        return fail_set(fail, FAIL_INPUT,
                        "slice %" PRIu32 " (%s) is not aligned (offset %" PRIu64
                        ", alignment 2^%" PRIu32 ")",
                        index, arch, slice->offset, slice->align_log2);
    if (slice->offset < table)
        return fail_set(fail, FAIL_INPUT,
                        "slice %" PRIu32 " (%s) overlaps the table of slices (offset %" PRIu64
                        ", the table ends at %" PRIu64 ")",
                        index, arch, slice->offset, table);
    if (!view_slice(&slice->data, file, slice->offset, size))
        return fail_set(fail, FAIL_INPUT,
                        "slice %" PRIu32 " (%s) is truncated (needs %" PRIu64
                        " bytes at offset %" PRIu64 ", the file has %" PRIu64 ")",
                        index, arch, size, slice->offset, file.len);
    return 0;
}

static int by_offset(const void *a, const void *b)
{
    const struct fat_slice *const *x = a;
    const struct fat_slice *const *y = b;
    if ((*x)->offset != (*y)->offset)
        return (*x)->offset < (*y)->offset ? -1 : 1;
    return (*x < *y) ? -1 : (*x > *y);
}

static int check_overlap(const struct fat *fat, struct fail *fail)
{
    own_mem const struct fat_slice **order = mem_new(fat->slice_count, sizeof *order);
    for (uint32_t i = 0; i < fat->slice_count; i++)
        order[i] = &fat->slices[i];
    qsort(order, fat->slice_count, sizeof *order, by_offset);
    for (uint32_t i = 1; i < fat->slice_count; i++) {
        const struct fat_slice *earlier = order[i - 1];
        if (order[i]->offset - earlier->offset < earlier->data.len)
            return fail_set(fail, FAIL_INPUT,
                            "slices %d and %d overlap (%" PRIu64 " bytes at offset %" PRIu64
                            ", the next at %" PRIu64 ")",
                            (int)(earlier - fat->slices), (int)(order[i] - fat->slices),
                            earlier->data.len, earlier->offset, order[i]->offset);
    }
    return 0;
}

static int same_arch(const void *a, const void *b)
{
    const struct fat_slice *const *x = a;
    const struct fat_slice *const *y = b;
    uint64_t first = (uint64_t)(*x)->cputype << 32 | (*x)->cpusubtype;
    uint64_t second = (uint64_t)(*y)->cputype << 32 | (*y)->cpusubtype;
    return first < second ? -1 : first > second;
}

/* A second slice of the same architecture would never be loaded, only be looked at. */
static int check_unique(const struct fat *fat, struct fail *fail)
{
    own_mem const struct fat_slice **order = mem_new(fat->slice_count, sizeof *order);
    for (uint32_t i = 0; i < fat->slice_count; i++)
        order[i] = &fat->slices[i];
    qsort(order, fat->slice_count, sizeof *order, same_arch);
    for (uint32_t i = 1; i < fat->slice_count; i++) {
        if (same_arch(&order[i - 1], &order[i]) != 0)
            continue;
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, order[i]->cputype, order[i]->cpusubtype);
        return fail_set(fail, FAIL_INPUT, "the universal file has two slices for %s", arch);
    }
    return 0;
}

static int open_table(struct fat *fat, struct view file, struct fail *fail)
{
    uint32_t magic = 0;
    uint32_t count = 0;
    (void)view_u32(&magic, file, 0, BIG_ENDIAN_BYTES);
    fat->is_fat = true;
    fat->is64 = magic == FAT_MAGIC_64;
    if (!view_u32(&count, file, 4, BIG_ENDIAN_BYTES))
        return fail_set(fail, FAIL_INPUT,
                        "the universal header is truncated (needs 8 bytes, %" PRIu64 " left)",
                        file.len);
    uint64_t need = (uint64_t)count * entry_size(fat);
    if (need > file.len - FAT_HEADER_SIZE)
        return fail_set(fail, FAIL_INPUT,
                        "the table of %" PRIu32 " slices is truncated (needs %" PRIu64
                        " bytes, %" PRIu64 " left)",
                        count, need, file.len - FAT_HEADER_SIZE);
    if (count == 0)
        return fail_set(fail, FAIL_INPUT, "the universal file has no slices");
    fat->slices = mem_new(count, sizeof *fat->slices);
    fat->slice_count = count;
    for (uint32_t i = 0; i < count; i++) {
        if (read_slice(fat, file, i, fail) < 0)
            return -1;
    }
    if (check_overlap(fat, fail) < 0)
        return -1;
    return check_unique(fat, fail);
}

static int open_thin(struct fat *fat, struct view file, struct fail *fail)
{
    uint32_t magic = 0;
    enum byte_order order = LITTLE_ENDIAN_BYTES;
    fat->slices = mem_new(1, sizeof *fat->slices);
    fat->slice_count = 1;
    fat->slices[0].data = file;
    (void)view_u32(&magic, file, 0, order);
    if (magic != MH_MAGIC && magic != MH_MAGIC_64)
        order = BIG_ENDIAN_BYTES;
    if (!view_u32(&fat->slices[0].cputype, file, 4, order) ||
        !view_u32(&fat->slices[0].cpusubtype, file, 8, order))
        return fail_set(fail, FAIL_INPUT,
                        "the Mach-O header is truncated (needs 28 bytes, %" PRIu64 " left)",
                        file.len);
    return 0;
}

int fat_open(struct fat *out, struct view file, struct fail *fail)
{
    own_fat struct fat fat = {0};
    enum image_kind kind = image_kind(file);
    if (kind != IMAGE_THIN && kind != IMAGE_FAT)
        return fail_set(fail, FAIL_INPUT, "%s is no Mach-O file", image_kind_name(kind));
    int result = kind == IMAGE_FAT ? open_table(&fat, file, fail) : open_thin(&fat, file, fail);
    if (result < 0)
        return -1;
    *out = fat;
    fat = (struct fat){0};
    return 0;
}

void fat_release(struct fat *fat)
{
    free(fat->slices);
    *fat = (struct fat){0};
}

char *fat_arch_list(struct view file)
{
    own_buf struct buf text = {0};
    uint32_t magic = 0;
    uint32_t count = 0;
    (void)view_u32(&magic, file, 0, BIG_ENDIAN_BYTES);
    (void)view_u32(&count, file, 4, BIG_ENDIAN_BYTES);
    struct fat fat = {.is_fat = true, .is64 = magic == FAT_MAGIC_64};
    for (uint32_t i = 0; i < count && i < 16; i++) {
        struct fat_slice slice = {0};
        uint64_t size = 0;
        if (!read_entry(&slice, &size, &fat, file, i))
            break;
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, slice.cputype, slice.cpusubtype);
        buf_printf(&text, "%s%s", i == 0 ? "" : ", ", arch);
    }
    return text_copy(buf_text(&text));
}
