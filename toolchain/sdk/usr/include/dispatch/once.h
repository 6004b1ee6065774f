/*
 * dispatch/once.h: something that is done exactly once.
 * Facts: dispatch_once(3); apple-oss-distributions libdispatch,
 * dispatch/once.h (a predicate of -1 means done).
 */
#ifndef __DISPATCH_ONCE__
#define __DISPATCH_ONCE__

#include <dispatch/base.h>

DISPATCH_ASSUME_NONNULL_BEGIN
__BEGIN_DECLS

typedef intptr_t dispatch_once_t;

#ifdef __BLOCKS__
DISPATCH_EXPORT void dispatch_once(dispatch_once_t *predicate,
                                   DISPATCH_NOESCAPE dispatch_block_t block);
#endif
DISPATCH_EXPORT void dispatch_once_f(dispatch_once_t *predicate, void *_Nullable context,
                                     dispatch_function_t function);

__END_DECLS
DISPATCH_ASSUME_NONNULL_END

#endif
