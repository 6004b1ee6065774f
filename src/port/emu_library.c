#ifdef HALLMARK_UNICORN

#    include "port/emu_library.h"

#    ifdef HALLMARK_LAZY

#        include "base/lazy.h"

#        define SONAME "libunicorn.so.2"

_Static_assert(UC_API_MAJOR == 2, "the name of the library is that of another version");

LAZY_NOTE(SONAME, "assay", "Trials in an emulated process");

struct emu_library emu_library;

int emu_library_open(struct fail *fail)
{
#        define SYMBOL(name) {#        name, &emu_library.lazy_##name},
    static const struct lazy_symbol symbols[] = {EMU_LIBRARY_FUNCTIONS(SYMBOL)};
    return lazy_load(SONAME, symbols, sizeof symbols / sizeof symbols[0], fail);
}

#    else

int emu_library_open(struct fail *fail)
{
    (void)fail;
    return 0;
}

#    endif

#endif
