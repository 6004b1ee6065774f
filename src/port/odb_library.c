#include "port/odb_library.h"

#ifdef HALLMARK_LAZY

#    include "base/lazy.h"

#    define SONAME "libgit2.so." LIBGIT2_SOVERSION

LAZY_NOTE(SONAME, "git", "Reading git repositories");

struct odb_library odb_library;

int odb_library_open(struct fail *fail)
{
#    define SYMBOL(name) {#    name, &odb_library.lazy_##name},
    static const struct lazy_symbol symbols[] = {ODB_LIBRARY_FUNCTIONS(SYMBOL)};
    return lazy_load(SONAME, symbols, sizeof symbols / sizeof symbols[0], fail);
}

#else

int odb_library_open(struct fail *fail)
{
    (void)fail;
    return 0;
}

#endif
