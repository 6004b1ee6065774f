/*
 * sched.h: scheduling policies.
 * Facts: POSIX.1-2008, <sched.h>; apple-oss-distributions libpthread,
 * include/pthread/sched.h.
 */
#ifndef _SCHED_H_
#define _SCHED_H_

#include <sys/cdefs.h>

__BEGIN_DECLS

#define SCHED_OTHER 1
#define SCHED_RR 2
#define SCHED_FIFO 4

struct sched_param {
    int sched_priority;
    char __opaque[4];
};

extern int sched_yield(void);
extern int sched_get_priority_min(int policy);
extern int sched_get_priority_max(int policy);

__END_DECLS

#endif
