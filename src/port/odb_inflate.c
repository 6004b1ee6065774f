#include <limits.h>

#include "base/own.h"
#include "base/stop.h"
#include "port/odb_store.h"

static _Noreturn void out_of_memory(void)
{
    own_stop("out of memory");
}

void inflater_start(struct inflater *inflater, source_bytes *source, void *context, uint64_t offset)
{
    inflater->stream.next_in = Z_NULL;
    inflater->stream.avail_in = 0;
    if (!inflater->ready) {
        inflater->stream.zalloc = Z_NULL;
        inflater->stream.zfree = Z_NULL;
        inflater->stream.opaque = Z_NULL;
        if (inflateInit(&inflater->stream) != Z_OK)
            out_of_memory();
        inflater->ready = true;
    } else {
        (void)inflateReset(&inflater->stream);
    }
    inflater->ended = false;
    inflater->source = source;
    inflater->context = context;
    inflater->offset = offset;
}

void inflater_release(struct inflater *inflater)
{
    if (inflater->ready)
        (void)inflateEnd(&inflater->stream);
    inflater->ready = false;
}

static int refill(struct inflater *inflater, struct fail *fail)
{
    const uint8_t *data = NULL;
    size_t len = 0;
    if (inflater->source(inflater->context, inflater->offset, &data, &len, fail) < 0)
        return -1;
    if (len == 0)
        return fail_set(fail, FAIL_INPUT, "it is cut short");
    /* zlib does not write to its input; the cast is for versions without const. */
    inflater->stream.next_in = (Bytef *)(uintptr_t)data;
    inflater->stream.avail_in = len > UINT_MAX ? UINT_MAX : (uInt)len;
    inflater->offset += inflater->stream.avail_in;
    return 0;
}

static int step(struct inflater *inflater, int flush, struct fail *fail)
{
    int result = inflate(&inflater->stream, flush);
    switch (result) {
    case Z_OK:
        return 0;
    case Z_STREAM_END:
        inflater->ended = true;
        return 0;
    case Z_BUF_ERROR: /* no progress: wants input */
        return inflater->stream.avail_in == 0
                   ? 0
                   : fail_set(fail, FAIL_INPUT, "its compressed data is damaged");
    case Z_MEM_ERROR:
        out_of_memory();
    default:
        return fail_set(fail, FAIL_INPUT, "its compressed data is damaged: %s",
                        inflater->stream.msg ? inflater->stream.msg : "zlib error");
    }
}

static int read_some(struct inflater *inflater, void *out, size_t want, int flush, size_t *got,
                     struct fail *fail)
{
    size_t done = 0;
    while (done < want && !inflater->ended) {
        size_t room = want - done;
        uInt offered = room > UINT_MAX ? UINT_MAX : (uInt)room;
        if (inflater->stream.avail_in == 0 && refill(inflater, fail) < 0)
            return -1;
        inflater->stream.next_out = (Bytef *)out + done;
        inflater->stream.avail_out = offered;
        if (step(inflater, flush, fail) < 0)
            return -1;
        done += offered - inflater->stream.avail_out;
    }
    *got = done;
    return 0;
}

int inflater_read(struct inflater *inflater, void *out, size_t want, size_t *got, struct fail *fail)
{
    return read_some(inflater, out, want, Z_NO_FLUSH, got, fail);
}

int inflater_read_all(struct inflater *inflater, void *out, size_t room, size_t *got,
                      struct fail *fail)
{
    return read_some(inflater, out, room, Z_FINISH, got, fail);
}

int inflater_end(struct inflater *inflater, struct fail *fail)
{
    uint8_t surplus = 0;
    size_t got = 0;
    if (inflater_read(inflater, &surplus, 1, &got, fail) < 0)
        return -1;
    if (got != 0)
        return fail_set(fail, FAIL_INPUT, "it is longer than it says");
    return 0;
}

int inflater_to_sink(struct inflater *inflater, uint64_t len, odb_sink *sink, void *context,
                     struct fail *fail)
{
    size_t piece_len = len < STORE_PIECE ? (size_t)len : STORE_PIECE;
    own_mem uint8_t *piece = mem_new(piece_len, 1);
    for (uint64_t left = len; left > 0;) {
        size_t want = left < piece_len ? (size_t)left : piece_len;
        size_t got = 0;
        if (stop_check(fail) < 0 || inflater_read(inflater, piece, want, &got, fail) < 0)
            return -1;
        if (got != want)
            return fail_set(fail, FAIL_INPUT, "it is shorter than it says");
        if (sink(context, piece, got, fail) < 0)
            return -1;
        left -= got;
    }
    return inflater_end(inflater, fail);
}
