/*
 * Purpose: an emulated process: processor, stack, heap, and stand-ins for all functions that its
 *     images call but do not have. What happens outside of the images is a stand-in's doing;
 *     what goes wrong inside of them is a finding.
 *
 * Layer: assay.
 *
 * Calling sequence:
 *         own_process struct process *process = NULL;
 *         if (process_open(&process, findings, authenticate, &limits, &fail) < 0) ...
 *         uint64_t getenv_address = process_stand_in(process, "_getenv", stand_in_getenv, world);
 *         loader_load(...), then process_call(process, function, arguments, 2, &result)
 *     A stand-in reads its arguments, and answers with process_return() or process_jump(). It may
 *     call back into the images with process_call().
 *
 * Ownership: the process owns its memory; contexts of stand-ins are borrowed for its life.
 *
 * Errors: process_open(): FAIL_SYSTEM without Unicorn. All that the code does wrong is a finding,
 *     and ends the call: -1 without a failure. After that nothing more is run; process_ended()
 *     tells. Ids:
 *       assay.authentication  a pointer was used that is not signed as it has to be
 *       assay.fault           memory that is not there, or may not be used so
 *       assay.trap            brk, svc, or an instruction that does not exist
 *       assay.limit           instructions, memory, depth of calls or time are used up
 *       assay.call            a stand-in was called with what it cannot work on, or a function did
 *                             not restore the registers that belong to its caller
 *
 * Determinism: addresses are constants and allocation goes upwards, so a run depends on the images
 *     and stand-ins only (and on limits.time_sec, a backstop).
 *
 * Source of the facts: Procedure Call Standard for the Arm 64-bit Architecture; Apple's ARM64
 *     Function Calling Conventions (variadic arguments lie on the stack).
 */
#ifndef HALLMARK_ASSAY_PROCESS_H
#define HALLMARK_ASSAY_PROCESS_H

#include "base/finding.h"
#include "port/emu.h"

struct process;

#define own_process __attribute__((cleanup(process_release)))

#define PROCESS_ARGUMENTS_MAX 8u
#define PROCESS_TEXT_MAX      (64u << 10)

/* A function outside of the images. False: it could not answer, and a finding says why. */
typedef bool (*stand_in)(struct process *process, void *context);

/* Says where an address lies and where a pointer came from, for findings; both may return false. */
struct process_names {
    bool (*place)(char **out, void *context, uint64_t address);
    bool (*origin)(char **out, void *context, uint64_t slot);
    void *context;
};

int process_open(struct process **out, struct findings *findings, bool authenticate,
                 const struct emu_limits *limits, struct fail *fail) must_check;
void process_release(struct process **process);

void process_set_names(struct process *process, const struct process_names *names);

struct emu *process_emu(struct process *process);
bool process_authenticates(const struct process *process);

/* Whether something ended the process: a finding, or process_end(). */
bool process_ended(const struct process *process);

/* Ends it without a finding: exit(). */
void process_end(struct process *process);

/* Registers a stand-in; the address that a call to it goes to, the same for the same one. The name
 * is copied. */
uint64_t process_stand_in(struct process *process, const char *name, stand_in call, void *context);

/* The name of the stand-in at an address; NULL when there is none. */
const char *process_stand_in_name(const struct process *process, uint64_t address);

/* Zeroed memory, aligned to 16; 0 with a finding when there is no more. */
uint64_t process_alloc(struct process *process, uint64_t len);
uint64_t process_alloc_text(struct process *process, const char *text);

/*
 * What is done for the images counts like their own instructions: stand-ins are charged by the
 * call and by what they read and write, and charge themselves what they do beside that. False,
 * with a finding, when a limit is reached; false also when a signal asked hallmark to stop.
 */
bool process_work(struct process *process, uint64_t work);

/* Uses memory that the code passed on; false with a finding when it is not there, or when the code
 * itself may not use it so. */
bool process_read(struct process *process, void *out, uint64_t address, uint64_t len);
bool process_read_u64(struct process *process, uint64_t *out, uint64_t address);
bool process_write(struct process *process, uint64_t address, const void *data, uint64_t len);

/* A NUL-terminated text of less than PROCESS_TEXT_MAX bytes; NULL with a finding. Free it. */
char *process_text(struct process *process, uint64_t address);

/* For stand-ins: argument `index` (0 to 7), the variadic argument `index`, and the answer. Texts
 * are those that an argument points to, and a copy in the process. */
uint64_t process_argument(const struct process *process, unsigned index);
char *process_text_argument(struct process *process, unsigned index);
bool process_variadic(struct process *process, uint64_t *out, unsigned index);
bool process_return(struct process *process, uint64_t value);
bool process_return_text(struct process *process, const char *text);
/* Goes on at `address` with the arguments as they are, as a tail call. */
bool process_jump(struct process *process, uint64_t address);

/*
 * Calls code, or a stand-in, at an address (not signed) and gives x0. 0, or -1: the process ended.
 */
int process_call(struct process *process, uint64_t address, const uint64_t *arguments,
                 unsigned count, uint64_t *result) must_check;

/* "assay.call" at the stand-in that is running; always returns false. */
bool process_complain(struct process *process, const char *expected, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * A code pointer that the code handed out, without its signature. With authentication it must be
 * signed with IA and no diversity, as a C function pointer; false with a finding when it is not.
 */
bool process_code_pointer(struct process *process, uint64_t *out, uint64_t pointer);

/* The other way: what a C function pointer to `address` is. */
uint64_t process_sign_code(struct process *process, uint64_t address);

#endif
