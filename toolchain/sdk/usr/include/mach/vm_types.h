/*
 * mach/vm_types.h: addresses and sizes in the memory of a task.
 * Facts: apple-oss-distributions xnu, osfmk/mach/arm/vm_types.h and
 * osfmk/mach/vm_types.h.
 */
#ifndef _MACH_VM_TYPES_H_
#define _MACH_VM_TYPES_H_

#include <mach/port.h>
#include <stdint.h>

typedef uintptr_t vm_offset_t;
typedef uintptr_t vm_size_t;
typedef vm_offset_t vm_address_t;
typedef uint64_t mach_vm_address_t;
typedef uint64_t mach_vm_offset_t;
typedef uint64_t mach_vm_size_t;
typedef uint64_t memory_object_offset_t;
typedef mach_port_t vm_map_t;
typedef mach_port_t mem_entry_name_port_t;
typedef mach_port_t memory_object_name_t;

#endif
