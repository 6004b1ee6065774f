/*
 * mach-o/getsect.h: sections of a loaded image.
 * Facts: getsectiondata(3); apple-oss-distributions cctools,
 * include/mach-o/getsect.h.
 */
#ifndef _MACH_O_GETSECT_H_
#define _MACH_O_GETSECT_H_

#include <mach-o/loader.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

extern uint8_t *getsectiondata(const struct mach_header_64 *header, const char *segment_name,
                               const char *section_name, unsigned long *size);
extern uint8_t *getsegmentdata(const struct mach_header_64 *header, const char *segment_name,
                               unsigned long *size);

__END_DECLS

#endif
