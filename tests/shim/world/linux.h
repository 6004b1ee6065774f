/*
 * What the shim takes from macOS's C library and Linux does not have.
 */
#pragma once
#include <errno.h>

static inline const char *getprogname(void)
{
    return program_invocation_short_name;
}
