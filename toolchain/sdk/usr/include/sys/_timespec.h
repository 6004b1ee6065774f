/*
 * sys/_timespec.h: struct timespec and struct timeval.
 * Facts: POSIX.1-2008, <time.h> and <sys/time.h>; apple-oss-distributions xnu,
 * bsd/sys/_types/_timeval.h (tv_usec has 32 bits).
 */
#ifndef _SYS__TIMESPEC_H_
#define _SYS__TIMESPEC_H_

#include <sys/_types.h>

struct timespec {
    __darwin_time_t tv_sec;
    long tv_nsec;
};

struct timeval {
    __darwin_time_t tv_sec;
    __darwin_suseconds_t tv_usec;
};

#endif
