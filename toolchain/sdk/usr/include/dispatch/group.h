/*
 * dispatch/group.h: waiting for several pieces of work.
 * Facts: apple-oss-distributions libdispatch, dispatch/group.h.
 */
#ifndef __DISPATCH_GROUP__
#define __DISPATCH_GROUP__

#include <dispatch/queue.h>

DISPATCH_ASSUME_NONNULL_BEGIN

DISPATCH_DECL(dispatch_group);

__BEGIN_DECLS

DISPATCH_EXPORT dispatch_group_t dispatch_group_create(void) DISPATCH_RETURNS_RETAINED;
DISPATCH_EXPORT void dispatch_group_enter(dispatch_group_t group);
DISPATCH_EXPORT void dispatch_group_leave(dispatch_group_t group);
DISPATCH_EXPORT intptr_t dispatch_group_wait(dispatch_group_t group, dispatch_time_t timeout);
#ifdef __BLOCKS__
DISPATCH_EXPORT void dispatch_group_async(dispatch_group_t group, dispatch_queue_t queue,
                                          dispatch_block_t block);
DISPATCH_EXPORT void dispatch_group_notify(dispatch_group_t group, dispatch_queue_t queue,
                                           dispatch_block_t block);
#endif
DISPATCH_EXPORT void dispatch_group_async_f(dispatch_group_t group, dispatch_queue_t queue,
                                            void *_Nullable context, dispatch_function_t work);
DISPATCH_EXPORT void dispatch_group_notify_f(dispatch_group_t group, dispatch_queue_t queue,
                                             void *_Nullable context, dispatch_function_t work);

__END_DECLS
DISPATCH_ASSUME_NONNULL_END

#endif
