/*
 * CoreFoundation/CFBase.h: base types, macros, allocators, reference counts.
 * Facts: Apple's documentation "Base Utilities"; swift-corelibs-foundation,
 * CoreFoundation/Base.subproj/CFBase.h (values, members); clang's
 * objc_bridge attributes.
 */
#ifndef __COREFOUNDATION_CFBASE__
#define __COREFOUNDATION_CFBASE__

#include <Availability.h>
#include <AvailabilityMacros.h>
#include <TargetConditionals.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/cdefs.h>

#ifdef __cplusplus
#define CF_EXTERN_C_BEGIN extern "C" {
#define CF_EXTERN_C_END }
#define CF_EXPORT extern "C"
#else
#define CF_EXTERN_C_BEGIN
#define CF_EXTERN_C_END
#define CF_EXPORT extern
#endif
#define CF_INLINE static __inline__ __attribute__((always_inline))

#define CF_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define CF_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define CF_IMPLICIT_BRIDGING_ENABLED _Pragma("clang arc_cf_code_audited begin")
#define CF_IMPLICIT_BRIDGING_DISABLED _Pragma("clang arc_cf_code_audited end")

#ifdef __OBJC__
#define CF_BRIDGED_TYPE(class_name) __attribute__((objc_bridge(class_name)))
#define CF_BRIDGED_MUTABLE_TYPE(class_name) __attribute__((objc_bridge_mutable(class_name)))
#define CF_RELATED_TYPE(class_name, class_method, instance_method)                                 \
    __attribute__((objc_bridge_related(class_name, class_method, instance_method)))
#else
#define CF_BRIDGED_TYPE(class_name)
#define CF_BRIDGED_MUTABLE_TYPE(class_name)
#define CF_RELATED_TYPE(class_name, class_method, instance_method)
#endif

#define CF_RETURNS_RETAINED __attribute__((cf_returns_retained))
#define CF_RETURNS_NOT_RETAINED __attribute__((cf_returns_not_retained))
#define CF_CONSUMED __attribute__((cf_consumed))
#define CF_RELEASES_ARGUMENT CF_CONSUMED
#define CF_NOESCAPE __attribute__((noescape))
#define CF_WARN_UNUSED_RESULT __attribute__((warn_unused_result))
#define CF_FORMAT_FUNCTION(format_index, first_argument)                                           \
    __attribute__((format(CFString, format_index, first_argument)))
#define CF_FORMAT_ARGUMENT(index) __attribute__((format_arg(index)))
#define CF_SWIFT_NAME(name)
#define CF_REFINED_FOR_SWIFT

/*
 * typedef CF_ENUM(type, name) { ... }; or, without a name, CF_ENUM(type) { ... };
 * Objective-C has enumerations of a stated type, so that switches are checked;
 * in C the name is just the type.
 */
#define __CF_ENUM_PICK(type, name, which, ...) which
#define __CF_ENUM_UNNAMED(type) enum : type
#ifdef __OBJC__
#define __CF_ENUM_NAMED(type, name)                                                                \
    enum name : type name;                                                                         \
    enum name : type
#define CF_CLOSED_ENUM(type, name)                                                                 \
    enum name : type name;                                                                         \
    enum __attribute__((enum_extensibility(closed))) name : type
#define CF_OPTIONS(type, name)                                                                     \
    enum name : type name;                                                                         \
    enum __attribute__((flag_enum)) name : type
#else
#define __CF_ENUM_NAMED(type, name)                                                                \
    type name;                                                                                     \
    enum : type
#define CF_CLOSED_ENUM(type, name) __CF_ENUM_NAMED(type, name)
#define CF_OPTIONS(type, name) __CF_ENUM_NAMED(type, name)
#endif
#define CF_ENUM(...)                                                                               \
    __CF_ENUM_PICK(__VA_ARGS__, __CF_ENUM_NAMED, __CF_ENUM_UNNAMED, 0)(__VA_ARGS__)

CF_EXTERN_C_BEGIN

typedef unsigned char Boolean;
typedef unsigned char UInt8;
typedef signed char SInt8;
typedef unsigned short UInt16;
typedef short SInt16;
typedef unsigned int UInt32;
typedef int SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef float Float32;
typedef double Float64;
typedef unsigned short UniChar;
typedef UInt32 UTF32Char;
typedef UInt32 FourCharCode;
typedef FourCharCode OSType;
typedef SInt32 OSStatus;

typedef unsigned long CFTypeID;
typedef unsigned long CFOptionFlags;
typedef unsigned long CFHashCode;
typedef signed long CFIndex;
typedef double CFTimeInterval;
typedef CFTimeInterval CFAbsoluteTime;

typedef const CF_BRIDGED_TYPE(id) void *CFTypeRef;
typedef const struct CF_BRIDGED_TYPE(NSString) __CFString *CFStringRef;
typedef struct CF_BRIDGED_MUTABLE_TYPE(NSMutableString) __CFString *CFMutableStringRef;
typedef CFTypeRef CFPropertyListRef;

typedef CF_CLOSED_ENUM(CFIndex, CFComparisonResult){
    kCFCompareLessThan = -1L,
    kCFCompareEqualTo = 0,
    kCFCompareGreaterThan = 1,
};

static const CFIndex kCFNotFound = -1;

typedef struct {
    CFIndex location;
    CFIndex length;
} CFRange;

CF_INLINE CFRange CFRangeMake(CFIndex location, CFIndex length)
{
    return (CFRange){location, length};
}

CF_EXPORT double kCFCoreFoundationVersionNumber;

/* allocators */
typedef const struct CF_BRIDGED_TYPE(id) __CFAllocator *CFAllocatorRef;
CF_EXPORT const CFAllocatorRef _Null_unspecified kCFAllocatorDefault;
CF_EXPORT const CFAllocatorRef _Nonnull kCFAllocatorSystemDefault;
CF_EXPORT const CFAllocatorRef _Nonnull kCFAllocatorMalloc;
CF_EXPORT const CFAllocatorRef _Nonnull kCFAllocatorMallocZone;
CF_EXPORT const CFAllocatorRef _Nonnull kCFAllocatorNull;
CF_EXPORT const CFAllocatorRef _Nonnull kCFAllocatorUseContext;
CF_EXPORT void *_Nullable CFAllocatorAllocate(CFAllocatorRef _Nullable allocator, CFIndex size,
                                              CFOptionFlags hint);
CF_EXPORT void CFAllocatorDeallocate(CFAllocatorRef _Nullable allocator, void *_Nullable memory);

/* null */
typedef const struct CF_BRIDGED_TYPE(NSNull) __CFNull *CFNullRef;
CF_EXPORT const CFNullRef _Nonnull kCFNull;
CF_EXPORT CFTypeID CFNullGetTypeID(void);

/* every object */
CF_ASSUME_NONNULL_BEGIN
CF_EXPORT CFTypeID CFGetTypeID(CFTypeRef _Nullable object);
CF_EXPORT CFStringRef _Nullable CFCopyTypeIDDescription(CFTypeID type) CF_RETURNS_RETAINED;
CF_EXPORT CFTypeRef CFRetain(CFTypeRef object);
CF_EXPORT void CFRelease(CFTypeRef object);
CF_EXPORT CFTypeRef CFAutorelease(CFTypeRef CF_RELEASES_ARGUMENT object);
CF_EXPORT CFIndex CFGetRetainCount(CFTypeRef object);
CF_EXPORT Boolean CFEqual(CFTypeRef _Nullable a, CFTypeRef _Nullable b);
CF_EXPORT CFHashCode CFHash(CFTypeRef _Nullable object);
CF_EXPORT CFStringRef CFCopyDescription(CFTypeRef _Nullable object) CF_RETURNS_RETAINED;
CF_EXPORT CFAllocatorRef CFGetAllocator(CFTypeRef object);
CF_EXPORT void CFShow(CFTypeRef _Nullable object);
CF_ASSUME_NONNULL_END

CF_EXTERN_C_END

#endif
