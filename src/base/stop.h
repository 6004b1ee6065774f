/*
 * Purpose: SIGINT, SIGTERM and SIGHUP end the job in an orderly way: loops
 *     notice, everything unwinds through its owners (so that no litter
 *     remains), and main raises the signal again.
 *
 * Layer: base.
 *
 * Calling sequence: main calls stop_install() first, stop_raise() last. Long
 *     loops call stop_check() once an item or every few megabytes. Calls that
 *     block return EINTR (no SA_RESTART); callers that retry on EINTR must
 *     look at stop_pending() first.
 *
 * Errors: stop_check() sets FAIL_SIGNAL.
 */
#ifndef HALLMARK_BASE_STOP_H
#define HALLMARK_BASE_STOP_H

#include "base/fail.h"

/* Installs the handlers; ignored signals (nohup) stay ignored. SIGPIPE and SIGXFSZ are set to
 * ignored: writing fails then, and what was begun is taken away. */
void stop_install(void);

/* The signal that asked to stop, or 0. */
int stop_pending(void);

/* 0, or -1 with FAIL_SIGNAL when a signal asked to stop. */
int stop_check(struct fail *fail) must_check;

/* Raises the pending signal with its default action; returns if there is none. */
void stop_raise(void);

#endif
