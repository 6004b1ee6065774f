/*
 * dispatch/time.h: moments in time.
 * Facts: apple-oss-distributions libdispatch, dispatch/time.h.
 */
#ifndef __DISPATCH_TIME__
#define __DISPATCH_TIME__

#include <dispatch/base.h>
#include <sys/_timespec.h>

DISPATCH_ASSUME_NONNULL_BEGIN
__BEGIN_DECLS

#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull
#define USEC_PER_SEC 1000000ull
#define MSEC_PER_SEC 1000ull

typedef uint64_t dispatch_time_t;

#define DISPATCH_TIME_NOW (0ull)
#define DISPATCH_TIME_FOREVER (~0ull)
#define DISPATCH_WALLTIME_NOW (~1ull)

/* delta counts nanoseconds */
DISPATCH_EXPORT dispatch_time_t dispatch_time(dispatch_time_t when, int64_t delta);
DISPATCH_EXPORT dispatch_time_t dispatch_walltime(const struct timespec *_Nullable when,
                                                  int64_t delta);

__END_DECLS
DISPATCH_ASSUME_NONNULL_END

#endif
