/* A command-line probe: options, every device and its answers, JSON, device notifications. */
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#import <stdio.h>
#import <stdlib.h>
#import <string.h>

static NSDictionary<NSString *, id> *describe(id<MTLDevice> device)
{
    MTLSize threads = device.maxThreadsPerThreadgroup;
    NSMutableDictionary<NSString *, NSNumber *> *families = [NSMutableDictionary dictionary];
    const MTLGPUFamily asked[] = {MTLGPUFamilyApple7, MTLGPUFamilyApple9, MTLGPUFamilyApple10,
                                  MTLGPUFamilyMac2,   MTLGPUFamilyMetal3, MTLGPUFamilyMetal4};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        families[@(asked[i]).stringValue] = @([device supportsFamily:asked[i]]);
    return @{
        @"name" : device.name,
        @"registry" : @(device.registryID),
        @"headless" : @(device.isHeadless),
        @"low power" : @(device.lowPower),
        @"removable" : @(device.removable),
        @"unified" : @(device.hasUnifiedMemory),
        @"working set" : @(device.recommendedMaxWorkingSetSize),
        @"threadgroup memory" : @(device.maxThreadgroupMemoryLength),
        @"threads" : @[ @(threads.width), @(threads.height), @(threads.depth) ],
        @"buffer" : @(device.maxBufferLength),
        @"allocated" : @(device.currentAllocatedSize),
        @"location" : @[ @(device.location), @(device.locationNumber), @(device.maxTransferRate) ],
        @"ray tracing" : @(device.supportsRaytracing),
        @"tiers" : @[ @(device.argumentBuffersSupport), @(device.readWriteTextureSupport) ],
        @"architecture" : [device respondsToSelector:@selector(architecture)]
            ? [(NSObject *)device valueForKeyPath:@"architecture.name"]
            : [NSNull null],
        @"families" : families,
    };
}

int main(int argc, char **argv)
{
    @autoreleasepool {
        id<MTLDevice> standard = MTLCreateSystemDefaultDevice();
        id<NSObject> observer = nil;
        NSArray<id<MTLDevice>> *devices = MTLCopyAllDevicesWithObserver(
            &observer, ^(id<MTLDevice> device, MTLDeviceNotificationName name) {
                if ([name isEqualToString:MTLDeviceWasRemovedNotification])
                    NSLog(@"%@ has gone", device.name);
            });
        MTLRemoveDeviceObserver(observer);
        if (devices.count == 0)
            devices = MTLCopyAllDevices();
        if (argc > 1 && strcmp(argv[1], "--json") == 0) {
            NSMutableArray *all = [NSMutableArray arrayWithCapacity:devices.count];
            for (id<MTLDevice> device in devices)
                [all addObject:describe(device)];
            NSError *error = nil;
            NSData *data = [NSJSONSerialization dataWithJSONObject:all
                                                           options:NSJSONWritingSortedKeys
                                                             error:&error];
            if (!data) {
                fprintf(stderr, "%s\n", error.localizedDescription.UTF8String);
                return EXIT_FAILURE;
            }
            return fwrite(data.bytes, 1, data.length, stdout) == data.length ? 0 : EXIT_FAILURE;
        }
        printf("%s\n", standard ? standard.name.UTF8String : "no device");
        return standard ? 0 : 1;
    }
}
