/*
 * mach/mach_init.h: the task's own port and the size of a page.
 * Facts: apple-oss-distributions xnu, libsyscall/mach/mach/mach_init.h and
 * osfmk/mach/vm_page_size.h.
 */
#ifndef _MACH_INIT_
#define _MACH_INIT_

#include <mach/mach_types.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

extern mach_port_t mach_task_self_;
#define mach_task_self() mach_task_self_
#define current_task() mach_task_self()

extern vm_size_t vm_page_size;
extern vm_size_t vm_page_mask;
extern int vm_page_shift;

extern host_t mach_host_self(void);
extern thread_t mach_thread_self(void);

__END_DECLS

#endif
