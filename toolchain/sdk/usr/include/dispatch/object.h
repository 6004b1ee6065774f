/*
 * dispatch/object.h: what every object of libdispatch can do.
 * Facts: apple-oss-distributions libdispatch, dispatch/object.h.
 */
#ifndef __DISPATCH_OBJECT__
#define __DISPATCH_OBJECT__

#include <dispatch/base.h>

DISPATCH_ASSUME_NONNULL_BEGIN

#if OS_OBJECT_USE_OBJC
OS_OBJECT_DECL_CLASS(dispatch_object);
#else
typedef union {
    struct dispatch_object_s *_do;
    struct dispatch_queue_s *_dq;
    struct dispatch_queue_attr_s *_dqa;
    struct dispatch_group_s *_dg;
    struct dispatch_source_s *_ds;
    struct dispatch_semaphore_s *_dsema;
} dispatch_object_t __attribute__((__transparent_union__));
#endif

__BEGIN_DECLS

/* ARC retains and releases by itself. */
#if !OS_OBJECT_USE_OBJC || !__has_feature(objc_arc)
DISPATCH_EXPORT void dispatch_retain(dispatch_object_t object);
DISPATCH_EXPORT void dispatch_release(dispatch_object_t object);
#endif
DISPATCH_EXPORT void *_Nullable dispatch_get_context(dispatch_object_t object);
DISPATCH_EXPORT void dispatch_set_context(dispatch_object_t object, void *_Nullable context);
DISPATCH_EXPORT void dispatch_set_finalizer_f(dispatch_object_t object,
                                              dispatch_function_t _Nullable finalizer);
DISPATCH_EXPORT void dispatch_activate(dispatch_object_t object);
DISPATCH_EXPORT void dispatch_suspend(dispatch_object_t object);
DISPATCH_EXPORT void dispatch_resume(dispatch_object_t object);

__END_DECLS
DISPATCH_ASSUME_NONNULL_END

#endif
