#include "port/child_orphans.h"

#ifdef __linux__

#    include <ctype.h>
#    include <dirent.h>
#    include <errno.h>
#    include <fcntl.h>
#    include <signal.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>
#    include <sys/prctl.h>
#    include <sys/wait.h>
#    include <unistd.h>

#    include "base/own.h"

/* A process that makes others faster than they are killed must not keep us here for ever. */
enum { ROUNDS_MAX = 100 };

void orphans_adopt(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* The parent of a process by /proc/PID/stat, "pid (name) state parent ..."; 0 when it is gone. */
static long parent_of(const char *pid)
{
    char text[512];
    own_mem char *path = text_printf("/proc/%s/stat", pid);
    own_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t got = read(fd, text, sizeof text - 1);
    if (got <= 0)
        return 0;
    text[got] = '\0';
    const char *behind = strrchr(text, ')'); /* the name may hold anything */
    if (behind == NULL || strlen(behind) < 5)
        return 0;
    return strtol(behind + 4, NULL, 10);
}

static void kill_children(void)
{
    DIR *dir = opendir("/proc");
    if (dir == NULL)
        return;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == getpid())
            kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    }
    closedir(dir);
}

void orphans_end(void)
{
    int saved = errno;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        pid_t got = waitpid(-1, NULL, WNOHANG);
        while (got > 0)
            got = waitpid(-1, NULL, WNOHANG);
        if (got < 0)
            break; /* no child is left */
        kill_children();
        (void)usleep(1000);
    }
    errno = saved;
}

#else

void orphans_adopt(void)
{
}

void orphans_end(void)
{
}

#endif
