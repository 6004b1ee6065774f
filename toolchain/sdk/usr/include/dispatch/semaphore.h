/*
 * dispatch/semaphore.h: counting semaphores.
 * Facts: apple-oss-distributions libdispatch, dispatch/semaphore.h.
 */
#ifndef __DISPATCH_SEMAPHORE__
#define __DISPATCH_SEMAPHORE__

#include <dispatch/object.h>
#include <dispatch/time.h>

DISPATCH_ASSUME_NONNULL_BEGIN

DISPATCH_DECL(dispatch_semaphore);

__BEGIN_DECLS

DISPATCH_EXPORT dispatch_semaphore_t dispatch_semaphore_create(intptr_t value)
    DISPATCH_RETURNS_RETAINED;
DISPATCH_EXPORT intptr_t dispatch_semaphore_wait(dispatch_semaphore_t semaphore,
                                                 dispatch_time_t timeout);
DISPATCH_EXPORT intptr_t dispatch_semaphore_signal(dispatch_semaphore_t semaphore);

__END_DECLS
DISPATCH_ASSUME_NONNULL_END

#endif
