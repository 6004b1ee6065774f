/*
 * Purpose: what the stages share about the layout of the scratch directory.
 *
 * Layer: stage.
 *
 * Layout of the scratch directory, which is $WORK in the record:
 *     tree/   the files of the revision, under their paths; compilers run here
 *     sdk/    the SDK of the pin, from the tree or from the installed data; Apple's stays where it is
 *     obj/    object and dependency files, one directory an artifact
 *     out/    linked artifacts under their final names
 *     witness/  copies of artifacts, for the second witnesses
 *     home/ tmp/   HOME and TMPDIR of the compilers
 *     release/     what audit derives
 */
#ifndef HALLMARK_STAGE_SCRATCH_H
#define HALLMARK_STAGE_SCRATCH_H

#define WORK_TREE    "tree"
#define WORK_SDK     "sdk"
#define WORK_OBJ     "obj"
#define WORK_OUT     "out"
#define WORK_WITNESS "witness"

/* How the SDK is named on command lines, seen from tree/: the same on every machine. */
#define WORK_SDK_FROM_TREE "../sdk"

/* What a file that git LFS stands in for begins with (specification of git-lfs, v1). */
#define LFS_POINTER_START "version https://git-lfs.github.com/spec/"

#endif
