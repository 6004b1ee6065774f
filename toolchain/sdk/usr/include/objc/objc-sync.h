/*
 * objc/objc-sync.h: the functions behind @synchronized.
 * Facts: apple-oss-distributions objc4, runtime/objc-sync.h.
 */
#ifndef __OBJC_SYNC_H_
#define __OBJC_SYNC_H_

#include <objc/objc.h>

_Pragma("clang assume_nonnull begin")

enum {
    OBJC_SYNC_SUCCESS = 0,
    OBJC_SYNC_NOT_OWNING_THREAD_ERROR = -1
};

OBJC_EXPORT int objc_sync_enter(id object);
OBJC_EXPORT int objc_sync_exit(id object);

_Pragma("clang assume_nonnull end")

#endif
