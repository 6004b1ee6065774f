/*
 * Purpose: git's wildcards: "*", "?", "[...]", "\" and "**", matched against raw bytes.
 *
 * Layer: format.
 *
 * Calling sequence: gitmatch(pattern, pattern_len, text, text_len, GITMATCH_PATH)
 *
 * Ownership: borrows for the time of the call.
 *
 * Errors: none; a malformed pattern ("[" without an end, an unknown class) matches nothing.
 *
 * Determinism: pure; the time is at most proportional to the square of the text's length times
 *     the pattern's, without recursion, so that a hostile pattern cannot hang a run.
 */
#ifndef HALLMARK_FORMAT_GITMATCH_H
#define HALLMARK_FORMAT_GITMATCH_H

#include <stdbool.h>
#include <stddef.h>

enum gitmatch_flags {
    GITMATCH_PLAIN = 0, /* "*" and "?" match "/" too (pathspecs) */
    GITMATCH_PATH = 1,  /* they do not; "**" between slashes matches any number of directories */
    /* Upper and lower case ASCII letters are the same. */
    GITMATCH_FOLD = 2,
};

bool gitmatch(const char *pattern, size_t pattern_len, const char *text, size_t text_len,
              unsigned flags);

/*
 * The same; sets *doubtful when, under GITMATCH_FOLD, a bracket met a letter whose two cases it
 * treats differently.
 */
bool gitmatch_fold(const char *pattern, size_t pattern_len, const char *text, size_t text_len,
                   unsigned flags, bool *doubtful);

/* Bytes before the first of * ? [ \, or all `len`. */
size_t gitmatch_literal_len(const char *pattern, size_t len);

#endif
