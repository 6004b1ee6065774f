/*
 * Purpose: an emulated arm64 processor with its memory: code runs with pointer authentication
 *     really on or off, at the level of a process (EL0), within a budget, until it branches to a
 *     place that has no memory. What such a place means (a stand-in for a function, the end of a
 *     call) is the caller's affair.
 *
 * Layer: port (Unicorn). Built without Unicorn, emu_open() is the failure that says so.
 *
 * Calling sequence:
 *         own_emu struct emu *emu = NULL;
 *         struct emu_limits limits = {.instructions = 1000000, .memory_len = 64 << 20};
 *         if (emu_open(&emu, true, &limits, &fail) < 0 ||
 *             emu_map(emu, text_address, text_len, EMU_READ | EMU_EXECUTE, &fail) < 0 || ...)
 *         emu_write(emu, text_address, bytes);
 *         emu_set(emu, EMU_PC, entry);
 *         struct emu_exit exit = emu_run(emu);
 *     emu_run() may be called again after any exit that is no fault: registers and memory stay.
 *
 * Ownership: emu_free(), or own_emu, frees processor and memory.
 *
 * Errors: FAIL_SYSTEM when Unicorn is missing or refuses; FAIL_INPUT for more memory than the
 *     limit. What the code does wrong is no failure: it is in struct emu_exit.
 *
 * Determinism: the keys are constants and every register begins as zero, so a run depends on
 *     memory, registers and limits only; but for limits.time_sec, which is a backstop.
 *
 * Source of the facts: Arm Architecture Reference Manual (DDI 0487): PACIA and its kin, SCTLR_EL1,
 *     SCR_EL3, HCR_EL2, the key registers. Measured with Unicorn 2.0.1: SCTLR_EL1 takes effect
 *     only when the guest writes it; a second uc_emu_start() inside a hook crashes, so that hooks
 *     here only note what happened.
 */
#ifndef HALLMARK_PORT_EMU_H
#define HALLMARK_PORT_EMU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"

struct emu;

#define own_emu __attribute__((cleanup(emu_release)))

struct emu_limits {
    uint64_t instructions; /* of all runs together, and emu_work() */
    uint64_t memory_len;   /* bytes that emu_map() may map in all */
    unsigned time_sec;     /* of all runs together; 0: none */
};

enum emu_access { EMU_READ = 1, EMU_WRITE = 2, EMU_EXECUTE = 4 };

/* x0 to x30 are the numbers 0 to 30. */
enum emu_register { EMU_X0 = 0, EMU_X16 = 16, EMU_X17 = 17, EMU_LR = 30, EMU_SP = 31, EMU_PC = 32 };

/* In the order of the field `key` of a chained fix-up. */
enum emu_key { EMU_KEY_IA, EMU_KEY_IB, EMU_KEY_DA, EMU_KEY_DB };

enum emu_end {
    EMU_END_BRANCH, /* the code branched to `address`, which is not mapped or not executable */
    EMU_END_READ,   /* it read from `address`, which it may not */
    EMU_END_WRITE,
    EMU_END_TRAP,   /* brk, svc, or an instruction that a process does not have: also what reads
                     * a clock or chance */
    EMU_END_BUDGET, /* all instructions are used up */
    EMU_END_TIME,   /* the time is used up */
    EMU_END_SIGNAL, /* a signal asked hallmark to stop */
};

struct emu_exit {
    enum emu_end end;
    uint64_t address;     /* of the branch or access; of the instruction of a trap */
    uint64_t pc;          /* of the instruction that did it; 0 when that is not known */
    uint32_t instruction; /* the one at pc */
};

/* Where memory was read last, newest first: how a bad pointer is traced to where it came from. */
#define EMU_READS_MAX 32u

int emu_open(struct emu **out, bool authenticate, const struct emu_limits *limits,
             struct fail *fail) must_check;
void emu_release(struct emu **emu);

/* Maps zeroed memory; address and length are multiples of 4096. `access`: enum emu_access.
 * emu_protect() changes it for the whole of what one emu_map() mapped. */
int emu_map(struct emu *emu, uint64_t address, uint64_t len, unsigned access,
            struct fail *fail) must_check;
int emu_protect(struct emu *emu, uint64_t address, uint64_t len, unsigned access,
                struct fail *fail) must_check;

/* Whether all of it is mapped and the code may do that with it. `access`: enum emu_access, or 0. */
bool emu_allows(const struct emu *emu, uint64_t address, uint64_t len, unsigned access);

/* False when not all of it is mapped; access rights do not matter. */
bool emu_read(const struct emu *emu, void *out, uint64_t address, uint64_t len);
bool emu_write(struct emu *emu, uint64_t address, const void *data, uint64_t len);

uint64_t emu_get(const struct emu *emu, enum emu_register reg);
void emu_set(struct emu *emu, enum emu_register reg, uint64_t value);

/* The low 64 bits of v0 to v7, which hold floating-point arguments and results. */
uint64_t emu_get_vector(const struct emu *emu, unsigned number);
void emu_set_vector(struct emu *emu, unsigned number, uint64_t value);

/* Runs from EMU_PC. */
struct emu_exit emu_run(struct emu *emu);

/*
 * What PACIA, PACIB, PACDA or PACDB makes of a pointer, and the pointer without its code.
 * Without authentication both are the pointer itself.
 */
uint64_t emu_sign(struct emu *emu, uint64_t pointer, enum emu_key key, uint64_t modifier);
uint64_t emu_strip(const struct emu *emu, uint64_t pointer);

/* Whether AUTIA and its kin would accept the pointer. Without authentication: always. */
bool emu_is_signed(struct emu *emu, uint64_t pointer, enum emu_key key, uint64_t modifier);

/* Notes reads of [address, address + len) from now on; see emu_last_reads(). */
int emu_watch(struct emu *emu, uint64_t address, uint64_t len, struct fail *fail) must_check;

/* The addresses of the last reads of what is watched, newest first; how many there are. */
unsigned emu_last_reads(const struct emu *emu, uint64_t out[EMU_READS_MAX]);

/* Instructions executed so far. */
uint64_t emu_instructions(const struct emu *emu);

/*
 * Charges what is done on behalf of the code, outside of it, to the same budget. False, and why
 * (EMU_END_BUDGET, _TIME or _SIGNAL), when it has to end.
 */
bool emu_work(struct emu *emu, uint64_t work, enum emu_end *end);

#endif
