/*
 * Purpose: the second half of an archive, in a thread of its own: the tar bytes are digested,
 *     compressed when asked for, digested again and handed to the sink, while the caller's
 *     thread reads the next objects.
 *
 * Layer: stage (a part of archive; no stage of its own).
 *
 * Calling sequence:
 *         own_tarball_pipe struct tarball_pipe *pipe = NULL;
 *         tarball_pipe_start(&pipe, gzip, digests, sink, context, &fail)
 *         tarball_pipe_write(pipe, data, len, &fail) ...
 *         tarball_pipe_finish(pipe, &result, &fail)
 *
 * Ownership: own_tarball_pipe ends the thread and frees; the sink is called from that thread
 *     only, and never after finish or release.
 *
 * Errors: what the sink or the compressor reports, at the next write or at finish.
 *
 * Determinism: the bytes do not depend on how the threads run.
 */
#ifndef HALLMARK_STAGE_ARCHIVE_PIPE_H
#define HALLMARK_STAGE_ARCHIVE_PIPE_H

#include <stdbool.h>

#include "stage/archive.h"

struct tarball_pipe;
#define own_tarball_pipe __attribute__((cleanup(tarball_pipe_release)))

int tarball_pipe_start(struct tarball_pipe **out, bool gzip, bool digests, archive_sink *sink,
                       void *context, struct fail *fail) must_check;

/* Has the type of a gtar_sink: `pipe` is a struct tarball_pipe. */
int tarball_pipe_write(void *pipe, const void *data, size_t len, struct fail *fail) must_check;

int tarball_pipe_finish(struct tarball_pipe *pipe, struct archive_result *result,
                        struct fail *fail) must_check;

void tarball_pipe_release(struct tarball_pipe **pipe);

#endif
