#include "base/datadir.h"

#include <stdlib.h>

/* The Makefile defines it for this file alone, and compiles this file again when it changes. */
#ifndef HALLMARK_DATADIR
#    error "HALLMARK_DATADIR is not defined: build with the Makefile"
#endif

const char *datadir_path(void)
{
    const char *override = getenv(DATADIR_VARIABLE);
    return override && *override ? override : HALLMARK_DATADIR;
}
