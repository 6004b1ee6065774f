/*
 * Purpose: the opcode streams of LC_DYLD_INFO: what the loader rebases and binds, run by run.
 *
 * Layer: macho; for symbols*.c and fixups*.c.
 *
 * Calling sequence:
 *         opcodes_walk(&image, OPCODES_BIND, take, &context, &fail)
 *     calls take() for each run of locations, in the order of the stream. An image without the
 *     table calls nothing.
 *
 * Ownership: names point into the image's bytes.
 *
 * Errors: FAIL_INPUT: an opcode is unknown or cut off, a bind comes before a name. Where a run
 *     lies is as stated and unchecked, and so is its length: that is for take() to check. What
 *     take() fails with ends the walk.
 *
 * Determinism: a pure function of the bytes; time is linear in the size of the stream.
 */
#ifndef HALLMARK_MACHO_OPCODES_H
#define HALLMARK_MACHO_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "macho/image.h"

enum opcode_table { OPCODES_REBASE, OPCODES_BIND, OPCODES_WEAK_BIND, OPCODES_LAZY_BIND };

enum opcode_run_kind {
    OPCODE_RUN_PLAIN,    /* `count` locations, `step` bytes from one to the next */
    OPCODE_RUN_ORDINAL,  /* no location: the next entry of the table that chains refer to */
    OPCODE_RUN_THREADED, /* the location begins a chain of arm64e pointers */
};

struct opcode_run {
    enum opcode_run_kind kind;
    uint32_t segment; /* index */
    uint64_t offset;  /* in the segment */
    uint64_t count;
    uint64_t step;
    /* of binds: */
    const char *name;
    int ordinal; /* library, or ORDINAL_* */
    bool weak;   /* a weak import */
    bool again;  /* name, ordinal and weak are those of the run before */
    int64_t addend;
};

typedef int (*opcode_take)(void *context, const struct opcode_run *run, struct fail *fail);

int opcodes_walk(const struct image *image, enum opcode_table table, opcode_take take,
                 void *context, struct fail *fail) must_check;

/* "bind table", "rebase table", ... */
const char *opcodes_table_name(enum opcode_table table);

#endif
