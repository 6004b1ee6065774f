/*
 * Foundation/NSObjCRuntime.h: macros, names of classes and selectors, NSLog.
 * Facts: Apple's documentation "Foundation Functions" and "Foundation
 * Constants"; swift-corelibs-foundation; clang, Attribute Reference.
 */
#ifndef Foundation_NSObjCRuntime_h
#define Foundation_NSObjCRuntime_h

#include <Availability.h>
#include <CoreFoundation/CFBase.h>
#include <TargetConditionals.h>
#include <objc/NSObjCRuntime.h>
#include <stdarg.h>
#include <stdint.h>

#ifdef __cplusplus
#define FOUNDATION_EXTERN extern "C"
#else
#define FOUNDATION_EXTERN extern
#endif
#define FOUNDATION_EXPORT FOUNDATION_EXTERN
#define FOUNDATION_IMPORT FOUNDATION_EXTERN
#define NS_INLINE static __inline__ __attribute__((always_inline))
#define FOUNDATION_STATIC_INLINE static __inline__

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_HEADER_AUDIT_BEGIN(...) NS_ASSUME_NONNULL_BEGIN
#define NS_HEADER_AUDIT_END(...) NS_ASSUME_NONNULL_END

#define NS_ENUM(...) CF_ENUM(__VA_ARGS__)
#define NS_CLOSED_ENUM(type, name) CF_CLOSED_ENUM(type, name)
#define NS_OPTIONS(type, name) CF_OPTIONS(type, name)
#define NS_ERROR_ENUM(domain, name) CF_ENUM(NSInteger, name)
#define NS_STRING_ENUM
#define NS_EXTENSIBLE_STRING_ENUM
#define NS_TYPED_ENUM
#define NS_TYPED_EXTENSIBLE_ENUM

/* ownership */
#define NS_RETURNS_RETAINED __attribute__((ns_returns_retained))
#define NS_RETURNS_NOT_RETAINED __attribute__((ns_returns_not_retained))
#define NS_RETURNS_INNER_POINTER __attribute__((objc_returns_inner_pointer))
#define NS_RELEASES_ARGUMENT __attribute__((ns_consumed))
#define NS_CONSUMED NS_RELEASES_ARGUMENT
#define NS_CONSUMES_SELF __attribute__((ns_consumes_self))
#define NS_VALID_UNTIL_END_OF_SCOPE __attribute__((objc_precise_lifetime))
#define NS_NOESCAPE __attribute__((noescape))
#define NS_AUTOMATED_REFCOUNT_UNAVAILABLE OBJC_ARC_UNAVAILABLE
#define NS_AUTOMATED_REFCOUNT_WEAK_UNAVAILABLE                                                     \
    __attribute__((objc_arc_weak_reference_unavailable))

/* classes and methods */
#define NS_ROOT_CLASS __attribute__((objc_root_class))
#define NS_REQUIRES_SUPER __attribute__((objc_requires_super))
#define NS_REQUIRES_PROPERTY_DEFINITIONS __attribute__((objc_requires_property_definitions))
#define NS_PROTOCOL_REQUIRES_EXPLICIT_IMPLEMENTATION                                               \
    __attribute__((objc_protocol_requires_explicit_implementation))
#define NS_UNAVAILABLE UNAVAILABLE_ATTRIBUTE
#define NS_REQUIRES_NIL_TERMINATION __attribute__((sentinel(0, 1)))
#define NS_BLOCKS_AVAILABLE 1
#define NS_NONATOMIC_IOSONLY atomic

/* functions */
#define NS_FORMAT_FUNCTION(format_index, first_argument)                                           \
    __attribute__((format(__NSString__, format_index, first_argument)))
#define NS_FORMAT_ARGUMENT(index) __attribute__((format_arg(index)))
#define NS_NO_TAIL_CALL __attribute__((not_tail_called))
#define NS_WARN_UNUSED_RESULT __attribute__((warn_unused_result))

/* availability; the dates before macOS 13 matter to nobody here */
#define NS_AVAILABLE(mac, ios)
#define NS_AVAILABLE_MAC(mac)
#define NS_AVAILABLE_IOS(ios) API_UNAVAILABLE(macos)
#define NS_DEPRECATED(...) DEPRECATED_ATTRIBUTE
#define NS_DEPRECATED_MAC(...) DEPRECATED_ATTRIBUTE
#define NS_CLASS_AVAILABLE(mac, ios)
#define NS_CLASS_AVAILABLE_MAC(mac)

/* Swift's view; no meaning here */
#define NS_SWIFT_NAME(name)
#define NS_SWIFT_NOTHROW
#define NS_SWIFT_SENDABLE
#define NS_SWIFT_UNAVAILABLE(message)
#define NS_REFINED_FOR_SWIFT

#ifndef MIN
#define MIN(a, b)                                                                                  \
    __extension__({                                                                                \
        __typeof__(a) _min_a = (a);                                                                \
        __typeof__(b) _min_b = (b);                                                                \
        _min_a < _min_b ? _min_a : _min_b;                                                         \
    })
#endif
#ifndef MAX
#define MAX(a, b)                                                                                  \
    __extension__({                                                                                \
        __typeof__(a) _max_a = (a);                                                                \
        __typeof__(b) _max_b = (b);                                                                \
        _max_a < _max_b ? _max_b : _max_a;                                                         \
    })
#endif
#ifndef ABS
#define ABS(a)                                                                                     \
    __extension__({                                                                                \
        __typeof__(a) _abs_a = (a);                                                                \
        _abs_a < 0 ? -_abs_a : _abs_a;                                                             \
    })
#endif

static const NSInteger NSNotFound = NSIntegerMax;

#ifdef __OBJC__

@class NSString, Protocol;

NS_ASSUME_NONNULL_BEGIN
__BEGIN_DECLS

typedef NSString *NSExceptionName NS_EXTENSIBLE_STRING_ENUM;
typedef NSString *NSRunLoopMode NS_EXTENSIBLE_STRING_ENUM;

FOUNDATION_EXPORT NSString *NSStringFromSelector(SEL selector);
FOUNDATION_EXPORT SEL NSSelectorFromString(NSString *name);
FOUNDATION_EXPORT NSString *NSStringFromClass(Class cls);
FOUNDATION_EXPORT Class _Nullable NSClassFromString(NSString *name);
FOUNDATION_EXPORT NSString *NSStringFromProtocol(Protocol *protocol);
FOUNDATION_EXPORT Protocol *_Nullable NSProtocolFromString(NSString *name);
FOUNDATION_EXPORT const char *NSGetSizeAndAlignment(const char *encoding,
                                                    NSUInteger *_Nullable size,
                                                    NSUInteger *_Nullable alignment);

FOUNDATION_EXPORT void NSLog(NSString *format, ...) NS_FORMAT_FUNCTION(1, 2) NS_NO_TAIL_CALL;
FOUNDATION_EXPORT void NSLogv(NSString *format, va_list arguments)
    NS_FORMAT_FUNCTION(1, 0) NS_NO_TAIL_CALL;

typedef NS_CLOSED_ENUM(NSInteger, NSComparisonResult){
    NSOrderedAscending = -1L,
    NSOrderedSame = 0,
    NSOrderedDescending = 1,
};

typedef NSComparisonResult (^NSComparator)(id a, id b);

typedef NS_OPTIONS(NSUInteger, NSEnumerationOptions){
    NSEnumerationConcurrent = 1UL << 0,
    NSEnumerationReverse = 1UL << 1,
};

typedef NS_OPTIONS(NSUInteger, NSSortOptions){
    NSSortConcurrent = 1UL << 0,
    NSSortStable = 1UL << 4,
};

__END_DECLS
NS_ASSUME_NONNULL_END

#endif

#endif
