/*
 * sys/time.h: time of day with microseconds.
 * Facts: POSIX.1-2008, <sys/time.h>; apple-oss-distributions xnu,
 * bsd/sys/time.h.
 */
#ifndef _SYS_TIME_H_
#define _SYS_TIME_H_

#include <sys/_timespec.h>
#include <sys/types.h>
#include <time.h>

__BEGIN_DECLS

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

struct itimerval {
    struct timeval it_interval;
    struct timeval it_value;
};

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, operation)                                                                  \
    (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec operation(b)->tv_usec)                           \
                                  : ((a)->tv_sec operation(b)->tv_sec))

extern int gettimeofday(struct timeval *restrict now, void *restrict zone);
extern int settimeofday(const struct timeval *now, const struct timezone *zone);
extern int getitimer(int which, struct itimerval *value);
extern int setitimer(int which, const struct itimerval *restrict value,
                     struct itimerval *restrict old_value);
extern int utimes(const char *path, const struct timeval *times);
extern int futimes(int fd, const struct timeval *times);

__END_DECLS

#endif
