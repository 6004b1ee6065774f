/*
 * objc/objc-exception.h: the functions behind @throw and @catch.
 * Facts: apple-oss-distributions objc4, runtime/objc-exception.h.
 */
#ifndef __OBJC_EXCEPTION_H_
#define __OBJC_EXCEPTION_H_

#include <objc/objc.h>
#include <stdint.h>

_Pragma("clang assume_nonnull begin")

typedef id _Nonnull (*objc_exception_preprocessor)(id exception);
typedef int (*objc_exception_matcher)(Class catch_type, id exception);
typedef void (*objc_uncaught_exception_handler)(id _Null_unspecified exception);
typedef void (*objc_exception_handler)(id _Nullable unused, void *_Nullable context);

OBJC_EXPORT void objc_exception_throw(id exception) OBJC_COLD OBJC_NORETURN;
OBJC_EXPORT void objc_exception_rethrow(void) OBJC_COLD OBJC_NORETURN;
OBJC_EXPORT id objc_begin_catch(void *exception_buffer);
OBJC_EXPORT void objc_end_catch(void);
OBJC_EXPORT void objc_terminate(void) OBJC_COLD OBJC_NORETURN;

OBJC_EXPORT objc_exception_preprocessor
objc_setExceptionPreprocessor(objc_exception_preprocessor function);
OBJC_EXPORT objc_exception_matcher objc_setExceptionMatcher(objc_exception_matcher function);
OBJC_EXPORT objc_uncaught_exception_handler
objc_setUncaughtExceptionHandler(objc_uncaught_exception_handler function);
OBJC_EXPORT uintptr_t objc_addExceptionHandler(objc_exception_handler function,
                                               void *_Nullable context);
OBJC_EXPORT void objc_removeExceptionHandler(uintptr_t token);

_Pragma("clang assume_nonnull end")

#endif
