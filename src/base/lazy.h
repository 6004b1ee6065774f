/*
 * Purpose: a library that few commands need, loaded when the first of them does: what loading
 *     costs (libgit2 brings two dozen others along) the rest does not pay.
 *
 * Layer: base; for the modules of port.
 *
 * Calling sequence: a port module lists the functions that it calls, holds a pointer to each, and
 *     calls lazy_load() before it calls one. Types come from the library's own header, with
 *     __typeof__, so that the compiler checks every call as if the program were linked with it:
 *         static __typeof__(git_libgit2_init) *init;
 *         static const struct lazy_symbol symbols[] = {{"git_libgit2_init", &init}};
 *         if (lazy_load("libgit2.so.1.5", symbols, 1, &fail) < 0) ...
 *     Where HALLMARK_LAZY is not defined (macOS, `make LAZY=no`) the program is linked with all
 *     libraries, and nobody calls this.
 *
 * Ownership: a library stays loaded until the process ends.
 *
 * Errors: FAIL_SYSTEM when there is no such library, or it lacks a function; the pointers are what
 *     they were.
 *
 * Determinism: the version that was compiled against is the only one taken.
 */
#ifndef HALLMARK_BASE_LAZY_H
#define HALLMARK_BASE_LAZY_H

#include <stddef.h>

#include "base/fail.h"

struct lazy_symbol {
    const char *name;
    void *pointer; /* to the pointer to the function */
};

/* Any thread may call it, any number of times with the same pointers. */
int lazy_load(const char *soname, const struct lazy_symbol *symbols, size_t count,
              struct fail *fail) must_check;

/*
 * A note in the program that tells packagers what it loads, in the form of
 * https://systemd.io/ELF_DLOPEN_METADATA/, since it is not among the libraries it is linked with.
 */
#define LAZY_NOTE(soname, feature, description)                                             \
    __attribute__((used, aligned(4), section(".note.dlopen"))) static const struct {        \
        unsigned name_len, text_len, type;                                                  \
        char name[4];                                                                       \
        _Alignas(4) char text[sizeof(LAZY_TEXT_(soname, feature, description))];            \
    } lazy_note = {4, sizeof(LAZY_TEXT_(soname, feature, description)), 0x407c0c0aU, "FDO", \
                   LAZY_TEXT_(soname, feature, description)}
#define LAZY_TEXT_(soname, feature, description)                   \
    "[{\"feature\":\"" feature "\",\"description\":\"" description \
    "\",\"priority\":\"required\",\"soname\":[\"" soname "\"]}]"

#endif
