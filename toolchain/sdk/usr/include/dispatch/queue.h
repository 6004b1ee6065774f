/*
 * dispatch/queue.h: queues of work.
 * Facts: apple-oss-distributions libdispatch, dispatch/queue.h.
 */
#ifndef __DISPATCH_QUEUE__
#define __DISPATCH_QUEUE__

#include <dispatch/object.h>
#include <dispatch/time.h>

DISPATCH_ASSUME_NONNULL_BEGIN

DISPATCH_DECL(dispatch_queue);
DISPATCH_DECL(dispatch_queue_attr);
DISPATCH_DECL_SUBCLASS(dispatch_queue_global, dispatch_queue);
DISPATCH_DECL_SUBCLASS(dispatch_queue_serial, dispatch_queue);
DISPATCH_DECL_SUBCLASS(dispatch_queue_main, dispatch_queue_serial);
DISPATCH_DECL_SUBCLASS(dispatch_queue_concurrent, dispatch_queue);

__BEGIN_DECLS

typedef long dispatch_queue_priority_t;
#define DISPATCH_QUEUE_PRIORITY_HIGH 2
#define DISPATCH_QUEUE_PRIORITY_DEFAULT 0
#define DISPATCH_QUEUE_PRIORITY_LOW (-2)
#define DISPATCH_QUEUE_PRIORITY_BACKGROUND INT16_MIN

#define DISPATCH_TARGET_QUEUE_DEFAULT NULL
#define DISPATCH_CURRENT_QUEUE_LABEL NULL
#define DISPATCH_APPLY_AUTO ((dispatch_queue_t _Nonnull)0)

/* attributes */
struct dispatch_queue_attr_s;
extern struct dispatch_queue_attr_s _dispatch_queue_attr_concurrent;
#define DISPATCH_QUEUE_SERIAL NULL
#define DISPATCH_QUEUE_CONCURRENT                                                                  \
    DISPATCH_GLOBAL_OBJECT(dispatch_queue_attr_t, _dispatch_queue_attr_concurrent)
#define DISPATCH_QUEUE_SERIAL_INACTIVE                                                             \
    dispatch_queue_attr_make_initially_inactive(DISPATCH_QUEUE_SERIAL)
#define DISPATCH_QUEUE_CONCURRENT_INACTIVE                                                         \
    dispatch_queue_attr_make_initially_inactive(DISPATCH_QUEUE_CONCURRENT)
#define DISPATCH_QUEUE_SERIAL_WITH_AUTORELEASE_POOL                                                \
    dispatch_queue_attr_make_with_autorelease_frequency(DISPATCH_QUEUE_SERIAL,                     \
                                                        DISPATCH_AUTORELEASE_FREQUENCY_WORK_ITEM)

typedef enum : unsigned long {
    DISPATCH_AUTORELEASE_FREQUENCY_INHERIT = 0,
    DISPATCH_AUTORELEASE_FREQUENCY_WORK_ITEM = 1,
    DISPATCH_AUTORELEASE_FREQUENCY_NEVER = 2
} dispatch_autorelease_frequency_t;

DISPATCH_EXPORT dispatch_queue_attr_t
dispatch_queue_attr_make_initially_inactive(dispatch_queue_attr_t _Nullable attributes);
DISPATCH_EXPORT dispatch_queue_attr_t dispatch_queue_attr_make_with_qos_class(
    dispatch_queue_attr_t _Nullable attributes, dispatch_qos_class_t qos_class,
    int relative_priority);
DISPATCH_EXPORT dispatch_queue_attr_t dispatch_queue_attr_make_with_autorelease_frequency(
    dispatch_queue_attr_t _Nullable attributes, dispatch_autorelease_frequency_t frequency);

/* making and finding queues */
DISPATCH_EXPORT dispatch_queue_t
dispatch_queue_create(const char *_Nullable label, dispatch_queue_attr_t _Nullable attributes)
    DISPATCH_RETURNS_RETAINED;
DISPATCH_EXPORT dispatch_queue_t dispatch_queue_create_with_target(
    const char *_Nullable label, dispatch_queue_attr_t _Nullable attributes,
    dispatch_queue_t _Nullable target)
    DISPATCH_RETURNS_RETAINED __asm("_dispatch_queue_create_with_target$V2");
DISPATCH_EXPORT dispatch_queue_global_t dispatch_get_global_queue(intptr_t identifier,
                                                                  uintptr_t flags);

struct dispatch_queue_s;
extern struct dispatch_queue_s _dispatch_main_q;
OS_INLINE OS_ALWAYS_INLINE dispatch_queue_main_t dispatch_get_main_queue(void)
{
    return DISPATCH_GLOBAL_OBJECT(dispatch_queue_main_t, _dispatch_main_q);
}

/* properties of a queue */
DISPATCH_EXPORT const char *dispatch_queue_get_label(dispatch_queue_t _Nullable queue);
DISPATCH_EXPORT dispatch_qos_class_t
dispatch_queue_get_qos_class(dispatch_queue_t queue, int *_Nullable relative_priority);
DISPATCH_EXPORT void dispatch_set_target_queue(dispatch_object_t object,
                                               dispatch_queue_t _Nullable queue);
DISPATCH_EXPORT void dispatch_queue_set_specific(dispatch_queue_t queue, const void *key,
                                                 void *_Nullable context,
                                                 dispatch_function_t _Nullable destructor);
DISPATCH_EXPORT void *_Nullable dispatch_queue_get_specific(dispatch_queue_t queue,
                                                            const void *key);
DISPATCH_EXPORT void *_Nullable dispatch_get_specific(const void *key);
DISPATCH_EXPORT void dispatch_assert_queue(dispatch_queue_t queue)
    __asm("_dispatch_assert_queue$V2");
DISPATCH_EXPORT void dispatch_assert_queue_not(dispatch_queue_t queue)
    __asm("_dispatch_assert_queue_not$V2");
DISPATCH_EXPORT void dispatch_assert_queue_barrier(dispatch_queue_t queue);

/* work as a block */
#ifdef __BLOCKS__
DISPATCH_EXPORT void dispatch_async(dispatch_queue_t queue, dispatch_block_t block);
DISPATCH_EXPORT void dispatch_sync(dispatch_queue_t queue,
                                   DISPATCH_NOESCAPE dispatch_block_t block);
DISPATCH_EXPORT void dispatch_async_and_wait(dispatch_queue_t queue,
                                             DISPATCH_NOESCAPE dispatch_block_t block);
DISPATCH_EXPORT void dispatch_after(dispatch_time_t when, dispatch_queue_t queue,
                                    dispatch_block_t block);
DISPATCH_EXPORT void dispatch_apply(size_t iterations, dispatch_queue_t _Nullable queue,
                                    DISPATCH_NOESCAPE void (^block)(size_t iteration));
DISPATCH_EXPORT void dispatch_barrier_async(dispatch_queue_t queue, dispatch_block_t block);
DISPATCH_EXPORT void dispatch_barrier_sync(dispatch_queue_t queue,
                                           DISPATCH_NOESCAPE dispatch_block_t block);
#endif

/* work as a function */
DISPATCH_EXPORT void dispatch_async_f(dispatch_queue_t queue, void *_Nullable context,
                                      dispatch_function_t work);
DISPATCH_EXPORT void dispatch_sync_f(dispatch_queue_t queue, void *_Nullable context,
                                     dispatch_function_t work);
DISPATCH_EXPORT void dispatch_async_and_wait_f(dispatch_queue_t queue, void *_Nullable context,
                                               dispatch_function_t work);
DISPATCH_EXPORT void dispatch_after_f(dispatch_time_t when, dispatch_queue_t queue,
                                      void *_Nullable context, dispatch_function_t work);
DISPATCH_EXPORT void dispatch_apply_f(size_t iterations, dispatch_queue_t _Nullable queue,
                                      void *_Nullable context,
                                      void (*work)(void *_Nullable context, size_t iteration));
DISPATCH_EXPORT void dispatch_barrier_async_f(dispatch_queue_t queue, void *_Nullable context,
                                              dispatch_function_t work);
DISPATCH_EXPORT void dispatch_barrier_sync_f(dispatch_queue_t queue, void *_Nullable context,
                                             dispatch_function_t work);

DISPATCH_EXPORT void dispatch_main(void) OS_NORETURN;

__END_DECLS
DISPATCH_ASSUME_NONNULL_END

#endif
