/*
 * Purpose: why a job could not be done: exit code, message, the chain of
 *     "while ..." contexts, a hint, and the output of a child that failed.
 *     (An artifact that is bad is not a failure but a finding: finding.h.)
 *
 * Layer: base.
 *
 * Calling sequence: the caller owns a zeroed `struct fail` and hands it down
 *     as the last parameter. Who detects the problem calls fail_set() or
 *     fail_errno() once and returns its -1; everybody on the way up may call
 *     fail_while() and returns -1 too. main prints and releases it.
 *         own_fail struct fail fail = {0};
 *         if (job(&fail) < 0)
 *             fail_print(&fail, "sign", stderr);
 *
 * Ownership: all strings are copies that the struct owns; fail_release() frees.
 *
 * Errors: none of its own; running out of memory stops the process (own.h).
 *
 * Determinism: the text depends on the arguments and on strerror() only.
 */
#ifndef HALLMARK_BASE_FAIL_H
#define HALLMARK_BASE_FAIL_H

#include <stdarg.h>
#include <stdio.h>

#include "base/own.h"

/* The process exit codes; EXIT_FINDINGS is set by commands, not by failures. */
enum fail_code {
    FAIL_NONE = 0,
    FAIL_USAGE = 2,    /* the command line is wrong */
    FAIL_INPUT = 3,    /* a file, revision, recipe, policy or Mach-O is invalid */
    FAIL_PIN = 4,      /* the pinned toolchain is missing or another one */
    FAIL_CHILD = 5,    /* a child process failed */
    FAIL_REFUSED = 6,  /* the output is there already */
    FAIL_SYSTEM = 7,   /* system call, I/O or memory */
    FAIL_BUG = 70,     /* a bug in hallmark */
    FAIL_SIGNAL = 128, /* a signal asked us to stop; main raises it again (stop.h) */
};

#define EXIT_FINDINGS 1

struct fail {
    enum fail_code code;
    int sys_errno;  /* errno at the time of detection, 0 when none */
    char *message;  /* lower case, problem first, subject quoted, no full stop */
    char **context; /* "while ..." lines, innermost first */
    size_t context_count;
    char *hint;   /* one line: what to do; NULL when there is nothing */
    char *output; /* what a failed child printed; NULL when none */
};

#define own_fail __attribute__((cleanup(fail_release)))

/* Sets code and message; always returns -1. A second call is a bug and is ignored. */
int fail_set(struct fail *fail, enum fail_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Like fail_set() with FAIL_SYSTEM; appends ": <strerror(errno)>" and keeps errno. */
int fail_errno(struct fail *fail, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for what the user named: FAIL_INPUT when errno says that it names nothing. */
int fail_named(struct fail *fail, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds one context line, without the word "while"; always returns -1. */
int fail_while(struct fail *fail, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the hint unless an inner layer has set one; always returns -1. */
int fail_hint(struct fail *fail, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Attaches what a child printed (copied); always returns -1. */
int fail_output(struct fail *fail, const char *data, size_t len);

/* Compilers and analyzers cannot see that -1 in another file: this shows it where the call is. */
static inline int fail_minus_one(int result)
{
    (void)result;
    return -1;
}
#define fail_set(...)    fail_minus_one(fail_set(__VA_ARGS__))
#define fail_errno(...)  fail_minus_one(fail_errno(__VA_ARGS__))
#define fail_named(...)  fail_minus_one(fail_named(__VA_ARGS__))
#define fail_while(...)  fail_minus_one(fail_while(__VA_ARGS__))
#define fail_hint(...)   fail_minus_one(fail_hint(__VA_ARGS__))
#define fail_output(...) fail_minus_one(fail_output(__VA_ARGS__))

/* Prints "hallmark: COMMAND: message", contexts and hint; COMMAND may be NULL. In front of what goes to
 * stderr, stdout is flushed. */
void fail_print(const struct fail *fail, const char *command, FILE *stream);

/* Moves a failure to a struct that holds none; `from` is empty then. Always returns -1. */
int fail_move(struct fail *to, struct fail *from);

/* Forgets the failure, so that the struct can be used again. */
void fail_release(struct fail *fail);

#endif
