/*
 * A stand-in for Metal on Linux: what the probe asks of a device, and no more.
 */
#pragma once
#import <Foundation/Foundation.h>
#include <stdint.h>

typedef NSInteger MTLGPUFamily;

@protocol MTLDevice
- (NSString *)name;
- (uint64_t)registryID;
- (BOOL)isHeadless;
- (BOOL)isLowPower;
- (BOOL)hasUnifiedMemory;
- (uint64_t)recommendedMaxWorkingSetSize;
- (NSUInteger)maxThreadgroupMemoryLength;
- (BOOL)supportsFamily:(MTLGPUFamily)family;
@end

id<MTLDevice> MTLCreateSystemDefaultDevice(void);
NSArray *MTLCopyAllDevices(void);
