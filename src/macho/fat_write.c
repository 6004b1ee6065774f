#include "macho/fat_write.h"

#include <inttypes.h>

#include "base/buf.h"
#include "macho/arch.h"
#include "macho/constants.h"
#include "macho/image.h"

#define FAT_HEADER_LEN UINT64_C(8)
#define FAT_ENTRY_LEN  UINT64_C(20)
#define ALIGN_MAX      15u /* log2; of a section, and so of a slice */
#define ALIGN_4K       12u
#define ALIGN_16K      14u

/* What the addresses of the segments allow; an object file's sections state it themselves. */
static uint32_t align_of_segments(const struct image *image)
{
    uint32_t least = ALIGN_MAX;
    for (uint32_t i = 0; i < image->segment_count && image->filetype != MH_OBJECT; i++) {
        uint32_t align = 0;
        while (align < least && (image->segments[i].address >> align & 1) == 0)
            align++;
        least = align;
    }
    uint32_t most = image->is64 ? 3 : 2;
    for (uint32_t i = 0; i < image->section_count && image->filetype == MH_OBJECT; i++) {
        if (image->sections[i].align_log2 > most)
            most = image->sections[i].align_log2;
    }
    if (image->filetype == MH_OBJECT)
        return most < ALIGN_MAX ? most : ALIGN_MAX;
    return least > 2 ? least : 2;
}

static uint32_t align_of(const struct image *image)
{
    switch (image->cputype) {
    case CPU_TYPE_X86:
    case CPU_TYPE_X86_64:
    case CPU_TYPE_POWERPC:
    case CPU_TYPE_POWERPC64:
        return ALIGN_4K;
    case CPU_TYPE_ARM:
    case CPU_TYPE_ARM64:
    case CPU_TYPE_ARM64_32:
        return ALIGN_16K;
    default:
        return align_of_segments(image);
    }
}

static int read_input(struct fat_input *input, size_t index, struct fail *fail)
{
    own_image struct image image = {0};
    if (image_open_any(&image, input->data, fail) < 0)
        return fail_while(fail, "reading image %zu of the universal file", index);
    input->cputype = image.cputype;
    input->cpusubtype = image.cpusubtype;
    input->align_log2 = align_of(&image);
    return 0;
}

static bool is_same_arch(const struct fat_input *x, const struct fat_input *y)
{
    return x->cputype == y->cputype &&
           (x->cpusubtype & ~CPU_SUBTYPE_MASK) == (y->cpusubtype & ~CPU_SUBTYPE_MASK);
}

/* Whether lipo puts x before y; when neither comes before the other, they stay as they were. */
static bool comes_before(const struct fat_input *x, const struct fat_input *y)
{
    if (x->cputype == y->cputype)
        return (x->cpusubtype & ~CPU_SUBTYPE_MASK) < (y->cpusubtype & ~CPU_SUBTYPE_MASK);
    if (x->cputype == CPU_TYPE_ARM64 || y->cputype == CPU_TYPE_ARM64)
        return y->cputype == CPU_TYPE_ARM64;
    return x->align_log2 < y->align_log2;
}

/* Into the order of the file. By insertion, since that relation is no order of all of them: i386
 * between x86_64h and x86_64 keeps them apart. */
static void sort_inputs(struct fat_input *inputs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct fat_input input = inputs[i];
        size_t at = i;
        for (; at > 0 && comes_before(&input, &inputs[at - 1]); at--)
            inputs[at] = inputs[at - 1];
        inputs[at] = input;
    }
}

static int check_archs(const struct fat_input *inputs, size_t count, struct fail *fail)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (is_same_arch(&inputs[i], &inputs[k]))
                return fail_set(fail, FAIL_INPUT, "two images are for %s",
                                macho_arch_name(inputs[i].cputype, inputs[i].cpusubtype));
        }
    }
    return 0;
}

static int place(struct fat_input *inputs, size_t count, struct fail *fail)
{
    uint64_t end = FAT_HEADER_LEN + count * FAT_ENTRY_LEN;
    for (size_t i = 0; i < count; i++) {
        uint64_t align = UINT64_C(1) << inputs[i].align_log2;
        inputs[i].offset = (end + align - 1) & ~(align - 1);
        if (inputs[i].data.len > UINT32_MAX || inputs[i].offset > UINT32_MAX - inputs[i].data.len)
            return fail_set(fail, FAIL_INPUT,
                            "the universal file would be larger than 4 GiB, which its table "
                            "cannot state");
        end = inputs[i].offset + inputs[i].data.len;
    }
    return 0;
}

int fat_write(struct pieces *out, struct fat_input *inputs, size_t count, struct fail *fail)
{
    own_buf struct buf table = {0};
    for (size_t i = 0; i < count; i++) {
        if (read_input(&inputs[i], i, fail) < 0)
            return -1;
    }
    if (check_archs(inputs, count, fail) < 0)
        return -1;
    sort_inputs(inputs, count);
    if (place(inputs, count, fail) < 0)
        return -1;
    buf_u32be(&table, FAT_MAGIC);
    buf_u32be(&table, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        buf_u32be(&table, inputs[i].cputype);
        buf_u32be(&table, inputs[i].cpusubtype);
        buf_u32be(&table, (uint32_t)inputs[i].offset);
        buf_u32be(&table, (uint32_t)inputs[i].data.len);
        buf_u32be(&table, inputs[i].align_log2);
    }
    pieces_take(out, &table);
    for (size_t i = 0; i < count; i++) {
        pieces_zeros(out, inputs[i].offset - out->len);
        pieces_borrow(out, inputs[i].data);
    }
    return 0;
}
