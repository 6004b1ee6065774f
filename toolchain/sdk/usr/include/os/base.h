/*
 * os/base.h: macros that the headers of os/ and dispatch/ are written with.
 * Facts: apple-oss-distributions xnu, libkern/os/base.h (names and meaning).
 */
#ifndef __OS_BASE__
#define __OS_BASE__

#include <Availability.h>
#include <sys/cdefs.h>

#ifdef __cplusplus
#define OS_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define OS_EXPORT extern __attribute__((visibility("default")))
#endif
#define OS_INLINE static __inline__
#define OS_ALWAYS_INLINE __attribute__((always_inline))
#define OS_NOINLINE __attribute__((noinline))
#define OS_NOTHROW __attribute__((nothrow))
#define OS_NORETURN __attribute__((noreturn))
#define OS_COLD __attribute__((cold))
#define OS_CONST __attribute__((const))
#define OS_PURE __attribute__((pure))
#define OS_MALLOC __attribute__((malloc))
#define OS_USED __attribute__((used))
#define OS_UNUSED __attribute__((unused))
#define OS_WARN_RESULT __attribute__((warn_unused_result))
#define OS_NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))
#define OS_NONNULL1 OS_NONNULL(1)
#define OS_NONNULL2 OS_NONNULL(2)
#define OS_NONNULL3 OS_NONNULL(3)
#define OS_NONNULL_ALL __attribute__((nonnull))
#define OS_NOESCAPE __attribute__((noescape))
#define OS_NOT_TAIL_CALLED __attribute__((not_tail_called))
#define OS_FORMAT_PRINTF(format_index, first_argument)                                             \
    __attribute__((format(printf, format_index, first_argument)))
#define OS_EXPECT(value, expected) __builtin_expect((value), (expected))

#define OS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define OS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")

#define OS_ENUM(name, type, ...)                                                                   \
    typedef enum : type { __VA_ARGS__ } name##_t
#define OS_OPTIONS(name, type, ...)                                                                \
    typedef enum __attribute__((flag_enum)) : type { __VA_ARGS__ } name##_t

#define OS_STRINGIFY(text) #text
#define OS_CONCAT(a, b) a##b

#endif
