/*
 * Purpose: the bundle around a Mach-O file, as far as the signature of its executable seals it:
 *     Info.plist and the list of resources; and what to say of a bundle where a file is expected.
 *
 * Layer: stage.
 *
 * Calling sequence:
 *         own_check_bundle struct check_bundle bundle = {0};
 *         if (check_bundle_open(&bundle, path, &fail) < 0) ...
 *         check_bundle_give(&options, &bundle);
 *         sigcheck_verify(&findings, &image, &options);
 *     before a file is opened: if (check_bundle_refuse(path, &fail) < 0) ...
 *
 * Ownership: a check_bundle keeps its files mapped; own_check_bundle releases them.
 *
 * Errors: FAIL_SYSTEM and FAIL_INPUT: a path that cannot be resolved, a file of the bundle that is
 *     there and cannot be read. A file that is not there is none.
 */
#ifndef HALLMARK_STAGE_CHECK_BUNDLE_H
#define HALLMARK_STAGE_CHECK_BUNDLE_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/fs.h"
#include "macho/sigcheck.h"

/* The two files of a bundle that the signature of its main executable seals. */
struct check_bundle {
    bool there; /* the file lies where the executable of a bundle does */
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

/* Sets what slots 1 and 3 may seal; the options must not outlive the bundle. */
void check_bundle_give(struct sigcheck_options *options, const struct check_bundle *bundle);

/* Which of the two a signature seals otherwise than they are, or although they are not there. */
struct check_bundle_broken {
    bool info_plist, resources;
};

/* Of the signatures of all slices; FAIL_INPUT for a file or a signature that cannot be read. */
int check_bundle_compare(struct check_bundle_broken *out, const struct check_bundle *bundle,
                         struct view file, struct fail *fail) must_check;

/* FAIL_INPUT for a directory that is a bundle: the message names the Mach-O file in it when it is
 * the only regular file where such files are, or called like the bundle, else where it would be.
 * Every other path is none of its business. */
int check_bundle_refuse(const char *path, struct fail *fail) must_check;

#endif
