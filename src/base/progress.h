/*
 * Purpose: tell who waits what is going on: one line a stage, or, on a
 *     terminal, one line that is rewritten, with the time that has passed.
 *
 * Layer: base.
 *
 * Calling sequence:
 *         struct progress progress = progress_start("release", quiet);
 *         progress_stage(&progress, "compile", "%zu artifacts", n);
 *         progress_end(&progress);
 *     A NULL progress is silent.
 *
 * Errors: none; what cannot be written to stderr is lost.
 *
 * Determinism: stderr only; nothing of it reaches a released byte.
 */
#ifndef HALLMARK_BASE_PROGRESS_H
#define HALLMARK_BASE_PROGRESS_H

#include <stdbool.h>
#include <time.h>

struct progress {
    const char *command;
    bool quiet;
    bool terminal; /* stderr is one: rewrite the line */
    bool open;     /* a line without its newline is on the terminal */
    struct timespec started;
};

struct progress progress_start(const char *command, bool quiet);
void progress_stage(struct progress *progress, const char *stage, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line that stays, also with `quiet`: "hallmark: COMMAND: warning: ...". */
void progress_warn(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Clears the line of a terminal; to be called before anything else is printed. */
void progress_end(struct progress *progress);

#endif
