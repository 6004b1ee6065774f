#include "port/sandbox.h"

#if defined(__linux__) && defined(__has_include)
#    if __has_include(<linux/landlock.h>)
#        define HAVE_LANDLOCK 1
#    endif
#endif

#ifdef HAVE_LANDLOCK

#    include <errno.h>
#    include <fcntl.h>
#    include <linux/landlock.h>
#    include <stddef.h>
#    include <stdint.h>
#    include <sys/prctl.h>
#    include <sys/stat.h>
#    include <sys/syscall.h>
#    include <unistd.h>

/* Everything that changes the file system, as of Landlock ABI 1. */
static const uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

static const uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t of_files =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;

/* What does not exist needs no rule. */
static int allow(int ruleset, const char *path, uint64_t access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    struct stat info;
    int result = fstat(fd, &info);
    if (result == 0 && !S_ISDIR(info.st_mode))
        access &= of_files;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    if (result == 0)
        result = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
    return result == 0 ? 0 : -1;
}

static int allow_all(int ruleset, const char *const *paths, uint64_t access)
{
    for (size_t i = 0; paths[i] != NULL; i++) {
        if (allow(ruleset, paths[i], access) < 0)
            return -1;
    }
    return 0;
}

int sandbox_prepare(const char *const *writable, const char *const *readable)
{
    uint64_t handled = readable == NULL ? writing : writing | reading;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = handled};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0)
        return -1;
    uint64_t null_access = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE;
    int result = allow(ruleset, "/dev/null", null_access & handled);
    if (result == 0)
        result = allow_all(ruleset, writable, handled);
    if (result == 0 && readable != NULL)
        result = allow_all(ruleset, readable, reading);
    if (result == 0)
        return ruleset;
    close(ruleset);
    return -1;
}

int sandbox_enter(int sandbox_fd)
{
    int result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (result == 0)
        result = (int)syscall(SYS_landlock_restrict_self, sandbox_fd, 0);
    close(sandbox_fd);
    return result;
}

#else

int sandbox_prepare(const char *const *writable, const char *const *readable)
{
    (void)writable;
    (void)readable;
    return -1;
}

int sandbox_enter(int sandbox_fd)
{
    (void)sandbox_fd;
    return -1;
}

#endif
