#include "port/pack_library.h"

#ifdef HALLMARK_LAZY

#    include "base/lazy.h"

#    define SONAME "libarchive.so.13"

/* All of version 3 has that name. */
_Static_assert(ARCHIVE_VERSION_NUMBER / 1000000 == 3, "the library has another name");

LAZY_NOTE(SONAME, "archive", "Compressing source archives");

struct pack_library pack_library;

int pack_library_open(struct fail *fail)
{
#    define SYMBOL(name) {#    name, &pack_library.lazy_##name},
    static const struct lazy_symbol symbols[] = {PACK_LIBRARY_FUNCTIONS(SYMBOL)};
    return lazy_load(SONAME, symbols, sizeof symbols / sizeof symbols[0], fail);
}

#else

int pack_library_open(struct fail *fail)
{
    (void)fail;
    return 0;
}

#endif
