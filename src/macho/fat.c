#include "macho/fat.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "macho/arch.h"
#include "macho/image.h"

#define FAT_HEADER_SIZE 8u
#define FAT_ENTRY_32    20u
#define FAT_ENTRY_64    32u
#define FAT_ALIGN_MAX   32u   /* log2; real files use 2 to 14 */
#define FAT_SLICES_MAX  1024u /* many times the architectures that there are */

static uint32_t entry_size(const struct fat *fat)
{
    return fat->is64 ? FAT_ENTRY_64 : FAT_ENTRY_32;
}

/* The table's entry as stated; false when it is outside of the file. */
static bool read_entry(struct fat_slice *slice, const struct fat *fat, struct view file,
                       uint32_t index)
{
    struct view bytes = {0};
    uint64_t offset = FAT_HEADER_SIZE + (uint64_t)index * entry_size(fat);
    if (!view_slice(&bytes, file, offset, entry_size(fat)))
        return false;
    struct cursor cursor = cursor_start(bytes, BIG_ENDIAN_BYTES);
    slice->cputype = cursor_u32(&cursor);
    slice->cpusubtype = cursor_u32(&cursor);
    slice->offset = fat->is64 ? cursor_u64(&cursor) : cursor_u32(&cursor);
    slice->size = fat->is64 ? cursor_u64(&cursor) : cursor_u32(&cursor);
    slice->align_log2 = cursor_u32(&cursor);
    slice->reserved = fat->is64 ? cursor_u32(&cursor) : 0;
    return !cursor.failed;
}

/* What is wrong with the slice by itself; NULL: nothing. */
static char *find_fault(struct fat_slice *slice, const struct fat *fat, struct view file)
{
    uint64_t table = FAT_HEADER_SIZE + (uint64_t)fat->slice_count * entry_size(fat);
    if (slice->align_log2 > FAT_ALIGN_MAX)
        return text_printf("has an absurd alignment (2^%" PRIu32 ")", slice->align_log2);
    if (slice->offset % (UINT64_C(1) << slice->align_log2) != 0)
        return text_printf("is not aligned (offset %" PRIu64 ", alignment 2^%" PRIu32 ")",
                           slice->offset, slice->align_log2);
    if (slice->offset < table)
        return text_printf("overlaps the table of slices (offset %" PRIu64
                           ", the table ends at %" PRIu64 ")",
                           slice->offset, table);
    if (!view_slice(&slice->data, file, slice->offset, slice->size))
        return text_printf("is truncated (needs %" PRIu64 " bytes at offset %" PRIu64
                           ", the file has %" PRIu64 ")",
                           slice->size, slice->offset, file.len);
    return NULL;
}

static void set_fault(struct fat_slice *slice, char *fault)
{
    slice->data = (struct view){0};
    slice->fault = fault;
}

static int by_offset(const void *a, const void *b)
{
    const struct fat_slice *const *x = a;
    const struct fat_slice *const *y = b;
    if ((*x)->offset != (*y)->offset)
        return (*x)->offset < (*y)->offset ? -1 : 1;
    return (*x < *y) ? -1 : (*x > *y);
}

/* The architecture as loaders and lipo tell it apart: without the capability bits. */
static uint64_t arch_key(const struct fat_slice *slice)
{
    return (uint64_t)slice->cputype << 32 | (slice->cpusubtype & ~CPU_SUBTYPE_MASK);
}

static int by_arch(const void *a, const void *b)
{
    const struct fat_slice *const *x = a;
    const struct fat_slice *const *y = b;
    if (arch_key(*x) != arch_key(*y))
        return arch_key(*x) < arch_key(*y) ? -1 : 1;
    return (*x < *y) ? -1 : (*x > *y);
}

/* Those that have no fault, in that order; the caller's to free. */
static struct fat_slice **sort_sound(size_t *count, const struct fat *fat,
                                     int (*compare)(const void *, const void *))
{
    struct fat_slice **order = mem_new(fat->slice_count, sizeof(*order));
    *count = 0;
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        if (fat->slices[i].fault == NULL)
            order[(*count)++] = &fat->slices[i];
    }
    qsort(order, *count, sizeof(*order), compare);
    return order;
}

static void find_overlaps(const struct fat *fat)
{
    size_t count = 0;
    own_mem struct fat_slice **order = sort_sound(&count, fat, by_offset);
    const struct fat_slice *earlier = count == 0 ? NULL : order[0];
    for (size_t i = 1; i < count; i++) {
        if (order[i]->offset - earlier->offset >= earlier->data.len)
            earlier = order[i];
        else
            set_fault(order[i],
                      text_printf("overlaps slice %d (%" PRIu64 " bytes at offset %" PRIu64
                                  "; its own offset is %" PRIu64 ")",
                                  (int)(earlier - fat->slices) + 1, earlier->data.len,
                                  earlier->offset, order[i]->offset));
    }
}

/* A second slice of the same architecture would never be loaded, only be looked at. */
static void find_repeated(const struct fat *fat)
{
    size_t count = 0;
    own_mem struct fat_slice **order = sort_sound(&count, fat, by_arch);
    const struct fat_slice *earlier = count == 0 ? NULL : order[0];
    for (size_t i = 1; i < count; i++) {
        if (arch_key(order[i]) != arch_key(earlier))
            earlier = order[i];
        else
            set_fault(order[i], text_printf("is for the architecture of slice %d",
                                            (int)(earlier - fat->slices) + 1));
    }
}

static int read_table(struct fat *fat, struct view file, struct fail *fail)
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
    if (count > FAT_SLICES_MAX)
        return fail_set(fail, FAIL_INPUT,
                        "the universal file counts %" PRIu32 " slices, more than the %u that are "
                        "read",
                        count, FAT_SLICES_MAX);
    fat->slices = mem_new(count, sizeof *fat->slices);
    fat->slice_count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct fat_slice *slice = &fat->slices[i];
        if (!read_entry(slice, fat, file, i))
            return fail_set(fail, FAIL_BUG, "slice %" PRIu32 " was not checked", i + 1);
        slice->fault = find_fault(slice, fat, file);
    }
    find_overlaps(fat);
    find_repeated(fat);
    return 0;
}

static int read_thin(struct fat *fat, struct view file, struct fail *fail)
{
    uint32_t magic = 0;
    enum byte_order order = LITTLE_ENDIAN_BYTES;
    fat->slices = mem_new(1, sizeof *fat->slices);
    fat->slice_count = 1;
    fat->slices[0].data = file;
    fat->slices[0].size = file.len;
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

int fat_read(struct fat *out, struct view file, struct fail *fail)
{
    own_fat struct fat fat = {0};
    enum image_kind kind = image_kind(file);
    if (kind != IMAGE_THIN && kind != IMAGE_FAT)
        return fail_set(fail, FAIL_INPUT, "%s is no Mach-O file", image_kind_name(kind));
    int result = kind == IMAGE_FAT ? read_table(&fat, file, fail) : read_thin(&fat, file, fail);
    if (result < 0)
        return -1;
    *out = fat;
    fat = (struct fat){0};
    return 0;
}

int fat_check(const struct fat *fat, struct fail *fail)
{
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        const struct fat_slice *slice = &fat->slices[i];
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, slice->cputype, slice->cpusubtype);
        if (slice->fault != NULL)
            return fail_set(fail, FAIL_INPUT, "slice %" PRIu32 " (%s) %s", i + 1, arch,
                            slice->fault);
    }
    return 0;
}

int fat_open(struct fat *out, struct view file, struct fail *fail)
{
    own_fat struct fat fat = {0};
    if (fat_read(&fat, file, fail) < 0 || fat_check(&fat, fail) < 0)
        return -1;
    *out = fat;
    fat = (struct fat){0};
    return 0;
}

void fat_release(struct fat *fat)
{
    for (uint32_t i = 0; i < fat->slice_count; i++)
        free(fat->slices[i].fault);
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
        if (!read_entry(&slice, &fat, file, i))
            break;
        char arch[MACHO_ARCH_MAX];
        macho_arch_text(arch, slice.cputype, slice.cpusubtype);
        buf_printf(&text, "%s%s", i == 0 ? "" : ", ", arch);
    }
    return text_copy(buf_text(&text));
}
