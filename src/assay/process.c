#include "assay/process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* The map of the address space; images lie between 4 and 8 GiB (loader.c). */
#define STAND_INS_ADDRESS UINT64_C(0x200000000) /* never mapped: a call ends the run */
#define STAND_IN_LEN      16u
#define STAND_INS_MAX     65536u
#define STACK_ADDRESS     UINT64_C(0x300000000)
#define STACK_LEN         (1u << 20)
#define HEAP_ADDRESS      UINT64_C(0x400000000)
#define HEAP_LEN          (16u << 20)

#define DEPTH_MAX 64u /* of calls from stand-ins back into the images */
#define RED_ZONE  256u
#define TEXT_STEP 256u

#define FIRST_SAVED 19u /* registers that a function has to restore */
#define LAST_SAVED  29u
#define CALL_WORK   64u /* of a stand-in, in instructions; what it reads and writes comes on top */

struct function {
    char *name;
    stand_in call;
    void *context;
};

struct process {
    struct emu *emu;
    struct findings *findings;
    bool authenticate;
    bool ended;
    struct process_names names;
    struct function **functions; /* [0] is the return from process_call() */
    size_t function_count;
    size_t function_capacity;
    const struct function *running;
    uint64_t heap_used;
    unsigned depth;
    bool jumped; /* the running stand-in set PC itself */
};

static bool return_from_call(struct process *process, void *context)
{
    (void)process;
    (void)context;
    return true;
}

int process_open(struct process **out, struct findings *findings, bool authenticate,
                 const struct emu_limits *limits, struct fail *fail)
{
    own_process struct process *process = mem_new(1, sizeof *process);
    process->findings = findings;
    process->authenticate = authenticate;
    if (emu_open(&process->emu, authenticate, limits, fail) < 0 ||
        emu_map(process->emu, STACK_ADDRESS, STACK_LEN, EMU_READ | EMU_WRITE, fail) < 0 ||
        emu_map(process->emu, HEAP_ADDRESS, HEAP_LEN, EMU_READ | EMU_WRITE, fail) < 0)
        return -1;
    emu_set(process->emu, EMU_SP, STACK_ADDRESS + STACK_LEN - RED_ZONE);
    process_stand_in(process, "the end of a call", return_from_call, NULL);
    *out = steal_mem(&process);
    return 0;
}

void process_release(struct process **process)
{
    if (*process == NULL)
        return;
    for (size_t i = 0; i < (*process)->function_count; i++) {
        free((*process)->functions[i]->name);
        free((*process)->functions[i]);
    }
    free((*process)->functions);
    emu_release(&(*process)->emu);
    free(*process);
    *process = NULL;
}

void process_set_names(struct process *process, const struct process_names *names)
{
    process->names = *names;
}

struct emu *process_emu(struct process *process)
{
    return process->emu;
}

bool process_authenticates(const struct process *process)
{
    return process->authenticate;
}

bool process_ended(const struct process *process)
{
    return process->ended;
}

void process_end(struct process *process)
{
    process->ended = true;
}

/* ---- stand-ins ------------------------------------------------------------------------------ */

uint64_t process_stand_in(struct process *process, const char *name, stand_in call, void *context)
{
    for (size_t i = 0; i < process->function_count; i++) {
        const struct function *known = process->functions[i];
        if (known->call == call && known->context == context && strcmp(known->name, name) == 0)
            return STAND_INS_ADDRESS + STAND_IN_LEN * i;
    }
    if (process->function_count == STAND_INS_MAX)
        own_stop("too many stand-ins in an emulated process");
    process->functions = mem_grow(process->functions, process->function_count,
                                  &process->function_capacity, sizeof *process->functions);
    struct function *function = mem_new(1, sizeof *function);
    *function = (struct function){text_copy(name), call, context};
    process->functions[process->function_count] = function;
    return STAND_INS_ADDRESS + STAND_IN_LEN * process->function_count++;
}

static const struct function *find_function(const struct process *process, uint64_t address)
{
    uint64_t off = address - STAND_INS_ADDRESS;
    if (address < STAND_INS_ADDRESS || off % STAND_IN_LEN != 0 ||
        off / STAND_IN_LEN >= process->function_count)
        return NULL;
    return process->functions[off / STAND_IN_LEN];
}

const char *process_stand_in_name(const struct process *process, uint64_t address)
{
    const struct function *function = find_function(process, address);
    return function == NULL ? NULL : function->name;
}

uint64_t process_argument(const struct process *process, unsigned index)
{
    return emu_get(process->emu, (enum emu_register)(EMU_X0 + index));
}

bool process_variadic(struct process *process, uint64_t *out, unsigned index)
{
    return process_read_u64(process, out, emu_get(process->emu, EMU_SP) + index * sizeof *out);
}

bool process_return(struct process *process, uint64_t value)
{
    emu_set(process->emu, EMU_X0, value);
    return true;
}

bool process_jump(struct process *process, uint64_t address)
{
    emu_set(process->emu, EMU_PC, address);
    process->jumped = true;
    return true;
}

static const char *running_name(const struct process *process)
{
    return process->running == NULL ? "the process" : process->running->name;
}

bool process_complain(struct process *process, const char *expected, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *actual = text_vprintf(format, args);
    va_end(args);
    own_mem char *place = text_printf("call of %s", running_name(process));
    finding_error(process->findings, "assay.call", place, expected, actual);
    process->ended = true;
    return false;
}

/* ---- memory --------------------------------------------------------------------------------- */

static void add_end(struct process *process, const struct emu_exit *exit);

bool process_work(struct process *process, uint64_t work)
{
    struct emu_exit exit = {0};
    if (process->ended)
        return false;
    if (emu_work(process->emu, work, &exit.end))
        return true;
    add_end(process, &exit);
    return false;
}

static void add_limit(struct process *process, const char *what)
{
    finding_error(process->findings, "assay.limit", running_name(process),
                  "an end within the limits of a trial", what);
    process->ended = true;
}

uint64_t process_alloc(struct process *process, uint64_t len)
{
    if (len > HEAP_LEN - process->heap_used) {
        add_limit(process, "all memory of the heap is used up");
        return 0;
    }
    uint64_t address = HEAP_ADDRESS + process->heap_used;
    process->heap_used += (len + 15) & ~UINT64_C(15);
    if (process->heap_used > HEAP_LEN)
        process->heap_used = HEAP_LEN;
    return address;
}

uint64_t process_alloc_text(struct process *process, const char *text)
{
    size_t len = strlen(text) + 1;
    uint64_t address = process_alloc(process, len);
    return address != 0 && process_write(process, address, text, len) ? address : 0;
}

bool process_return_text(struct process *process, const char *text)
{
    uint64_t address = process_alloc_text(process, text);
    return address != 0 && process_return(process, address);
}

/* What the code itself could not do is not done for it either. */
static bool may_use(struct process *process, uint64_t address, uint64_t len, unsigned access)
{
    if (!process_work(process, len / sizeof(uint64_t)))
        return false;
    if (emu_allows(process->emu, address, len, access))
        return true;
    return process_complain(process,
                            access == EMU_WRITE ? "an address that the process may write to"
                                                : "an address that the process may read",
                            "0x%" PRIx64, address);
}

bool process_read(struct process *process, void *out, uint64_t address, uint64_t len)
{
    return may_use(process, address, len, EMU_READ) && emu_read(process->emu, out, address, len);
}

bool process_read_u64(struct process *process, uint64_t *out, uint64_t address)
{
    uint8_t bytes[8] = {0};
    if (!process_read(process, bytes, address, sizeof bytes))
        return false;
    return view_u64(out, (struct view){bytes, sizeof bytes}, 0, LITTLE_ENDIAN_BYTES);
}

bool process_write(struct process *process, uint64_t address, const void *data, uint64_t len)
{
    return may_use(process, address, len, EMU_WRITE) && emu_write(process->emu, address, data, len);
}

char *process_text(struct process *process, uint64_t address)
{
    own_buf struct buf text = {0};
    while (text.len < PROCESS_TEXT_MAX) {
        char part[TEXT_STEP];
        uint64_t from = address + text.len;
        size_t len = TEXT_STEP - (size_t)(from % TEXT_STEP); /* never into the next page */
        if (!process_read(process, part, from, len))
            return NULL;
        size_t used = strnlen(part, len);
        buf_append(&text, part, used);
        if (used < len)
            return buf_steal(&text);
    }
    process_complain(process, "a text that ends", "more than %u bytes at 0x%" PRIx64,
                     PROCESS_TEXT_MAX, address);
    return NULL;
}

char *process_text_argument(struct process *process, unsigned index)
{
    return process_text(process, process_argument(process, index));
}

/* ---- code pointers -------------------------------------------------------------------------- */

bool process_code_pointer(struct process *process, uint64_t *out, uint64_t pointer)
{
    *out = emu_strip(process->emu, pointer);
    if (pointer == 0 || emu_is_signed(process->emu, pointer, EMU_KEY_IA, 0))
        return true;
    own_mem char *place = text_printf("call of %s", running_name(process));
    own_mem char *actual = text_printf("0x%" PRIx64, pointer);
    finding_error(process->findings, "assay.authentication", place,
                  "a function pointer that is signed with key IA and diversity 0", actual);
    process->ended = true;
    return false;
}

uint64_t process_sign_code(struct process *process, uint64_t address)
{
    return address == 0 ? 0 : emu_sign(process->emu, address, EMU_KEY_IA, 0);
}

/* ---- what went wrong ------------------------------------------------------------------------ */

static char *name_place(const struct process *process, uint64_t address)
{
    char *place = NULL;
    if (process->names.place != NULL &&
        process->names.place(&place, process->names.context, address))
        return place;
    return text_printf("address 0x%" PRIx64, address);
}

/* The fix-up that the bad pointer was read from: the newest read that still holds it. */
static char *name_origin(struct process *process, uint64_t pointer)
{
    uint64_t reads[EMU_READS_MAX] = {0};
    unsigned count = emu_last_reads(process->emu, reads);
    for (unsigned i = 0; i < count && process->names.origin != NULL; i++) {
        uint64_t slot = 0;
        char *origin = NULL;
        if (!emu_read(process->emu, &slot, reads[i], sizeof slot) ||
            emu_strip(process->emu, slot) != emu_strip(process->emu, pointer))
            continue;
        if (process->names.origin(&origin, process->names.context, reads[i]))
            return origin;
    }
    return NULL;
}

static void add_bad_pointer(struct process *process, const struct emu_exit *exit, const char *what)
{
    own_mem char *place = name_place(process, exit->pc);
    own_mem char *origin = name_origin(process, exit->address);
    own_mem char *stripped = name_place(process, emu_strip(process->emu, exit->address));
    struct finding *finding = finding_add(process->findings, FINDING_ERROR, "assay.authentication");
    finding_place(finding, "%s, instruction 0x%08" PRIx32, place, exit->instruction);
    finding_expected(finding, "a pointer that authenticates");
    finding_actual(finding, "%s 0x%" PRIx64 " (%s)%s%s", what, exit->address, stripped,
                   origin == NULL ? "" : ", from ", origin == NULL ? "" : origin);
}

static void add_fault(struct process *process, const struct emu_exit *exit, const char *what)
{
    if (process->authenticate && emu_strip(process->emu, exit->address) != exit->address) {
        add_bad_pointer(process, exit, what);
        return;
    }
    own_mem char *place = name_place(process, exit->pc);
    struct finding *finding = finding_add(process->findings, FINDING_ERROR, "assay.fault");
    finding_place(finding, "%s, instruction 0x%08" PRIx32, place, exit->instruction);
    finding_expected(finding, "memory of the process");
    finding_actual(finding, "%s 0x%" PRIx64, what, exit->address);
}

static void add_trap(struct process *process, const struct emu_exit *exit)
{
    own_mem char *place = name_place(process, exit->pc);
    struct finding *finding = finding_add(process->findings, FINDING_ERROR, "assay.trap");
    finding_place(finding, "%s", place);
    finding_expected(finding, "an instruction that a process may execute");
    finding_actual(finding, "0x%08" PRIx32, exit->instruction);
}

static void add_end(struct process *process, const struct emu_exit *exit)
{
    process->ended = true;
    switch (exit->end) {
    case EMU_END_BRANCH:
        add_fault(process, exit, "a branch to");
        break;
    case EMU_END_READ:
        add_fault(process, exit, "a read of");
        break;
    case EMU_END_WRITE:
        add_fault(process, exit, "a write to");
        break;
    case EMU_END_TRAP:
        add_trap(process, exit);
        break;
    case EMU_END_BUDGET:
        add_limit(process, "all instructions are used up");
        break;
    case EMU_END_TIME:
        add_limit(process, "the time is used up");
        break;
    case EMU_END_SIGNAL: /* the caller's stop_check() tells */
        break;
    }
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Runs until the call that was begun at this depth returns. */
static bool run(struct process *process)
{
    while (!process->ended) {
        uint64_t pc = emu_get(process->emu, EMU_PC);
        const struct function *function = find_function(process, pc);
        if (function == NULL) {
            struct emu_exit exit = emu_run(process->emu);
            if (exit.end != EMU_END_BRANCH || find_function(process, exit.address) == NULL)
                add_end(process, &exit);
            continue;
        }
        if (function == process->functions[0])
            return true;
        const struct function *outer = process->running;
        process->running = function;
        process->jumped = false;
        if (!process_work(process, CALL_WORK) || !function->call(process, function->context))
            process->ended = true;
        else if (!process->jumped)
            emu_set(process->emu, EMU_PC, emu_get(process->emu, EMU_LR));
        process->running = outer;
    }
    return false;
}

/* A caller relies on x19 to x29 and the stack pointer being what they were. */
static bool check_restored(struct process *process, uint64_t address,
                           const uint64_t before[EMU_PC + 1], uint64_t stack)
{
    for (unsigned i = FIRST_SAVED; i <= LAST_SAVED + 1; i++) {
        bool is_stack = i > LAST_SAVED;
        uint64_t after = emu_get(process->emu, is_stack ? EMU_SP : (enum emu_register)i);
        if (after == (is_stack ? stack : before[i]))
            continue;
        own_mem char *where = name_place(process, address);
        own_mem char *place = text_printf("call of %s", where);
        own_mem char *actual =
            is_stack ? text_copy("sp is another") : text_printf("x%u is another", i);
        finding_error(process->findings, "assay.call", place,
                      "x19 to x29 and sp as they were before the call", actual);
        process->ended = true;
        return false;
    }
    return true;
}

int process_call(struct process *process, uint64_t address, const uint64_t *arguments,
                 unsigned count, uint64_t *result)
{
    if (process->ended)
        return -1;
    if (process->depth == DEPTH_MAX) {
        add_limit(process, "calls go back and forth too deeply");
        return -1;
    }
    uint64_t saved[EMU_PC + 1] = {0};
    for (unsigned i = 0; i <= EMU_PC; i++)
        saved[i] = emu_get(process->emu, (enum emu_register)i);
    bool jumped = process->jumped;
    for (unsigned i = 0; i < count && i < PROCESS_ARGUMENTS_MAX; i++)
        emu_set(process->emu, (enum emu_register)i, arguments[i]);
    uint64_t stack = (saved[EMU_SP] - RED_ZONE) & ~UINT64_C(15);
    emu_set(process->emu, EMU_SP, stack);
    emu_set(process->emu, EMU_LR, STAND_INS_ADDRESS);
    emu_set(process->emu, EMU_PC, address);
    process->depth++;
    bool returned = run(process) && check_restored(process, address, saved, stack);
    process->depth--;
    process->jumped = jumped;
    uint64_t value = emu_get(process->emu, EMU_X0);
    for (unsigned i = 0; i <= EMU_PC; i++)
        emu_set(process->emu, (enum emu_register)i, saved[i]);
    if (result != NULL)
        *result = value;
    return returned ? 0 : -1;
}
