#include "macho/opcodes.h"

#include <inttypes.h>

/* The high four bits of an opcode; the low four are its immediate value. */
enum {
    BIND_DONE = 0x00,
    BIND_ORDINAL_IMM = 0x10,
    BIND_ORDINAL_ULEB = 0x20,
    BIND_ORDINAL_SPECIAL = 0x30,
    BIND_SYMBOL = 0x40,
    BIND_TYPE_IMM = 0x50,
    BIND_ADDEND = 0x60,
    BIND_SEGMENT_AND_OFFSET = 0x70,
    BIND_ADD_ADDRESS = 0x80,
    BIND_DO = 0x90,
    BIND_DO_ADD_ADDRESS = 0xa0,
    BIND_DO_ADD_SCALED = 0xb0,
    BIND_DO_TIMES_SKIPPING = 0xc0,
    BIND_THREADED = 0xd0,
};
enum {
    REBASE_DONE = 0x00,
    REBASE_TYPE_IMM = 0x10,
    REBASE_SEGMENT_AND_OFFSET = 0x20,
    REBASE_ADD_ADDRESS = 0x30,
    REBASE_ADD_SCALED = 0x40,
    REBASE_DO_IMM_TIMES = 0x50,
    REBASE_DO_TIMES = 0x60,
    REBASE_DO_ADD_ADDRESS = 0x70,
    REBASE_DO_TIMES_SKIPPING = 0x80,
};

#define SYMBOL_FLAG_WEAK_IMPORT 0x1u
#define THREADED_TABLE_SIZE     0u
#define THREADED_APPLY          1u

/* The state of the loader's machine. */
struct machine {
    enum opcode_table table;
    struct cursor cursor;
    uint64_t word;
    opcode_take take;
    void *context;
    struct opcode_run run;
    bool threaded; /* binds fill the table of ordinals */
    bool done;
};

const char *opcodes_table_name(enum opcode_table table)
{
    switch (table) {
    case OPCODES_REBASE:
        return "rebase table";
    case OPCODES_BIND:
        return "bind table";
    case OPCODES_WEAK_BIND:
        return "weak bind table";
    case OPCODES_LAZY_BIND:
        return "lazy bind table";
    }
    return "table";
}

static int unknown(const struct machine *m, uint8_t byte, struct fail *fail)
{
    return fail_set(fail, FAIL_INPUT, "the %s has the unknown opcode 0x%02x at offset %" PRIu64,
                    opcodes_table_name(m->table), byte, m->cursor.offset - 1);
}

/* Hands over `count` locations, each followed by `skip` bytes, and moves behind them. Sums wrap
 * as the loader's do: a negative distance is written as a very large one. */
static int emit(struct machine *m, uint64_t count, uint64_t skip, struct fail *fail)
{
    struct opcode_run *run = &m->run;
    if (m->cursor.failed)
        return 0; /* told by the caller, with the opcode */
    if (m->table != OPCODES_REBASE && run->name == NULL)
        return fail_set(fail, FAIL_INPUT, "the %s binds before it names a symbol",
                        opcodes_table_name(m->table));
    run->count = count;
    run->step = m->word + skip;
    if (m->take(m->context, run, fail) < 0)
        return -1;
    run->again = true;
    if (run->kind == OPCODE_RUN_PLAIN)
        run->offset += run->step * count;
    return 0;
}

static void set_place(struct machine *m, uint8_t segment)
{
    m->run.segment = segment;
    m->run.offset = cursor_uleb(&m->cursor);
}

static void set_ordinal(struct machine *m, int ordinal)
{
    m->run.ordinal = ordinal;
    m->run.again = false;
}

/* The opcodes of binds that set state. 1: it was none of them. */
static int set_bind(struct machine *m, uint8_t opcode, uint8_t immediate)
{
    uint64_t wide = 0;
    switch (opcode) {
    case BIND_ORDINAL_IMM:
        set_ordinal(m, immediate);
        return 0;
    case BIND_ORDINAL_ULEB:
        wide = cursor_uleb(&m->cursor);
        set_ordinal(m, wide > INT32_MAX ? INT32_MAX : (int)wide);
        return 0;
    case BIND_ORDINAL_SPECIAL:
        set_ordinal(m, immediate == 0 ? 0 : (int)immediate - 16);
        return 0;
    case BIND_SYMBOL:
        m->run.name = cursor_text(&m->cursor);
        m->run.weak = (immediate & SYMBOL_FLAG_WEAK_IMPORT) != 0;
        m->run.again = false;
        return 0;
    case BIND_TYPE_IMM:
        return 0;
    case BIND_ADDEND:
        m->run.addend = cursor_sleb(&m->cursor);
        return 0;
    case BIND_SEGMENT_AND_OFFSET:
        set_place(m, immediate);
        return 0;
    case BIND_ADD_ADDRESS:
        m->run.offset += cursor_uleb(&m->cursor);
        return 0;
    default:
        return 1;
    }
}

static int thread(struct machine *m, uint8_t immediate, struct fail *fail)
{
    if (immediate == THREADED_TABLE_SIZE) {
        (void)cursor_uleb(&m->cursor); /* how many there will be: they are counted as they come */
        m->run.kind = OPCODE_RUN_ORDINAL;
        return 0;
    }
    if (immediate != THREADED_APPLY)
        return unknown(m, BIND_THREADED | immediate, fail);
    struct opcode_run run = m->run;
    run.kind = OPCODE_RUN_THREADED;
    run.count = 1;
    return m->take(m->context, &run, fail);
}

static int step_bind(struct machine *m, uint8_t byte, struct fail *fail)
{
    uint8_t immediate = byte & 0x0f;
    uint64_t count = 0;
    if (set_bind(m, byte & 0xf0, immediate) == 0)
        return 0;
    switch (byte & 0xf0) {
    case BIND_DONE:
        /* In the lazy table it ends one symbol's opcodes, not the table. */
        m->done = m->table != OPCODES_LAZY_BIND;
        return 0;
    case BIND_DO:
        return emit(m, 1, 0, fail);
    case BIND_DO_ADD_ADDRESS:
        return emit(m, 1, cursor_uleb(&m->cursor), fail);
    case BIND_DO_ADD_SCALED:
        return emit(m, 1, immediate * m->word, fail);
    case BIND_DO_TIMES_SKIPPING:
        count = cursor_uleb(&m->cursor);
        return emit(m, count, cursor_uleb(&m->cursor), fail);
    case BIND_THREADED:
        return thread(m, immediate, fail);
    default:
        return unknown(m, byte, fail);
    }
}

static int step_rebase(struct machine *m, uint8_t byte, struct fail *fail)
{
    uint8_t immediate = byte & 0x0f;
    uint64_t count = 0;
    switch (byte & 0xf0) {
    case REBASE_DONE:
        m->done = true;
        return 0;
    case REBASE_TYPE_IMM:
        return 0;
    case REBASE_SEGMENT_AND_OFFSET:
        set_place(m, immediate);
        return 0;
    case REBASE_ADD_ADDRESS:
        m->run.offset += cursor_uleb(&m->cursor);
        return 0;
    case REBASE_ADD_SCALED:
        m->run.offset += immediate * m->word;
        return 0;
    case REBASE_DO_IMM_TIMES:
        return emit(m, immediate, 0, fail);
    case REBASE_DO_TIMES:
        return emit(m, cursor_uleb(&m->cursor), 0, fail);
    case REBASE_DO_ADD_ADDRESS:
        return emit(m, 1, cursor_uleb(&m->cursor), fail);
    case REBASE_DO_TIMES_SKIPPING:
        count = cursor_uleb(&m->cursor);
        return emit(m, count, cursor_uleb(&m->cursor), fail);
    default:
        return unknown(m, byte, fail);
    }
}

static const struct image_range *range_of(const struct image *image, enum opcode_table table)
{
    const struct image_dyld_info *info = &image->dyld_info;
    switch (table) {
    case OPCODES_REBASE:
        return &info->rebase;
    case OPCODES_BIND:
        return &info->bind;
    case OPCODES_WEAK_BIND:
        return &info->weak_bind;
    case OPCODES_LAZY_BIND:
        break;
    }
    return &info->lazy_bind;
}

int opcodes_walk(const struct image *image, enum opcode_table table, opcode_take take,
                 void *context, struct fail *fail)
{
    struct machine m = {
        .table = table,
        .cursor = cursor_start(image_range_data(image, range_of(image, table)), image->order),
        .word = image->is64 ? 8 : 4,
        .take = take,
        .context = context,
    };
    while (!m.done && cursor_left(&m.cursor) != 0) {
        uint8_t byte = cursor_u8(&m.cursor);
        int result =
            table == OPCODES_REBASE ? step_rebase(&m, byte, fail) : step_bind(&m, byte, fail);
        if (result < 0)
            return -1;
        if (m.cursor.failed)
            return fail_set(fail, FAIL_INPUT,
                            "the %s ends inside of an opcode (0x%02x, %" PRIu64 " bytes in all)",
                            opcodes_table_name(table), byte, m.cursor.view.len);
    }
    return 0;
}
