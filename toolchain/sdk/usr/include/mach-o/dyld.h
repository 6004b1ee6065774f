/*
 * mach-o/dyld.h: the images loaded in this process.
 * Facts: dyld(3); apple-oss-distributions dyld, include/mach-o/dyld.h.
 */
#ifndef _MACH_O_DYLD_H_
#define _MACH_O_DYLD_H_

#include <mach-o/loader.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

extern uint32_t _dyld_image_count(void);
extern const struct mach_header *_dyld_get_image_header(uint32_t image_index);
extern intptr_t _dyld_get_image_vmaddr_slide(uint32_t image_index);
extern const char *_dyld_get_image_name(uint32_t image_index);

/* The function is called for every image: those there already, then new ones. */
extern void _dyld_register_func_for_add_image(void (*function)(const struct mach_header *header,
                                                               intptr_t slide));
extern void _dyld_register_func_for_remove_image(void (*function)(const struct mach_header *header,
                                                                  intptr_t slide));

extern int32_t NSVersionOfRunTimeLibrary(const char *library);
extern int32_t NSVersionOfLinkTimeLibrary(const char *library);
extern int _NSGetExecutablePath(char *buffer, uint32_t *size);

__END_DECLS

#endif
