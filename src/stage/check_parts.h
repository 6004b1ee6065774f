/*
 * Purpose: the parts of check.c: a single Mach-O file.
 *
 * Layer: stage, private to check*.c.
 *
 * Calling sequence: check_path() calls check_file() for what is no directory.
 *
 * Ownership, Errors: see check.h.
 */
#ifndef HALLMARK_STAGE_CHECK_PARTS_H
#define HALLMARK_STAGE_CHECK_PARTS_H

#include "stage/check.h"

/* One Mach-O file, thin or universal. */
int check_file(struct findings *findings, const struct check *check, const char *path,
               struct fail *fail) must_check;

#endif
