/*
 * objc/objc.h: id, Class, SEL, IMP, BOOL, and the first functions on them.
 * Facts: apple-oss-distributions objc4, runtime/objc.h; clang's
 * __OBJC_BOOL_IS_BOOL (1 on arm64, where BOOL is _Bool).
 */
#ifndef _OBJC_OBJC_H_
#define _OBJC_OBJC_H_

#include <Availability.h>
#include <objc/objc-api.h>
#include <stdbool.h>
#include <stdlib.h>

_Pragma("clang assume_nonnull begin")
__BEGIN_DECLS

typedef struct objc_class *Class;

struct objc_object {
    Class isa OBJC_ISA_AVAILABILITY;
};
typedef struct objc_object *id;

typedef struct objc_selector *SEL;

/* Cast to the method's own type before the call. */
typedef void (*IMP)(void);

#ifdef __OBJC__
@class Protocol;
#else
typedef struct objc_object Protocol;
#endif

#define OBJC_BOOL_IS_BOOL 1
#define OBJC_BOOL_DEFINED
typedef bool BOOL;
#if __has_feature(objc_bool)
#define YES __objc_yes
#define NO __objc_no
#else
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#endif

#ifndef nil
#define nil __DARWIN_NULL
#endif
#ifndef Nil
#define Nil __DARWIN_NULL
#endif

/* Outside ARC clang knows __strong and its like only where it is asked to. */
#if !__has_feature(objc_arc)
#ifndef __strong
#define __strong
#endif
#ifndef __unsafe_unretained
#define __unsafe_unretained
#endif
#ifndef __autoreleasing
#define __autoreleasing
#endif
#endif

typedef struct _malloc_zone_t *objc_zone_t;

OBJC_EXPORT const char *sel_getName(SEL selector);
OBJC_EXPORT SEL sel_registerName(const char *name);
OBJC_EXPORT SEL sel_getUid(const char *name);
OBJC_EXPORT BOOL sel_isMapped(SEL selector);
OBJC_EXPORT const char *object_getClassName(id _Nullable object);
OBJC_EXPORT void *_Nullable object_getIndexedIvars(id _Nullable object);

__END_DECLS
_Pragma("clang assume_nonnull end")

#endif
