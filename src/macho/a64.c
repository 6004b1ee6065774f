#include "macho/a64.h"

#define ALL_REGISTERS 0x7fffffffu

static uint32_t field(uint32_t word, unsigned first, unsigned count)
{
    return word >> first & ((1u << count) - 1);
}

static uint64_t sign_extend(uint64_t value, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (value ^ sign) - sign;
}

/* The mask of the register that a field of the word names. */
static uint32_t named(uint32_t word, unsigned first)
{
    uint32_t number = field(word, first, 5);
    return number == 31 ? 0 : 1u << number;
}

static uint32_t rd(uint32_t word)
{
    return named(word, 0);
}
static uint32_t rn(uint32_t word)
{
    return named(word, 5);
}
static uint32_t ra(uint32_t word) /* also Rt2 */
{
    return named(word, 10);
}
static uint32_t rm(uint32_t word) /* also Rs */
{
    return named(word, 16);
}

static void other(struct a64 *out, uint32_t reads, uint32_t writes)
{
    out->kind = A64_OTHER;
    out->reads = reads;
    out->writes = writes;
}

static void decode_address(struct a64 *out, uint32_t word, uint64_t address)
{
    uint64_t offset = sign_extend((uint64_t)field(word, 5, 19) << 2 | field(word, 29, 2), 21);
    bool page = word >> 31 != 0;
    other(out, 0, rd(word));
    out->kind = page ? A64_PAGE : A64_ADDRESS;
    out->value = page ? (address & ~UINT64_C(0xfff)) + (offset << 12) : address + offset;
}

static void decode_add(struct a64 *out, uint32_t word)
{
    uint64_t number = (uint64_t)field(word, 10, 12) << (field(word, 22, 1) != 0 ? 12 : 0);
    other(out, rn(word), rd(word));
    if (field(word, 31, 1) == 0 || field(word, 29, 1) != 0)
        return; /* 32 bits, or with flags */
    out->kind = A64_ADD;
    out->value = field(word, 30, 1) != 0 ? UINT64_C(0) - number : number;
}

/* Data processing with a number (C4.1.86). */
static void decode_immediate(struct a64 *out, uint32_t word, uint64_t address)
{
    switch (field(word, 23, 3)) {
    case 0:
    case 1:
        decode_address(out, word, address);
        break;
    case 2:
        decode_add(out, word);
        break;
    case 3: /* with tags, minimum, maximum */
    case 4: /* logical */
        other(out, rn(word), rd(word));
        break;
    case 5: /* movn, movz; movk keeps the rest of the register */
        other(out, field(word, 29, 2) == 3 ? rd(word) : 0, rd(word));
        break;
    case 6: /* bitfields; bfm keeps bits too */
        other(out, rn(word) | (field(word, 29, 2) == 1 ? rd(word) : 0), rd(word));
        break;
    default: /* extr */
        other(out, rn(word) | rm(word), rd(word));
        break;
    }
}

#define LINK_REGISTER (1u << 30)

/* Hints: only those that sign or authenticate touch registers. */
static void decode_hint(struct a64 *out, uint32_t word)
{
    uint32_t hint = field(word, 5, 7);
    uint32_t x16 = 1u << 16;
    uint32_t x17 = 1u << 17;
    other(out, 0, 0);
    if (hint == 7 || (hint >= 24 && hint <= 31)) /* xpaclri, paciaz, pacibsp, autibsp, ... */
        other(out, LINK_REGISTER, LINK_REGISTER);
    else if (hint == 8 || hint == 10 || hint == 12 || hint == 14) /* pacia1716, ... */
        other(out, x16 | x17, x17);
}

static void decode_system(struct a64 *out, uint32_t word)
{
    if (word >> 12 == 0xd5032 && field(word, 0, 5) == 31)
        decode_hint(out, word);
    else if (word >> 21 == 0x6a8) /* barriers, msr of a number, sys, msr */
        other(out, rd(word), 0);
    else if (word >> 21 == 0x6a9) /* sysl, mrs */
        other(out, 0, rd(word));
}

static void decode_branch_register(struct a64 *out, uint32_t word)
{
    uint32_t operation = field(word, 21, 4);
    bool authenticates = field(word, 11, 1) != 0;
    uint32_t reads = rn(word);
    if (operation >= 8) { /* braa, blraa: the modifier is in the lowest bits */
        authenticates = true;
        reads |= rd(word);
    }
    switch (operation & 7) {
    case 0:
        other(out, reads, 0);
        out->kind = A64_JUMP_REGISTER;
        break;
    case 1:
        other(out, reads, LINK_REGISTER);
        out->kind = A64_CALL_REGISTER;
        break;
    case 2: /* retaa, retab name no register */
        other(out, authenticates ? LINK_REGISTER : reads, 0);
        out->kind = A64_RETURN;
        break;
    default: /* eret and others: never in a program */
        return;
    }
    out->authenticates = authenticates;
}

/* Branches, exceptions, system instructions (C4.1.87). */
static void decode_branch(struct a64 *out, uint32_t word, uint64_t address)
{
    uint32_t top = field(word, 29, 3);
    if ((top & 3) == 0) { /* b, bl */
        other(out, 0, top != 0 ? LINK_REGISTER : 0);
        out->kind = top != 0 ? A64_CALL : A64_BRANCH;
        out->value = address + sign_extend((uint64_t)field(word, 0, 26) << 2, 28);
    } else if ((top & 3) == 1) { /* cbz, cbnz; tbz, tbnz */
        bool bit = field(word, 25, 1) != 0;
        other(out, rd(word), 0);
        out->kind = A64_BRANCH_IF;
        out->value = address + (bit ? sign_extend((uint64_t)field(word, 5, 14) << 2, 16)
                                    : sign_extend((uint64_t)field(word, 5, 19) << 2, 21));
    } else if (word >> 24 == 0x54) { /* b.cond, bc.cond */
        other(out, 0, 0);
        out->kind = A64_BRANCH_IF;
        out->value = address + sign_extend((uint64_t)field(word, 5, 19) << 2, 21);
    } else if (word >> 21 == 0x6a1) { /* brk */
        other(out, 0, 0);
        out->kind = A64_TRAP;
    } else if (word >> 24 == 0xd5) {
        decode_system(out, word);
    } else if (word >> 25 == 0x6b) {
        decode_branch_register(out, word);
    }
}

/* Exclusive, ordered, compare and swap. */
static void decode_exclusive(struct a64 *out, uint32_t word)
{
    bool load = field(word, 22, 1) != 0;
    bool ordered = field(word, 23, 1) != 0;
    bool pair = field(word, 21, 1) != 0;
    if (ordered && pair) /* cas */
        other(out, rn(word) | rd(word) | rm(word), rm(word));
    else if (pair && word >> 31 == 0) /* casp: pairs of registers */
        other(out, ALL_REGISTERS, 0);
    else if (load)
        other(out, rn(word), rd(word) | (pair ? ra(word) : 0));
    else
        other(out, rn(word) | rd(word) | (pair ? ra(word) : 0), ordered ? 0 : rm(word));
}

static void decode_pair(struct a64 *out, uint32_t word)
{
    uint32_t pair = field(word, 26, 1) != 0 ? 0 : rd(word) | ra(word);
    bool load = field(word, 22, 1) != 0;
    uint32_t written = field(word, 23, 1) != 0 ? rn(word) : 0; /* before or after indexing */
    other(out, rn(word) | (load ? 0 : pair), written | (load ? pair : 0));
}

static void decode_literal(struct a64 *out, uint32_t word, uint64_t address)
{
    static const unsigned general_size[] = {4, 8, 4, 0}; /* the last is a prefetch */
    static const unsigned vector_size[] = {4, 8, 16, 0};
    unsigned operation = field(word, 30, 2);
    out->general = field(word, 26, 1) == 0;
    other(out, 0, out->general && operation != 3 ? rd(word) : 0);
    out->kind = A64_LOAD_LITERAL;
    out->size = out->general ? general_size[operation] : vector_size[operation];
    out->value = address + sign_extend((uint64_t)field(word, 5, 19) << 2, 21);
}

/* Loads and stores of one register; `writes_base` for those before or after indexing. */
static void decode_single(struct a64 *out, uint32_t word, uint32_t more_reads, bool writes_base)
{
    bool vector = field(word, 26, 1) != 0;
    unsigned size = field(word, 30, 2);
    unsigned operation = field(word, 22, 2);
    bool prefetch = !vector && size == 3 && operation == 2;
    uint32_t data = vector || prefetch ? 0 : rd(word);
    bool load = vector ? (operation & 1) != 0 : operation != 0;
    uint32_t reads = rn(word) | more_reads | (load ? 0 : data);
    other(out, reads, (load ? data : 0) | (writes_base ? rn(word) : 0));
    out->load = load;
    out->general = !vector && !prefetch;
    out->size = vector && operation >= 2 ? 16 : 1u << size;
    if (prefetch)
        out->size = 0;
}

static void decode_single_forms(struct a64 *out, uint32_t word)
{
    uint32_t form = field(word, 10, 2);
    if (field(word, 24, 1) != 0) {
        decode_single(out, word, 0, false);
        out->kind = A64_ACCESS;
        unsigned scale = out->size == 16 ? 4 : field(word, 30, 2);
        out->value = (uint64_t)field(word, 10, 12) << scale;
    } else if (field(word, 21, 1) == 0) { /* unscaled, after, unprivileged, before */
        decode_single(out, word, 0, (form & 1) != 0);
        if (form == 0) {
            out->kind = A64_ACCESS;
            out->value = sign_extend(field(word, 12, 9), 9);
        }
    } else if (form == 2) { /* with a register as offset */
        decode_single(out, word, rm(word), false);
    } else if (form == 0) { /* atomic: Rs goes in, the old value comes out in Rt */
        other(out, rn(word) | rm(word), rd(word));
    } else { /* ldraa, ldrab */
        other(out, rn(word), rd(word) | (field(word, 11, 1) != 0 ? rn(word) : 0));
    }
}

/* Loads and stores (C4.1.88). */
static void decode_memory(struct a64 *out, uint32_t word, uint64_t address)
{
    bool vector = field(word, 26, 1) != 0;
    switch (field(word, 28, 2)) {
    case 0:
        if (!vector)
            decode_exclusive(out, word);
        else /* structures; a register or a number may be added to the base afterwards */
            other(out, rn(word) | (field(word, 23, 1) != 0 ? rm(word) : 0),
                  field(word, 23, 1) != 0 ? rn(word) : 0);
        break;
    case 1:
        if (field(word, 24, 1) == 0)
            decode_literal(out, word, address);
        else /* ordered with an offset, memory tags */
            other(out, rn(word) | rd(word), 0);
        break;
    case 2:
        decode_pair(out, word);
        break;
    default:
        decode_single_forms(out, word);
        break;
    }
}

/* Of one or two sources: pac*, aut*, udiv, shifts, ... */
static void decode_sources(struct a64 *out, uint32_t word)
{
    bool one = field(word, 30, 1) != 0;
    uint32_t operation = field(word, 10, 6);
    other(out, rn(word) | (one ? 0 : rm(word)), rd(word));
    if (!one || field(word, 16, 5) != 1)
        return;
    out->reads |= rd(word); /* the pointer is read and written, Rn is the modifier */
    if ((operation & 7) <= 3 && operation < 16)
        out->kind = A64_SIGN;
}

/* Data processing with registers (C4.1.89). */
static void decode_registers(struct a64 *out, uint32_t word)
{
    if ((word & 0xffe0ffe0u) == 0xaa0003e0u) { /* orr rd, xzr, rm */
        other(out, rm(word), rd(word));
        out->kind = A64_MOVE;
        out->rn = field(word, 16, 5);
        return;
    }
    if (field(word, 28, 1) == 0) { /* logical, add and subtract */
        other(out, rn(word) | rm(word), rd(word));
        return;
    }
    switch (field(word, 21, 4)) {
    case 0: /* adc, sbc; rmif and setf write flags only */
        other(out, rn(word) | rm(word), field(word, 10, 6) == 0 ? rd(word) : 0);
        break;
    case 2: /* conditional compare */
        other(out, rn(word) | (field(word, 11, 1) == 0 ? rm(word) : 0), 0);
        break;
    case 4: /* conditional select */
        other(out, rn(word) | rm(word), rd(word));
        break;
    case 6:
        decode_sources(out, word);
        break;
    default:
        if (field(word, 24, 1) != 0) /* three sources */
            other(out, rn(word) | rm(word) | ra(word), rd(word));
        break;
    }
}

/* Vectors and floating point (C4.1.90): general registers only where a number changes sides. */
static void decode_vector(struct a64 *out, uint32_t word)
{
    other(out, 0, 0);
    if ((word & 0x5f000000u) == 0x1e000000u) {
        uint32_t operation = field(word, 16, 3);
        bool fixed = field(word, 21, 1) == 0;
        bool whole = !fixed && field(word, 10, 6) == 0;
        if (!fixed && !whole)
            return; /* arithmetic among vector registers */
        if (operation == 2 || operation == 3 || operation == 7)
            other(out, rn(word), 0);
        else
            other(out, 0, rd(word));
    } else if ((word & 0xbfe08400u) == 0x0e000400u) { /* copies of elements */
        uint32_t operation = field(word, 11, 4);
        if (operation == 1 || operation == 3)
            other(out, rn(word), 0);
        else if (operation == 5 || operation == 7)
            other(out, 0, rd(word));
    }
}

void a64_decode(struct a64 *out, uint32_t word, uint64_t address)
{
    *out = (struct a64){.kind = A64_UNKNOWN,
                        .reads = ALL_REGISTERS,
                        .rd = field(word, 0, 5),
                        .rn = field(word, 5, 5)};
    uint32_t group = field(word, 25, 4);
    if (word >> 16 == 0) { /* udf */
        other(out, 0, 0);
        out->kind = A64_TRAP;
    } else if ((group & 14) == 8) {
        decode_immediate(out, word, address);
    } else if ((group & 14) == 10) {
        decode_branch(out, word, address);
    } else if ((group & 5) == 4) {
        decode_memory(out, word, address);
    } else if ((group & 7) == 5) {
        decode_registers(out, word);
    } else if ((group & 7) == 7) {
        decode_vector(out, word);
    }
}
