/*
 * mach/mach_time.h: the monotonic clock in ticks.
 * Facts: apple-oss-distributions xnu, osfmk/mach/mach_time.h.
 */
#ifndef _MACH_MACH_TIME_H_
#define _MACH_MACH_TIME_H_

#include <mach/mach_types.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct mach_timebase_info {
    uint32_t numer;
    uint32_t denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

extern kern_return_t mach_timebase_info(mach_timebase_info_t info);
extern kern_return_t mach_wait_until(uint64_t deadline);
extern uint64_t mach_absolute_time(void);
extern uint64_t mach_approximate_time(void);
extern uint64_t mach_continuous_time(void);
extern uint64_t mach_continuous_approximate_time(void);

__END_DECLS

#endif
