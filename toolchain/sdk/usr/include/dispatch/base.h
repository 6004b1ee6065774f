/*
 * dispatch/base.h: macros and types that the headers of libdispatch share.
 * Facts: apple-oss-distributions libdispatch, dispatch/base.h and object.h.
 */
#ifndef __DISPATCH_BASE__
#define __DISPATCH_BASE__

#include <os/object.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>
#include <sys/qos.h>

#define DISPATCH_EXPORT OS_EXPORT
#define DISPATCH_NOESCAPE OS_NOESCAPE
#define DISPATCH_ASSUME_NONNULL_BEGIN OS_ASSUME_NONNULL_BEGIN
#define DISPATCH_ASSUME_NONNULL_END OS_ASSUME_NONNULL_END
#define DISPATCH_RETURNS_RETAINED OS_OBJECT_RETURNS_RETAINED
#define DISPATCH_GLOBAL_OBJECT(type, object) OS_OBJECT_GLOBAL_OBJECT(type, object)

#if OS_OBJECT_USE_OBJC
#define DISPATCH_DECL(name) OS_OBJECT_DECL_SUBCLASS(name, dispatch_object)
#else
#define DISPATCH_DECL(name) OS_OBJECT_DECL(name)
#endif
#define DISPATCH_DECL_SUBCLASS(name, super) OS_OBJECT_DECL_SUBCLASS(name, super)

typedef void (*dispatch_function_t)(void *_Nullable context);
#ifdef __BLOCKS__
typedef void (^dispatch_block_t)(void);
#endif
typedef qos_class_t dispatch_qos_class_t;

#endif
