/*
 * Purpose: a toolchain pin, toolchain/NAME.yaml: which compiler, linker and SDK a release is
 *     made with, and which builds of them are known.
 *
 * Layer: config.
 *
 * Calling sequence:
 *         own_toolchain struct toolchain pin = {0};
 *         toolchain_parse(&pin, bytes, "toolchain/llvm-19.yaml", "llvm-19", &fail)
 *     The fourth argument is the name that was asked for; the file must say the same. NULL: any.
 *
 * Ownership: the struct owns everything in it; toolchain_release() frees.
 *
 * Errors: FAIL_INPUT with file and line.
 *
 * Determinism: pure.
 *
 * What a build's digest covers: "sha256:" and the SHA-256 of a text with one line
 *     "<sha256>  <file name>\n" for the program and for each shared library of the toolchain's
 *     own that it loads (libLLVM*, libclang-cpp*, liblld*), sorted by file name. The system's
 *     libraries (libc, libstdc++, zlib, ...) are not part of it: a distribution updates them on
 *     its own, and a security update of libc must not break every pin. They are recorded among
 *     what was observed, and audit compares the bytes that come out in any case.
 */
#ifndef HALLMARK_CONFIG_TOOLCHAIN_H
#define HALLMARK_CONFIG_TOOLCHAIN_H

#include <stddef.h>

#include "base/cursor.h"
#include "base/fail.h"

#define TOOLCHAIN_BUILDS_MAX 256u

enum toolchain_family { TOOLCHAIN_LLVM = 1, TOOLCHAIN_APPLE };

struct toolchain_program {
    char *program; /* a name without a slash: "clang", "ld64.lld" */
    char *version; /* exactly this: "19.1.7" */
};

struct toolchain_sdk {
    char *path;    /* from the root of the tree, or of the installed data: "toolchain/sdk" */
    char *version; /* "14.0" */
};

struct toolchain_build {
    char *id;       /* "debian-12-amd64" */
    char *compiler; /* "sha256:" and 64 lower-case hexadecimal digits */
    char *linker;
};

struct toolchain {
    char *name;
    enum toolchain_family family; /* apple is known to the schema, and not supported yet */
    struct toolchain_program compiler;
    struct toolchain_program linker;
    struct toolchain_sdk sdk;
    struct toolchain_build *builds; /* none: every build of the version is accepted */
    size_t builds_count;
};

#define own_toolchain __attribute__((cleanup(toolchain_release)))

/* Reads and checks a whole pin. On failure `out` is empty. */
int toolchain_parse(struct toolchain *out, struct view text, const char *name,
                    const char *expected_name, struct fail *fail) must_check;
void toolchain_release(struct toolchain *toolchain);

/* "llvm", "apple"; "?" for none of the values. */
const char *toolchain_family_text(enum toolchain_family family);

/* Whether a name is fit to be looked up as toolchain/NAME.yaml (no slash, no leading dot). */
int toolchain_name_check(const char *name, struct fail *fail) must_check;

#endif
