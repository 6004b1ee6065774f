/*
 * Purpose: gzip by libarchive, in the form that `git archive --format=tar.gz` writes: no name,
 *     no time, zlib level 6.
 *
 * Layer: port.
 *
 * Calling sequence:
 *         own_pack struct pack pack = {0};
 *         pack_open(&pack, write_bytes, context, &fail)
 *         pack_write(&pack, data, len, &fail) ...
 *         pack_close(&pack, &fail)          // the rest of the output comes here
 *
 * Ownership: the struct owns the libarchive writer; own_pack / pack_release() frees it without
 *     writing more.
 *
 * Errors: what the sink reports; FAIL_SYSTEM for what libarchive reports.
 *
 * Determinism: the header is fixed; the deflate stream depends on the zlib that is installed,
 *     and not on how the input is cut into pieces.
 */
#ifndef HALLMARK_PORT_PACK_H
#define HALLMARK_PORT_PACK_H

#include <stddef.h>

#include "base/fail.h"

typedef int pack_sink(void *context, const void *data, size_t len, struct fail *fail);

struct pack {
    void *writer;
    pack_sink *sink;
    void *context;
    struct fail *fail; /* of the call that is running, for the sink */
    int sink_failed;
};

#define own_pack __attribute__((cleanup(pack_release)))

/* `pack` must stay where it is until it is released. */
int pack_open(struct pack *pack, pack_sink *sink, void *context, struct fail *fail) must_check;
int pack_write(struct pack *pack, const void *data, size_t len, struct fail *fail) must_check;
int pack_close(struct pack *pack, struct fail *fail) must_check;
void pack_release(struct pack *pack);

#endif
