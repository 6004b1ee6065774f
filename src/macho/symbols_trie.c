#include "macho/symbols_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define EXPORT_KIND_MASK    0x3u
#define EXPORT_THREAD_LOCAL 0x1u
#define EXPORT_ABSOLUTE     0x2u
#define EXPORT_WEAK         0x4u
#define EXPORT_REEXPORT     0x8u
#define EXPORT_RESOLVER     0x10u

/* Common beginnings are stored once, so names are longer than their trie; not without end. */
#define NAMES_PER_BYTE 1024u
#define NAMES_MAX      (UINT64_C(256) << 20)

/* A node that is still to be read: the name so far is `prefix_len` bytes and then `edge`. */
struct pending {
    uint64_t node;
    size_t prefix_len;
    const char *edge;
};

struct trie {
    struct symbol_list *list;
    const struct image *image;
    uint64_t base;
    struct view bytes;
    uint8_t *visited; /* one bit for each offset */
    struct pending *stack;
    size_t depth, capacity;
    struct buf name;
    uint64_t bytes_left; /* nodes of a tree do not overlap: no byte is read twice */
    uint64_t names_left;
};

static void release_trie(struct trie *trie)
{
    free(trie->visited);
    free(trie->stack);
    buf_release(&trie->name);
}

static int malformed(const char *what, uint64_t node, struct fail *fail)
{
    return fail_set(fail, FAIL_INPUT, "the export trie is malformed: node at offset %" PRIu64 " %s",
                    node, what);
}

/* What a node that ends a name says; the cursor stands behind the length. */
static int read_terminal(struct trie *trie, struct cursor *cursor, uint64_t len, uint64_t node,
                         struct fail *fail)
{
    struct cursor info = cursor_start(cursor_bytes(cursor, len), LITTLE_ENDIAN_BYTES);
    uint64_t flags = cursor_uleb(&info);
    uint64_t value = cursor_uleb(&info);
    const char *import_name = (flags & EXPORT_REEXPORT) != 0 ? cursor_text(&info) : NULL;
    if ((flags & EXPORT_RESOLVER) != 0)
        (void)cursor_uleb(&info);
    if (cursor->failed || info.failed)
        return malformed("is truncated", node, fail);
    if (trie->name.len + 1 > trie->names_left)
        return malformed("makes the names absurdly long", node, fail);
    trie->names_left -= trie->name.len + 1;
    struct symbol *symbol =
        symbols_add(trie->list, symbols_own_name(trie->list, buf_text(&trie->name), trie->name.len),
                    SYMBOL_FROM_TRIE);
    symbol->weak = (flags & EXPORT_WEAK) != 0;
    symbol->absolute = (flags & EXPORT_KIND_MASK) == EXPORT_ABSOLUTE;
    symbol->thread_local_symbol = (flags & EXPORT_KIND_MASK) == EXPORT_THREAD_LOCAL;
    if (import_name != NULL) {
        symbol->reexport = true;
        symbol->import_name = import_name[0] == '\0' ? symbol->name : import_name;
        symbols_set_ordinal(symbol, trie->image, value > INT32_MAX ? INT32_MAX : (int)value);
    } else {
        symbol->address = value + (symbol->absolute ? 0 : trie->base);
    }
    return 0;
}

static int push_children(struct trie *trie, struct cursor *cursor, uint64_t node, struct fail *fail)
{
    uint8_t count = cursor_u8(cursor);
    size_t first = trie->depth;
    for (unsigned i = 0; i < count; i++) {
        const char *edge = cursor_text(cursor);
        uint64_t child = cursor_uleb(cursor);
        if (cursor->failed)
            return malformed("is truncated", node, fail);
        if (child >= trie->bytes.len)
            return malformed("has a child outside of the trie", node, fail);
        trie->stack = mem_grow(trie->stack, trie->depth, &trie->capacity, sizeof *trie->stack);
        trie->stack[trie->depth++] =
            (struct pending){.node = child, .prefix_len = trie->name.len, .edge = edge};
    }
    /* The last one pushed is read first: turn them round, so that names come in order. */
    for (size_t i = first, j = trie->depth; j > i + 1; i++) {
        struct pending swap = trie->stack[i];
        trie->stack[i] = trie->stack[--j];
        trie->stack[j] = swap;
    }
    return cursor->failed ? malformed("is truncated", node, fail) : 0;
}

static int read_node(struct trie *trie, const struct pending *pending, struct fail *fail)
{
    uint64_t node = pending->node;
    struct cursor cursor = cursor_start(trie->bytes, LITTLE_ENDIAN_BYTES);
    if ((trie->visited[node / 8] & 1u << node % 8) != 0)
        return malformed("is reached twice", node, fail);
    trie->visited[node / 8] |= (uint8_t)(1u << node % 8);
    buf_truncate(&trie->name, pending->prefix_len);
    buf_puts(&trie->name, pending->edge);
    cursor_skip(&cursor, node);
    uint64_t len = cursor_uleb(&cursor);
    if (len != 0 && read_terminal(trie, &cursor, len, node, fail) < 0)
        return -1;
    if (push_children(trie, &cursor, node, fail) < 0)
        return -1;
    uint64_t used = cursor.offset - node;
    if (used > trie->bytes_left)
        return malformed("overlaps another one", node, fail);
    trie->bytes_left -= used;
    return 0;
}

int symbols_read_trie(struct symbol_list *list, const struct image *image, struct view bytes,
                      struct fail *fail)
{
    __attribute__((cleanup(release_trie))) struct trie trie = {.list = list,
                                                               .image = image,
                                                               .base = image_base_address(image),
                                                               .bytes = bytes,
                                                               .bytes_left = bytes.len};
    if (bytes.len == 0)
        return 0;
    trie.names_left =
        bytes.len > NAMES_MAX / NAMES_PER_BYTE ? NAMES_MAX : bytes.len * NAMES_PER_BYTE;
    trie.visited = mem_new((size_t)(bytes.len / 8 + 1), 1);
    struct pending root = {.edge = ""};
    if (read_node(&trie, &root, fail) < 0)
        return -1;
    while (trie.depth != 0) {
        struct pending next = trie.stack[--trie.depth];
        if (read_node(&trie, &next, fail) < 0)
            return -1;
    }
    return 0;
}
