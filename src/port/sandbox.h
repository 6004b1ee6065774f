/*
 * Purpose: narrow what a child process may read and write, where the kernel
 *     can (Linux: Landlock). Compilers run on sources of strangers: nothing but
 *     the scratch directory needs to be written, and nothing but that and
 *     the toolchain be read.
 *
 * Layer: port. Used by port/child only (the one place where port modules meet).
 *
 * Calling sequence: sandbox_prepare() before fork(), sandbox_enter() in the
 *     child before execve() (async-signal-safe).
 *
 * Errors: sandbox_prepare() gives -1 where the kernel has no Landlock; the
 *     child then runs unconfined, and the observation says so.
 *
 * Source of the facts: linux/landlock.h, landlock(7).
 */
#ifndef HALLMARK_PORT_SANDBOX_H
#define HALLMARK_PORT_SANDBOX_H

/*
 * Allows writing below the directories of the first list only, reading and executing below
 * those of both. NULL-terminated; entries that do not exist are passed over; `readable` may
 * be NULL: everything may be read. A descriptor or -1.
 */
int sandbox_prepare(const char *const *writable, const char *const *readable);

/* 0 or -1. Closes the descriptor. */
int sandbox_enter(int sandbox_fd);

#endif
