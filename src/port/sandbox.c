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
#    include <sys/syscall.h>
#    include <unistd.h>

/* Everything that changes the file system, as of Landlock ABI 1. */
static const uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

static int allow(int ruleset, const char *path, uint64_t access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return -1;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
    return result == 0 ? 0 : -1;
}

int sandbox_prepare(const char *const *writable)
{
    struct landlock_ruleset_attr attributes = {.handled_access_fs = writing};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0)
        return -1;
    int result = allow(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (size_t i = 0; result == 0 && writable[i] != NULL; i++)
        result = allow(ruleset, writable[i], writing);
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

int sandbox_prepare(const char *const *writable)
{
    (void)writable;
    return -1;
}

int sandbox_enter(int sandbox_fd)
{
    (void)sandbox_fd;
    return -1;
}

#endif
