/*
 * assert.h: assert and static_assert. May be included again with another
 * setting of NDEBUG, as the standard asks.
 * Facts: C11 7.2; apple-oss-distributions Libc, include/assert.h (__assert_rtn).
 */
#include <sys/cdefs.h>

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
    (__builtin_expect(!(condition), 0) ? __assert_rtn(__func__, __FILE__, __LINE__, #condition)    \
                                       : (void)0)
#endif

#ifndef _ASSERT_H_
#define _ASSERT_H_

__BEGIN_DECLS
extern void __assert_rtn(const char *function, const char *file, int line,
                         const char *condition) __dead2 __cold;
__END_DECLS

#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif

#endif
