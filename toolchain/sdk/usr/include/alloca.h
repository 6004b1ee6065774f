/*
 * alloca.h: memory on the stack of the caller.
 * Facts: clang, __builtin_alloca.
 */
#ifndef _ALLOCA_H_
#define _ALLOCA_H_

#include <stddef.h>

#undef alloca
#define alloca(size) __builtin_alloca(size)

#endif
