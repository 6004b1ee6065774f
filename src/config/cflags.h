/*
 * Purpose: which compiler flags a recipe may use. A recipe can come from a stranger, so this is
 *     a list of what is allowed: flags that only change how the named sources are compiled.
 *     Nothing that reads or writes other files, loads code, or changes output, target, SDK,
 *     linker or the paths that reach the output.
 *
 * Layer: config.
 *
 * Calling sequence: cflags_problem() for each flag; cflags_include() gives the directory of -I.
 *
 * Errors: none; the reason is returned.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_CONFIG_CFLAGS_H
#define HALLMARK_CONFIG_CFLAGS_H

/* NULL when the flag is allowed, else the reason: "it chooses the linker". The directory of -I
 * is not judged here. */
const char *cflags_problem(const char *flag);

/* The directory that "-IDIR" names; NULL when the flag is another one. */
const char *cflags_include(const char *flag);

#endif
