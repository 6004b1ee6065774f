/*
 * sys/random.h: random bytes from the kernel.
 * Facts: getentropy(2); apple-oss-distributions xnu, bsd/sys/random.h.
 */
#ifndef _SYS_RANDOM_H_
#define _SYS_RANDOM_H_

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

extern int getentropy(void *buffer, size_t size);

__END_DECLS

#endif
