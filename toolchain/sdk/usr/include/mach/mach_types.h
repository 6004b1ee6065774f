/*
 * mach/mach_types.h: ports by what they stand for.
 * Facts: apple-oss-distributions xnu, osfmk/mach/mach_types.h.
 */
#ifndef _MACH_MACH_TYPES_H_
#define _MACH_MACH_TYPES_H_

#include <mach/boolean.h>
#include <mach/kern_return.h>
#include <mach/machine.h>
#include <mach/port.h>
#include <mach/vm_prot.h>
#include <mach/vm_types.h>

typedef mach_port_t task_t;
typedef mach_port_t thread_t;
typedef mach_port_t host_t;
typedef mach_port_t clock_serv_t;

#define TASK_NULL ((task_t)0)
#define THREAD_NULL ((thread_t)0)

#endif
