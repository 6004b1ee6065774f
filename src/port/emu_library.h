/*
 * Purpose: Unicorn's functions, from a library that is loaded when the first processor is opened:
 *     see port/odb_library.h, which does the same with libgit2.
 *
 * Layer: port; private to src/port/emu*.c.
 *
 * Calling sequence: include this instead of unicorn/unicorn.h, and call emu_library_open() first.
 *
 * Ownership: the library stays until the process ends.
 *
 * Errors: FAIL_SYSTEM when the version of Unicorn that hallmark was compiled with is not there.
 *
 * Determinism: no output.
 */
#ifndef HALLMARK_PORT_EMU_LIBRARY_H
#define HALLMARK_PORT_EMU_LIBRARY_H

#include <unicorn/unicorn.h>

#include "base/fail.h"

int emu_library_open(struct fail *fail) must_check;

#ifdef HALLMARK_LAZY

#    define EMU_LIBRARY_FUNCTIONS(X) \
        X(uc_close)                  \
        X(uc_ctl)                    \
        X(uc_emu_start)              \
        X(uc_emu_stop)               \
        X(uc_hook_add)               \
        X(uc_mem_map)                \
        X(uc_mem_protect)            \
        X(uc_mem_read)               \
        X(uc_mem_write)              \
        X(uc_open)                   \
        X(uc_reg_read)               \
        X(uc_reg_write)              \
        X(uc_strerror)

#    define EMU_LIBRARY_POINTER(name) __typeof__(name) *lazy_##name;
struct emu_library {
    EMU_LIBRARY_FUNCTIONS(EMU_LIBRARY_POINTER)
};
extern struct emu_library emu_library; /* filled in by emu_library_open() */

#    define uc_close       emu_library.lazy_uc_close
#    define uc_ctl         emu_library.lazy_uc_ctl
#    define uc_emu_start   emu_library.lazy_uc_emu_start
#    define uc_emu_stop    emu_library.lazy_uc_emu_stop
#    define uc_hook_add    emu_library.lazy_uc_hook_add
#    define uc_mem_map     emu_library.lazy_uc_mem_map
#    define uc_mem_protect emu_library.lazy_uc_mem_protect
#    define uc_mem_read    emu_library.lazy_uc_mem_read
#    define uc_mem_write   emu_library.lazy_uc_mem_write
#    define uc_open        emu_library.lazy_uc_open
#    define uc_reg_read    emu_library.lazy_uc_reg_read
#    define uc_reg_write   emu_library.lazy_uc_reg_write
#    define uc_strerror    emu_library.lazy_uc_strerror

#endif

#endif
