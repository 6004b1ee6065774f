/*
 * os/lock.h: the unfair lock, the cheapest lock that knows its owner.
 * Facts: apple-oss-distributions libplatform, include/os/lock.h.
 */
#ifndef __OS_LOCK__
#define __OS_LOCK__

#include <os/base.h>
#include <stdbool.h>
#include <stdint.h>

OS_ASSUME_NONNULL_BEGIN
__BEGIN_DECLS

#define OS_LOCK_API_VERSION 20160309

typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})

OS_EXPORT void os_unfair_lock_lock(os_unfair_lock_t lock) OS_NOTHROW OS_NONNULL_ALL;
OS_EXPORT bool os_unfair_lock_trylock(os_unfair_lock_t lock)
    OS_NOTHROW OS_WARN_RESULT OS_NONNULL_ALL;
OS_EXPORT void os_unfair_lock_unlock(os_unfair_lock_t lock) OS_NOTHROW OS_NONNULL_ALL;
OS_EXPORT void os_unfair_lock_assert_owner(const os_unfair_lock *lock) OS_NOTHROW OS_NONNULL_ALL;
OS_EXPORT void os_unfair_lock_assert_not_owner(const os_unfair_lock *lock)
    OS_NOTHROW OS_NONNULL_ALL;

__END_DECLS
OS_ASSUME_NONNULL_END

#endif
