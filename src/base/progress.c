#include "base/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/own.h"

struct progress progress_start(const char *command, bool quiet)
{
    struct progress progress = {
        .command = command, .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
    clock_gettime(CLOCK_MONOTONIC, &progress.started);
    return progress;
}

static double elapsed(const struct progress *progress)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - progress->started.tv_sec) +
           (double)(now.tv_nsec - progress->started.tv_nsec) / 1e9;
}

void progress_stage(struct progress *progress, const char *stage, const char *format, ...)
{
    if (progress == NULL || progress->quiet)
        return;
    va_list args;
    va_start(args, format);
    own_mem char *raw = text_vprintf(format, args);
    va_end(args);
    own_mem char *item = text_clean(raw);
    if (progress->terminal) {
        fprintf(stderr, "\r\033[K%s: %-10s %5.1f s  %.100s", progress->command, stage,
                elapsed(progress), item);
        fflush(stderr);
        progress->open = true;
    } else {
        fprintf(stderr, "%s: %-10s %s\n", progress->command, stage, item);
    }
}

void progress_end(struct progress *progress)
{
    if (progress != NULL && progress->open) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->open = false;
    }
}

void progress_warn(struct progress *progress, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *raw = text_vprintf(format, args);
    va_end(args);
    own_mem char *text = text_clean(raw);
    progress_end(progress);
    fflush(stdout); /* as fail_print() */
    fprintf(stderr, "hallmark: %s: warning: %s\n", progress == NULL ? "" : progress->command, text);
}
