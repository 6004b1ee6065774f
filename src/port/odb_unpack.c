#include <stdlib.h>

#include "base/stop.h"
#include "port/odb_store.h"

#define own_delta __attribute__((cleanup(delta_release)))

#define DELTA_HEAD 20u /* bytes that hold the two lengths of any delta */

struct pack_source {
    struct packfile *pack;
    struct blocks *blocks;
};

void unpacker_release(struct unpacker *unpacker)
{
    for (size_t i = 0; i < STORE_BLOCKS; i++) {
        free(unpacker->blocks.list[i].data);
        free(unpacker->index_blocks.list[i].data);
    }
    cache_release(&unpacker->cache);
    inflater_release(&unpacker->inflater);
    *unpacker = (struct unpacker){0};
}

static void delta_release(struct delta *delta)
{
    free(delta->data);
    *delta = (struct delta){0};
}

void chain_release(struct chain *chain)
{
    delta_release(&chain->top);
    free(chain->links);
    *chain = (struct chain){0};
}

/* ---- inflating ---- */

static int source(void *context, uint64_t offset, const uint8_t **data, size_t *len,
                  struct fail *fail)
{
    struct pack_source *from = context;
    return packfile_bytes(from->pack, from->blocks, offset, data, len, fail);
}

/* Inflates exactly `len` <= STORE_MEMORY_MAX bytes into new memory. */
static int inflate_to_memory(uint8_t **out, struct inflater *inflater, uint64_t len,
                             struct fail *fail)
{
    size_t room = (size_t)len + 1;
    size_t got = 0;
    own_mem uint8_t *data = mem_resize(NULL, room, 1);
    if (inflater_read_all(inflater, data, room, &got, fail) < 0)
        return -1;
    if (got != len)
        return fail_set(fail, FAIL_INPUT, "it is %s than it says",
                        got < len ? "shorter" : "longer");
    *out = steal_mem(&data);
    return 0;
}

static int load_delta(struct delta *out, struct inflater *inflater, struct pack_source *from,
                      const struct chain_link *link, struct fail *fail)
{
    size_t got = 0;
    inflater_start(inflater, source, from, link->data_off);
    if (link->len <= STORE_MEMORY_MAX) {
        if (inflate_to_memory(&out->data, inflater, link->len, fail) < 0)
            return -1;
        got = (size_t)link->len;
    } else {
        out->data = mem_new(DELTA_HEAD, 1);
        if (inflater_read(inflater, out->data, DELTA_HEAD, &got, fail) < 0)
            return -1;
    }
    out->len = got;
    struct view head = {.data = out->data, .len = got};
    struct cursor cursor = cursor_start(head, LITTLE_ENDIAN_BYTES);
    if (!delta_lengths(&out->base_len, &out->result_len, &cursor))
        return fail_set(fail, FAIL_INPUT, "its delta is cut short");
    if (out->result_len > INT64_MAX)
        return fail_set(fail, FAIL_INPUT, "its length is absurd");
    return 0;
}

/* ---- following ---- */

static int next_offset(uint64_t *offset, const struct pack_header *header, struct packfile *pack,
                       struct blocks *index_blocks, struct fail *fail)
{
    if (header->type == PACK_OFS_DELTA) {
        *offset = header->base_off;
        return 0;
    }
    int found = packfile_find(offset, pack, index_blocks, &header->base_id, fail);
    if (found == 0)
        return fail_set(fail, FAIL_INPUT, "its delta base is not in the same pack");
    return found < 0 ? -1 : 0;
}

static void add_link(struct chain *chain, uint64_t offset, uint64_t data_off, uint64_t len)
{
    chain->links = mem_grow(chain->links, chain->count, &chain->capacity, sizeof *chain->links);
    chain->links[chain->count++] =
        (struct chain_link){.offset = offset, .data_off = data_off, .len = len};
}

static int follow_links(struct chain *chain, struct unpacker *unpacker, uint64_t offset,
                        struct fail *fail)
{
    struct body cached = BODY_INIT;
    struct pack_header header;
    while (!cache_find(&cached, &chain->kind, &unpacker->cache, chain->pack, offset)) {
        if (packfile_header(&header, chain->pack, &unpacker->blocks, offset, fail) < 0)
            return -1;
        add_link(chain, offset, header.data_off, header.len);
        if (header.type != PACK_OFS_DELTA && header.type != PACK_REF_DELTA) {
            chain->kind = (enum odb_kind)header.type;
            return 0;
        }
        if (chain->count == STORE_CHAIN_MAX)
            return fail_set(fail, FAIL_INPUT, "its chain of deltas does not end");
        if (next_offset(&offset, &header, chain->pack, &unpacker->index_blocks, fail) < 0)
            return -1;
    }
    add_link(chain, offset, 0, cached.len);
    chain->base_cached = true;
    chain->generation = unpacker->cache.generation;
    return 0;
}

int chain_follow(struct chain *chain, struct unpacker *unpacker, struct packfile *pack,
                 uint64_t offset, struct fail *fail)
{
    struct pack_source from = {.pack = pack, .blocks = &unpacker->blocks};
    delta_release(&chain->top);
    chain->pack = pack;
    chain->count = 0;
    chain->base_cached = false;
    if (follow_links(chain, unpacker, offset, fail) < 0)
        return -1;
    chain->len = chain->links[0].len;
    if (chain->count == 1)
        return 0;
    if (load_delta(&chain->top, &unpacker->inflater, &from, &chain->links[0], fail) < 0)
        return -1;
    chain->len = chain->top.result_len;
    return 0;
}

/* ---- unpacking ---- */

struct walk {
    struct chain *chain;
    struct unpacker *unpacker;
    struct pack_source from;
    odb_sink *sink;
    void *context;
};

static int load_base(struct body *out, struct inflater *inflater, uint64_t len, struct fail *fail)
{
    if (len <= STORE_MEMORY_MAX) {
        out->len = len;
        return inflate_to_memory(&out->data, inflater, len, fail);
    }
    if (body_file_open(out, fail) < 0)
        return -1;
    return inflater_to_sink(inflater, len, body_file_append, out, fail);
}

static int start_body(struct body *body, struct walk *walk, struct fail *fail)
{
    struct chain *chain = walk->chain;
    const struct chain_link *base = &chain->links[chain->count - 1];
    enum odb_kind kind = chain->kind;
    if (chain->base_cached) {
        if (!cache_find(body, &kind, &walk->unpacker->cache, chain->pack, base->offset))
            return fail_set(fail, FAIL_BUG, "a delta base left the cache");
        return 0;
    }
    inflater_start(&walk->unpacker->inflater, source, &walk->from, base->data_off);
    if (load_base(body, &walk->unpacker->inflater, base->len, fail) < 0)
        return -1;
    if (chain->count > 1)
        cache_take(&walk->unpacker->cache, chain->pack, base->offset, kind, body);
    return 0;
}

/* Base, delta and result are small: all in memory. */
static int apply_small(struct body *out, const struct body *base, const struct delta *delta,
                       struct fail *fail)
{
    out->len = delta->result_len;
    out->data = mem_resize(NULL, (size_t)out->len, 1);
    const char *wrong =
        delta_apply(out->data, out->len, (struct view){.data = base->data, .len = base->len},
                    (struct view){.data = delta->data, .len = delta->len});
    return wrong == NULL ? 0 : fail_set(fail, FAIL_INPUT, "%s", wrong);
}

/* Something is large: the result goes to a file, or, when it is the last, to the sink. */
static int apply_large(struct body *out, struct walk *walk, const struct body *base,
                       const struct delta *delta, size_t at, struct fail *fail)
{
    const struct chain_link *link = &walk->chain->links[at];
    struct inflater *inflater = &walk->unpacker->inflater;
    inflater_start(inflater, source, &walk->from, link->data_off);
    if (at == 0)
        return delta_stream(base, inflater, link->len, delta->result_len, walk->sink, walk->context,
                            fail);
    if (body_file_open(out, fail) < 0)
        return -1;
    return delta_stream(base, inflater, link->len, delta->result_len, body_file_append, out, fail);
}

/* Replaces `body` by what link `at` makes of it; empty when that went to the sink. */
static int apply_link(struct body *body, struct walk *walk, size_t at, struct fail *fail)
{
    const struct chain_link *link = &walk->chain->links[at];
    own_body struct body next = BODY_INIT;
    own_delta struct delta loaded = {0};
    const struct delta *delta = at == 0 ? &walk->chain->top : &loaded;
    int result = 0;
    if (at > 0 && load_delta(&loaded, &walk->unpacker->inflater, &walk->from, link, fail) < 0)
        return -1;
    if (delta->base_len != body->len)
        return fail_set(fail, FAIL_INPUT, "its delta is for another base");
    if (body->data != NULL && link->len <= STORE_MEMORY_MAX &&
        delta->result_len <= STORE_MEMORY_MAX)
        result = apply_small(&next, body, delta, fail);
    else
        result = apply_large(&next, walk, body, delta, at, fail);
    if (result < 0)
        return -1;
    body_release(body);
    if (at > 0)
        cache_take(&walk->unpacker->cache, walk->chain->pack, link->offset, walk->chain->kind,
                   &next);
    *body = next;
    next = (struct body)BODY_INIT;
    return 0;
}

int chain_stream(struct chain *chain, struct unpacker *unpacker, odb_sink *sink, void *context,
                 struct fail *fail)
{
    struct walk walk = {.chain = chain, .unpacker = unpacker, .sink = sink, .context = context};
    walk.from = (struct pack_source){.pack = chain->pack, .blocks = &unpacker->blocks};
    if (chain->base_cached && chain->generation != unpacker->cache.generation &&
        chain_follow(chain, unpacker, chain->pack, chain->links[0].offset, fail) < 0)
        return -1;
    const struct chain_link *only = &chain->links[0];
    if (chain->count == 1 && !chain->base_cached && only->len > STORE_MEMORY_MAX) {
        inflater_start(&unpacker->inflater, source, &walk.from, only->data_off);
        return inflater_to_sink(&unpacker->inflater, only->len, sink, context, fail);
    }
    own_body struct body body = BODY_INIT;
    if (start_body(&body, &walk, fail) < 0)
        return -1;
    for (size_t at = chain->count - 1; at-- > 0;) {
        if (stop_check(fail) < 0 || apply_link(&body, &walk, at, fail) < 0)
            return -1;
    }
    return body_stream(&body, sink, context, fail);
}
