/*
 * Purpose: which files a compiler or linker is made of, and their digests. Part of pin.c.
 *
 * Layer: stage.
 *
 * Calling sequence: pin_files_list() for all programs at once (it asks the dynamic loader, in
 *     parallel), pin_files_digest() for all of them (it hashes in parallel).
 *
 * Ownership: fills files, files_count and digest of the programs, which own them.
 *
 * Errors: FAIL_SYSTEM, FAIL_SIGNAL. A program whose libraries cannot be told, or miss, gets a
 *     `problem`.
 *
 * Determinism: files are sorted; the digest depends on names and bytes only.
 *
 * On Linux the loader itself is asked (LD_TRACE_LOADED_OBJECTS), in the environment that the
 *     program will be run in, since only it knows its caches. For Mach-O the load commands are
 *     read and "@rpath", "@loader_path" and "@executable_path" followed; libraries that are
 *     no files (macOS keeps the system's in a shared cache) are left out. Any other file, a
 *     script for example, is known by itself alone.
 */
#ifndef HALLMARK_STAGE_PIN_FILES_H
#define HALLMARK_STAGE_PIN_FILES_H

#include "base/fail.h"
#include "stage/pin.h"
#include "stage/pin_cache.h"

/* The environment for questions to programs. */
extern const char *const pin_environment[];

int pin_files_list(struct pin_program **programs, size_t count, unsigned limit_sec,
                   struct fail *fail) must_check;
int pin_files_digest(struct pin_program **programs, size_t count, struct pin_cache *cache,
                     struct fail *fail) must_check;

/* Whether a library of that file name is the toolchain's own. */
bool pin_files_is_own(const char *name);

/* Adds a file unless it is there already. */
void pin_files_add(struct pin_program *program, const char *real_path, bool own);

/* Adds the libraries of a Mach-O program that are files (pin_macho.c). */
int pin_macho_libraries(struct pin_program *program, struct fail *fail) must_check;

#endif
