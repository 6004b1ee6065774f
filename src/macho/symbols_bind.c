#include "macho/opcodes.h"
#include "macho/symbols_parts.h"

struct taking {
    struct symbol_list *list;
    const struct image *image;
    enum opcode_table table;
};

/* A symbol once for all the locations that it is bound to in a row. */
static int take_symbol(void *context, const struct opcode_run *run, struct fail *fail)
{
    const struct taking *taking = context;
    (void)fail;
    if (run->kind == OPCODE_RUN_THREADED || run->again)
        return 0;
    struct symbol *symbol = symbols_add(taking->list, run->name, SYMBOL_FROM_OPCODES);
    symbol->weak = run->weak;
    symbols_set_ordinal(symbol, taking->image,
                        taking->table == OPCODES_WEAK_BIND ? ORDINAL_WEAK_LOOKUP : run->ordinal);
    return 0;
}

int symbols_read_opcodes(struct symbol_list *list, const struct image *image, struct fail *fail)
{
    static const enum opcode_table tables[] = {OPCODES_BIND, OPCODES_WEAK_BIND, OPCODES_LAZY_BIND};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct taking taking = {.list = list, .image = image, .table = tables[i]};
        if (opcodes_walk(image, tables[i], take_symbol, &taking, fail) < 0)
            return -1;
    }
    return 0;
}
