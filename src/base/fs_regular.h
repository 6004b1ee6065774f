/*
 * Purpose: opening what is to be read or mapped.
 *
 * Layer: base, private to fs*.c.
 *
 * Calling sequence, Ownership: close the descriptor that is returned.
 *
 * Errors: see fs.h; -1.
 *
 * Determinism: no output.
 */
#ifndef HALLMARK_BASE_FS_REGULAR_H
#define HALLMARK_BASE_FS_REGULAR_H

#include <sys/stat.h>

#include "base/fail.h"

/* Opens for reading and refuses what is not a regular file (a pipe would block). `more_flags` of
 * open(). */
int fs_open_regular(struct stat *info, int dir_fd, const char *name, int more_flags,
                    struct fail *fail) must_check;

#endif
