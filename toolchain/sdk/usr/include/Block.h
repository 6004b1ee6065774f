/*
 * Block.h: copying and releasing blocks.
 * Facts: clang, Block Implementation Specification; apple-oss-distributions
 * libclosure, Block.h.
 */
#ifndef _Block_H_
#define _Block_H_

#include <sys/cdefs.h>

__BEGIN_DECLS

extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);

#define Block_copy(...) ((__typeof(__VA_ARGS__))_Block_copy((const void *)(__VA_ARGS__)))
#define Block_release(...) _Block_release((const void *)(__VA_ARGS__))

__END_DECLS

#endif
