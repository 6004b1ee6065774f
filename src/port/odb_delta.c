#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/stop.h"
#include "port/odb_store.h"

#define COPY_LEN_DEFAULT 0x10000u /* what a copy without a length means */

static const char cut_short[] = "its delta is cut short";
static const char outside_base[] = "its delta copies from outside of the base";
static const char outside_result[] = "its delta makes more than it says";
static const char short_result[] = "its delta makes less than it says";
static const char reserved[] = "its delta has an unknown instruction";

void body_release(struct body *body)
{
    if (!body->borrowed)
        free(body->data);
    body->data = NULL;
    body->borrowed = false;
    if (body->fd >= 0)
        (void)close(body->fd);
    body->fd = -1;
}

int body_file_open(struct body *body, struct fail *fail)
{
    const char *dir = getenv("TMPDIR");
    if (dir == NULL || dir[0] != '/')
        dir = "/tmp";
    body_release(body);
    own_mem char *path = text_printf("%s/hallmark-object-XXXXXX", dir);
    body->fd = mkostemp(path, O_CLOEXEC);
    if (body->fd < 0)
        return fail_errno(fail, "cannot create a temporary file in '%s'", dir);
    if (unlink(path) < 0)
        return fail_errno(fail, "cannot remove '%s'", path);
    body->len = 0;
    return 0;
}

int body_file_append(void *context, const void *data, size_t len, struct fail *fail)
{
    struct body *body = context;
    if (fs_write_all(body->fd, data, len) < 0) {
        fail_errno(fail, "cannot write a temporary file for a large object");
        return fail_hint(fail, "set TMPDIR to a directory with more room");
    }
    body->len += len;
    return 0;
}

/* Reads exactly len bytes of the body, which the caller has checked to be inside. */
static int body_read(void *out, const struct body *body, uint64_t offset, size_t len,
                     struct fail *fail)
{
    if (body->data != NULL) {
        memcpy(out, body->data + offset, len);
        return 0;
    }
    for (size_t done = 0; done < len;) {
        ssize_t got = pread(body->fd, (uint8_t *)out + done, len - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR && stop_pending() == 0)
            continue;
        if (got < 0)
            return fail_errno(fail, "cannot read a temporary file");
        if (got == 0)
            return fail_set(fail, FAIL_SYSTEM, "a temporary file became shorter");
        done += (size_t)got;
    }
    return 0;
}

int body_stream(const struct body *body, odb_sink *sink, void *context, struct fail *fail)
{
    own_mem uint8_t *piece = body->data == NULL ? mem_new(STORE_PIECE, 1) : NULL;
    for (uint64_t done = 0; done < body->len;) {
        uint64_t left = body->len - done;
        size_t len = left < STORE_PIECE ? (size_t)left : STORE_PIECE;
        if (stop_check(fail) < 0)
            return -1;
        if (piece != NULL && body_read(piece, body, done, len, fail) < 0)
            return -1;
        if (sink(context, piece != NULL ? piece : body->data + done, len, fail) < 0)
            return -1;
        done += len;
    }
    return 0;
}

/* A length in groups of seven bits, the lowest first; at most 64 bits. */
static bool delta_length(uint64_t *out, struct cursor *cursor)
{
    *out = cursor_uleb(cursor);
    return !cursor->failed;
}

bool delta_lengths(uint64_t *base_len, uint64_t *result_len, struct cursor *cursor)
{
    return delta_length(base_len, cursor) && delta_length(result_len, cursor);
}

/* How many bytes of operands follow a copy instruction. */
static size_t operand_count(uint8_t op)
{
    return (size_t)__builtin_popcount(op & 0x7fu);
}

static void copy_operands(uint64_t *offset, uint64_t *len, uint8_t op, const uint8_t *operands)
{
    *offset = 0;
    *len = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (op & (1u << i))
            *offset |= (uint64_t)*operands++ << (8 * i);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (op & (0x10u << i))
            *len |= (uint64_t)*operands++ << (8 * i);
    }
    if (*len == 0)
        *len = COPY_LEN_DEFAULT;
}

const char *delta_apply(uint8_t *out, uint64_t out_len, struct view base, struct view delta)
{
    struct cursor cursor = cursor_start(delta, LITTLE_ENDIAN_BYTES);
    uint64_t base_len = 0;
    uint64_t result_len = 0;
    if (!delta_lengths(&base_len, &result_len, &cursor))
        return cut_short;
    if (base_len != base.len)
        return "its delta is for another base";
    if (result_len != out_len)
        return short_result;
    const uint8_t *at = delta.data + cursor.offset;
    const uint8_t *end = delta.data + delta.len;
    uint64_t done = 0;
    while (at < end) {
        uint8_t op = *at++;
        uint64_t offset = 0;
        uint64_t len = op;
        if (op == 0)
            return reserved;
        size_t need = op & 0x80u ? operand_count(op) : op;
        if ((size_t)(end - at) < need)
            return cut_short;
        if (op & 0x80u) {
            copy_operands(&offset, &len, op, at);
            if (!range_fits(offset, len, base.len))
                return outside_base;
        }
        if (len > out_len - done)
            return outside_result;
        memcpy(out + done, op & 0x80u ? base.data + offset : at, (size_t)len);
        done += len;
        at += need;
    }
    return done == out_len ? NULL : short_result;
}

/* ---- piece by piece ---- */

struct output {
    odb_sink *sink;
    void *context;
    uint8_t *piece; /* STORE_PIECE bytes */
    size_t used;
    uint64_t done; /* bytes made, those in `piece` included */
    uint64_t len;  /* bytes to be made */
};

static int output_flush(struct output *output, struct fail *fail)
{
    size_t used = output->used;
    output->used = 0;
    if (stop_check(fail) < 0)
        return -1;
    return used == 0 ? 0 : output->sink(output->context, output->piece, used, fail);
}

static int output_from_base(struct output *output, const struct body *base, uint64_t offset,
                            uint64_t len, struct fail *fail)
{
    while (len > 0) {
        size_t room = STORE_PIECE - output->used;
        size_t part = len < room ? (size_t)len : room;
        if (body_read(output->piece + output->used, base, offset, part, fail) < 0)
            return -1;
        output->used += part;
        output->done += part;
        offset += part;
        len -= part;
        if (output->used == STORE_PIECE && output_flush(output, fail) < 0)
            return -1;
    }
    return 0;
}

static int read_exactly(struct inflater *delta, void *out, size_t len, uint64_t *left,
                        struct fail *fail)
{
    size_t got = 0;
    if (len > *left)
        return fail_set(fail, FAIL_INPUT, "%s", cut_short);
    if (inflater_read(delta, out, len, &got, fail) < 0)
        return -1;
    *left -= got;
    return got == len ? 0 : fail_set(fail, FAIL_INPUT, "%s", cut_short);
}

static int one_instruction(struct output *output, const struct body *base, struct inflater *delta,
                           uint64_t *left, struct fail *fail)
{
    uint8_t op = 0;
    uint8_t operands[127];
    uint64_t offset = 0;
    uint64_t len = 0;
    if (read_exactly(delta, &op, 1, left, fail) < 0)
        return -1;
    if (op == 0)
        return fail_set(fail, FAIL_INPUT, "%s", reserved);
    size_t need = op & 0x80u ? operand_count(op) : op;
    if (read_exactly(delta, operands, need, left, fail) < 0)
        return -1;
    struct body literal = {.data = operands, .fd = -1, .len = need, .borrowed = true};
    const struct body *from = &literal;
    len = need;
    if (op & 0x80u) {
        copy_operands(&offset, &len, op, operands);
        from = base;
        if (!range_fits(offset, len, base->len))
            return fail_set(fail, FAIL_INPUT, "%s", outside_base);
    }
    if (len > output->len - output->done)
        return fail_set(fail, FAIL_INPUT, "%s", outside_result);
    return output_from_base(output, from, offset, len, fail);
}

/* Skips the two lengths, which the caller has read before. */
static int skip_lengths(struct inflater *delta, uint64_t *left, struct fail *fail)
{
    for (unsigned numbers = 0; numbers < 2;) {
        uint8_t byte = 0;
        if (read_exactly(delta, &byte, 1, left, fail) < 0)
            return -1;
        numbers += (byte & 0x80u) == 0;
    }
    return 0;
}

int delta_stream(const struct body *base, struct inflater *delta, uint64_t delta_len,
                 uint64_t result_len, odb_sink *sink, void *context, struct fail *fail)
{
    own_mem uint8_t *piece = mem_new(STORE_PIECE, 1);
    struct output output = {.sink = sink, .context = context, .piece = piece, .len = result_len};
    uint64_t left = delta_len;
    if (skip_lengths(delta, &left, fail) < 0)
        return -1;
    while (left > 0) {
        if (one_instruction(&output, base, delta, &left, fail) < 0)
            return -1;
    }
    if (inflater_end(delta, fail) < 0 || output_flush(&output, fail) < 0)
        return -1;
    return output.done == result_len ? 0 : fail_set(fail, FAIL_INPUT, "%s", short_result);
}
