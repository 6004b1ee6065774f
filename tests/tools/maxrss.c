/*
 * maxrss FILE COMMAND...: runs the command and writes the largest size that it had in memory, in
 * KiB, to FILE. Ends with the command's exit status.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system.h"

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 126;
    struct rusage usage = {0};
    getrusage(RUSAGE_CHILDREN, &usage);
    FILE *out = fopen(argv[1], "w");
    if (out == NULL)
        return 126;
    fprintf(out, "%ld\n", SYSTEM_MACOS ? usage.ru_maxrss / 1024 : usage.ru_maxrss);
    fclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
