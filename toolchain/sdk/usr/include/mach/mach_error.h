/*
 * mach/mach_error.h: texts for results of the kernel.
 * Facts: apple-oss-distributions xnu, libsyscall/mach/mach/mach_error.h.
 */
#ifndef _MACH_ERROR_
#define _MACH_ERROR_

#include <mach/kern_return.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

typedef kern_return_t mach_error_t;

extern char *mach_error_string(mach_error_t error);
extern void mach_error(const char *text, mach_error_t error);
extern char *mach_error_type(mach_error_t error);

__END_DECLS

#endif
