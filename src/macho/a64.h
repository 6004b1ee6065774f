/*
 * Purpose: what one A64 instruction does to the general registers, and where it goes next: as
 *     much as is needed to follow the address of a known place through code.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         struct a64 insn;
 *         a64_decode(&insn, word, address);
 *
 * Ownership: no pointers.
 *
 * Errors: none. What is not known is A64_UNKNOWN, with every register read and none written:
 *     who follows a value must stop there.
 *
 * Determinism: pure. `reads` may name too many registers, `writes` never one that keeps its
 *     value.
 *
 * Sources: the Arm Architecture Reference Manual, "A64 instruction set encoding" (C4.1).
 */
#ifndef HALLMARK_MACHO_A64_H
#define HALLMARK_MACHO_A64_H

#include <stdbool.h>
#include <stdint.h>

enum a64_kind {
    A64_UNKNOWN,
    A64_OTHER,         /* registers only as `reads` and `writes` say */
    A64_ADDRESS,       /* adr: rd = value */
    A64_PAGE,          /* adrp: rd = value */
    A64_ADD,           /* add or sub with a number, 64 bits: rd = rn + value */
    A64_MOVE,          /* rd = rn, 64 bits */
    A64_ACCESS,        /* load or store of `size` bytes at rn + value */
    A64_LOAD_LITERAL,  /* load of `size` bytes at address `value` */
    A64_SIGN,          /* pacia, pacib, pacda, pacdb and their forms with zero: rd */
    A64_BRANCH,        /* to `value` */
    A64_BRANCH_IF,     /* to `value`, or on */
    A64_CALL,          /* of `value` */
    A64_CALL_REGISTER, /* blr, blraa, ...: of rn */
    A64_JUMP_REGISTER, /* br, braa, ... */
    A64_RETURN,
    A64_TRAP, /* brk, udf: the code ends here */
};

struct a64 {
    enum a64_kind kind;
    uint32_t reads, writes; /* bit N: register N; 31 (zero, stack pointer) is never named */
    unsigned rd, rn;        /* 31 when it is zero or the stack pointer */
    uint64_t value;
    unsigned size;      /* A64_ACCESS, A64_LOAD_LITERAL */
    bool load;          /* A64_ACCESS: else a store */
    bool general;       /* A64_ACCESS, A64_LOAD_LITERAL: rd is a general register */
    bool authenticates; /* A64_*_REGISTER, A64_RETURN */
};

/* Any A64 instruction at `address`. */
void a64_decode(struct a64 *out, uint32_t word, uint64_t address);

#endif
