/*
 * mach/port.h: names of Mach ports.
 * Facts: apple-oss-distributions xnu, osfmk/mach/port.h.
 */
#ifndef _MACH_PORT_H_
#define _MACH_PORT_H_

#include <sys/_types.h>

typedef __darwin_natural_t natural_t;
typedef int integer_t;
typedef __darwin_mach_port_name_t mach_port_name_t;
typedef __darwin_mach_port_t mach_port_t;

#define MACH_PORT_NULL 0
#define MACH_PORT_DEAD ((mach_port_name_t)~0)
#define MACH_PORT_VALID(name) (((name) != MACH_PORT_NULL) && ((name) != MACH_PORT_DEAD))

#endif
