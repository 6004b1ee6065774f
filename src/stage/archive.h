/*
 * Purpose: the bytes of `git archive` (tar and tar.gz) for one commit, with their digests.
 *
 * Layer: stage.
 *
 * Calling sequence (functions are called tarball_*, since libarchive exports archive_*):
 *         struct archive_request request = {.odb = odb, .revision = "v1.0", .prefix = "x-1.0/"};
 *         tarball_write(&result, &request, sink, context, &fail)
 *
 * Ownership: everything in the request is borrowed. The sink is called from another thread than
 *     the caller's, never from two at once, and not after tarball_write() has returned.
 *
 * Errors: FAIL_USAGE for a path that is no plain path; FAIL_INPUT for a revision that is no
 *     commit, a path that matches nothing, and everything whose bytes git would take from
 *     elsewhere than the commit (hallmark.1 lists these); FAIL_SYSTEM; FAIL_SIGNAL.
 *     After a failure the sink may have got a part of the archive: throw it away.
 *
 * Determinism: the tar depends on the commit, the prefix and the paths alone; the gzip also on
 *     the zlib that is installed. Settings of the user (core.autocrlf, tar.umask, an attributes
 *     file of their own) are not looked at; where one in the repository itself would change what
 *     git writes, the archive is refused.
 */
#ifndef HALLMARK_STAGE_ARCHIVE_H
#define HALLMARK_STAGE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "port/digest.h"
#include "port/odb.h"

enum archive_format { ARCHIVE_FORMAT_TAR, ARCHIVE_FORMAT_TAR_GZ };

struct archive_request {
    struct odb *odb;
    const char *revision;     /* a commit, or a tag of one */
    const char *prefix;       /* put before every path as it is; NULL or "" for none */
    const char *const *paths; /* from the root of the tree; none: everything */
    size_t path_count;
    enum archive_format format;
    bool digests; /* whether the SHA-256 of both are wanted */
};

struct archive_result {
    char commit[ODB_ID_HEX];
    char tar_sha256[SHA256_HEX]; /* "" without `digests` */
    char gz_sha256[SHA256_HEX];  /* "" without `digests` or for a plain tar */
    uint64_t tar_len;
    uint64_t gz_len;
};

typedef int archive_sink(void *context, const void *data, size_t len, struct fail *fail);

int tarball_write(struct archive_result *out, const struct archive_request *request,
                  archive_sink *sink, void *context, struct fail *fail) must_check;

#endif
