#include "base/fs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs_regular.h"
#include "base/stop.h"

/* Opens for reading and refuses what is not a regular file (a pipe would block). */
int fs_open_regular(struct stat *info, int dir_fd, const char *name, int more_flags,
                    struct fail *fail)
{
    own_fd int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | more_flags);
    if (fd < 0 && errno == ELOOP && (more_flags & O_NOFOLLOW))
        return fail_set(fail, FAIL_INPUT, "'%s' is a symbolic link, expected a regular file", name);
    if (fd < 0)
        return fail_named(fail, "cannot open '%s'", name);
    if (fstat(fd, info) < 0)
        return fail_errno(fail, "cannot look at '%s'", name);
    if (S_ISDIR(info->st_mode))
        return fail_set(fail, FAIL_INPUT, "'%s' is a directory, expected a regular file", name);
    if (!S_ISREG(info->st_mode))
        return fail_set(fail, FAIL_INPUT, "'%s' is not a regular file", name);
    return steal_fd(&fd);
}

static int read_rest(struct buf *out, int fd, const char *name, uint64_t max_len, struct fail *fail)
{
    for (;;) {
        enum { PIECE = 1 << 16 };
        buf_reserve(out, PIECE);
        ssize_t got = read(fd, out->data + out->len, PIECE);
        if (got < 0 && errno == EINTR) {
            if (stop_check(fail) < 0)
                return -1;
            continue;
        }
        if (got < 0)
            return fail_errno(fail, "cannot read '%s'", name);
        if (got == 0)
            break;
        out->len += (size_t)got;
        if (out->len > max_len) /* it grew while we read */
            return fail_set(fail, FAIL_INPUT, "'%s' is larger than %llu bytes", name,
                            (unsigned long long)max_len);
    }
    out->data[out->len] = 0;
    return 0;
}

static int read_opened(struct buf *out, int dir_fd, const char *name, int flags, uint64_t max_len,
                       struct fail *fail)
{
    struct stat info;
    own_fd int fd = fs_open_regular(&info, dir_fd, name, flags, fail);
    if (fd < 0)
        return -1;
    if ((uint64_t)info.st_size > max_len)
        return fail_set(fail, FAIL_INPUT, "'%s' has %llu bytes, expected at most %llu", name,
                        (unsigned long long)info.st_size, (unsigned long long)max_len);
    buf_reserve(out, (size_t)info.st_size + 1);
    return read_rest(out, fd, name, max_len, fail);
}

int fs_read(struct buf *out, const char *path, uint64_t max_len, struct fail *fail)
{
    return read_opened(out, AT_FDCWD, path, 0, max_len, fail);
}

int fs_read_at(struct buf *out, int dir_fd, const char *name, uint64_t max_len, struct fail *fail)
{
    return read_opened(out, dir_fd, name, O_NOFOLLOW, max_len, fail);
}

int fs_write_all(int fd, const void *data, size_t len)
{
    const char *rest = data;
    while (len > 0) {
        ssize_t put = write(fd, rest, len);
        if (put < 0 && errno == EINTR && !stop_pending())
            continue;
        if (put < 0)
            return -1;
        rest += put;
        len -= (size_t)put;
    }
    return 0;
}

int fs_exists(const char *path, struct fail *fail)
{
    struct stat info;
    if (lstat(path, &info) == 0)
        return 1;
    if (errno == ENOENT || errno == ENOTDIR)
        return 0;
    return fail_errno(fail, "cannot look at '%s'", path);
}

/* ".git" as file systems may fold it: case, trailing dots and blanks, the 8.3 name, and the
 * code points that HFS+ ignores. */
static bool is_git_directory(const char *name, size_t len)
{
    char plain[8] = {0};
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)name[i];
        if (byte == 0xe2 && i + 2 < len) { /* U+200C..U+200F, U+202A..U+202E, U+206A..U+206F */
            i += 2;
            continue;
        }
        if (byte == 0xef && i + 2 < len) { /* U+FEFF */
            i += 2;
            continue;
        }
        if (used == sizeof plain - 1)
            return false;
        plain[used++] = (char)byte;
    }
    while (used > 0 && (plain[used - 1] == '.' || plain[used - 1] == ' '))
        plain[--used] = '\0';
    return strcasecmp(plain, ".git") == 0 || strcasecmp(plain, "git~1") == 0;
}

static bool component_is_safe(const char *name, size_t len)
{
    if (len == 0 || len > 255)
        return false;
    if ((len == 1 && name[0] == '.') || (len == 2 && name[0] == '.' && name[1] == '.'))
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)name[i];
        if (byte < 0x20 || byte == 0x7f || byte == '\\' || byte == ':')
            return false;
    }
    return !is_git_directory(name, len);
}

bool fs_path_contained(const char *path)
{
    if (strlen(path) >= 4096)
        return false;
    for (;;) {
        size_t len = strcspn(path, "/");
        if (!component_is_safe(path, len))
            return false;
        if (path[len] == '\0')
            return true;
        path += len + 1;
    }
}

/* Appends the components of `path`, resolving "." and ".."; false when it leaves the root. */
static bool append_components(struct buf *out, const char *path)
{
    while (*path != '\0') {
        size_t len = strcspn(path, "/");
        if (len == 2 && path[0] == '.' && path[1] == '.') {
            if (out->len == 0)
                return false;
            const char *text = buf_text(out);
            const char *slash = strrchr(text, '/');
            buf_truncate(out, slash == NULL ? 0 : (size_t)(slash - text));
        } else if (len != 0 && !(len == 1 && path[0] == '.')) {
            if (out->len != 0)
                buf_putc(out, '/');
            buf_append(out, path, len);
        }
        path += len;
        if (*path == '/')
            path++;
    }
    return true;
}

char *fs_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return mem_copy(path, slash == NULL ? 0 : (size_t)(slash - path));
}

char *fs_path_join(const char *base, const char *relative)
{
    own_buf struct buf out = {0};
    if (relative[0] == '/' || !append_components(&out, base) || !append_components(&out, relative))
        return NULL;
    return buf_steal(&out);
}
