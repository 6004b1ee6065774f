/*
 * The unmodified shim for the GCC runtime. There a file's own constructor runs
 * before its selectors and strings are registered, so the shim's becomes a
 * plain function, which start.c, linked after this file, calls.
 */
#import <Foundation/Foundation.h>
#import <objc/runtime.h>

#include "linux.h"

#define constructor used
#include "LumeMetalCapabilities.m"
#undef constructor

void world_start_shim(void);

void world_start_shim(void)
{
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    lume_metal_start();
    [pool release];
}
