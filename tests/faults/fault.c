/*
 * Preloaded into hallmark, and into nothing that it starts: makes the Nth call of one kind fail, or
 * raises a signal at it.
 *
 *   FAULT_CALL   open-new, open, write, fsync, rename, mkdir, chmod, close, utimes, symlink, fork,
 *                pipe, mmap, read, or `any` of these
 *   FAULT_AT     which call, from 1; 0: none, they are only counted
 *   FAULT_ERRNO  the error, a number; 0: the call is made all the same
 *   FAULT_CUT    a file that has no bytes from this call on
 *   FAULT_SIGNAL the signal, a number; 0: none. It is raised before the call
 *   FAULT_AGAIN  a second signal, raised at the first call, of any thread, after it was raised
 *   FAULT_LOG    a file that gets one byte when the call came (opened at the start)
 *
 * Only the process that was started with the variables counts; a child of it, before it becomes
 * another program, does not.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *wanted = "";
static long fault_at, fault_errno, fault_signal, fault_again;
static const char *cut;
static int log_fd = -1;
static pid_t owner;
static atomic_long counted;
static atomic_int second_signal; /* due at the next call; 0: none */

static long number(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? 0 : strtol(text, NULL, 10);
}

__attribute__((constructor)) static void start(void)
{
    const char *call = getenv("FAULT_CALL");
    const char *path = getenv("FAULT_LOG");
    fault_at = number("FAULT_AT");
    fault_errno = number("FAULT_ERRNO");
    fault_signal = number("FAULT_SIGNAL");
    fault_again = number("FAULT_AGAIN");
    if (path != NULL) {
        int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC,
                              0600);
        log_fd = fcntl(fd, F_DUPFD_CLOEXEC, 200);
        syscall(SYS_close, fd);
    }
    cut = getenv("FAULT_CUT");
    owner = getpid();
    wanted = call == NULL ? "" : call;
    unsetenv("LD_PRELOAD");
}

/* Whether this call is to fail; errno is set then. */
static int strikes(const char *call)
{
    if ((strcmp(wanted, call) != 0 && strcmp(wanted, "any") != 0) || getpid() != owner)
        return 0;
    long here = atomic_fetch_add(&counted, 1) + 1;
    if (fault_at == 0 && log_fd >= 0)
        (void)!syscall(SYS_write, log_fd, ".", 1);
    int due = atomic_exchange(&second_signal, 0);
    if (due != 0)
        raise(due);
    if (here != fault_at)
        return 0;
    if (log_fd >= 0)
        (void)!syscall(SYS_write, log_fd, "!", 1);
    if (cut != NULL)
        (void)!truncate(cut, 0);
    if (fault_signal != 0)
        raise((int)fault_signal);
    atomic_store(&second_signal, (int)fault_again);
    if (fault_errno == 0)
        return 0;
    errno = (int)fault_errno;
    return 1;
}

/* The next definition of a function. */
#define NEXT(name) ((__typeof__(&name))next_of(#name))
static void *next_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    return found;
}

static mode_t mode_of(int flags, va_list args)
{
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

int openat(int dir_fd, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    if (strikes((flags & O_CREAT) != 0 ? "open-new" : "open"))
        return -1;
    return (int)syscall(SYS_openat, dir_fd, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    if (strikes((flags & O_CREAT) != 0 ? "open-new" : "open"))
        return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* What <fcntl.h> makes of a call without a mode. */
int __openat_2(int dir_fd, const char *path, int flags);
int __openat_2(int dir_fd, const char *path, int flags)
{
    return strikes("open") ? -1 : (int)syscall(SYS_openat, dir_fd, path, flags, 0);
}

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
    return strikes("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int dir_fd, const char *path, int flags, ...) __attribute__((alias("openat")));

ssize_t write(int fd, const void *data, size_t len)
{
    return fd > 2 && strikes("write") ? -1 : (ssize_t)syscall(SYS_write, fd, data, len);
}

ssize_t read(int fd, void *data, size_t len)
{
    return strikes("read") ? -1 : (ssize_t)syscall(SYS_read, fd, data, len);
}

ssize_t pread(int fd, void *data, size_t len, off_t offset)
{
    return strikes("read") ? -1 : (ssize_t)syscall(SYS_pread64, fd, data, len, offset);
}

ssize_t pread64(int, void *, size_t, off_t) __attribute__((alias("pread")));

int fsync(int fd)
{
    return strikes("fsync") ? -1 : NEXT(fsync)(fd);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    return strikes("rename") ? -1 : NEXT(renameat2)(from_fd, from, to_fd, to, flags);
}

int mkdirat(int dir_fd, const char *path, mode_t mode)
{
    return strikes("mkdir") ? -1 : NEXT(mkdirat)(dir_fd, path, mode);
}

char *mkdtemp(char *pattern)
{
    return strikes("mkdir") ? NULL : NEXT(mkdtemp)(pattern);
}

int fchmod(int fd, mode_t mode)
{
    return strikes("chmod") ? -1 : NEXT(fchmod)(fd, mode);
}

int fchmodat(int dir_fd, const char *path, mode_t mode, int flags)
{
    return strikes("chmod") ? -1 : NEXT(fchmodat)(dir_fd, path, mode, flags);
}

/* As the system does: what was closed is closed, whatever close() says. */
int close(int fd)
{
    if (!strikes("close"))
        return (int)syscall(SYS_close, fd);
    int saved = errno;
    syscall(SYS_close, fd);
    errno = saved;
    return -1;
}

int utimensat(int dir_fd, const char *path, const struct timespec times[2], int flags)
{
    return strikes("utimes") ? -1 : NEXT(utimensat)(dir_fd, path, times, flags);
}

int symlinkat(const char *target, int dir_fd, const char *path)
{
    return strikes("symlink") ? -1 : NEXT(symlinkat)(target, dir_fd, path);
}

pid_t fork(void)
{
    return strikes("fork") ? -1 : NEXT(fork)();
}

int pipe2(int ends[2], int flags)
{
    return strikes("pipe") ? -1 : NEXT(pipe2)(ends, flags);
}

void *mmap(void *address, size_t len, int protection, int flags, int fd, off_t offset)
{
    if (fd >= 0 && strikes("mmap"))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, len, protection, flags, fd, offset);
}

void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));
