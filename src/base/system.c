#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

const void *system_find_last(const void *data, char byte, size_t len)
{
    const char *bytes = data;
    while (len > 0) {
        if (bytes[--len] == byte)
            return bytes + len;
    }
    return NULL;
}

void system_random(void *out, size_t len)
{
    if (getentropy(out, len) < 0)
        abort();
}

int system_pipe(int ends[2])
{
#ifdef __APPLE__
    /* Not in one step: no thread of hallmark starts a program while another one makes a pipe. */
    if (pipe(ends) < 0)
        return -1;
    if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
        return 0;
    int saved = errno;
    close(ends[0]);
    close(ends[1]);
    errno = saved;
    return -1;
#else
    return pipe2(ends, O_CLOEXEC);
#endif
}

int system_sync(int fd)
{
#ifdef __APPLE__
    /* fsync() there only hands the bytes to the disk. File systems of other machines have no more
     * than that, and answer with various errors. */
    if (fcntl(fd, F_FULLFSYNC) == 0)
        return 0;
    if (errno == EIO || errno == ENOSPC)
        return -1;
#endif
    return fsync(fd) < 0 && errno != EINVAL ? -1 : 0;
}

int system_rename_new(bool *able, int dir_fd, const char *from, const char *to)
{
#if defined(__APPLE__)
    int result = renameatx_np(dir_fd, from, dir_fd, to, RENAME_EXCL);
    *able = result == 0 || (errno != ENOTSUP && errno != EINVAL);
#elif defined(__linux__)
    int result = renameat2(dir_fd, from, dir_fd, to, RENAME_NOREPLACE);
    *able = result == 0 || (errno != EINVAL && errno != ENOSYS);
#else
    int result = -1;
    *able = false;
    (void)dir_fd, (void)from, (void)to;
#endif
    return result;
}

bool system_limits_memory(void)
{
    return !SYSTEM_MACOS;
}
