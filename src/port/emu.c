/* hallmark built without Unicorn has emu_none.c instead. */
#ifdef HALLMARK_UNICORN

#    include "port/emu.h"

#    include <inttypes.h>
#    include <stdlib.h>
#    include <string.h>
#    include <time.h>

#    include "base/stop.h"
#    include "port/emu_library.h"

#    define PAGE_LEN               4096u
#    define INSTRUCTIONS_PER_CHECK 65536u /* between two looks at the clock and at signals */

/* Where no code can be: runs end by a branch to memory that is not there. */
#    define NOWHERE UINT64_C(0xfffffffffffffffc)

/* A page of our own: the sequences that write system registers and sign pointers. The code that is
 * run can neither read nor write it, and may not branch into it. */
#    define SCRATCH_ADDRESS 0x1000u
#    define SIGN_OFF        0x0u /* one a key: pac?? x0, x1; nop */
#    define SIGN_LEN        8u
#    define STRIP_OFF       0x40u /* xpaci x0; nop */
#    define SYSTEM_OFF      0x80u /* mrs x0, r; orr x0, x0, x1; msr r, x0; isb */
#    define SYSTEM_LEN      16u
#    define LEAVE_OFF       0xc0u /* msr elr_el1, x0; msr spsr_el1, x1; eret; nop */
#    define LEAVE_LEN       12u
#    define SCRATCH_LEN     0xd0u

/* Memory that was mapped, and what the code may do with it; by address. */
struct region {
    uint64_t address;
    uint64_t len;
    unsigned access;
};

struct emu {
    uc_engine *engine;
    bool authenticate;
    struct emu_limits limits;
    uint64_t mapped_len;
    struct region *regions;
    size_t region_count;
    size_t region_capacity;
    uint64_t instructions;
    uint64_t work; /* of the caller's, in instructions */
    uint64_t pc;   /* of the last one */
    bool in_scratch;
    struct timespec deadline;
    enum emu_end asked; /* why a hook stopped the engine */
    bool is_asked;
    uint64_t refused;              /* address of the access that was refused last */
    uint64_t reads[EMU_READS_MAX]; /* a ring */
    uint64_t read_count;
};

static int set_failure(struct fail *fail, uc_err error, const char *what)
{
    return fail_set(fail, FAIL_SYSTEM, "the emulated processor: %s: %s", what, uc_strerror(error));
}

/* ---- hooks: they only note, and ask the engine to stop -------------------------------------- */

static void ask(struct emu *emu, enum emu_end end)
{
    emu->asked = end;
    emu->is_asked = true;
    uc_emu_stop(emu->engine);
}

static bool is_late(const struct emu *emu)
{
    struct timespec now = {0};
    if (emu->limits.time_sec == 0 || clock_gettime(CLOCK_MONOTONIC, &now) < 0)
        return false;
    return now.tv_sec > emu->deadline.tv_sec ||
           (now.tv_sec == emu->deadline.tv_sec && now.tv_nsec >= emu->deadline.tv_nsec);
}

/* What is to end a run now, whoever works; false: nothing. */
static bool is_over(const struct emu *emu, enum emu_end *end)
{
    if (stop_pending() != 0)
        *end = EMU_END_SIGNAL;
    else if (is_late(emu))
        *end = EMU_END_TIME;
    else
        return false;
    return true;
}

static void on_instruction(uc_engine *engine, uint64_t address, uint32_t len, void *context)
{
    struct emu *emu = (struct emu *)context;
    enum emu_end end = EMU_END_BUDGET;
    (void)engine;
    (void)len;
    if (emu->in_scratch || emu->is_asked)
        return;
    if (address - SCRATCH_ADDRESS < PAGE_LEN) {
        ask(emu, EMU_END_BRANCH);
        return;
    }
    if (emu->instructions + emu->work >= emu->limits.instructions) {
        ask(emu, EMU_END_BUDGET);
        return;
    }
    emu->instructions++;
    emu->pc = address;
    if (emu->instructions % INSTRUCTIONS_PER_CHECK == 0 && is_over(emu, &end))
        ask(emu, end);
}

/*
 * Of the system registers only those that a process of macOS may read and that are no clock and no
 * source of chance: NZCV, FPCR, FPSR, TPIDR_EL0, TPIDRRO_EL0, CTR_EL0, DCZID_EL0.
 */
static uint32_t on_system_register(uc_engine *engine, int reg, const uc_arm64_cp_reg *source,
                                   void *context)
{
    static const uint32_t allowed[][3] = {{4, 2, 0},  {4, 4, 0}, {4, 4, 1}, {13, 0, 2},
                                          {13, 0, 3}, {0, 0, 1}, {0, 0, 7}};
    struct emu *emu = (struct emu *)context;
    (void)engine;
    (void)reg;
    bool is_allowed = emu->in_scratch;
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        is_allowed =
            is_allowed || (source->op0 == 3 && source->op1 == 3 && source->crn == allowed[i][0] &&
                           source->crm == allowed[i][1] && source->op2 == allowed[i][2]);
    if (!is_allowed)
        ask(emu, EMU_END_TRAP);
    return is_allowed ? 0 : 1; /* 1: it is not executed */
}

static void on_read(uc_engine *engine, uc_mem_type type, uint64_t address, int len, int64_t value,
                    void *context)
{
    struct emu *emu = (struct emu *)context;
    (void)engine;
    (void)type;
    (void)len;
    (void)value;
    emu->reads[emu->read_count++ % EMU_READS_MAX] = address;
}

static bool on_refused(uc_engine *engine, uc_mem_type type, uint64_t address, int len,
                       int64_t value, void *context)
{
    struct emu *emu = (struct emu *)context;
    (void)engine;
    (void)type;
    (void)len;
    (void)value;
    emu->refused = address;
    return false;
}

/* ---- registers ------------------------------------------------------------------------------ */

static int unicorn_register(enum emu_register reg)
{
    if (reg <= 28)
        return UC_ARM64_REG_X0 + (int)reg;
    if (reg == 29)
        return UC_ARM64_REG_X29;
    if (reg == EMU_LR)
        return UC_ARM64_REG_X30;
    return reg == EMU_SP ? UC_ARM64_REG_SP : UC_ARM64_REG_PC;
}

uint64_t emu_get(const struct emu *emu, enum emu_register reg)
{
    uint64_t value = 0;
    uc_reg_read(emu->engine, unicorn_register(reg), &value);
    return value;
}

void emu_set(struct emu *emu, enum emu_register reg, uint64_t value)
{
    uc_reg_write(emu->engine, unicorn_register(reg), &value);
}

uint64_t emu_get_vector(const struct emu *emu, unsigned number)
{
    uint64_t value = 0;
    uc_reg_read(emu->engine, UC_ARM64_REG_D0 + (int)(number & 7), &value);
    return value;
}

void emu_set_vector(struct emu *emu, unsigned number, uint64_t value)
{
    uc_reg_write(emu->engine, UC_ARM64_REG_D0 + (int)(number & 7), &value);
}

/* Runs one of our own sequences with x0 and x1; all registers are as before. Returns x0. */
static uint64_t run_scratch(struct emu *emu, uint64_t off, uint64_t len, uint64_t x0, uint64_t x1)
{
    uint64_t kept[2] = {emu_get(emu, EMU_X0), emu_get(emu, EMU_X0 + 1)};
    uint64_t pc = emu_get(emu, EMU_PC);
    emu_set(emu, EMU_X0, x0);
    emu_set(emu, EMU_X0 + 1, x1);
    uint64_t start = SCRATCH_ADDRESS + off;
    emu->in_scratch = true;
    uc_err error = uc_emu_start(emu->engine, start, start + len, 0, 0);
    emu->in_scratch = false;
    uint64_t result = error == UC_ERR_OK ? emu_get(emu, EMU_X0) : 0;
    emu_set(emu, EMU_X0, kept[0]);
    emu_set(emu, EMU_X0 + 1, kept[1]);
    emu_set(emu, EMU_PC, pc);
    return result;
}

/* ---- pointer authentication ----------------------------------------------------------------- */

static const uint32_t NOP = 0xd503201f;
static const uint32_t SIGN[] = {0xdac10020, 0xdac10420, 0xdac10820, 0xdac10c20};
static const uint32_t XPACI = 0xdac143e0;

/* Sets bits of a system register from outside; enough for all but SCTLR_EL1. */
static uc_err set_system_bits(struct emu *emu, uint32_t op1, uint32_t crn, uint32_t crm,
                              uint32_t op2, uint64_t bits)
{
    uc_arm64_cp_reg reg = {.op0 = 3, .op1 = op1, .crn = crn, .crm = crm, .op2 = op2};
    uc_err error = uc_reg_read(emu->engine, UC_ARM64_REG_CP_REG, &reg);
    reg.val |= bits;
    return error == UC_ERR_OK ? uc_reg_write(emu->engine, UC_ARM64_REG_CP_REG, &reg) : error;
}

/* The four keys; any values that differ will do. */
static uc_err set_keys(struct emu *emu)
{
    uc_err error = UC_ERR_OK;
    for (uint32_t half = 0; half < 8 && error == UC_ERR_OK; half++)
        error =
            set_system_bits(emu, 0, 2, 1 + half / 4, half % 4, 0x9e3779b97f4a7c15u * (half + 1));
    return error;
}

/* No traps to higher levels (SCR_EL3.NS, RW, APK, API; HCR_EL2.APK, API), then the keys, then
 * SCTLR_EL1.EnIA, EnIB, EnDA, EnDB, by the guest itself. */
static int switch_on(struct emu *emu, struct fail *fail)
{
    uc_err error = set_system_bits(emu, 6, 1, 1, 0, 1u << 0 | 1u << 10 | 3u << 16);
    if (error == UC_ERR_OK)
        error = set_system_bits(emu, 4, 1, 1, 0, UINT64_C(3) << 40);
    if (error == UC_ERR_OK)
        error = set_keys(emu);
    if (error != UC_ERR_OK)
        return set_failure(fail, error, "pointer authentication cannot be switched on");
    run_scratch(emu, SYSTEM_OFF, SYSTEM_LEN, 0, UINT64_C(1) << 31 | 1u << 30 | 1u << 27 | 1u << 13);
    return 0;
}

/*
 * From the kernel's level to that of a process, for good: with floating point (CPACR_EL1.FPEN) and
 * what macOS lets a process do (SCTLR_EL1.DZE, UCT, nTWE, UCI).
 */
static int leave_kernel(struct emu *emu, struct fail *fail)
{
    uc_err error = set_system_bits(emu, 0, 1, 0, 2, 3u << 20);
    if (error != UC_ERR_OK)
        return set_failure(fail, error, "floating point cannot be switched on");
    run_scratch(emu, SYSTEM_OFF, SYSTEM_LEN, 0, 1u << 14 | 1u << 15 | 1u << 18 | 1u << 26);
    run_scratch(emu, LEAVE_OFF, LEAVE_LEN, SCRATCH_ADDRESS + LEAVE_OFF + LEAVE_LEN, 0);
    uint32_t state = UINT32_MAX;
    if (uc_reg_read(emu->engine, UC_ARM64_REG_PSTATE, &state) != UC_ERR_OK || (state & 0xf) != 0)
        return fail_set(fail, FAIL_SYSTEM, "the emulated processor does not leave the kernel");
    return 0;
}

static int check_signing(struct emu *emu, struct fail *fail)
{
    for (enum emu_key key = EMU_KEY_IA; key <= EMU_KEY_DB; key++) {
        if (emu_sign(emu, SCRATCH_ADDRESS, key, 1) == SCRATCH_ADDRESS)
            return fail_set(fail, FAIL_SYSTEM, "the emulated processor does not sign pointers");
    }
    return 0;
}

uint64_t emu_sign(struct emu *emu, uint64_t pointer, enum emu_key key, uint64_t modifier)
{
    if (!emu->authenticate)
        return pointer;
    return run_scratch(emu, SIGN_OFF + SIGN_LEN * key, sizeof(uint32_t), pointer, modifier);
}

uint64_t emu_strip(const struct emu *emu, uint64_t pointer)
{
    if (!emu->authenticate)
        return pointer;
    return run_scratch((struct emu *)emu, STRIP_OFF, sizeof(uint32_t), pointer, 0);
}

bool emu_is_signed(struct emu *emu, uint64_t pointer, enum emu_key key, uint64_t modifier)
{
    return emu_sign(emu, emu_strip(emu, pointer), key, modifier) == pointer;
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint32_t protection(unsigned access)
{
    return (access & EMU_READ ? UC_PROT_READ : 0u) | (access & EMU_WRITE ? UC_PROT_WRITE : 0u) |
           (access & EMU_EXECUTE ? UC_PROT_EXEC : 0u);
}

int emu_map(struct emu *emu, uint64_t address, uint64_t len, unsigned access, struct fail *fail)
{
    if (len > emu->limits.memory_len - emu->mapped_len)
        return fail_set(fail, FAIL_INPUT,
                        "more memory is asked for than a trial may use (%" PRIu64
                        " bytes of %" PRIu64 " left, %" PRIu64 " asked for)",
                        emu->limits.memory_len - emu->mapped_len, emu->limits.memory_len, len);
    uc_err error = uc_mem_map(emu->engine, address, len, protection(access));
    if (error == UC_ERR_MAP || error == UC_ERR_ARG)
        return fail_set(fail, FAIL_INPUT,
                        "0x%" PRIx64 " bytes at address 0x%" PRIx64
                        " overlap other memory or are not aligned to pages",
                        len, address);
    if (error != UC_ERR_OK)
        return set_failure(fail, error, "memory cannot be mapped");
    emu->mapped_len += len;
    emu->regions =
        mem_grow(emu->regions, emu->region_count, &emu->region_capacity, sizeof *emu->regions);
    size_t at = emu->region_count++;
    for (; at > 0 && emu->regions[at - 1].address > address; at--)
        emu->regions[at] = emu->regions[at - 1];
    emu->regions[at] = (struct region){address, len, access};
    return 0;
}

/* The region that an address is in; NULL: none. */
static struct region *find_region(const struct emu *emu, uint64_t address)
{
    size_t low = 0;
    size_t high = emu->region_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (emu->regions[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    struct region *region = low == 0 ? NULL : &emu->regions[low - 1];
    return region != NULL && address - region->address < region->len ? region : NULL;
}

bool emu_allows(const struct emu *emu, uint64_t address, uint64_t len, unsigned access)
{
    while (len > 0) {
        const struct region *region = find_region(emu, address);
        if (region == NULL || (region->access & access) != access)
            return false;
        uint64_t here = region->len - (address - region->address);
        if (here >= len)
            return true;
        address += here;
        len -= here;
    }
    return true;
}

int emu_protect(struct emu *emu, uint64_t address, uint64_t len, unsigned access, struct fail *fail)
{
    struct region *region = find_region(emu, address);
    if (region == NULL || region->address != address || region->len != len)
        return fail_set(fail, FAIL_BUG, "what is protected is not what was mapped");
    uc_err error = uc_mem_protect(emu->engine, address, len, protection(access));
    if (error != UC_ERR_OK)
        return set_failure(fail, error, "memory cannot be protected");
    region->access = access;
    return 0;
}

bool emu_read(const struct emu *emu, void *out, uint64_t address, uint64_t len)
{
    return len == 0 || (emu_allows(emu, address, len, 0) &&
                        uc_mem_read(emu->engine, address, out, len) == UC_ERR_OK);
}

bool emu_write(struct emu *emu, uint64_t address, const void *data, uint64_t len)
{
    return len == 0 || (emu_allows(emu, address, len, 0) &&
                        uc_mem_write(emu->engine, address, data, len) == UC_ERR_OK);
}

int emu_watch(struct emu *emu, uint64_t address, uint64_t len, struct fail *fail)
{
    if (len == 0)
        return 0;
    uc_hook hook = 0;
    uc_err error = uc_hook_add(emu->engine, &hook, UC_HOOK_MEM_READ, (void *)on_read, emu, address,
                               address + len - 1);
    return error == UC_ERR_OK ? 0 : set_failure(fail, error, "reads cannot be watched");
}

unsigned emu_last_reads(const struct emu *emu, uint64_t out[EMU_READS_MAX])
{
    uint64_t count = emu->read_count < EMU_READS_MAX ? emu->read_count : EMU_READS_MAX;
    for (uint64_t i = 0; i < count; i++)
        out[i] = emu->reads[(emu->read_count - 1 - i) % EMU_READS_MAX];
    return (unsigned)count;
}

/* ---- open, run ------------------------------------------------------------------------------ */

static uc_err map_scratch(struct emu *emu)
{
    uint32_t page[SCRATCH_LEN / sizeof(uint32_t)] = {0};
    for (size_t key = 0; key < 4; key++) {
        page[(SIGN_OFF + SIGN_LEN * key) / sizeof(uint32_t)] = SIGN[key];
        page[(SIGN_OFF + SIGN_LEN * key) / sizeof(uint32_t) + 1] = NOP;
    }
    page[STRIP_OFF / sizeof(uint32_t)] = XPACI;
    page[STRIP_OFF / sizeof(uint32_t) + 1] = NOP;
    uint32_t *system = page + SYSTEM_OFF / sizeof(uint32_t);
    system[0] = 0xd5381000; /* mrs x0, sctlr_el1 */
    system[1] = 0xaa010000; /* orr x0, x0, x1 */
    system[2] = 0xd5181000; /* msr sctlr_el1, x0 */
    system[3] = 0xd5033fdf; /* isb */
    uint32_t *leave = page + LEAVE_OFF / sizeof(uint32_t);
    leave[0] = 0xd5184020; /* msr elr_el1, x0 */
    leave[1] = 0xd5184001; /* msr spsr_el1, x1 */
    leave[2] = 0xd69f03e0; /* eret */
    leave[3] = NOP;
    uc_err error = uc_mem_map(emu->engine, SCRATCH_ADDRESS, PAGE_LEN, UC_PROT_EXEC);
    return error == UC_ERR_OK ? uc_mem_write(emu->engine, SCRATCH_ADDRESS, page, sizeof page)
                              : error;
}

static uc_err add_hooks(struct emu *emu)
{
    uc_hook hook = 0;
    uc_err error = uc_hook_add(emu->engine, &hook, UC_HOOK_CODE, (void *)on_instruction, emu,
                               UINT64_C(1), UINT64_C(0));
    if (error != UC_ERR_OK)
        return error;
    error = uc_hook_add(emu->engine, &hook, UC_HOOK_INSN, (void *)on_system_register, emu,
                        UINT64_C(1), UINT64_C(0), UC_ARM64_INS_MRS);
    if (error != UC_ERR_OK)
        return error;
    return uc_hook_add(emu->engine, &hook, UC_HOOK_MEM_INVALID, (void *)on_refused, emu,
                       UINT64_C(1), UINT64_C(0));
}

int emu_open(struct emu **out, bool authenticate, const struct emu_limits *limits,
             struct fail *fail)
{
    if (emu_library_open(fail) < 0)
        return -1;
    own_emu struct emu *emu = mem_new(1, sizeof *emu);
    emu->limits = *limits;
    emu->authenticate = authenticate;
    if (clock_gettime(CLOCK_MONOTONIC, &emu->deadline) < 0)
        return fail_errno(fail, "cannot read the clock");
    emu->deadline.tv_sec += (time_t)limits->time_sec;
    uc_err error = uc_open(UC_ARCH_ARM64, UC_MODE_ARM, &emu->engine);
    if (error == UC_ERR_OK)
        error = uc_ctl_set_cpu_model(emu->engine, UC_CPU_ARM64_MAX);
    if (error == UC_ERR_OK)
        error = add_hooks(emu);
    if (error == UC_ERR_OK)
        error = map_scratch(emu);
    if (error != UC_ERR_OK)
        return set_failure(fail, error, "cannot be started");
    if ((authenticate && switch_on(emu, fail) < 0) || leave_kernel(emu, fail) < 0 ||
        (authenticate && check_signing(emu, fail) < 0))
        return -1;
    *out = steal_mem(&emu);
    return 0;
}

void emu_release(struct emu **emu)
{
    if (*emu == NULL)
        return;
    if ((*emu)->engine != NULL)
        uc_close((*emu)->engine);
    free((*emu)->regions);
    free(*emu);
    *emu = NULL;
}

static enum emu_end end_of(uc_err error)
{
    switch ((int)error) {
    case UC_ERR_FETCH_UNMAPPED:
    case UC_ERR_FETCH_PROT:
    case UC_ERR_FETCH_UNALIGNED:
        return EMU_END_BRANCH;
    case UC_ERR_READ_UNMAPPED:
    case UC_ERR_READ_PROT:
    case UC_ERR_READ_UNALIGNED:
        return EMU_END_READ;
    case UC_ERR_WRITE_UNMAPPED:
    case UC_ERR_WRITE_PROT:
    case UC_ERR_WRITE_UNALIGNED:
        return EMU_END_WRITE;
    default:
        return EMU_END_TRAP;
    }
}

struct emu_exit emu_run(struct emu *emu)
{
    emu->is_asked = false;
    emu->pc = 0;
    uc_err error = uc_emu_start(emu->engine, emu_get(emu, EMU_PC), NOWHERE, 0, 0);
    struct emu_exit exit = {
        .end = emu->is_asked ? emu->asked : end_of(error),
        .address = emu_get(emu, EMU_PC),
        .pc = emu->pc, /* the engine's own is that of the block after a refused access */
    };
    if (error == UC_ERR_OK &&
        !emu->is_asked) /* a branch to NOWHERE, or it waits for an interrupt */
        exit.end = exit.address == NOWHERE ? EMU_END_BRANCH : EMU_END_TRAP;
    if (exit.end == EMU_END_READ || exit.end == EMU_END_WRITE)
        exit.address = emu->refused;
    if (!emu_read(emu, &exit.instruction, exit.pc, sizeof exit.instruction))
        exit.instruction = 0;
    return exit;
}

uint64_t emu_instructions(const struct emu *emu)
{
    return emu->instructions;
}

bool emu_work(struct emu *emu, uint64_t work, enum emu_end *end)
{
    uint64_t used = emu->instructions + emu->work;
    uint64_t left = emu->limits.instructions - used;
    *end = EMU_END_BUDGET;
    if (work > left) {
        emu->work += left;
        return false;
    }
    emu->work += work;
    if (used / INSTRUCTIONS_PER_CHECK == (used + work) / INSTRUCTIONS_PER_CHECK)
        return true;
    return !is_over(emu, end);
}

#endif
