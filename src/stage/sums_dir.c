#include "stage/sums_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "port/digest.h"

enum { SUMS_FILES_MAX = 100000 };

void sums_dir_release(struct sums_dir *dir)
{
    if (dir->fd >= 0)
        close(dir->fd);
    fs_listing_release(&dir->listing);
    sums_release(&dir->sums);
    *dir = (struct sums_dir)SUMS_DIR_INIT;
}

const struct fs_entry *sums_dir_find(const struct sums_dir *dir, const char *name)
{
    size_t low = 0;
    size_t high = dir->listing.count; /* sorted by fs_list() */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, dir->listing.list[middle].path);
        if (order == 0)
            return &dir->listing.list[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

int sums_dir_open(struct sums_dir *dir, const char *path, struct fail *fail)
{
    dir->path = path;
    dir->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir->fd < 0 && errno == ENOTDIR)
        return fail_set(fail, FAIL_INPUT, "'%s' is not a directory", path);
    if (dir->fd < 0 && errno == ENOENT)
        return fail_set(fail, FAIL_INPUT, "'%s' does not exist, expected a directory", path);
    if (dir->fd < 0)
        return fail_errno(fail, "cannot open '%s'", path);
    if (fs_list(&dir->listing, dir->fd, SUMS_FILES_MAX, fail) < 0)
        return fail_while(fail, "listing '%s'", path);
    return 0;
}

static bool is_outside(const char *name)
{
    size_t len = sizeof SUMS_OUTSIDE - 1;
    return strcmp(name, SUMS_NAME) == 0 ||
           (strncmp(name, SUMS_OUTSIDE, len) == 0 && (name[len] == '/' || name[len] == '\0'));
}

/* Reads a file of the release; what goes wrong is a finding, except a signal. 1: read. */
int sums_dir_read(struct buf *out, const struct sums_dir *dir, struct findings *findings,
                  const char *id, const char *name, uint64_t max_len, struct fail *fail)
{
    own_fail struct fail inner = {0};
    if (fs_read_at(out, dir->fd, name, max_len, &inner) == 0)
        return 1;
    if (inner.code == FAIL_SIGNAL)
        return fail_move(fail, &inner);
    finding_error(findings, id, name, NULL, inner.message);
    return 0;
}

static int read_sums(struct sums_dir *dir, struct findings *findings, struct fail *fail)
{
    own_buf struct buf text = {0};
    if (sums_dir_find(dir, SUMS_NAME) == NULL) {
        finding_error(findings, "sums.missing", SUMS_NAME, "one line for each file",
                      "no such file");
        return 0;
    }
    int got = sums_dir_read(&text, dir, findings, "sums.malformed", SUMS_NAME, SUMS_MAX, fail);
    if (got <= 0)
        return got;
    digest_sha256_hex(dir->sums_sha256, text.data, text.len);
    own_fail struct fail inner = {0};
    struct view view = {.data = text.data, .len = text.len};
    if (sums_parse(&dir->sums, view, SUMS_NAME, &inner) < 0) {
        finding_error(findings, "sums.malformed", SUMS_NAME, "one line for each file",
                      inner.message);
        return 0;
    }
    dir->has_sums = true;
    return 0;
}

static int check_digest(struct sums_dir *dir, struct findings *findings, const char *name,
                        const char *expected, struct fail *fail)
{
    own_fd int fd = openat(dir->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return fail_errno(fail, "cannot open '%s/%s'", dir->path, name);
    char digest[SHA256_HEX];
    if (digest_fd(digest, fd, name, fail) < 0)
        return -1;
    if (strcmp(digest, expected) != 0)
        finding_error(findings, "sums.mismatch", name, expected, digest);
    return 0;
}

static int check_listed(struct sums_dir *dir, struct findings *findings, struct fail *fail)
{
    for (size_t i = 0; i < dir->sums.count; i++) {
        const struct sums_entry *sum = &dir->sums.list[i];
        const struct fs_entry *entry = sums_dir_find(dir, sum->name);
        if (entry == NULL) {
            if (!dir->partial)
                finding_error(findings, "sums.missing", sum->name, sum->sha256, "no such file");
            continue;
        }
        if (entry->kind == FS_FILE && check_digest(dir, findings, sum->name, sum->sha256, fail) < 0)
            return -1;
    }
    return 0;
}

/* Files that are there: each a regular file, and named by a line. */
static void check_present(const struct sums_dir *dir, struct findings *findings)
{
    for (size_t i = 0; i < dir->listing.count; i++) {
        const struct fs_entry *entry = &dir->listing.list[i];
        if (entry->kind == FS_DIRECTORY)
            continue;
        if (entry->kind != FS_FILE)
            finding_error(findings, "sums.not-regular", entry->path, "a regular file",
                          entry->kind == FS_SYMLINK ? "a symbolic link" : "a special file");
        else if (dir->has_sums && !is_outside(entry->path) &&
                 sums_find(&dir->sums, entry->path) == NULL)
            finding_error(findings, "sums.unlisted", entry->path, "a line in " SUMS_NAME, "none");
    }
}

int sums_dir_check(struct sums_dir *dir, struct findings *findings, struct fail *fail)
{
    if (read_sums(dir, findings, fail) < 0 || check_listed(dir, findings, fail) < 0)
        return -1;
    check_present(dir, findings);
    return 0;
}

static int sum_file(struct sums *sums, const struct sums_dir *dir, const struct fs_entry *entry,
                    struct fail *fail)
{
    if (entry->kind != FS_FILE)
        return fail_set(fail, FAIL_INPUT, "'%s' is not a regular file and cannot be summed",
                        entry->path);
    own_fd int fd = openat(dir->fd, entry->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return fail_errno(fail, "cannot open '%s'", entry->path);
    char digest[SHA256_HEX];
    if (digest_fd(digest, fd, entry->path, fail) < 0)
        return -1;
    sums_add(sums, entry->path, digest);
    return 0;
}

int sums_dir_write(size_t *count, const char *path, struct fail *fail)
{
    own_sums_dir struct sums_dir dir = SUMS_DIR_INIT;
    own_sums struct sums sums = {0};
    own_mem char *file = text_printf("%s/" SUMS_NAME, path);
    if (sums_dir_open(&dir, path, fail) < 0)
        return -1;
    for (size_t i = 0; i < dir.listing.count; i++) {
        const struct fs_entry *entry = &dir.listing.list[i];
        if (entry->kind == FS_DIRECTORY || is_outside(entry->path))
            continue;
        if (sum_file(&sums, &dir, entry, fail) < 0)
            return fail_while(fail, "summing '%s'", path);
    }
    if (sums.count == 0)
        return fail_set(fail, FAIL_INPUT, "'%s' holds no files to sum", path);
    own_buf struct buf text = {0};
    sums_print(&text, &sums);
    *count = sums.count;
    return fs_write_new(file, text.data, text.len, 0644, FS_NO_REPLACE, fail);
}
