/*
 * Purpose: the parts of check.c: a single Mach-O file, and what lies around it.
 *
 * Layer: stage, private to check*.c.
 *
 * Calling sequence: check_path() calls check_file() for what is no directory.
 *
 * Ownership: a check_bundle keeps its files mapped; own_check_bundle releases them.
 *
 * Errors, Determinism: see check.h.
 */
#ifndef HALLMARK_STAGE_CHECK_PARTS_H
#define HALLMARK_STAGE_CHECK_PARTS_H

#include "base/fs.h"
#include "stage/check.h"

/* One Mach-O file, thin or universal. */
int check_file(struct findings *findings, const struct check *check, const char *path,
               struct fail *fail) must_check;

/* The two files of a bundle that the signature of its main executable seals. */
struct check_bundle {
    bool has_info_plist, has_resources;
    struct fs_map info_plist;
    struct fs_map resources;
};

#define own_check_bundle __attribute__((cleanup(check_bundle_release)))
void check_bundle_release(struct check_bundle *bundle);

/*
 * Looks where they would be if the file at `path` were the executable of a bundle: X/Contents
 * around X/Contents/MacOS/file, Resources beside X.framework/Versions/V/file, and the folder of
 * X.app/file (also .framework, .bundle, .appex, .kext, .xpc and the like). Neither has to be there.
 */
int check_bundle_open(struct check_bundle *bundle, const char *path, struct fail *fail) must_check;

#endif
