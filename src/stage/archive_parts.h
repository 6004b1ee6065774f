/*
 * Purpose: what the parts of the archive stage share: the path arguments (archive_paths.c), the
 *     settings of the repository (archive_settings.c), the content of files (archive_file.c),
 *     and the walk that uses them (archive.c).
 *
 * Layer: stage (a part of archive).
 *
 * Calling sequence: only archive.c and its parts use this.
 *
 * Ownership: struct tarball borrows the request; what it owns, tarball_release() in archive.c
 *     frees.
 *
 * Errors: as archive.h says.
 *
 * Determinism: as archive.h says.
 */
#ifndef HALLMARK_STAGE_ARCHIVE_PARTS_H
#define HALLMARK_STAGE_ARCHIVE_PARTS_H

#include "base/buf.h"
#include "format/gitattr.h"
#include "format/gitsubst.h"
#include "format/gtar.h"
#include "stage/archive.h"

/* A longer path than any system takes; git has no limit of its own. */
#define TARBALL_PATH_MAX 65536u
/* Directories in each other; newer git stops there too. */
#define TARBALL_DEPTH_MAX 2048u

/* One path argument, without "." and ".." and doubled or trailing slashes. */
struct tarball_path {
    char *text; /* "" stands for everything */
    size_t len;
    bool directory; /* it ended in "/": files do not match */
};

struct tarball_paths {
    struct tarball_path *list;
    size_t count;
};

enum tarball_match {
    TARBALL_NO,
    TARBALL_ON_THE_WAY, /* a directory that has something that was asked for below it */
    TARBALL_YES,
};

int tarball_paths_parse(struct tarball_paths *out, const char *const *paths, size_t count,
                        struct fail *fail) must_check;
void tarball_paths_release(struct tarball_paths *paths);

/* Each path must match something in the tree. */
int tarball_paths_check(const struct tarball_paths *paths, struct odb *odb,
                        const struct odb_id *tree, struct fail *fail) must_check;

/* `path` has no "/" at its end; `directory` is a tree or a submodule. */
enum tarball_match tarball_paths_match(const struct tarball_paths *paths, const char *path,
                                       size_t len, bool directory);

/* Settings of the repository that would change what git writes for some files. */
struct tarball_settings {
    bool eol;         /* core.autocrlf or core.eol turns line endings of text */
    bool ignore_case; /* core.ignorecase */
    bool big_file;    /* core.bigFileThreshold: which files are too big to be converted */
};

int tarball_settings_read(struct tarball_settings *out, struct odb *odb, enum archive_format format,
                          struct fail *fail) must_check;

struct tarball {
    const struct archive_request *request;
    struct odb *odb;
    struct tarball_settings settings;
    struct tarball_paths paths;
    struct gitattr attr;
    struct gtar tar;
    struct gitsubst_commit subst;
    struct buf path;    /* prefix and path of the current entry */
    size_t prefix_len;  /* of the prefix in it */
    struct buf content; /* of the current file; kept for its memory */
};

/* Writes a regular file with that attributes; the path is in tarball->path. */
int tarball_file(struct tarball *tarball, const struct odb_entry *entry,
                 const struct gitattr_value values[GITATTR_COUNT], struct fail *fail) must_check;

/* The path of the current entry without the prefix. */
const char *tarball_shown(const struct tarball *tarball);

#endif
