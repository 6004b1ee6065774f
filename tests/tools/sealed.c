/*
 * Writes the sound signed files of unit/sealer.h to stdout, for the scripts.
 * usage: sealed names             one name a line, in order
 *        sealed file N            the file of kind N (from 0)
 *        sealed fat32|fat64 N...  a universal file of those kinds
 *        sealed info N            what special slot 1 of kind N seals outside of the file
 *        sealed resources N       the same of slot 3
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/macho_builder.h"
#include "unit/sealer.h"

#define SLICES_MAX 16

static const struct sealer_kind *kind_of(const char *number)
{
    char *end = NULL;
    unsigned long index = strtoul(number, &end, 10);
    if (*number == '\0' || *end != '\0' || index >= sealer_kind_count) {
        fprintf(stderr, "sealed: there is no kind '%s'\n", number);
        exit(2);
    }
    return &sealer_kinds[index];
}

static void fat(struct buf *out, bool is64, char **numbers, uint32_t count)
{
    struct buf files[SLICES_MAX] = {{0}};
    struct macho_fat_slice slices[SLICES_MAX] = {{0}};
    for (uint32_t i = 0; i < count && i < SLICES_MAX; i++) {
        const struct sealer_kind *kind = kind_of(numbers[i]);
        sealer_file(&files[i], &kind->image, &kind->spec);
        slices[i] = (struct macho_fat_slice){
            kind->image.cputype, kind->image.cpusubtype, {files[i].data, files[i].len}};
    }
    macho_fat(out, slices, count < SLICES_MAX ? count : SLICES_MAX, is64, 12);
    for (uint32_t i = 0; i < SLICES_MAX; i++)
        buf_release(&files[i]);
}

int main(int argc, char **argv)
{
    own_buf struct buf out = {0};
    const char *what = argc > 1 ? argv[1] : "";
    const struct sealer_kind *kind = argc > 2 ? kind_of(argv[2]) : NULL;
    if (strcmp(what, "names") == 0) {
        for (size_t i = 0; i < sealer_kind_count; i++)
            buf_printf(&out, "%s\n", sealer_kinds[i].name);
    } else if (kind != NULL && strcmp(what, "file") == 0) {
        sealer_file(&out, &kind->image, &kind->spec);
    } else if (kind != NULL && strncmp(what, "fat", 3) == 0) {
        fat(&out, strcmp(what, "fat64") == 0, argv + 2, (uint32_t)argc - 2);
    } else if (kind != NULL && strcmp(what, "info") == 0) {
        buf_append(&out, kind->spec.info_plist.data, (size_t)kind->spec.info_plist.len);
    } else if (kind != NULL && strcmp(what, "resources") == 0) {
        buf_append(&out, kind->spec.resources.data, (size_t)kind->spec.resources.len);
    } else {
        fprintf(stderr, "usage: sealed names | file N | fat32|fat64 N... | info N | resources N\n");
        return 2;
    }
    return fwrite(out.data, 1, out.len, stdout) == out.len && fflush(stdout) == 0 ? 0 : 1;
}
