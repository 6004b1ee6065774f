/*
 * Purpose: draft a toolchain pin of what this machine has: `pin write`.
 *
 * Layer: stage.
 *
 * Calling sequence: pin_draft() with a request; the text goes to a file or to stdout.
 *
 * Ownership: the request is borrowed.
 *
 * Errors: FAIL_PIN: something that a pin of the family needs is not on this machine, the message
 *     names all of it. FAIL_INPUT: a name or path in the request that no pin can have. FAIL_SYSTEM,
 *     FAIL_SIGNAL.
 *
 * Determinism: depends on what is installed, and on the kind of the machine where the request
 *     gives no id for the build.
 */
#ifndef HALLMARK_STAGE_PIN_DRAFT_H
#define HALLMARK_STAGE_PIN_DRAFT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"
#include "config/toolchain.h"

#define PIN_DRAFT_DEVELOPER_DIR "/Library/Developer/CommandLineTools"

struct pin_draft {
    const char *name;
    enum toolchain_family family;
    const char *developer_dir; /* apple; NULL: the one of the Command Line Tools */
    const char *sdk;           /* as the pin has it; NULL: "toolchain/sdk", or "macosx" */
    const char *root;          /* llvm: the directory that the SDK's path begins at */
    uint64_t major;            /* llvm: of compiler and linker; 0: the newest that is here */
    const char *build_id;      /* NULL: the kind of the machine, "linux-x86_64" */
};

/* Appends the text of toolchain/NAME.yaml; it is one that toolchain_parse() accepts. */
int pin_draft(struct buf *out, const struct pin_draft *request, struct fail *fail) must_check;

#endif
