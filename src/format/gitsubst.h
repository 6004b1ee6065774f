/*
 * Purpose: export-subst: `$Format:...$` in a file is replaced by what the placeholders say of
 *     the commit, as `git log --format` prints them.
 *
 * Layer: format.
 *
 * Calling sequence: fill a struct gitsubst_commit, then gitsubst_expand() for each file.
 *
 * Ownership: borrows the commit's texts and the content; output is appended to the caller's
 *     buffer.
 *
 * Errors: FAIL_INPUT for a placeholder that is not supported, or whose answer git itself does not
 *     define: the message names the placeholder, the caller adds the file.
 *
 * Placeholders: %H %T %P; %an %ae %al %ad %aD %at %ai %aI %as and the same with c for the
 *     committer; %s %f %b %B %n %% %xHH. Refused are: abbreviated ids (%h %t %p) and names of
 *     references (%d %D %S, %(describe)), which change while the repository grows; what depends
 *     on the clock (%ar, %ah), on a mailmap (%aN, %aE, %aL), on notes, signatures or colours; and
 *     padding and wrapping.
 *
 * Versions: of git 2.39. Later ones write %aI and %cI of a time in UTC with "Z" instead of
 *     "+00:00".
 *
 * Determinism: pure over its arguments; no time zone, locale or clock.
 */
#ifndef HALLMARK_FORMAT_GITSUBST_H
#define HALLMARK_FORMAT_GITSUBST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"

struct gitsubst_person {
    bool valid; /* a line of the usual form; else nothing of it can be printed */
    const char *name;
    const char *email;
    int64_t time;   /* seconds since 1970 */
    int offset_min; /* east of UTC */
};

struct gitsubst_commit {
    const char *id;
    const char *tree;
    const char *parents; /* separated by one blank; NULL when git would show others */
    struct gitsubst_person author;
    struct gitsubst_person committer;
    const char *encoding; /* of the message; NULL is UTF-8 */
    const char *message;
    size_t message_len;
};

/* Whether there is anything to replace. */
bool gitsubst_needed(const void *data, size_t len);

/* More than max_len bytes of result: FAIL_INPUT. */
int gitsubst_expand(struct buf *out, const void *data, size_t len,
                    const struct gitsubst_commit *commit, size_t max_len,
                    struct fail *fail) must_check;

#endif
