/*
 * Gives a file a CMS signature that something else made.
 * usage: cms_attach directory FILE OUT         the CodeDirectory, which is to be signed
 *        cms_attach attach FILE CMS OUT        the file with that signature
 * FILE is thin and signed by hallmark in style codesign: its signature has a CMS slot, and room.
 */
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "macho/codesig.h"
#include "macho/image.h"

#define FLAGS_AT  12u /* in a CodeDirectory */
#define LENGTH_AT 4u  /* in a blob */

struct file {
    struct buf bytes;
    size_t signature; /* where it begins, and where in it: */
    size_t directory; /* the CodeDirectory, */
    size_t directory_len;
    size_t cms; /* the CMS slot, which is the last blob */
    size_t room;
};

/* Reads FILE and takes the ad-hoc flag from it. */
static int open_file(struct file *out, const char *path, struct fail *fail)
{
    own_image struct image image = {0};
    own_codesig struct codesig sig = {0};
    if (fs_read(&out->bytes, path, 1u << 24, fail) < 0 ||
        image_open(&image, (struct view){out->bytes.data, out->bytes.len}, fail) < 0 ||
        codesig_read(&sig, image_range_data(&image, &image.code_signature), fail) < 0)
        return -1;
    const struct codesig_blob *directory = codesig_find(&sig, CODESIG_SLOT_DIRECTORY);
    const struct codesig_blob *cms = codesig_find(&sig, CODESIG_SLOT_CMS);
    if (directory == NULL || cms == NULL)
        return fail_set(fail, FAIL_INPUT, "'%s' has no CMS slot", path);
    out->signature = image.code_signature.offset;
    out->directory = out->signature + directory->offset;
    out->directory_len = directory->bytes.len;
    out->cms = out->signature + cms->offset;
    out->room = out->signature + image.code_signature.size - out->cms;
    memset(out->bytes.data + out->directory + FLAGS_AT, 0, 4);
    return 0;
}

static void set_len(struct file *file, size_t blob, size_t len)
{
    for (unsigned i = 0; i < 4; i++)
        file->bytes.data[blob + LENGTH_AT + i] = (uint8_t)(len >> (24 - 8 * i));
}

static int attach(struct file *file, const char *cms_path, struct fail *fail)
{
    own_buf struct buf cms = {0};
    if (fs_read(&cms, cms_path, 1u << 20, fail) < 0)
        return -1;
    if (cms.len + CODESIG_BLOB_LEN > file->room)
        return fail_set(fail, FAIL_INPUT, "there is room for %zu bytes, not for %zu", file->room,
                        cms.len + CODESIG_BLOB_LEN);
    memcpy(file->bytes.data + file->cms + CODESIG_BLOB_LEN, cms.data, cms.len);
    set_len(file, file->cms, cms.len + CODESIG_BLOB_LEN);
    set_len(file, file->signature, file->cms - file->signature + cms.len + CODESIG_BLOB_LEN);
    return 0;
}

static int work(char **argv, struct file *file, struct fail *fail)
{
    bool directory = strcmp(argv[1], "directory") == 0;
    if (open_file(file, argv[2], fail) < 0)
        return -1;
    if (directory)
        return fs_write_new(argv[3], file->bytes.data + file->directory, file->directory_len, 0644,
                            FS_REPLACE, fail);
    if (attach(file, argv[3], fail) < 0)
        return -1;
    return fs_write_new(argv[4], file->bytes.data, file->bytes.len, 0644, FS_REPLACE, fail);
}

int main(int argc, char **argv)
{
    own_fail struct fail fail = {0};
    struct file file = {0};
    bool known = (argc == 4 && strcmp(argv[1], "directory") == 0) ||
                 (argc == 5 && strcmp(argv[1], "attach") == 0);
    if (!known) {
        fputs("usage: cms_attach directory FILE OUT | attach FILE CMS OUT\n", stderr);
        return FAIL_USAGE;
    }
    int result = work(argv, &file, &fail);
    buf_release(&file.bytes);
    if (result == 0)
        return 0;
    fail_print(&fail, "cms_attach", stderr);
    return (int)fail.code;
}
