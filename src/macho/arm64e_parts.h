/*
 * Purpose: what the files of the arm64e pass share: the image while it is looked at, and the
 *     steps in their order.
 *
 * Layer: macho. Seen by macho/arm64e*.c only.
 *
 * Calling sequence: arm64e_convert() calls the steps as they are listed; each may refuse.
 *
 * Ownership: the struct owns its arrays (arm64e_release()); image and account are borrowed.
 *
 * Errors: FAIL_INPUT.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_MACHO_ARM64E_PARTS_H
#define HALLMARK_MACHO_ARM64E_PARTS_H

#include <stdbool.h>

#include "macho/arm64e.h"

#define ARM64E_STUB_SIZE 12u

/* What is known of one location (of the same index in fixups.list). */
struct arm64e_slot {
    bool stub;        /* a stub jumps through it */
    bool read;        /* code loads it */
    bool personality; /* unwind information names it */
};

struct arm64e {
    const struct image *image;
    uint64_t base;
    struct fixup_list fixups; /* in the order of their addresses, all aligned */
    struct arm64e_slot *slots;
    uint64_t *functions; /* addresses of the starts of functions, ascending */
    size_t function_count;
    const struct image_section *text;
    const struct image_section *stubs; /* NULL: none */
    const struct image_section *got;   /* NULL: none */
};

#define own_arm64e_image __attribute__((cleanup(arm64e_release)))
void arm64e_release(struct arm64e *e);

/* Refuses images, load commands and sections that are not understood; finds the sections. */
int arm64e_check_image(struct arm64e *e, struct fail *fail) must_check;
/* Reads the fix-ups; refuses imports and places that cannot be written. */
int arm64e_read_fixups(struct arm64e *e, struct fail *fail) must_check;
/* Reads the starts of functions; refuses initialisers that are none. */
int arm64e_read_functions(struct arm64e *e, struct fail *fail) must_check;
/* Marks the slots that stubs jump through. */
int arm64e_read_stubs(struct arm64e *e, struct fail *fail) must_check;
/* Marks the slots of personality routines. */
int arm64e_read_unwind(struct arm64e *e, struct fail *fail) must_check;
/* Follows the code: marks the slots that it reads, refuses what is not signed or authenticated. */
int arm64e_read_code(struct arm64e *e, struct fail *fail) must_check;
/* Decides what each location becomes. */
int arm64e_assign(struct arm64e_account *account, const struct arm64e *e,
                  struct fail *fail) must_check;
/* Writes it all. */
int arm64e_write(struct buf *out, const struct arm64e_account *account, const struct arm64e *e,
                 struct fail *fail) must_check;

/* Where in the table of chains the starts of one segment's are described (CHAIN_*: fields of that
 * structure); 0: it has none. */
uint64_t arm64e_starts_of(const struct arm64e *e, uint32_t segment);
#define CHAIN_PAGE_SIZE 4u
#define CHAIN_FORMAT    6u

bool arm64e_in_section(const struct image_section *section, uint64_t address);
bool arm64e_is_function(const struct arm64e *e, uint64_t address);
/* The slot of the GOT at this address, or NULL: index into slots and fixups. */
bool arm64e_slot_at(size_t *out, const struct arm64e *e, uint64_t address);
/* The slot that the stub at `address` jumps through; false when it is not shaped as lld's. */
bool arm64e_stub_slot(uint64_t *out, const struct arm64e *e, uint64_t address);
/* "__DATA,__data+0x8 (0x8008)"; freed by the caller. */
char *arm64e_place(const struct arm64e *e, uint64_t address);

#endif
