/*
 * mach/boolean.h: the kernel interface's truth values.
 * Facts: apple-oss-distributions xnu, osfmk/mach/boolean.h.
 */
#ifndef _MACH_BOOLEAN_H_
#define _MACH_BOOLEAN_H_

typedef int boolean_t;

#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

#endif
