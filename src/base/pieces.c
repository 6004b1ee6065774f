#include "base/pieces.h"

#include <stdlib.h>

#include "base/fs.h"
#include "base/stop.h"

#define STEP_LEN (UINT64_C(8) << 20) /* bytes between two looks for a signal */

static void add(struct pieces *pieces, struct view bytes, uint8_t *owned)
{
    pieces->list =
        mem_grow(pieces->list, pieces->count, &pieces->capacity, sizeof(pieces->list[0]));
    pieces->list[pieces->count++] = (struct piece){.bytes = bytes, .owned = owned};
    pieces->len += bytes.len;
}

void pieces_borrow(struct pieces *pieces, struct view bytes)
{
    if (bytes.len > 0)
        add(pieces, bytes, NULL);
}

void pieces_take(struct pieces *pieces, struct buf *bytes)
{
    uint64_t len = bytes->len;
    if (len == 0) {
        buf_release(bytes);
        return;
    }
    uint8_t *owned = (uint8_t *)buf_steal(bytes);
    add(pieces, (struct view){.data = owned, .len = len}, owned);
}

void pieces_zeros(struct pieces *pieces, uint64_t len)
{
    if (len > 0)
        add(pieces, (struct view){.len = len}, NULL);
}

void pieces_move(struct pieces *to, struct pieces *from)
{
    for (size_t i = 0; i < from->count; i++)
        add(to, from->list[i].bytes, from->list[i].owned);
    free(from->list);
    *from = (struct pieces){0};
}

void pieces_join(struct buf *out, const struct pieces *pieces)
{
    buf_reserve(out, (size_t)pieces->len);
    for (size_t i = 0; i < pieces->count; i++) {
        const struct view *bytes = &pieces->list[i].bytes;
        if (bytes->data)
            buf_append(out, bytes->data, (size_t)bytes->len);
        else
            buf_zeros(out, (size_t)bytes->len);
    }
}

static int write_piece(struct view bytes, int fd, const char *name, struct fail *fail)
{
    static const uint8_t zeros[1u << 16];
    uint64_t step_max = bytes.data ? STEP_LEN : sizeof(zeros);
    for (uint64_t at = 0; at < bytes.len;) {
        uint64_t step = bytes.len - at < step_max ? bytes.len - at : step_max;
        const uint8_t *data = bytes.data ? bytes.data + at : zeros;
        if (stop_check(fail) < 0)
            return -1;
        if (fs_write_all(fd, data, (size_t)step) < 0)
            return stop_check(fail) < 0 ? -1 : fail_errno(fail, "cannot write '%s'", name);
        if (bytes.data)
            fs_map_forget((struct view){.data = data, .len = step});
        at += step;
    }
    return 0;
}

int pieces_write(const struct pieces *pieces, int fd, const char *name, struct fail *fail)
{
    for (size_t i = 0; i < pieces->count; i++)
        if (write_piece(pieces->list[i].bytes, fd, name, fail) < 0)
            return -1;
    return 0;
}

void pieces_release(struct pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        free(pieces->list[i].owned);
    free(pieces->list);
    *pieces = (struct pieces){0};
}
