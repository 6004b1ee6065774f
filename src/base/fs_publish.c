/* fs.h: files and directories that appear whole or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/fs_temporary.h"
#include "base/stop.h"
#include "base/system.h"

#define STAGE_MARK ".hallmark-"

/* Splits "dir/name" and opens the directory; trailing slashes do not count. */
static int open_parent(char **name, const char *path, struct fail *fail)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    own_mem char *trimmed = mem_copy(path, len);
    char *slash = strrchr(trimmed, '/');
    const char *last = slash == NULL ? trimmed : slash + 1;
    if (*last == '\0' || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
        return fail_set(fail, FAIL_USAGE, "'%s' does not name a new file or directory", path);
    own_mem char *kept = text_copy(last);
    if (slash != NULL)
        slash[slash == trimmed ? 1 : 0] = '\0';
    const char *directory = slash == NULL ? "." : trimmed;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        fail_named(fail, "cannot open directory '%s'", directory);
        return fail_hint(fail, "make the directory first, it is to hold '%s'", kept);
    }
    *name = steal_mem(&kept);
    return fd;
}

static char *temporary_name(const char *name)
{
    unsigned char random[8];
    system_random(random, sizeof random);
    char hex[2 * sizeof random + 1];
    text_hex(hex, random, sizeof random);
    return text_printf(".%.200s" STAGE_MARK "%s", name, hex);
}

static int refuse_existing(const char *path, struct fail *fail)
{
    fail_set(fail, FAIL_REFUSED, "'%s' is there already", path);
    return fail_hint(fail, "nothing that is there is overwritten: name another, or move it away");
}

static int sync_directory(int fd, const char *path, struct fail *fail)
{
    if (system_sync(fd) < 0)
        return fail_errno(fail, "cannot sync the directory of '%s'", path);
    return 0;
}

/* Renames without replacing; `is_directory` chooses what to do where there is no call for it. */
static int rename_new(int dir_fd, const char *from, const char *to, bool is_directory)
{
    bool able = false;
    int result = system_rename_new(&able, dir_fd, from, to);
    if (able)
        return result;
    if (!is_directory) {
        if (linkat(dir_fd, from, dir_fd, to, 0) < 0)
            return -1;
        return unlinkat(dir_fd, from, 0);
    }
    struct stat info;
    if (fstatat(dir_fd, to, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    return renameat(dir_fd, from, dir_fd, to);
}

int fs_new_open(struct fs_new *file, const char *path, mode_t mode, struct fail *fail)
{
    file->dir_fd = open_parent(&file->name, path, fail);
    if (file->dir_fd < 0)
        return -1;
    file->path = text_copy(path);
    file->temporary = temporary_name(file->name);
    file->fd = openat(file->dir_fd, file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file->fd < 0)
        return fail_errno(fail, "cannot create a file beside '%s'", path);
    file->number = fs_temporary_add(file->dir_fd, file->temporary);
    if (fchmod(file->fd, mode) < 0)
        return fail_errno(fail, "cannot set the mode of '%s'", path);
    return 0;
}

int fs_new_publish(struct fs_new *file, enum fs_replace replace, struct fail *fail)
{
    if (stop_check(fail) < 0)
        return -1;
    if (system_sync(file->fd) < 0)
        return fail_errno(fail, "cannot write '%s'", file->path);
    int fd = steal_fd(&file->fd);
    if (close(fd) < 0)
        return fail_errno(fail, "cannot write '%s'", file->path);
    int result = replace == FS_REPLACE
                     ? renameat(file->dir_fd, file->temporary, file->dir_fd, file->name)
                     : rename_new(file->dir_fd, file->temporary, file->name, false);
    if (result < 0 && errno == EEXIST)
        return refuse_existing(file->path, fail);
    if (result < 0)
        return fail_errno(fail, "cannot publish '%s'", file->path);
    file->published = true;
    fs_temporary_drop(&file->number);
    if (sync_directory(file->dir_fd, file->path, fail) == 0)
        return 0;
    if (replace == FS_NO_REPLACE) /* a failure leaves nothing behind */
        (void)unlinkat(file->dir_fd, file->name, 0);
    return -1;
}

void fs_new_release(struct fs_new *file)
{
    int saved = errno;
    if (file->fd >= 0)
        close(file->fd);
    if (file->temporary != NULL && !file->published)
        (void)unlinkat(file->dir_fd, file->temporary, 0);
    fs_temporary_drop(&file->number);
    if (file->dir_fd >= 0)
        close(file->dir_fd);
    free(file->path);
    free(file->name);
    free(file->temporary);
    *file = (struct fs_new)FS_NEW_INIT;
    errno = saved;
}

int fs_write_new(const char *path, const void *data, size_t len, mode_t mode,
                 enum fs_replace replace, struct fail *fail)
{
    own_fs_new struct fs_new file = FS_NEW_INIT;
    if (replace == FS_NO_REPLACE) {
        int there = fs_exists(path, fail);
        if (there < 0)
            return -1;
        if (there)
            return refuse_existing(path, fail);
    }
    if (fs_new_open(&file, path, mode, fail) < 0)
        return -1;
    if (fs_write_all(file.fd, data, len) < 0)
        return fail_errno(fail, "cannot write '%s'", path);
    return fs_new_publish(&file, replace, fail);
}

int fs_create_at(int dir_fd, const char *name, const void *data, size_t len, mode_t mode,
                 struct fail *fail)
{
    own_fd int fd =
        openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return fail_errno(fail, "cannot create '%s'", name);
    if (fs_write_all(fd, data, len) < 0)
        return fail_errno(fail, "cannot write '%s'", name);
    if (fchmod(fd, mode) < 0)
        return fail_errno(fail, "cannot set the mode of '%s'", name);
    if (close(steal_fd(&fd)) < 0)
        return fail_errno(fail, "cannot write '%s'", name);
    return 0;
}

int fs_open_parents_at(int dir_fd, const char *path, struct fail *fail)
{
    own_fd int here = dir_fd == AT_FDCWD ? open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                                         : fcntl(dir_fd, F_DUPFD_CLOEXEC, 3);
    if (here < 0)
        return fail_errno(fail, "cannot open the directory of '%s'", path);
    const char *rest = path;
    for (const char *slash = strchr(rest, '/'); slash != NULL; slash = strchr(rest, '/')) {
        own_mem char *name = mem_copy(rest, (size_t)(slash - rest));
        if (mkdirat(here, name, 0700) == 0) {
            if (fchmodat(here, name, 0755, 0) < 0)
                return fail_errno(fail, "cannot set the mode of '%s' in '%s'", name, path);
        } else if (errno != EEXIST) {
            return fail_errno(fail, "cannot make directory '%s' of '%s'", name, path);
        }
        int next = openat(here, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (next < 0)
            return fail_errno(fail, "cannot open directory '%s' of '%s'", name, path);
        close(here);
        here = next;
        rest = slash + 1;
    }
    return steal_fd(&here);
}

int fs_make_parents_at(int dir_fd, const char *path, struct fail *fail)
{
    own_fd int innermost = fs_open_parents_at(dir_fd, path, fail);
    return innermost < 0 ? -1 : 0;
}

int fs_stage_open(struct fs_stage *stage, const char *path, struct fail *fail)
{
    stage->parent_fd = open_parent(&stage->name, path, fail);
    if (stage->parent_fd < 0)
        return -1;
    struct stat info;
    if (fstatat(stage->parent_fd, stage->name, &info, AT_SYMLINK_NOFOLLOW) == 0)
        return refuse_existing(path, fail);
    if (errno != ENOENT)
        return fail_errno(fail, "cannot look at '%s'", path);
    stage->path = text_copy(path);
    own_mem char *temporary = temporary_name(stage->name);
    if (mkdirat(stage->parent_fd, temporary, 0700) < 0)
        return fail_errno(fail, "cannot make a directory beside '%s'", path);
    stage->temporary = steal_mem(&temporary);
    stage->number = fs_temporary_add(stage->parent_fd, stage->temporary);
    stage->fd =
        openat(stage->parent_fd, stage->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (stage->fd < 0)
        return fail_errno(fail, "cannot open the staging directory of '%s'", path);
    return 0;
}

/* Everything below the stage goes to the disk before the name appears. */
static int sync_stage(struct fs_stage *stage, struct fail *fail)
{
    enum { STAGE_ENTRIES_MAX = 100000 };
    own_fs_listing struct fs_listing listing = {0};
    if (fs_list(&listing, stage->fd, STAGE_ENTRIES_MAX, fail) < 0)
        return -1;
    for (size_t i = 0; i < listing.count; i++) {
        const struct fs_entry *entry = &listing.list[i];
        if (entry->kind != FS_FILE && entry->kind != FS_DIRECTORY)
            continue;
        own_fd int fd = openat(stage->fd, entry->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd < 0 || system_sync(fd) < 0)
            return fail_errno(fail, "cannot sync '%s' of '%s'", entry->path, stage->path);
    }
    return sync_directory(stage->fd, stage->path, fail);
}

int fs_stage_publish(struct fs_stage *stage, struct fail *fail)
{
    if (fchmod(stage->fd, 0755) < 0)
        return fail_errno(fail, "cannot set the mode of '%s'", stage->path);
    if (sync_stage(stage, fail) < 0 || stop_check(fail) < 0)
        return -1;
    if (rename_new(stage->parent_fd, stage->temporary, stage->name, true) < 0) {
        if (errno == EEXIST || errno == ENOTEMPTY)
            return refuse_existing(stage->path, fail);
        return fail_errno(fail, "cannot publish '%s'", stage->path);
    }
    stage->published = true;
    fs_temporary_drop(&stage->number);
    if (sync_directory(stage->parent_fd, stage->path, fail) == 0)
        return 0;
    /* The name may not last: take it back, so that a failure leaves no release. */
    if (renameat(stage->parent_fd, stage->name, stage->parent_fd, stage->temporary) == 0)
        stage->published = false;
    return -1;
}

void fs_stage_release(struct fs_stage *stage)
{
    int saved = errno;
    if (stage->fd >= 0)
        close(stage->fd);
    if (stage->temporary != NULL && !stage->published)
        (void)fs_remove_tree_at(stage->parent_fd, stage->temporary);
    fs_temporary_drop(&stage->number);
    if (stage->parent_fd >= 0)
        close(stage->parent_fd);
    free(stage->path);
    free(stage->name);
    free(stage->temporary);
    *stage = (struct fs_stage)FS_STAGE_INIT;
    errno = saved;
}
