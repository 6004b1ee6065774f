/*
 * malloc/malloc.h: the size of an allocated block. Zones are opaque here.
 * Facts: malloc_size(3), malloc_good_size(3); apple-oss-distributions
 * libmalloc, include/malloc/malloc.h.
 */
#ifndef _MALLOC_MALLOC_H_
#define _MALLOC_MALLOC_H_

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

typedef struct _malloc_zone_t malloc_zone_t;

extern size_t malloc_size(const void *memory);
extern size_t malloc_good_size(size_t size);
extern malloc_zone_t *malloc_default_zone(void);
extern malloc_zone_t *malloc_zone_from_ptr(const void *memory);

__END_DECLS

#endif
