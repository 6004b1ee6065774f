/*
 * strings.h: BSD string functions.
 * Facts: POSIX.1-2001 and 2008, <strings.h>; apple-oss-distributions Libc,
 * include/strings.h.
 */
#ifndef _STRINGS_H_
#define _STRINGS_H_

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

extern int bcmp(const void *a, const void *b, size_t size);
extern void bcopy(const void *from, void *to, size_t size);
extern void bzero(void *block, size_t size);
extern char *index(const char *s, int c);
extern char *rindex(const char *s, int c);
extern int ffs(int value);
extern int ffsl(long value);
extern int ffsll(long long value);
extern int fls(int value);
extern int flsl(long value);
extern int flsll(long long value);
extern int strcasecmp(const char *a, const char *b);
extern int strncasecmp(const char *a, const char *b, size_t size);

__END_DECLS

#endif
