/*
 * The stand-in libMetal. Its device classes are the cases that a shim meets:
 * inherited and own methods, overrides that call super, devices that can do
 * more than the ceiling, and initialisers that pass the base class by. The
 * WITHOUT_ macros build worlds in which something is missing.
 *
 * WORLD_DEFAULT and WORLD_ALL name the classes of the system default device
 * and of all devices, separated by commas.
 */
#import <Metal/Metal.h>
#import <objc/runtime.h>

#include <stdlib.h>
#include <string.h>

#define STOCK_THREADGROUP 32768
#define STOCK_WORKING_SET 1073741824

unsigned world_starts;        /* calls of the stock initGPUFamilySupport */
int world_answer_while_start; /* what the device said about 1009 during the last one */
unsigned world_super_calls;   /* calls of the overrides that call super */

/* Where the methods live: the device base class itself, or a class above it. */
#ifdef WITHOUT_OWN_METHODS
#define STOCK_CLASS StockBase
#else
#define STOCK_CLASS _MTLDevice
#endif

@interface StockBase : NSObject
@end

#ifdef WITHOUT_CLASS
#define _MTLDevice OtherDevice
#endif

@interface _MTLDevice : StockBase
- (NSString *)name;
@end

@interface _MTLDevice (Stock)
- (BOOL)supportsFamily:(MTLGPUFamily)family;
- (NSUInteger)maxThreadgroupMemoryLength;
- (uint64_t)recommendedMaxWorkingSetSize;
- (void)initGPUFamilySupport;
@end

@interface StockBase (Stock)
- (BOOL)supportsFamily:(MTLGPUFamily)family;
@end

#ifdef WITHOUT_OWN_METHODS
@implementation StockBase
#else
@implementation StockBase
@end
@implementation _MTLDevice
#endif

#ifndef WITHOUT_FAMILY
/* Beside the usual ranges it answers for one family above every ceiling in use, and an unknown. */
- (BOOL)supportsFamily:(MTLGPUFamily)family
{
    return (family >= 1001 && family <= 1005) || family == 1050 || family == 2002 ||
           (family >= 3001 && family <= 3002) || family == 9999;
}
#endif
#ifndef WITHOUT_THREADGROUP
- (NSUInteger)maxThreadgroupMemoryLength
{
    return STOCK_THREADGROUP;
}
#endif
#ifndef WITHOUT_WORKING_SET
- (uint64_t)recommendedMaxWorkingSetSize
{
    return STOCK_WORKING_SET;
}
#endif
#ifdef START_RETURNS
- (id)initGPUFamilySupport
#elif !defined WITHOUT_START
- (void)initGPUFamilySupport
#else
- (void)otherStart
#endif
{
    __atomic_add_fetch(&world_starts, 1, __ATOMIC_RELAXED);
#ifndef WITHOUT_FAMILY
    world_answer_while_start = [(id<MTLDevice>)self supportsFamily:1009];
#endif
#ifdef START_RETURNS
    return self;
#endif
}

#ifdef WITHOUT_OWN_METHODS
@end
@implementation _MTLDevice
#endif
- (id)init
{
    self = [super init];
    if ([self respondsToSelector:@selector(initGPUFamilySupport)])
        [self initGPUFamilySupport];
    return self;
}
- (NSString *)name
{
    return @"Plain GPU";
}
- (uint64_t)registryID
{
    return 18446744073709551615ULL;
}
- (BOOL)isHeadless
{
    return NO;
}
- (BOOL)isLowPower
{
    return NO;
}
- (BOOL)hasUnifiedMemory
{
    return YES;
}
@end

@interface Plain : _MTLDevice
@end
@implementation Plain
@end

@interface Sibling : _MTLDevice
@end
@implementation Sibling
@end

/* Answers more than any configuration in use. */
@interface Strong : _MTLDevice
@end
@implementation Strong
- (NSString *)name
{
    return @"Strong \"GPU\" \\ one\ntwo\ttab \x7f \u00e9";
}
- (BOOL)supportsFamily:(MTLGPUFamily)family
{
    return family == 5001 || family == 5002 || family == 1999;
}
- (NSUInteger)maxThreadgroupMemoryLength
{
    return 1048576;
}
- (uint64_t)recommendedMaxWorkingSetSize
{
    return 1099511627776;
}
- (BOOL)isHeadless
{
    return YES;
}
@end

/* A hooked class above a hooked class, each with its own override. */
@interface Upper : _MTLDevice
@end
@implementation Upper
- (BOOL)supportsFamily:(MTLGPUFamily)family
{
    world_super_calls++;
    return family == 2001 || [super supportsFamily:family];
}
@end
@interface Lower : Upper
@end
@implementation Lower
- (BOOL)supportsFamily:(MTLGPUFamily)family
{
    world_super_calls++;
    return family == 4001 || [super supportsFamily:family];
}
@end

@interface CallsSuper : _MTLDevice
@end
@implementation CallsSuper
- (void)initGPUFamilySupport
{
    [super initGPUFamilySupport];
}
@end

@interface PassesBy : _MTLDevice
@end
@implementation PassesBy
- (void)initGPUFamilySupport
{
}
@end

/* Complete in a world whose base class is not. */
@interface Complete : _MTLDevice
@end
@implementation Complete
- (BOOL)supportsFamily:(MTLGPUFamily)family
{
    return family == 1001;
}
- (NSUInteger)maxThreadgroupMemoryLength
{
    return STOCK_THREADGROUP;
}
- (uint64_t)recommendedMaxWorkingSetSize
{
    return STOCK_WORKING_SET;
}
@end

@interface Nothing : _MTLDevice
@end
@implementation Nothing
- (NSString *)name
{
    return nil;
}
- (BOOL)supportsFamily:(MTLGPUFamily)family
{
    return (void)family, NO;
}
@end

id<MTLDevice> MTLCreateSystemDefaultDevice(void)
{
    const char *name = getenv("WORLD_DEFAULT");
    return name != NULL ? [[objc_getClass(name) alloc] init] : nil;
}

NSArray *MTLCopyAllDevices(void)
{
    NSMutableArray *devices = [[NSMutableArray alloc] init];
    const char *list = getenv("WORLD_ALL");
    char *names = strdup(list != NULL ? list : "");
    for (char *rest = names, *name; (name = strsep(&rest, ",")) != NULL;)
        if (*name != '\0')
            [devices addObject:[[objc_getClass(name) alloc] init]];
    free(names);
    return devices;
}
