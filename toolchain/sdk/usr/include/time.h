/*
 * time.h: calendar time, clocks, sleeping.
 * Facts: C11 7.27; POSIX.1-2008, <time.h>; apple-oss-distributions Libc,
 * include/time.h (clock identifiers, BSD additions).
 */
#ifndef _TIME_H_
#define _TIME_H_

#include <Availability.h>
#include <stddef.h>
#include <sys/_timespec.h>
#include <sys/types.h>

__BEGIN_DECLS

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    char *tm_zone;
};

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1

extern clock_t clock(void);
extern time_t time(time_t *now);
extern double difftime(time_t later, time_t earlier);
extern time_t mktime(struct tm *local);
extern time_t timegm(struct tm *utc);
extern time_t timelocal(struct tm *local);
extern struct tm *gmtime(const time_t *when);
extern struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict result);
extern struct tm *localtime(const time_t *when);
extern struct tm *localtime_r(const time_t *restrict when, struct tm *restrict result);
extern char *asctime(const struct tm *when);
extern char *asctime_r(const struct tm *restrict when, char *restrict text);
extern char *ctime(const time_t *when);
extern char *ctime_r(const time_t *when, char *text);
extern size_t strftime(char *restrict s, size_t size, const char *restrict format,
                       const struct tm *restrict when) __strftimelike(3);
extern char *strptime(const char *restrict s, const char *restrict format,
                      struct tm *restrict result);
extern int timespec_get(struct timespec *result, int base);

extern char *tzname[];
extern long timezone;
extern int daylight;
extern void tzset(void);

extern int nanosleep(const struct timespec *duration, struct timespec *remaining);

/* clocks */
typedef enum {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC = 6,
    _CLOCK_MONOTONIC_RAW = 4,
    _CLOCK_MONOTONIC_RAW_APPROX = 5,
    _CLOCK_UPTIME_RAW = 8,
    _CLOCK_UPTIME_RAW_APPROX = 9,
    _CLOCK_PROCESS_CPUTIME_ID = 12,
    _CLOCK_THREAD_CPUTIME_ID = 16
} clockid_t;
#define CLOCK_REALTIME _CLOCK_REALTIME
#define CLOCK_MONOTONIC _CLOCK_MONOTONIC
#define CLOCK_MONOTONIC_RAW _CLOCK_MONOTONIC_RAW
#define CLOCK_MONOTONIC_RAW_APPROX _CLOCK_MONOTONIC_RAW_APPROX
#define CLOCK_UPTIME_RAW _CLOCK_UPTIME_RAW
#define CLOCK_UPTIME_RAW_APPROX _CLOCK_UPTIME_RAW_APPROX
#define CLOCK_PROCESS_CPUTIME_ID _CLOCK_PROCESS_CPUTIME_ID
#define CLOCK_THREAD_CPUTIME_ID _CLOCK_THREAD_CPUTIME_ID

extern int clock_getres(clockid_t clock_id, struct timespec *resolution);
extern int clock_gettime(clockid_t clock_id, struct timespec *now);
extern __uint64_t clock_gettime_nsec_np(clockid_t clock_id);
extern int clock_settime(clockid_t clock_id, const struct timespec *now);

__END_DECLS

#endif
