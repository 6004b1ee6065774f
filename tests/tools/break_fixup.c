/*
 * Breaks one fix-up of an arm64e dylib, as a linker that is wrong would have written it.
 *
 * usage: break_fixup IN OUT unsigned|key|diversity|address NUMBER
 *        break_fixup IN OUT header                       only makes the file say that it is arm64e
 *        break_fixup IN                                  lists the signed fix-ups by number
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "macho/constants.h"
#include "macho/fixups.h"

/* DYLD_CHAINED_PTR_ARM64E_USERLAND24, mach-o/fixup-chains.h */
#define AUTH             (UINT64_C(1) << 63)
#define BIND             (UINT64_C(1) << 62)
#define NEXT             (UINT64_C(0x7ff) << 51)
#define KEY              (UINT64_C(3) << 49)
#define ADDRESS          (UINT64_C(1) << 48)
#define DIVERSITY        (UINT64_C(0xffff) << 32)
#define ORDINAL          UINT64_C(0xffffff)
#define TARGET           UINT64_C(0xffffffff)
#define CPUSUBTYPE_OFF   8
#define VERSIONED_ARM64E (ARM64E_VERSIONED_ABI | CPU_SUBTYPE_ARM64E)

static uint64_t broken(uint64_t value, const char *how)
{
    if (strcmp(how, "unsigned") == 0)
        return (value & (BIND | NEXT)) | (value & (value & BIND ? ORDINAL : TARGET));
    if (strcmp(how, "key") == 0)
        return value ^ KEY;
    if (strcmp(how, "diversity") == 0)
        return value ^ DIVERSITY;
    if (strcmp(how, "address") == 0)
        return value ^ ADDRESS;
    fprintf(stderr, "break_fixup: unknown '%s'\n", how);
    exit(2);
}

static void list(const struct fixup_list *fixups)
{
    size_t number = 0;
    for (size_t i = 0; i < fixups->count; i++) {
        const struct fixup *fixup = &fixups->list[i];
        if (fixup->auth)
            printf("%zu %s\n", number++,
                   fixup->bind ? fixups->imports[fixup->import].name : "rebase");
    }
}

static const struct fixup *find(const struct fixup_list *fixups, size_t number)
{
    for (size_t i = 0; i < fixups->count; i++) {
        if (fixups->list[i].auth && number-- == 0)
            return &fixups->list[i];
    }
    fprintf(stderr, "break_fixup: there is no such fix-up\n");
    exit(2);
}

static int edit(struct buf *bytes, const struct fixup_list *fixups, char **argv, struct fail *fail)
{
    if (strcmp(argv[3], "header") == 0) {
        buf_set_u32le(bytes, CPUSUBTYPE_OFF, VERSIONED_ARM64E);
    } else {
        const struct fixup *fixup = find(fixups, strtoul(argv[4], NULL, 10));
        uint64_t value = 0;
        struct view view = {bytes->data, bytes->len};
        if (!view_u64(&value, view, fixup->offset, LITTLE_ENDIAN_BYTES))
            return fail_set(fail, FAIL_INPUT, "the fix-up is outside of the file");
        buf_set_u64le(bytes, (size_t)fixup->offset, broken(value, argv[3]));
    }
    return fs_write_new(argv[2], bytes->data, bytes->len, 0644, FS_NO_REPLACE, fail);
}

int main(int argc, char **argv)
{
    own_fail struct fail fail = {0};
    own_buf struct buf bytes = {0};
    own_image struct image image = {0};
    own_fixups struct fixup_list fixups = {0};
    if (argc < 2 || argc == 3 || (argc == 4 && strcmp(argv[3], "header") != 0))
        return 2;
    if (fs_read(&bytes, argv[1], 1u << 24, &fail) == 0 &&
        image_open(&image, (struct view){bytes.data, bytes.len}, &fail) == 0 &&
        fixups_read(&fixups, &image, &fail) == 0 &&
        (argc == 2 || edit(&bytes, &fixups, argv, &fail) == 0)) {
        if (argc == 2)
            list(&fixups);
        return 0;
    }
    fail_print(&fail, "break_fixup", stderr);
    return 1;
}
