/*
 * Purpose: what POSIX leaves out and every system has under another name: the one place, together
 *     with port/sandbox and port/child_orphans, that knows Linux from macOS.
 *
 * Layer: base.
 *
 * Calling sequence: each function stands for itself. A difference that is no call is a constant,
 *     SYSTEM_MACOS, so that both branches are compiled everywhere.
 *
 * Errors: as the calls that they stand for: 0 or -1 with errno.
 *
 * Determinism: none of this reaches an output.
 *
 * Sources of the facts: Linux man-pages; macOS: fcntl(2), rename(2), getentropy(2), setrlimit(2),
 *     and the sources of xnu.
 */
#ifndef HALLMARK_BASE_SYSTEM_H
#define HALLMARK_BASE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/own.h"

#ifdef __APPLE__
#    define SYSTEM_MACOS 1
#    define SYSTEM_MTIME st_mtimespec /* of a struct stat, with nanoseconds */
#    define SYSTEM_CTIME st_ctimespec
#else
#    define SYSTEM_MACOS 0
#    define SYSTEM_MTIME st_mtim
#    define SYSTEM_CTIME st_ctim
#endif

/* The last `byte` in `len` bytes; NULL when there is none. */
const void *system_find_last(const void *data, char byte, size_t len);

/* `len` (at most 256) unpredictable bytes. */
void system_random(void *out, size_t len);

/* A pipe whose ends programs that we start do not inherit. */
int system_pipe(int ends[2]) must_check;

/* The file's bytes are on the disk; on macOS also out of the disk's own cache. A file system that
 * cannot do that for what it is (EINVAL, a directory) has nothing to lose: 0. */
int system_sync(int fd) must_check;

/* Renames in one directory and replaces nothing (EEXIST). `*able` is false, and nothing was done,
 * where the system or this file system has no such call. */
int system_rename_new(bool *able, int dir_fd, const char *from, const char *to) must_check;

/*
 * Whether RLIMIT_AS bounds the memory that a process can use. On macOS its address space holds the
 * libraries of the whole system, more than any limit that is worth setting, and setting a lower one
 * fails.
 */
bool system_limits_memory(void);

#endif
