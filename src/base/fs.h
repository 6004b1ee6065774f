/*
 * Purpose: files and directories that appear whole or not at all; contained
 *     paths; bounded reading.
 *
 * Layer: base.
 *
 * Calling sequence, one file:
 *         fs_write_new("out.dylib", data, len, 0755, FS_NO_REPLACE, &fail)
 *     a file written in pieces:
 *         own_fs_new struct fs_new file = FS_NEW_INIT;
 *         fs_new_open(&file, path, mode, &fail); write to file.fd ...;
 *         fs_new_publish(&file, FS_NO_REPLACE, &fail)
 *     a directory:
 *         own_fs_stage struct fs_stage stage = FS_STAGE_INIT;
 *         fs_stage_open(&stage, "dist/x", &fail); create files under stage.fd;
 *         fs_stage_publish(&stage, &fail)
 *     scratch space, removed with its owner:
 *         own_fs_scratch struct fs_scratch scratch = FS_SCRATCH_INIT;
 *
 * Ownership: owners remove what was not published, and close descriptors.
 *
 * Errors: FAIL_REFUSED when the target exists (also when it appears while we
 *     work), FAIL_INPUT for a file to be read that is not there, or not what it
 *     must be (a directory, too large), FAIL_SYSTEM for everything else that the system refuses.
 *
 * Determinism: modes are set explicitly (umask has no influence); fs_list()
 *     sorts by bytes.
 */
#ifndef HALLMARK_BASE_FS_H
#define HALLMARK_BASE_FS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

/* Reads a regular file whole (symbolic links are followed); larger than `max_len`: FAIL_INPUT. */
int fs_read(struct buf *out, const char *path, uint64_t max_len, struct fail *fail) must_check;

/* The same below a directory; the last component must not be a symbolic link. */
int fs_read_at(struct buf *out, int dir_fd, const char *name, uint64_t max_len,
               struct fail *fail) must_check;

/*
 * A regular file mapped for reading. A file that shrinks while it is mapped
 * stops the process with exit code 7 (SIGBUS), never with wrong data.
 */
struct fs_map {
    struct view view;
};
#define own_fs_map __attribute__((cleanup(fs_map_release)))
int fs_map_open(struct fs_map *out, const char *path, struct fail *fail) must_check;
int fs_map_open_at(struct fs_map *out, int dir_fd, const char *name, struct fail *fail) must_check;
void fs_map_release(struct fs_map *map);

/*
 * The system may take back the memory of these bytes of a mapped file; they can still be read, and
 * are fetched again then. For who goes through a large file once, so that what is resident does
 * not grow with it. Other memory than a mapped file's is left alone; any thread may call.
 */
void fs_map_forget(struct view view);

/* Writes all bytes, through short writes and EINTR; -1 with errno. */
int fs_write_all(int fd, const void *data, size_t len) must_check;

/* Whether a file is there: 1, 0, or -1 with a failure. Symbolic links are not followed. */
int fs_exists(const char *path, struct fail *fail) must_check;

enum fs_replace { FS_NO_REPLACE, FS_REPLACE };

/* Creates `path` whole or not at all. */
int fs_write_new(const char *path, const void *data, size_t len, mode_t mode,
                 enum fs_replace replace, struct fail *fail) must_check;

struct fs_new {
    int fd;
    int dir_fd;
    char *path;      /* the target as the user named it */
    char *name;      /* its last component */
    char *temporary; /* the name it has meanwhile, in the same directory */
    int number;      /* in the list of temporaries */
    bool published;
};
#define FS_NEW_INIT                          \
    {                                        \
        .fd = -1, .dir_fd = -1, .number = -1 \
    }
#define own_fs_new __attribute__((cleanup(fs_new_release)))
int fs_new_open(struct fs_new *file, const char *path, mode_t mode, struct fail *fail) must_check;
int fs_new_publish(struct fs_new *file, enum fs_replace replace, struct fail *fail) must_check;
void fs_new_release(struct fs_new *file);

/* Creates a file below a directory descriptor that is itself unpublished: no rename. */
int fs_create_at(int dir_fd, const char *name, const void *data, size_t len, mode_t mode,
                 struct fail *fail) must_check;

/* Creates the parent directories of `path` below dir_fd, mode 0755, following no links. */
int fs_make_parents_at(int dir_fd, const char *path, struct fail *fail) must_check;

/* The same, and the innermost of them open; -1 on failure. Close the descriptor. */
int fs_open_parents_at(int dir_fd, const char *path, struct fail *fail) must_check;

struct fs_stage {
    int fd;        /* the staging directory, open for *at() calls */
    int parent_fd; /* the directory that holds it and will hold the target */
    char *path;    /* the target as the user named it */
    char *name;    /* its last component */
    char *temporary;
    int number;
    bool published;
};
#define FS_STAGE_INIT                           \
    {                                           \
        .fd = -1, .parent_fd = -1, .number = -1 \
    }
#define own_fs_stage __attribute__((cleanup(fs_stage_release)))
/* Makes a sibling directory of `path`; FAIL_REFUSED when path exists. */
int fs_stage_open(struct fs_stage *stage, const char *path, struct fail *fail) must_check;
/* fsync of all files, no-replace rename, fsync of the parent. */
int fs_stage_publish(struct fs_stage *stage, struct fail *fail) must_check;
void fs_stage_release(struct fs_stage *stage);

struct fs_scratch {
    int fd;
    char *path; /* absolute */
    int number;
    bool keep; /* leave it there; the caller tells the user where */
};
#define FS_SCRATCH_INIT        \
    {                          \
        .fd = -1, .number = -1 \
    }
#define own_fs_scratch __attribute__((cleanup(fs_scratch_release)))
/* A private directory (mode 0700) below $TMPDIR or /tmp. */
int fs_scratch_open(struct fs_scratch *scratch, struct fail *fail) must_check;
void fs_scratch_release(struct fs_scratch *scratch);

enum fs_kind { FS_FILE, FS_DIRECTORY, FS_SYMLINK, FS_OTHER };
struct fs_entry {
    char *path; /* relative to where the listing began, "/" between components */
    enum fs_kind kind;
    mode_t mode; /* permission bits */
    uint64_t len;
};
struct fs_listing {
    struct fs_entry *list;
    size_t count;
    size_t capacity;
};
#define own_fs_listing __attribute__((cleanup(fs_listing_release)))
/* All entries below dir_fd, recursively, sorted by bytes of the path; follows no links;
 * more than `max_count` entries: FAIL_INPUT. */
int fs_list(struct fs_listing *out, int dir_fd, size_t max_count, struct fail *fail) must_check;
void fs_listing_release(struct fs_listing *listing);

/* Removes a file or a whole tree below dir_fd, following no links; missing is success. */
int fs_remove_tree_at(int dir_fd, const char *name);

/*
 * A relative path that stays inside: not empty, no leading "/", no "." or ".."
 * or empty component, no component ".git" in any case or with the alternate
 * spellings that file systems fold to it, no NUL, control byte, backslash or colon.
 */
bool fs_path_contained(const char *path);

/* The folder of a path: "a/b" of "a/b/c", "" of "c". Free the result. */
char *fs_path_folder(const char *path);

/* Joins `base` (a directory path, may be "") and a relative path that may begin with "../"
 * and normalises; NULL when the result leaves the root. Free the result. */
char *fs_path_join(const char *base, const char *relative);

#endif
