/*
 * usage: macho_blobs FILE [SLOT=CONTENT...] >OUT
 *
 * Puts blobs into the signature of a signed thin file, beside those that are there or in their
 * place: a whole blob when the content begins with fade, else it gets the header of its slot.
 * The new SuperBlob must fit into the space of the old one. No hash is renewed: the signature
 * does not hold afterwards. For tests of what is told of a signature.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fs.h"
#include "macho/codesig.h"
#include "macho/image.h"
#include "unit/superblob.h"

#define BLOBS_MAX 32

struct part {
    uint32_t slot;
    struct view bytes;
};

static size_t put_part(struct part *parts, size_t count, uint32_t slot, struct view bytes)
{
    size_t i = 0;
    while (i < count && parts[i].slot != slot)
        i++;
    if (i == BLOBS_MAX)
        abort();
    parts[i] = (struct part){.slot = slot, .bytes = bytes};
    return i == count ? count + 1 : count;
}

/* "SLOT=CONTENT": the content is a file's. */
static size_t put_argument(struct part *parts, size_t count, const char *argument, struct buf *blob,
                           struct fail *fail)
{
    char *end = NULL;
    struct fs_map map = {0}; /* lives until the program ends */
    uint32_t slot = (uint32_t)strtoul(argument, &end, 0);
    if (*end != '=' || fs_map_open(&map, end + 1, fail) < 0)
        return 0;
    if (map.view.len < 2 || map.view.data[0] != 0xfa || map.view.data[1] != 0xde)
        superblob_put_blob(blob, slot, map.view);
    else
        buf_append(blob, map.view.data, map.view.len);
    return put_part(parts, count, slot, (struct view){.data = blob->data, .len = blob->len});
}

static int work(int argc, char **argv, struct fail *fail)
{
    static struct buf blobs[BLOBS_MAX];
    own_fs_map struct fs_map file = {0};
    own_image struct image image = {0};
    own_codesig struct codesig sig = {0};
    own_buf struct buf out = {0};
    struct part parts[BLOBS_MAX];
    size_t count = 0;
    if (argc < 2 || argc > BLOBS_MAX)
        return fail_set(fail, FAIL_USAGE, "macho_blobs FILE [SLOT=CONTENT...]");
    if (fs_map_open(&file, argv[1], fail) < 0 || image_open_any(&image, file.view, fail) < 0 ||
        codesig_read(&sig, image_range_data(&image, &image.code_signature), fail) < 0)
        return -1;
    for (size_t i = 0; i < sig.blob_count; i++)
        count = put_part(parts, count, sig.blobs[i].slot, sig.blobs[i].bytes);
    for (int i = 2; i < argc; i++) {
        count = put_argument(parts, count, argv[i], &blobs[i], fail);
        if (count == 0)
            return fail_set(fail, FAIL_USAGE, "bad argument '%s'", argv[i]);
    }
    struct superblob super = superblob_begin(&out, count);
    for (size_t i = 0; i < count; i++)
        superblob_add(&super, parts[i].slot, parts[i].bytes);
    uint64_t begin = image.code_signature.offset;
    if (out.len > image.code_signature.size)
        return fail_set(fail, FAIL_INPUT, "%zu bytes do not fit", out.len);
    buf_zeros(&out, (size_t)image.code_signature.size - out.len);
    fwrite(file.view.data, 1, (size_t)begin, stdout);
    fwrite(out.data, 1, out.len, stdout);
    return 0;
}

int main(int argc, char **argv)
{
    own_fail struct fail fail = {0};
    if (work(argc, argv, &fail) == 0)
        return fflush(stdout) == 0 ? 0 : 1;
    fail_print(&fail, NULL, stderr);
    return 2;
}
