/*
 * os/log.h: unified logging. The macros lay out the arguments with clang's own
 * __builtin_os_log_format and hand them to libsystem_trace, so privacy
 * annotations such as %{public}s mean what they mean on macOS. The format is
 * put into the section that the log tools read it from, as plain data: ld64.lld
 * would move literals to __cstring.
 * Facts: os_log(3) and Apple's documentation of os/log.h (functions, types of
 * message); clang, Builtins.td and its test os_log.c (layout builtins);
 * exported names of libsystem_trace.
 */
#ifndef __OS_LOG_H__
#define __OS_LOG_H__

#include <os/base.h>
#include <os/object.h>
#include <stdbool.h>
#include <stdint.h>

OS_ASSUME_NONNULL_BEGIN

OS_OBJECT_DECL(os_log);

__BEGIN_DECLS

typedef enum : uint8_t {
    OS_LOG_TYPE_DEFAULT = 0x00,
    OS_LOG_TYPE_INFO = 0x01,
    OS_LOG_TYPE_DEBUG = 0x02,
    OS_LOG_TYPE_ERROR = 0x10,
    OS_LOG_TYPE_FAULT = 0x11
} os_log_type_t;

struct os_log_s;
extern struct os_log_s _os_log_default;
extern struct os_log_s _os_log_disabled;
#define OS_LOG_DEFAULT OS_OBJECT_GLOBAL_OBJECT(os_log_t, _os_log_default)
#define OS_LOG_DISABLED OS_OBJECT_GLOBAL_OBJECT(os_log_t, _os_log_disabled)

#define OS_LOG_CATEGORY_POINTS_OF_INTEREST "PointsOfInterest"
#define OS_LOG_CATEGORY_DYNAMIC_TRACING "DynamicTracing"
#define OS_LOG_CATEGORY_DYNAMIC_STACK_TRACING "DynamicStackTracing"

OS_EXPORT os_log_t os_log_create(const char *subsystem, const char *category)
    OS_OBJECT_RETURNS_RETAINED OS_WARN_RESULT OS_NOTHROW;
OS_EXPORT bool os_log_type_enabled(os_log_t log, os_log_type_t type) OS_NOTHROW;

OS_EXPORT void _os_log_impl(void *image, os_log_t log, os_log_type_t type, const char *format,
                            uint8_t *data, uint32_t size);

/* the image that logs: the linker puts its address there */
extern void *__dso_handle;

#define os_log_info_enabled(log) os_log_type_enabled(log, OS_LOG_TYPE_INFO)
#define os_log_debug_enabled(log) os_log_type_enabled(log, OS_LOG_TYPE_DEBUG)

#define os_log_with_type(log, type, format, ...)                                                   \
    __extension__({                                                                                \
        os_log_t _os_log_to = (log);                                                               \
        os_log_type_t _os_log_as = (type);                                                         \
        if (os_log_type_enabled(_os_log_to, _os_log_as)) {                                         \
            static const char _os_log_text[]                                                       \
                __attribute__((section("__TEXT,__oslogstring"))) = format;                         \
            uint8_t _os_log_data[__builtin_os_log_format_buffer_size(format, ##__VA_ARGS__)]       \
                __attribute__((aligned(16)));                                                      \
            _os_log_impl(&__dso_handle, _os_log_to, _os_log_as, _os_log_text,                      \
                         (uint8_t *)__builtin_os_log_format(_os_log_data, format, ##__VA_ARGS__),  \
                         (uint32_t)sizeof _os_log_data);                                           \
        }                                                                                          \
    })

#define os_log(log, format, ...)                                                                   \
    os_log_with_type(log, OS_LOG_TYPE_DEFAULT, format, ##__VA_ARGS__)
#define os_log_info(log, format, ...)                                                              \
    os_log_with_type(log, OS_LOG_TYPE_INFO, format, ##__VA_ARGS__)
#define os_log_debug(log, format, ...)                                                             \
    os_log_with_type(log, OS_LOG_TYPE_DEBUG, format, ##__VA_ARGS__)
#define os_log_error(log, format, ...)                                                             \
    os_log_with_type(log, OS_LOG_TYPE_ERROR, format, ##__VA_ARGS__)
#define os_log_fault(log, format, ...)                                                             \
    os_log_with_type(log, OS_LOG_TYPE_FAULT, format, ##__VA_ARGS__)

__END_DECLS
OS_ASSUME_NONNULL_END

#endif
