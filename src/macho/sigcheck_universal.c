#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/sigcheck.h"

#define FAT_HEADER_LEN UINT64_C(8)

void sigcheck_slice(struct findings *out, const struct fat_slice *slice, const struct image *image)
{
    if (slice->cputype == image->cputype && slice->cpusubtype == image->cpusubtype)
        return;
    char expected[MACHO_ARCH_MAX];
    char actual[MACHO_ARCH_MAX];
    macho_arch_text(expected, image->cputype, image->cpusubtype);
    macho_arch_text(actual, slice->cputype, slice->cpusubtype);
    /* The table often lacks the capability bits, and loaders choose without them. */
    bool same = strcmp(expected, actual) == 0;
    struct finding *finding = finding_add(out, same ? FINDING_WARNING : FINDING_ERROR, "fat.arch");
    finding_at(finding, slice->offset, "entry of the table for the image");
    finding_expected(finding, "%s (cpusubtype 0x%08" PRIx32 "), as in the image", expected,
                     image->cpusubtype);
    finding_actual(finding, "%s (cpusubtype 0x%08" PRIx32 ")", actual, slice->cpusubtype);
    finding_remedy(finding, "join the images into a universal file again");
}

static int by_offset(const void *a, const void *b)
{
    const struct fat_slice *const *left = a;
    const struct fat_slice *const *right = b;
    return (*left)->offset < (*right)->offset ? -1 : (*left)->offset > (*right)->offset;
}

static void check_gap(struct findings *out, struct view file, uint64_t from, uint64_t to)
{
    struct view gap = {0};
    uint64_t at = 0;
    if (from >= to || !view_slice(&gap, file, from, to - from) || view_is_zero(gap))
        return;
    while (gap.data[at] == 0)
        at++;
    struct finding *finding = finding_add(out, FINDING_ERROR, "fat.padding");
    finding_at(finding, from + at, "space between the slices");
    finding_expected(finding, "zeros from offset %" PRIu64 " to %" PRIu64, from, to);
    finding_actual(finding, "0x%02x", gap.data[at]);
    finding_remedy(finding, "join the images into a universal file again");
}

/* Nothing reads the reserved field of a 64-bit entry, and nothing seals it. */
static void check_reserved(struct findings *out, const struct fat_slice *slice)
{
    if (slice->reserved == 0)
        return;
    struct finding *finding = finding_add(out, FINDING_ERROR, "fat.reserved");
    finding_at(finding, slice->offset, "entry of the table for the image");
    finding_expected(finding, "zero in the reserved field");
    finding_actual(finding, "0x%08" PRIx32, slice->reserved);
    finding_remedy(finding, "join the images into a universal file again");
}

void sigcheck_universal(struct findings *out, struct view file, const struct fat *fat)
{
    uint64_t end = FAT_HEADER_LEN + (uint64_t)fat->slice_count * (fat->is64 ? 32 : 20);
    own_mem const struct fat_slice **order = mem_new(fat->slice_count, sizeof *order);
    for (uint32_t i = 0; i < fat->slice_count; i++)
        order[i] = &fat->slices[i];
    qsort(order, fat->slice_count, sizeof *order, by_offset);
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        check_reserved(out, &fat->slices[i]);
        check_gap(out, file, end, order[i]->offset);
        end = order[i]->offset + order[i]->data.len;
    }
    if (end >= file.len)
        return;
    struct finding *finding = finding_add(out, FINDING_ERROR, "fat.trailing-data");
    finding_at(finding, end, "end of the last slice");
    finding_expected(finding, "the end of the file behind the last slice");
    finding_actual(finding, "%" PRIu64 " more bytes", file.len - end);
    finding_remedy(finding, "join the images into a universal file again");
}
