/*
 * dispatch/source.h: events that bring work to a queue.
 * Facts: apple-oss-distributions libdispatch, dispatch/source.h.
 */
#ifndef __DISPATCH_SOURCE__
#define __DISPATCH_SOURCE__

#include <dispatch/queue.h>

DISPATCH_ASSUME_NONNULL_BEGIN

DISPATCH_DECL(dispatch_source);

__BEGIN_DECLS

typedef const struct dispatch_source_type_s *dispatch_source_type_t;

struct dispatch_source_type_s;
extern const struct dispatch_source_type_s _dispatch_source_type_memorypressure;
extern const struct dispatch_source_type_s _dispatch_source_type_proc;
extern const struct dispatch_source_type_s _dispatch_source_type_read;
extern const struct dispatch_source_type_s _dispatch_source_type_signal;
extern const struct dispatch_source_type_s _dispatch_source_type_timer;
extern const struct dispatch_source_type_s _dispatch_source_type_write;
#define DISPATCH_SOURCE_TYPE_MEMORYPRESSURE (&_dispatch_source_type_memorypressure)
#define DISPATCH_SOURCE_TYPE_PROC (&_dispatch_source_type_proc)
#define DISPATCH_SOURCE_TYPE_READ (&_dispatch_source_type_read)
#define DISPATCH_SOURCE_TYPE_SIGNAL (&_dispatch_source_type_signal)
#define DISPATCH_SOURCE_TYPE_TIMER (&_dispatch_source_type_timer)
#define DISPATCH_SOURCE_TYPE_WRITE (&_dispatch_source_type_write)

#define DISPATCH_TIMER_STRICT 0x1

DISPATCH_EXPORT dispatch_source_t
dispatch_source_create(dispatch_source_type_t type, uintptr_t handle, uintptr_t mask,
                       dispatch_queue_t _Nullable queue) DISPATCH_RETURNS_RETAINED;
#ifdef __BLOCKS__
DISPATCH_EXPORT void dispatch_source_set_event_handler(dispatch_source_t source,
                                                       dispatch_block_t _Nullable handler);
DISPATCH_EXPORT void dispatch_source_set_cancel_handler(dispatch_source_t source,
                                                        dispatch_block_t _Nullable handler);
#endif
DISPATCH_EXPORT void dispatch_source_set_event_handler_f(dispatch_source_t source,
                                                         dispatch_function_t _Nullable handler);
DISPATCH_EXPORT void dispatch_source_set_cancel_handler_f(dispatch_source_t source,
                                                          dispatch_function_t _Nullable handler);
DISPATCH_EXPORT void dispatch_source_cancel(dispatch_source_t source);
DISPATCH_EXPORT intptr_t dispatch_source_testcancel(dispatch_source_t source);
DISPATCH_EXPORT uintptr_t dispatch_source_get_data(dispatch_source_t source);
DISPATCH_EXPORT uintptr_t dispatch_source_get_handle(dispatch_source_t source);
DISPATCH_EXPORT void dispatch_source_set_timer(dispatch_source_t source, dispatch_time_t start,
                                               uint64_t interval, uint64_t leeway);

__END_DECLS
DISPATCH_ASSUME_NONNULL_END

#endif
