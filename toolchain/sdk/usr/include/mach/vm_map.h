/*
 * mach/vm_map.h: the memory of a task.
 * Facts: apple-oss-distributions xnu, osfmk/mach/vm_map.defs and
 * mach_vm.defs, osfmk/mach/vm_statistics.h (flags).
 */
#ifndef _MACH_VM_MAP_H_
#define _MACH_VM_MAP_H_

#include <mach/mach_types.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

#define VM_FLAGS_FIXED 0x0000
#define VM_FLAGS_ANYWHERE 0x0001
#define VM_FLAGS_OVERWRITE 0x4000

extern kern_return_t vm_allocate(vm_map_t task, vm_address_t *address, vm_size_t size, int flags);
extern kern_return_t vm_deallocate(vm_map_t task, vm_address_t address, vm_size_t size);
extern kern_return_t vm_protect(vm_map_t task, vm_address_t address, vm_size_t size,
                                boolean_t set_maximum, vm_prot_t protection);
extern kern_return_t vm_read_overwrite(vm_map_t task, vm_address_t address, vm_size_t size,
                                       vm_address_t data, vm_size_t *out_size);

__END_DECLS

#endif
