/* fs.h: directory trees: listing, removal, scratch space. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/fs_temporary.h"
#include "base/stop.h"

enum { DEPTH_MAX = 128 };

struct walk {
    struct fs_listing *out;
    size_t max_count;
    struct fail *fail;
};

static enum fs_kind kind_of(mode_t mode)
{
    if (S_ISREG(mode))
        return FS_FILE;
    if (S_ISDIR(mode))
        return FS_DIRECTORY;
    if (S_ISLNK(mode))
        return FS_SYMLINK;
    return FS_OTHER;
}

static void closedir_owned(DIR **dir)
{
    int saved = errno;
    if (*dir != NULL)
        closedir(*dir);
    errno = saved;
}

static DIR *open_directory(int dir_fd, const char *name)
{
    own_fd int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return NULL;
    DIR *dir = fdopendir(fd);
    if (dir != NULL)
        (void)steal_fd(&fd);
    return dir;
}

static int list_below(struct walk *walk, int dir_fd, const char *name, const char *prefix,
                      int depth);

static int list_entry(struct walk *walk, int dir_fd, const char *name, const char *prefix,
                      int depth)
{
    struct stat info;
    own_mem char *path = *prefix == '\0' ? text_copy(name) : text_printf("%s/%s", prefix, name);
    if (fstatat(dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) < 0)
        return fail_errno(walk->fail, "cannot look at '%s'", path);
    struct fs_listing *out = walk->out;
    if (out->count >= walk->max_count)
        return fail_set(walk->fail, FAIL_INPUT, "more than %zu files and directories",
                        walk->max_count);
    out->list = mem_grow(out->list, out->count, &out->capacity, sizeof *out->list);
    out->list[out->count++] = (struct fs_entry){
        .path = text_copy(path),
        .kind = kind_of(info.st_mode),
        .mode = info.st_mode & 07777,
        .len = (uint64_t)info.st_size,
    };
    if (!S_ISDIR(info.st_mode))
        return 0;
    return list_below(walk, dir_fd, name, path, depth + 1);
}

static int list_below(struct walk *walk, int dir_fd, const char *name, const char *prefix,
                      int depth)
{
    if (depth > DEPTH_MAX)
        return fail_set(walk->fail, FAIL_INPUT, "'%s' is nested deeper than %d", prefix, DEPTH_MAX);
    __attribute__((cleanup(closedir_owned))) DIR *dir = open_directory(dir_fd, name);
    if (dir == NULL)
        return fail_errno(walk->fail, "cannot read directory '%s'", *prefix ? prefix : name);
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(dir);
        if (entry == NULL && errno != 0)
            return fail_errno(walk->fail, "cannot read directory '%s'", *prefix ? prefix : name);
        if (entry == NULL)
            return 0;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (list_entry(walk, dirfd(dir), entry->d_name, prefix, depth) < 0)
            return -1;
    }
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const struct fs_entry *)a)->path, ((const struct fs_entry *)b)->path);
}

int fs_list(struct fs_listing *out, int dir_fd, size_t max_count, struct fail *fail)
{
    struct walk walk = {.out = out, .max_count = max_count, .fail = fail};
    if (list_below(&walk, dir_fd, ".", "", 0) < 0)
        return -1;
    if (out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, compare_entries);
    return 0;
}

void fs_listing_release(struct fs_listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->list[i].path);
    free(listing->list);
    *listing = (struct fs_listing){0};
}

static int remove_below(int dir_fd, const char *name, int depth)
{
    if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
        return 0;
    if ((errno != EISDIR && errno != EPERM) || depth > DEPTH_MAX)
        return -1;
    __attribute__((cleanup(closedir_owned))) DIR *dir = open_directory(dir_fd, name);
    if (dir == NULL && errno == EACCES && fchmodat(dir_fd, name, 0700, 0) == 0)
        dir = open_directory(dir_fd, name);
    if (dir == NULL)
        return -1;
    (void)fchmod(dirfd(dir), 0700);
    int result = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            remove_below(dirfd(dir), entry->d_name, depth + 1) < 0)
            result = -1;
    }
    return unlinkat(dir_fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? result : -1;
}

int fs_remove_tree_at(int dir_fd, const char *name)
{
    /* Once more for what was refused for a moment only: descriptors or memory may have lacked. */
    int result = remove_below(dir_fd, name, 0);
    return result == 0 ? 0 : remove_below(dir_fd, name, 0);
}

int fs_scratch_open(struct fs_scratch *scratch, struct fail *fail)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] != '/')
        base = "/tmp";
    own_mem char *path = text_printf("%s/hallmark-XXXXXX", base);
    if (mkdtemp(path) == NULL) {
        fail_errno(fail, "cannot make a scratch directory in '%s'", base);
        return fail_hint(fail, "set TMPDIR to a directory that can be written");
    }
    /* The real path: compilers print it, and symbolic links in it would differ from that. */
    scratch->path = realpath(path, NULL);
    if (scratch->path == NULL)
        scratch->path = steal_mem(&path);
    scratch->number = fs_temporary_add(AT_FDCWD, scratch->path);
    scratch->fd = open(scratch->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (scratch->fd < 0)
        return fail_errno(fail, "cannot open '%s'", scratch->path);
    return 0;
}

void fs_scratch_release(struct fs_scratch *scratch)
{
    int saved = errno;
    if (scratch->fd >= 0)
        close(scratch->fd);
    if (scratch->path != NULL && !scratch->keep)
        (void)fs_remove_tree_at(AT_FDCWD, scratch->path);
    fs_temporary_drop(&scratch->number);
    free(scratch->path);
    *scratch = (struct fs_scratch)FS_SCRATCH_INIT;
    errno = saved;
}
