/*
 * Prints the documents of a record that a script has changed, as a forger would.
 * usage: reprint PROVENANCE.INTOTO.JSON PROVENANCE.MD
 */
#include <stdio.h>

#include "base/fs.h"
#include "format/provenance.h"

static int put(const char *path, const struct buf *text, struct fail *fail)
{
    return fs_write_new(path, text->data, text->len, 0644, FS_REPLACE, fail);
}

static int reprint(const char *json_path, const char *md_path, struct fail *fail)
{
    own_buf struct buf text = {0};
    own_buf struct buf json = {0};
    own_buf struct buf md = {0};
    own_provenance struct provenance record = {0};
    if (fs_read(&text, json_path, PROVENANCE_MAX, fail) < 0 ||
        intoto_parse(&record, (struct view){.data = text.data, .len = text.len}, json_path, fail) <
            0)
        return -1;
    intoto_print(&json, &record);
    provmd_print(&md, &record);
    return put(json_path, &json, fail) < 0 || put(md_path, &md, fail) < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
    own_fail struct fail fail = {0};
    if (argc != 3) {
        fputs("usage: reprint PROVENANCE.INTOTO.JSON PROVENANCE.MD\n", stderr);
        return FAIL_USAGE;
    }
    if (reprint(argv[1], argv[2], &fail) == 0)
        return 0;
    fail_print(&fail, "reprint", stderr);
    return (int)fail.code;
}
