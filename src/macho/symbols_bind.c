#include "macho/symbols_parts.h"

#include <inttypes.h>

/* The high four bits of an opcode; the low four are its immediate value. */
enum {
    OP_DONE = 0x00,
    OP_ORDINAL_IMM = 0x10,
    OP_ORDINAL_ULEB = 0x20,
    OP_ORDINAL_SPECIAL = 0x30,
    OP_SYMBOL = 0x40,
    OP_TYPE_IMM = 0x50,
    OP_ADDEND = 0x60,
    OP_SEGMENT_AND_OFFSET = 0x70,
    OP_ADD_ADDRESS = 0x80,
    OP_BIND = 0x90,
    OP_BIND_ADD_ADDRESS = 0xa0,
    OP_BIND_ADD_SCALED = 0xb0,
    OP_BIND_TIMES_SKIPPING = 0xc0,
    OP_THREADED = 0xd0,
};

#define SYMBOL_FLAG_WEAK_IMPORT 0x1u
#define THREADED_TABLE_SIZE     0u
#define THREADED_APPLY          1u

enum stream_kind { STREAM_BIND, STREAM_WEAK, STREAM_LAZY };

static const char *const stream_names[] = {"bind table", "weak bind table", "lazy bind table"};

/* The state of the loader's machine, as far as symbols depend on it. */
struct machine {
    struct symbol_list *list;
    const struct image *image;
    enum stream_kind kind;
    struct cursor cursor;
    const char *name;
    int ordinal;
    bool weak;
    bool changed; /* name or ordinal, since the last symbol was taken */
    bool done;
};

static int take_bind(struct machine *m, struct fail *fail)
{
    if (m->name == NULL)
        return fail_set(fail, FAIL_INPUT, "the %s binds before it names a symbol",
                        stream_names[m->kind]);
    if (!m->changed)
        return 0;
    m->changed = false;
    struct symbol *symbol = symbols_add(m->list, m->name, SYMBOL_FROM_OPCODES);
    symbol->weak = m->weak;
    symbols_set_ordinal(symbol, m->image,
                        m->kind == STREAM_WEAK ? ORDINAL_WEAK_LOOKUP : m->ordinal);
    return 0;
}

static void set_ordinal(struct machine *m, int ordinal)
{
    m->ordinal = ordinal;
    m->changed = true;
}

/* The opcodes that set state. 1: it was none of them. */
static int step_set(struct machine *m, uint8_t opcode, uint8_t immediate)
{
    uint64_t wide = 0;
    switch (opcode) {
    case OP_ORDINAL_IMM:
        set_ordinal(m, immediate);
        return 0;
    case OP_ORDINAL_ULEB:
        wide = cursor_uleb(&m->cursor);
        set_ordinal(m, wide > INT32_MAX ? INT32_MAX : (int)wide);
        return 0;
    case OP_ORDINAL_SPECIAL:
        set_ordinal(m, immediate == 0 ? 0 : (int)immediate - 16);
        return 0;
    case OP_SYMBOL:
        m->name = cursor_text(&m->cursor);
        m->weak = (immediate & SYMBOL_FLAG_WEAK_IMPORT) != 0;
        m->changed = true;
        return 0;
    case OP_TYPE_IMM:
        return 0;
    case OP_ADDEND:
        (void)cursor_sleb(&m->cursor);
        return 0;
    case OP_SEGMENT_AND_OFFSET:
    case OP_ADD_ADDRESS:
        (void)cursor_uleb(&m->cursor);
        return 0;
    default:
        return 1;
    }
}

static int step_bind(struct machine *m, uint8_t opcode, uint8_t immediate, struct fail *fail)
{
    switch (opcode) {
    case OP_DONE:
        /* In the lazy table it ends one symbol's opcodes, not the table. */
        m->done = m->kind != STREAM_LAZY;
        return 0;
    case OP_BIND_TIMES_SKIPPING:
        (void)cursor_uleb(&m->cursor);
        (void)cursor_uleb(&m->cursor);
        return take_bind(m, fail);
    case OP_BIND_ADD_ADDRESS:
        (void)cursor_uleb(&m->cursor);
        return take_bind(m, fail);
    case OP_BIND:
    case OP_BIND_ADD_SCALED:
        return take_bind(m, fail);
    case OP_THREADED:
        if (immediate == THREADED_TABLE_SIZE)
            (void)cursor_uleb(&m->cursor);
        if (immediate <= THREADED_APPLY)
            return 0;
        break;
    default:
        break;
    }
    return fail_set(fail, FAIL_INPUT, "the %s has the unknown opcode 0x%02x at offset %" PRIu64,
                    stream_names[m->kind], opcode | immediate, m->cursor.offset - 1);
}

static int read_stream(struct symbol_list *list, const struct image *image, enum stream_kind kind,
                       const struct image_range *range, struct fail *fail)
{
    struct machine m = {.list = list,
                        .image = image,
                        .kind = kind,
                        .cursor = cursor_start(image_range_data(image, range), image->order)};
    while (!m.done && cursor_left(&m.cursor) != 0) {
        uint8_t byte = cursor_u8(&m.cursor);
        int result = step_set(&m, byte & 0xf0, byte & 0x0f);
        if (result > 0)
            result = step_bind(&m, byte & 0xf0, byte & 0x0f, fail);
        if (m.cursor.failed)
            return fail_set(fail, FAIL_INPUT,
                            "the %s ends inside of an opcode (0x%02x, %" PRIu64 " bytes in all)",
                            stream_names[kind], byte, m.cursor.view.len);
        if (result < 0)
            return -1;
    }
    return 0;
}

int symbols_read_opcodes(struct symbol_list *list, const struct image *image, struct fail *fail)
{
    const struct image_dyld_info *info = &image->dyld_info;
    if (read_stream(list, image, STREAM_BIND, &info->bind, fail) < 0 ||
        read_stream(list, image, STREAM_WEAK, &info->weak_bind, fail) < 0 ||
        read_stream(list, image, STREAM_LAZY, &info->lazy_bind, fail) < 0)
        return -1;
    return 0;
}
