#include "stage/release_dir.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "format/observed.h"
#include "stage/release.h"

void release_dir_release(struct release_dir *dir)
{
    sums_dir_release(&dir->files);
    provenance_release(&dir->record);
    dir->has_record = false;
}

bool release_dir_is_one(const char *path)
{
    struct stat info;
    own_mem char *sums = text_printf("%s/" SUMS_NAME, path);
    own_mem char *record = text_printf("%s/" PROVENANCE_JSON_NAME, path);
    return lstat(sums, &info) == 0 || lstat(record, &info) == 0;
}

int release_dir_open(struct release_dir *dir, const char *path, struct fail *fail)
{
    if (sums_dir_open(&dir->files, path, fail) < 0)
        return fail_while(fail, "opening a release directory");
    if (sums_dir_find(&dir->files, SUMS_NAME) != NULL ||
        sums_dir_find(&dir->files, PROVENANCE_JSON_NAME) != NULL)
        return 0;
    fail_set(fail, FAIL_INPUT, "'%s' holds neither " SUMS_NAME " nor " PROVENANCE_JSON_NAME, path);
    return fail_hint(fail, "name the directory that 'hallmark release' made");
}

static int read_record(struct release_dir *dir, struct findings *findings, struct fail *fail)
{
    own_buf struct buf text = {0};
    int got = sums_dir_read(&text, &dir->files, findings, "provenance.malformed",
                            PROVENANCE_JSON_NAME, PROVENANCE_MAX, fail);
    if (got <= 0)
        return got;
    own_fail struct fail inner = {0};
    struct view view = {.data = text.data, .len = text.len};
    if (intoto_parse(&dir->record, view, PROVENANCE_JSON_NAME, &inner) < 0) {
        finding_error(findings, "provenance.malformed", PROVENANCE_JSON_NAME,
                      "a record of hallmark", inner.message);
        return 0;
    }
    dir->has_record = true;
    own_buf struct buf printed = {0};
    intoto_print(&printed, &dir->record);
    if (printed.len != text.len || memcmp(printed.data, text.data, text.len) != 0)
        finding_error(findings, "provenance.document", PROVENANCE_JSON_NAME,
                      "the bytes that its own content prints", "other bytes");
    return 0;
}

/* A release has no folder but one. */
static void check_folders(const struct release_dir *dir, struct findings *findings)
{
    for (size_t i = 0; i < dir->files.listing.count; i++) {
        const struct fs_entry *entry = &dir->files.listing.list[i];
        if (entry->kind == FS_DIRECTORY && strcmp(entry->path, RELEASE_OBSERVED_DIR) != 0)
            finding_error(findings, "sums.unlisted", entry->path, "no such directory",
                          "a directory");
    }
}

static int check_observed(const struct release_dir *dir, struct findings *findings,
                          struct fail *fail)
{
    const struct fs_entry *entry = sums_dir_find(&dir->files, RELEASE_OBSERVED);
    if (entry == NULL || entry->kind != FS_FILE || dir->files.sums_sha256[0] == '\0')
        return 0; /* without sums there is nothing that it could belong to */
    own_buf struct buf text = {0};
    int got = sums_dir_read(&text, &dir->files, findings, "observed.malformed", RELEASE_OBSERVED,
                            OBSERVED_MAX, fail);
    if (got <= 0)
        return got;
    observed_check(findings, RELEASE_OBSERVED, (struct view){.data = text.data, .len = text.len},
                   dir->files.sums_sha256);
    return 0;
}

int release_dir_check_sums(struct release_dir *dir, struct findings *findings, struct fail *fail)
{
    dir->files.partial = dir->manifest;
    if (sums_dir_check(&dir->files, findings, fail) < 0 || read_record(dir, findings, fail) < 0)
        return -1;
    check_folders(dir, findings);
    return check_observed(dir, findings, fail);
}
