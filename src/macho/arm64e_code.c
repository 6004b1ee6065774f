/*
 * arm64e_parts.h: follows known addresses through the code.
 *
 * Two questions need an answer that is sure. Which slots of __got does code read? Their stubs may
 * not be given signed pointers, since that code takes them for raw ones. And was the code made
 * for arm64e? lld does not say, and code that hands out or calls unsigned pointers would trap on
 * the device. So each register that holds an address near a slot, of a function, or what was
 * loaded from a slot, is followed along every path until it is overwritten. What is done with it
 * must be on a short list; everything else is refused. There are no jump tables and no computed
 * gotos (they are refused), so that every path is known.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "macho/a64.h"
#include "macho/arm64e_parts.h"

#define CODE_MAX  (16u << 20)
#define PAGE_SIZE 0x1000u
/* Registers that a call does not keep: what can hold results, and what stubs use. */
#define LOST_BY_CALL   0x400301ffu /* x0 - x8, x16, x17, x30 */
#define ARGUMENTS      0xffu       /* x0 - x7 */
#define STEPS_PER_WORD 64u

/* What a register holds. */
enum held {
    HELD_NEAR,     /* an address from which slots or functions can be reached: `value` */
    HELD_FUNCTION, /* the unsigned address of a function of this image */
    HELD_IMPORT,   /* loaded from a slot that a stub jumps through: an unsigned function pointer */
    HELD_LOADED,   /* loaded from another slot: data, or a function */
};

struct origin {
    enum held held;
    uint64_t value;
    uint64_t address; /* of the first instruction that sees it */
    unsigned reg;
};

struct state {
    uint64_t address;
    unsigned reg;
};

/* One instruction: in which registers the newest origin was seen there. */
struct mark {
    uint32_t origin;
    uint32_t registers;
    bool loaded_call; /* blr of what was loaded from a slot */
};

struct walk {
    struct arm64e *e;
    struct view code;
    struct mark *marks;
    uint32_t origin; /* number of the one that is followed */
    struct origin *origins;
    size_t origin_count, origin_capacity;
    struct state *states;
    size_t state_count, state_capacity;
    uint64_t steps_left;
};

static void walk_release(struct walk *w)
{
    free(w->marks);
    free(w->origins);
    free(w->states);
}
#define own_walk __attribute__((cleanup(walk_release)))

static void decode_at(struct a64 *out, const struct walk *w, uint64_t address)
{
    uint32_t word = 0;
    (void)view_u32(&word, w->code, address - w->e->text->address, LITTLE_ENDIAN_BYTES);
    a64_decode(out, word, address);
}

static int refuse_at(const struct walk *w, uint64_t address, const char *why, struct fail *fail)
{
    own_mem char *place = arm64e_place(w->e, address);
    fail_set(fail, FAIL_INPUT, "the code at %s %s", place, why);
    return fail_hint(fail,
                     "it must be compiled for arm64e, with pointer authentication and without "
                     "jump tables");
}

static bool overlaps(const struct image_section *section, uint64_t address, uint64_t len)
{
    return section != NULL && section->size != 0 && address < section->address + section->size &&
           section->address < address + len;
}

static bool in_code(const struct walk *w, uint64_t address)
{
    return arm64e_in_section(w->e->text, address) || arm64e_in_section(w->e->stubs, address);
}

static void add_origin(struct walk *w, enum held held, uint64_t value, uint64_t address,
                       unsigned reg)
{
    if (reg == 31)
        return;
    w->origins = mem_grow(w->origins, w->origin_count, &w->origin_capacity, sizeof *w->origins);
    w->origins[w->origin_count++] =
        (struct origin){.held = held, .value = value, .address = address, .reg = reg};
}

/* The instruction at `address` leaves this whole address in a register. */
static int take_address(struct walk *w, uint64_t value, uint64_t address, unsigned reg,
                        struct fail *fail)
{
    if (arm64e_is_function(w->e, value))
        add_origin(w, HELD_FUNCTION, value, address + 4, reg);
    else if (in_code(w, value))
        return refuse_at(w, address, "takes the address of code that is no function", fail);
    else if (arm64e_in_section(w->e->got, value))
        add_origin(w, HELD_NEAR, value, address + 4, reg);
    return 0;
}

static void take_page(struct walk *w, uint64_t page, uint64_t address, unsigned reg)
{
    if (overlaps(w->e->got, page, PAGE_SIZE) || overlaps(w->e->text, page, PAGE_SIZE) ||
        overlaps(w->e->stubs, page, PAGE_SIZE))
        add_origin(w, HELD_NEAR, page, address + 4, reg);
}

/* A load or store at a known place. */
static int take_access(struct walk *w, const struct a64 *insn, uint64_t place, uint64_t address,
                       bool load, struct fail *fail)
{
    size_t index = 0;
    if (!overlaps(w->e->got, place, insn->size))
        return 0;
    if (!load || !insn->general || insn->size != 8 || !arm64e_slot_at(&index, w->e, place))
        return refuse_at(w, address, "uses a slot of __got otherwise than by loading it", fail);
    w->e->slots[index].read = true;
    add_origin(w, w->e->slots[index].stub ? HELD_IMPORT : HELD_LOADED, 0, address + 4, insn->rd);
    return 0;
}

static void push(struct walk *w, uint64_t address, unsigned reg)
{
    /* The next function is reached by no path of this one: a call that does not return. */
    if (reg == 31 || !arm64e_in_section(w->e->text, address) || arm64e_is_function(w->e, address))
        return;
    struct mark *mark = &w->marks[(address - w->e->text->address) / 4];
    if (mark->origin != w->origin) {
        mark->origin = w->origin;
        mark->registers = 0;
    }
    if ((mark->registers >> reg & 1) != 0)
        return;
    mark->registers |= 1u << reg;
    w->states = mem_grow(w->states, w->state_count, &w->state_capacity, sizeof *w->states);
    w->states[w->state_count++] = (struct state){.address = address, .reg = reg};
}

static const char *misuse(enum held held)
{
    switch (held) {
    case HELD_NEAR:
        return "uses an address near a slot or a function in a way that cannot be followed";
    case HELD_FUNCTION:
        return "uses the address of a function without signing it";
    case HELD_IMPORT:
        return "uses the address of an imported function without signing it";
    case HELD_LOADED:
        break;
    }
    return "cannot be followed";
}

/* The instruction reads the register that is followed. */
static int judge_read(struct walk *w, const struct origin *origin, const struct state *state,
                      const struct a64 *insn, struct fail *fail)
{
    bool function = origin->held == HELD_FUNCTION || origin->held == HELD_IMPORT;
    if (insn->kind == A64_MOVE) {
        push(w, state->address + 4, insn->rd);
        return 0;
    }
    if (origin->held == HELD_NEAR && insn->kind == A64_ADD)
        return take_address(w, origin->value + insn->value, state->address, insn->rd, fail);
    if (origin->held == HELD_NEAR && insn->kind == A64_ACCESS && insn->rn == state->reg &&
        (insn->load || !insn->general || insn->rd != state->reg))
        return take_access(w, insn, origin->value + insn->value, state->address, insn->load, fail);
    if (function && insn->kind == A64_SIGN && insn->rd == state->reg && insn->rn != state->reg)
        return 0;
    if (origin->held != HELD_NEAR && origin->held != HELD_FUNCTION &&
        insn->kind == A64_CALL_REGISTER && !insn->authenticates) {
        w->marks[(state->address - w->e->text->address) / 4].loaded_call = true;
        return 0;
    }
    if (origin->held == HELD_LOADED)
        return 0;
    return refuse_at(w, state->address, misuse(origin->held), fail);
}

/* Control leaves the function, or another one is called: a raw pointer may not be handed over. */
static int judge_leaving(const struct walk *w, const struct origin *origin,
                         const struct state *state, uint32_t handed_over, struct fail *fail)
{
    bool function = origin->held == HELD_FUNCTION || origin->held == HELD_IMPORT;
    if (function && (handed_over >> state->reg & 1) != 0)
        return refuse_at(w, state->address, misuse(origin->held), fail);
    return 0;
}

/* Where it goes on. */
static int step_on(struct walk *w, const struct origin *origin, const struct state *state,
                   const struct a64 *insn, struct fail *fail)
{
    bool inside =
        arm64e_in_section(w->e->text, insn->value) && !arm64e_is_function(w->e, insn->value);
    switch (insn->kind) {
    case A64_BRANCH:
        if (!inside)
            return judge_leaving(w, origin, state, ARGUMENTS, fail);
        push(w, insn->value, state->reg);
        return 0;
    case A64_BRANCH_IF:
        if (!inside && judge_leaving(w, origin, state, ARGUMENTS, fail) < 0)
            return -1;
        push(w, insn->value, state->reg);
        break;
    case A64_CALL:
    case A64_CALL_REGISTER:
        if (judge_leaving(w, origin, state, ARGUMENTS, fail) < 0)
            return -1;
        if ((LOST_BY_CALL >> state->reg & 1) != 0)
            return 0;
        break;
    case A64_JUMP_REGISTER:
        return judge_leaving(w, origin, state, ARGUMENTS, fail);
    case A64_RETURN:
        return judge_leaving(w, origin, state, 1, fail);
    case A64_TRAP:
        return 0;
    case A64_UNKNOWN:
        return refuse_at(w, state->address, "has an instruction that is not known", fail);
    case A64_OTHER:
    case A64_ADDRESS:
    case A64_PAGE:
    case A64_ADD:
    case A64_MOVE:
    case A64_ACCESS:
    case A64_LOAD_LITERAL:
    case A64_SIGN:
        break;
    }
    push(w, state->address + 4, state->reg);
    return 0;
}

static int follow(struct walk *w, const struct origin *origin, struct fail *fail)
{
    w->origin++;
    push(w, origin->address, origin->reg);
    while (w->state_count != 0) {
        struct state state = w->states[--w->state_count];
        struct a64 insn;
        if (w->steps_left-- == 0)
            return fail_set(fail, FAIL_INPUT, "the code is too tangled to be followed");
        decode_at(&insn, w, state.address);
        bool known = insn.kind != A64_UNKNOWN;
        if (known && (insn.reads >> state.reg & 1) != 0 &&
            judge_read(w, origin, &state, &insn, fail) < 0)
            return -1;
        if ((insn.writes >> state.reg & 1) != 0)
            continue;
        if (step_on(w, origin, &state, &insn, fail) < 0)
            return -1;
    }
    return 0;
}

/* Follows what one instruction put into a register, and what comes of that. */
static int follow_all(struct walk *w, struct fail *fail)
{
    while (w->origin_count != 0) {
        struct origin origin = w->origins[--w->origin_count];
        if (follow(w, &origin, fail) < 0)
            return -1;
    }
    return 0;
}

static int take_insn(struct walk *w, const struct a64 *insn, uint64_t address, struct fail *fail)
{
    if (insn->kind == A64_ADDRESS)
        return take_address(w, insn->value, address, insn->rd, fail);
    if (insn->kind == A64_LOAD_LITERAL)
        return take_access(w, insn, insn->value, address, true, fail);
    if (insn->kind == A64_JUMP_REGISTER && !insn->authenticates)
        return refuse_at(w, address, "jumps to a register without authenticating it", fail);
    if (insn->kind == A64_PAGE)
        take_page(w, insn->value, address, insn->rd);
    return 0;
}

static int look_at(struct walk *w, uint64_t address, struct fail *fail)
{
    struct a64 insn;
    decode_at(&insn, w, address);
    return take_insn(w, &insn, address, fail) < 0 ? -1 : follow_all(w, fail);
}

/* Calls of registers without authentication are right for what was loaded from a slot. */
static int check_calls(const struct walk *w, struct fail *fail)
{
    for (uint64_t i = 0; i < w->e->text->size; i += 4) {
        struct a64 insn;
        decode_at(&insn, w, w->e->text->address + i);
        if (insn.kind == A64_CALL_REGISTER && !insn.authenticates && !w->marks[i / 4].loaded_call)
            return refuse_at(w, w->e->text->address + i,
                             "calls a register without authenticating it", fail);
    }
    return 0;
}

int arm64e_read_code(struct arm64e *e, struct fail *fail)
{
    own_walk struct walk w = {.e = e, .code = image_section_data(e->image, e->text)};
    uint64_t count = e->text->size / 4;
    if (e->text->size > CODE_MAX)
        return fail_set(fail, FAIL_INPUT, "the code has %" PRIu64 " bytes, more than %u",
                        e->text->size, CODE_MAX);
    w.marks = mem_new((size_t)count, sizeof *w.marks);
    w.steps_left = STEPS_PER_WORD * (count + 1024);
    for (uint64_t i = 0; i < count; i++) {
        if (look_at(&w, e->text->address + 4 * i, fail) < 0)
            return -1;
    }
    return check_calls(&w, fail);
}
