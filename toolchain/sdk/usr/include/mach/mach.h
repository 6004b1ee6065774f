/*
 * mach/mach.h: all of the Mach headers that are here.
 * Facts: apple-oss-distributions xnu, libsyscall/mach/mach/mach.h.
 */
#ifndef _MACH_H_
#define _MACH_H_

#include <mach/mach_error.h>
#include <mach/mach_init.h>
#include <mach/mach_types.h>
#include <mach/vm_map.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

extern kern_return_t mach_port_deallocate(task_t task, mach_port_name_t name);

__END_DECLS

#endif
