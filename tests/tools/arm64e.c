/*
 * arm64e IN OUT: the pass of macho/arm64e.h alone, unsigned; prints what it wrote to each
 * location. Exit status 1, and the message, when it refuses.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/fs.h"
#include "macho/arm64e.h"

static int convert(const char *in, const char *out_path, struct fail *fail)
{
    static const char *const keys[] = {"IA", "IB", "DA", "DB"};
    own_fs_map struct fs_map map = {0};
    own_image struct image image = {0};
    own_arm64e struct arm64e_account account = {0};
    own_buf struct buf out = {0};
    if (fs_map_open(&map, in, fail) < 0 || image_open(&image, map.view, fail) < 0 ||
        arm64e_convert(&out, &account, &image, fail) < 0)
        return -1;
    FILE *file = fopen(out_path, "wb");
    if (file == NULL || fwrite(out.data, 1, out.len, file) != out.len || fclose(file) != 0)
        return fail_errno(fail, "cannot write '%s'", out_path);
    for (size_t i = 0; i < account.count; i++) {
        const struct arm64e_fixup *entry = &account.list[i];
        printf("0x%" PRIx64 " %s", entry->fixup.address, arm64e_role_name(entry->role));
        if (entry->import != NULL)
            printf(" %s", entry->import);
        else
            printf(" 0x%" PRIx64, entry->fixup.target);
        if (entry->fixup.auth)
            printf(" %s 0x%04x%s", keys[entry->fixup.key], entry->fixup.diversity,
                   entry->fixup.address_diversity ? " address" : "");
        putchar('\n');
    }
    return 0;
}

int main(int argc, char **argv)
{
    own_fail struct fail fail = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: arm64e IN OUT\n");
        return 2;
    }
    if (convert(argv[1], argv[2], &fail) < 0) {
        fail_print(&fail, "arm64e", stderr);
        return 1;
    }
    return 0;
}
