#include <inttypes.h>

#include "macho/fixups_parts.h"
#include "macho/opcodes.h"

struct taking {
    struct fixup_list *out;
    const struct image *image;
    enum opcode_table table;
    size_t import_capacity;
    uint64_t steps_left;
};

static void add_import(struct taking *t, const struct opcode_run *run)
{
    struct fixup_list *out = t->out;
    bool entry = run->kind == OPCODE_RUN_ORDINAL;
    if (run->again && !entry)
        return;
    out->imports =
        mem_grow(out->imports, out->import_count, &t->import_capacity, sizeof *out->imports);
    out->imports[out->import_count++] = (struct fixup_import){
        .name = run->name,
        .ordinal = t->table == OPCODES_WEAK_BIND ? ORDINAL_WEAK_LOOKUP : run->ordinal,
        .weak = run->weak,
        .addend = entry ? run->addend : 0,
    };
}

/* The pointer that lies at the location; 0 where the memory has no bytes in the file. */
static uint64_t pointer_at(const struct image *image, struct view bytes, uint64_t offset)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (image->is64)
        return view_u64(&wide, bytes, offset, image->order) ? wide : 0;
    return view_u32(&narrow, bytes, offset, image->order) ? narrow : 0;
}

static int check_place(const struct taking *t, const struct opcode_run *run, struct fail *fail)
{
    const struct image *image = t->image;
    if (run->segment >= image->segment_count)
        return fail_set(fail, FAIL_INPUT,
                        "the %s is for segment %" PRIu32 ", but there are %" PRIu32,
                        opcodes_table_name(t->table), run->segment, image->segment_count);
    if (run->count > t->steps_left)
        return fail_set(fail, FAIL_INPUT, "the file has more fix-ups than room for them");
    return 0;
}

/* Whether each location lies in the segment, without a look at each. */
static bool run_fits(const struct opcode_run *run, uint64_t word, uint64_t segment_size)
{
    if (run->count == 0)
        return true;
    uint64_t steps = run->count - 1;
    return range_fits(run->offset, word, segment_size) &&
           (steps == 0 || run->step <= (segment_size - word - run->offset) / steps);
}

static int take_locations(struct taking *t, const struct opcode_run *run, struct fail *fail)
{
    const struct image *image = t->image;
    struct fixup_list *out = t->out;
    if (check_place(t, run, fail) < 0)
        return -1;
    const struct image_segment *segment = &image->segments[run->segment];
    uint64_t word = image->is64 ? 8 : 4;
    uint64_t offset = run->offset;
    t->steps_left -= run->count;
    if (out->counted_only && run_fits(run, word, segment->memory_size)) {
        *(t->table == OPCODES_REBASE ? &out->rebase_count : &out->bind_count) += run->count;
        return 0;
    }
    struct view bytes = image_segment_data(image, segment);
    for (uint64_t i = 0; i < run->count; i++, offset += run->step) {
        if (!range_fits(offset, word, segment->memory_size))
            return fail_set(fail, FAIL_INPUT,
                            "the %s leaves segment '%s' (offset 0x%" PRIx64 " of 0x%" PRIx64 ")",
                            opcodes_table_name(t->table), segment->name, offset,
                            segment->memory_size);
        struct fixup fixup = {.address = segment->address + offset, .segment = run->segment};
        if (range_fits(offset, word, segment->file_size))
            fixup.offset = segment->offset + offset;
        if (t->table == OPCODES_REBASE) {
            fixup.target = out->counted_only ? 0 : pointer_at(image, bytes, offset);
        } else {
            fixup.bind = true;
            fixup.import = out->import_count - 1;
            fixup.addend = run->addend;
        }
        fixups_add(out, &fixup);
    }
    return 0;
}

static int take_run(void *context, const struct opcode_run *run, struct fail *fail)
{
    struct taking *t = context;
    if (t->table != OPCODES_REBASE && run->kind != OPCODE_RUN_THREADED)
        add_import(t, run);
    switch (run->kind) {
    case OPCODE_RUN_PLAIN:
        return take_locations(t, run, fail);
    case OPCODE_RUN_ORDINAL:
        return 0;
    case OPCODE_RUN_THREADED:
        break;
    }
    if (check_place(t, run, fail) < 0)
        return -1;
    return fixups_walk_thread(t->out, t->image, run->segment, run->offset, &t->steps_left, fail);
}

int fixups_read_opcodes(struct fixup_list *out, const struct image *image, struct fail *fail)
{
    /* Binds first: chains refer to their table of ordinals. */
    static const enum opcode_table tables[] = {OPCODES_BIND, OPCODES_WEAK_BIND, OPCODES_LAZY_BIND,
                                               OPCODES_REBASE};
    struct taking t = {.out = out, .image = image, .steps_left = fixups_limit(image)};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        t.table = tables[i];
        if (opcodes_walk(image, t.table, take_run, &t, fail) < 0)
            return -1;
    }
    return 0;
}
