/*
 * Purpose: a directory against its SHA256SUMS, both ways: each line has its
 *     file, each file has its line.
 *
 * Layer: stage; used by release directories and by `hallmark sums`.
 *
 * Calling sequence: sums_dir_open(), sums_dir_check(); or sums_dir_write().
 *
 * Ownership: the struct owns all that it holds.
 *
 * Errors: FAIL_INPUT when the path is no directory. Findings:
 *       sums.malformed        SHA256SUMS is missing or cannot be read
 *       sums.mismatch         a file has another digest than its line says
 *       sums.missing          a listed file is not there
 *       sums.unlisted         a file is there that no line names
 *       sums.not-regular      a symbolic link, a device, ...
 *
 * Determinism: findings are in the order of the names.
 *
 * Outside of the sums, always: SHA256SUMS itself, and what is below attestations/ (it tells of
 * one occasion, and is added to later).
 */
#ifndef HALLMARK_STAGE_SUMS_DIR_H
#define HALLMARK_STAGE_SUMS_DIR_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/finding.h"
#include "base/fs.h"
#include "format/sums.h"

#define SUMS_OUTSIDE "attestations"

struct sums_dir {
    const char *path;
    int fd;
    bool partial; /* files that are listed need not be there */
    struct fs_listing listing;
    struct sums sums;
    bool has_sums;
    char sums_sha256[65];
};

#define SUMS_DIR_INIT \
    {                 \
        .fd = -1      \
    }
#define own_sums_dir __attribute__((cleanup(sums_dir_release)))
void sums_dir_release(struct sums_dir *dir);

/* Opens and lists. */
int sums_dir_open(struct sums_dir *dir, const char *path, struct fail *fail) must_check;

/* Reads SHA256SUMS and compares. */
int sums_dir_check(struct sums_dir *dir, struct findings *findings, struct fail *fail) must_check;

/* The entry of that name, or NULL. */
const struct fs_entry *sums_dir_find(const struct sums_dir *dir, const char *name);

/* Reads one of the files; what goes wrong is a finding with that id. 1 read, 0 finding, -1. */
int sums_dir_read(struct buf *out, const struct sums_dir *dir, struct findings *findings,
                  const char *id, const char *name, uint64_t max_len, struct fail *fail) must_check;

/*
 * Writes SHA256SUMS of all regular files below the directory; *count is how many. FAIL_REFUSED
 * when it is there, FAIL_INPUT for what cannot be summed (links, special files, no files).
 */
int sums_dir_write(size_t *count, const char *path, struct fail *fail) must_check;

#endif
