/*
 * sys/param.h: historical names of limits, MIN and MAX.
 * Facts: apple-oss-distributions xnu, bsd/sys/param.h.
 */
#ifndef _SYS_PARAM_H_
#define _SYS_PARAM_H_

#include <limits.h>
#include <sys/types.h>

#define MAXPATHLEN PATH_MAX
#define MAXCOMLEN 16
#define MAXHOSTNAMELEN 256
#define MAXSYMLINKS 32

#ifndef MIN
#define MIN(a, b) (((a) < (b)) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) (((a) > (b)) ? (a) : (b))
#endif
#define howmany(x, y) ((((x) % (y)) == 0) ? ((x) / (y)) : (((x) / (y)) + 1))
#define roundup(x, y) ((((x) % (y)) == 0) ? (x) : ((x) + ((y) - ((x) % (y)))))
#define powerof2(x) ((((x)-1) & (x)) == 0)

#endif
