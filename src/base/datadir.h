/*
 * Purpose: where the installed data files (the toolchain pins and their SDK stubs) are.
 * Layer: base. Includes nothing of hallmark.
 *
 * Calling sequence: datadir_path() at any time, from any thread.
 *
 * Ownership: the string is borrowed; it lives as long as the process, unless the process itself
 * changes HALLMARK_DATA in its environment.
 *
 * Errors: none. Whether anything is there is for the caller to find out.
 *
 * Determinism: depends on PREFIX at build time and on the variable HALLMARK_DATA. What is read
 * below this folder must therefore be known by its digest before it may influence a release.
 */
#ifndef HALLMARK_BASE_DATADIR_H
#define HALLMARK_BASE_DATADIR_H

/* The environment variable that replaces the compiled-in folder when it is set and not empty. */
#define DATADIR_VARIABLE "HALLMARK_DATA"

/* The folder that has toolchain/ in it: $HALLMARK_DATA, or else PREFIX/share/hallmark. */
const char *datadir_path(void);

#endif
