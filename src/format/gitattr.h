/*
 * Purpose: git attributes: the lines of .gitattributes files and what they say of a path, with
 *     git's precedence, macros and wildcards.
 *
 * Layer: format.
 *
 * Calling sequence: one frame for each directory on the way, the root first:
 *         struct gitattr attr = {0};                           // own_gitattr
 *         gitattr_push(&attr, "", 0, root_bytes, root_len, &fail)
 *         gitattr_push(&attr, "a/b", 3, bytes, len, &fail)     // a directory without the file
 *         gitattr_find(values, &attr, "a/b/c.txt", 9)          //   needs no frame
 *         gitattr_pop(&attr)
 *     The path of a directory or submodule ends in "/". Paths must lie below the directories of
 *     all frames.
 *
 * Ownership: frames copy what they keep; the texts of values live until the frame is popped.
 *     own_gitattr / gitattr_release() frees.
 *
 * Errors: FAIL_INPUT for a file of more than GITATTR_FILE_MAX bytes. A line that git ignores
 *     (too long, a bad name, a negative pattern, a macro below the root) is ignored here too.
 *
 * Determinism: pure over its arguments. System, user and $GIT_DIR attributes are never read.
 */
#ifndef HALLMARK_FORMAT_GITATTR_H
#define HALLMARK_FORMAT_GITATTR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

#define GITATTR_FILE_MAX 4194304u
#define GITATTR_LINE_MAX 2048u /* git ignores lines of this length and more */

enum gitattr_name {
    GITATTR_EXPORT_IGNORE,
    GITATTR_EXPORT_SUBST,
    GITATTR_TEXT,
    GITATTR_CRLF,
    GITATTR_EOL,
    GITATTR_IDENT,
    GITATTR_FILTER,
    GITATTR_ENCODING,
    GITATTR_COUNT,
};

enum gitattr_state { GITATTR_UNKNOWN, GITATTR_UNSET, GITATTR_FALSE, GITATTR_TRUE, GITATTR_TEXTUAL };

struct gitattr_value {
    enum gitattr_state state; /* GITATTR_UNKNOWN: nothing was said */
    const char *text;         /* of GITATTR_TEXTUAL */
};

struct gitattr_pattern;
struct gitattr_frame;

struct gitattr {
    struct gitattr_frame *frames;
    size_t frame_count;
    size_t frame_capacity;
    struct gitattr_names *names;
    bool fold; /* also match as core.ignorecase would, and say in `doubtful` if that differs */
    bool doubtful;
};

#define own_gitattr __attribute__((cleanup(gitattr_release)))

/* The file of directory `path` (no "/" at its end; "" for the root, which must come first). */
int gitattr_push(struct gitattr *attr, const char *path, size_t path_len, const void *data,
                 size_t len, struct fail *fail) must_check;
void gitattr_pop(struct gitattr *attr);

void gitattr_find(struct gitattr_value out[GITATTR_COUNT], struct gitattr *attr, const char *path,
                  size_t path_len);

void gitattr_release(struct gitattr *attr);

#endif
