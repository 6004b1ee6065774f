/*
 * os/object.h: the objects of libdispatch and os_log, which Objective-C sees
 * as Objective-C objects (so that ARC retains and releases them) and C as
 * pointers.
 * Facts: apple-oss-distributions libdispatch, os/object.h; libdispatch's
 * documentation of OS_OBJECT_USE_OBJC.
 */
#ifndef __OS_OBJECT__
#define __OS_OBJECT__

#include <os/base.h>

#ifndef OS_OBJECT_USE_OBJC
#ifdef __OBJC__
#define OS_OBJECT_USE_OBJC 1
#else
#define OS_OBJECT_USE_OBJC 0
#endif
#endif

#if OS_OBJECT_USE_OBJC

#include <objc/NSObject.h>

#define OS_OBJECT_CLASS(name) OS_##name
#define OS_OBJECT_DECL_IMPL(name, ...)                                                             \
    @protocol OS_OBJECT_CLASS(name) __VA_ARGS__                                                    \
    @end                                                                                           \
    typedef NSObject<OS_OBJECT_CLASS(name)> *__attribute__((objc_independent_class)) name##_t
#define OS_OBJECT_DECL(name) OS_OBJECT_DECL_IMPL(name, <NSObject>)
#define OS_OBJECT_DECL_CLASS(name) OS_OBJECT_DECL(name)
#define OS_OBJECT_DECL_SUBCLASS(name, super) OS_OBJECT_DECL_IMPL(name, <OS_OBJECT_CLASS(super)>)

#define OS_OBJECT_RETURNS_RETAINED __attribute__((ns_returns_retained))
#define OS_OBJECT_CONSUMED __attribute__((ns_consumed))
#if __has_feature(objc_arc)
#define OS_OBJECT_BRIDGE __bridge
#else
#define OS_OBJECT_BRIDGE
#endif

#else

#define OS_OBJECT_DECL(name) typedef struct name##_s *name##_t
#define OS_OBJECT_DECL_CLASS(name) OS_OBJECT_DECL(name)
#define OS_OBJECT_DECL_SUBCLASS(name, super) typedef super##_t name##_t
#define OS_OBJECT_RETURNS_RETAINED
#define OS_OBJECT_CONSUMED
#define OS_OBJECT_BRIDGE

#endif

#define OS_OBJECT_GLOBAL_OBJECT(type, object) ((OS_OBJECT_BRIDGE type) & (object))

__BEGIN_DECLS

/* Objective-C says retain and release instead, or leaves it to ARC. */
#if !OS_OBJECT_USE_OBJC || !__has_feature(objc_arc)
extern void *os_retain(void *object);
extern void os_release(void *object);
#endif

__END_DECLS

#endif
