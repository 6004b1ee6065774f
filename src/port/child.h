/*
 * Purpose: run other programs with a closed environment, a time limit and
 *     captured output, several at once.
 *
 * Layer: port.
 *
 * Calling sequence: fill a `struct child` per program (spec fields), call
 *     child_run_all(); read the result fields. Standard input is /dev/null;
 *     stdout and stderr are captured in `output` and `errors` (or both in
 *     `output` with `merge`). Every child leads its own process group, which is
 *     killed when the time is over, when a signal asks us to stop, and when
 *     hallmark dies (Linux: PR_SET_PDEATHSIG). What a child leaves running does
 *     not outlive it; on Linux that holds outside its process group too.
 *
 * Ownership: specs are borrowed; results are released by child_release().
 *
 * Errors: FAIL_SYSTEM when a process cannot be made, FAIL_SIGNAL when we are
 *     asked to stop. A child that ran and failed is not an error here: look at
 *     child_succeeded(), and let child_fail() make the failure (FAIL_CHILD).
 *
 * Determinism: results are in the order of the specs, not of completion.
 */
#ifndef HALLMARK_PORT_CHILD_H
#define HALLMARK_PORT_CHILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"

#define CHILD_OUTPUT_MAX (1u << 20) /* bytes kept of each stream */

struct child {
    /* the specification */
    const char *program;     /* absolute path */
    const char *const *argv; /* NULL-terminated, argv[0] included */
    const char *const *envp; /* NULL-terminated "K=V"; the whole environment */
    const char *directory;   /* working directory; NULL: ours */
    unsigned limit_sec;      /* wall clock; 0: none */
    uint64_t memory_max;     /* bytes of address space, not on macOS; 0: as for us */
    uint64_t file_max;       /* bytes of each file that it writes; 0: as for us */
    bool merge;              /* stderr into output */
    /* Where the kernel can (Landlock), only these directories may be written, and only these
     * and `readable` be read; NULL: not narrowed. NULL-terminated; what does not exist is passed
     * over. `confined` tells whether it was done. */
    const char *const *writable;
    const char *const *readable;
    /* the result */
    int exit_code; /* -1 when it did not exit by itself */
    int signal;    /* that killed it, 0 when none */
    bool timed_out;
    bool confined;
    struct buf output;
    struct buf errors;
};

/* Runs `count` children, at most `parallel` at a time (0: as many as there are processors). */
int child_run_all(struct child *children, size_t count, unsigned parallel,
                  struct fail *fail) must_check;

/* One child. */
int child_run(struct child *child, struct fail *fail) must_check;

bool child_succeeded(const struct child *child);

/*
 * Makes the failure of a child that did not succeed: "clang exited with status 1",
 * "... was killed by SIGSEGV", "... ran longer than 60 s and was killed", with what it
 * printed attached. Returns -1.
 */
int child_fail(const struct child *child, struct fail *fail);

void child_release(struct child *child);

#endif
