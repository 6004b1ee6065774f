/*
 * objc/objc-api.h: macros that the Objective-C runtime's headers are written
 * with.
 * Facts: apple-oss-distributions objc4, runtime/objc-api.h (names and
 * meaning). On arm64 the dispatch functions have no usable prototype, so
 * OBJC_OLD_DISPATCH_PROTOTYPES is 0.
 */
#ifndef _OBJC_OBJC_API_H_
#define _OBJC_OBJC_API_H_

#include <Availability.h>
#include <AvailabilityMacros.h>
#include <TargetConditionals.h>
#include <stddef.h>
#include <sys/types.h>

#define OBJC_API_VERSION 2
#define OBJC_NO_GC 1

#undef OBJC_OLD_DISPATCH_PROTOTYPES
#define OBJC_OLD_DISPATCH_PROTOTYPES 0

#ifndef NS_ENFORCE_NSOBJECT_DESIGNATED_INITIALIZER
#define NS_ENFORCE_NSOBJECT_DESIGNATED_INITIALIZER 1
#endif

#ifdef __cplusplus
#define OBJC_EXTERN extern "C"
#else
#define OBJC_EXTERN extern
#endif
#define OBJC_VISIBLE __attribute__((visibility("default")))
#define OBJC_EXPORT OBJC_EXTERN OBJC_VISIBLE
#define OBJC_IMPORT extern
#define OBJC_INLINE __inline
#define OBJC_ROOT_CLASS __attribute__((objc_root_class))
#define OBJC_NOESCAPE __attribute__((noescape))
#define OBJC_COLD __attribute__((cold))
#define OBJC_NORETURN __attribute__((noreturn))

#define OBJC_AVAILABLE(mac, ios, tvos, watchos, bridgeos) API_AVAILABLE(macos(mac))
#define OBJC_DEPRECATED(message) __attribute__((deprecated(message)))
#define OBJC_UNAVAILABLE(message) __attribute__((unavailable(message)))
#define OBJC_SWIFT_UNAVAILABLE(text)                                                               \
    __attribute__((availability(swift, unavailable, message = text)))
#define OBJC_ARM64_UNAVAILABLE OBJC_UNAVAILABLE("not available in arm64")
#define OBJC_GC_UNAVAILABLE
#if __has_feature(objc_arc)
#define OBJC_ARC_UNAVAILABLE                                                                       \
    OBJC_UNAVAILABLE("not available in automatic reference counting mode")
#else
#define OBJC_ARC_UNAVAILABLE
#endif
#define OBJC_ISA_AVAILABILITY __attribute__((deprecated))
#ifdef __OBJC__
#define OBJC_RETURNS_RETAINED __attribute__((ns_returns_retained))
#else
#define OBJC_RETURNS_RETAINED
#endif

#ifdef __OBJC__
#define OBJC_ENUM(type, name)                                                                      \
    enum name : type name;                                                                         \
    enum name : type
#else
#define OBJC_ENUM(type, name)                                                                      \
    type name;                                                                                     \
    enum : type
#endif
#define OBJC_OPTIONS(type, name) OBJC_ENUM(type, name)

#endif
