#include "port/pack.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#define ZLIB_CONST /* input is const */
#include <zlib.h>

#define OUTPUT_LEN (64u << 10) /* bytes that the sink gets at a time */

/* The parameters of git, on which every byte depends. */
enum { LEVEL = 6, WINDOW_BITS = 15 + 16 /* with gzip's header and trailer */, MEMORY_LEVEL = 8 };

struct pack_stream {
    z_stream z;
    gz_header header;
    uint8_t output[OUTPUT_LEN];
};

static _Noreturn void out_of_memory(void)
{
    own_stop("out of memory");
}

void pack_open(struct pack *pack, pack_sink *sink, void *context)
{
    *pack = (struct pack){.sink = sink, .context = context};
    pack->stream = mem_new(1, sizeof *pack->stream);
    z_stream *z = &pack->stream->z;
    if (deflateInit2(z, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        out_of_memory();
    /* zlib writes what system it was built for into the header; git writes 3, Unix. */
    pack->stream->header.os = 3;
    if (deflateSetHeader(z, &pack->stream->header) != Z_OK)
        out_of_memory();
    z->next_out = pack->stream->output;
    z->avail_out = OUTPUT_LEN;
}

/* Hands on what there is. */
static int drain(struct pack *pack, struct fail *fail)
{
    z_stream *z = &pack->stream->z;
    size_t len = OUTPUT_LEN - z->avail_out;
    z->next_out = pack->stream->output;
    z->avail_out = OUTPUT_LEN;
    return len == 0 ? 0 : pack->sink(pack->context, pack->stream->output, len, fail);
}

int pack_write(struct pack *pack, const void *data, size_t len, struct fail *fail)
{
    z_stream *z = &pack->stream->z;
    z->next_in = data;
    while (len > 0) {
        z->avail_in = len > UINT_MAX ? UINT_MAX : (uInt)len;
        len -= z->avail_in;
        while (z->avail_in > 0) {
            if (z->avail_out == 0 && drain(pack, fail) < 0)
                return -1;
            (void)deflate(z, Z_NO_FLUSH);
        }
    }
    return 0;
}

int pack_close(struct pack *pack, struct fail *fail)
{
    while (deflate(&pack->stream->z, Z_FINISH) != Z_STREAM_END)
        if (drain(pack, fail) < 0)
            return -1;
    return drain(pack, fail);
}

void pack_release(struct pack *pack)
{
    if (pack->stream == NULL)
        return;
    (void)deflateEnd(&pack->stream->z);
    free(pack->stream);
    pack->stream = NULL;
}
