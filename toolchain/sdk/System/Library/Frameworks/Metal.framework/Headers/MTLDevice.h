/*
 * Metal/MTLDevice.h: the device, its families and features, and the functions
 * that find devices.
 * Facts: Apple's documentation "MTLDevice", "MTLGPUFamily" and "Metal Feature
 * Set Tables"; metal-cpp (Apache-2.0, (c) Apple), Metal/MTLDevice.hpp (names,
 * types and values) and Metal/MTLHeaderBridge.hpp (selectors).
 */
#ifndef MTLDevice_h
#define MTLDevice_h

#import <Foundation/Foundation.h>
#import <Metal/MTLDefines.h>
#import <Metal/MTLTypes.h>

@protocol MTLArgumentEncoder, MTLBinaryArchive, MTLBuffer, MTLCommandQueue, MTLCounterSet;
@protocol MTLComputePipelineState, MTLDepthStencilState, MTLDynamicLibrary, MTLEvent, MTLFence;
@protocol MTLFunction, MTLHeap, MTLLibrary, MTLRenderPipelineState, MTLResidencySet;
@protocol MTLSamplerState, MTLSharedEvent, MTLTexture;
@class MTLArchitecture, MTLCompileOptions;

NS_ASSUME_NONNULL_BEGIN

/*
 * Families. Those that came after macOS 14 are here too: they are numbers,
 * and an older system answers NO to a number that it does not know.
 */
typedef NS_ENUM(NSInteger, MTLGPUFamily){
    MTLGPUFamilyApple1 = 1001,
    MTLGPUFamilyApple2 = 1002,
    MTLGPUFamilyApple3 = 1003,
    MTLGPUFamilyApple4 = 1004,
    MTLGPUFamilyApple5 = 1005,
    MTLGPUFamilyApple6 = 1006,
    MTLGPUFamilyApple7 = 1007,
    MTLGPUFamilyApple8 = 1008,
    MTLGPUFamilyApple9 = 1009,
    MTLGPUFamilyApple10 = 1010,

    MTLGPUFamilyMac1 = 2001,
    MTLGPUFamilyMac2 = 2002,

    MTLGPUFamilyCommon1 = 3001,
    MTLGPUFamilyCommon2 = 3002,
    MTLGPUFamilyCommon3 = 3003,

    MTLGPUFamilyMacCatalyst1 = 4001,
    MTLGPUFamilyMacCatalyst2 = 4002,

    MTLGPUFamilyMetal3 = 5001,
    MTLGPUFamilyMetal4 = 5002,
};

/* the older way to ask */
typedef NS_ENUM(NSUInteger, MTLFeatureSet){
    MTLFeatureSet_iOS_GPUFamily1_v1 = 0,
    MTLFeatureSet_iOS_GPUFamily2_v1 = 1,
    MTLFeatureSet_iOS_GPUFamily1_v2 = 2,
    MTLFeatureSet_iOS_GPUFamily2_v2 = 3,
    MTLFeatureSet_iOS_GPUFamily3_v1 = 4,
    MTLFeatureSet_iOS_GPUFamily1_v3 = 5,
    MTLFeatureSet_iOS_GPUFamily2_v3 = 6,
    MTLFeatureSet_iOS_GPUFamily3_v2 = 7,
    MTLFeatureSet_iOS_GPUFamily1_v4 = 8,
    MTLFeatureSet_iOS_GPUFamily2_v4 = 9,
    MTLFeatureSet_iOS_GPUFamily3_v3 = 10,
    MTLFeatureSet_iOS_GPUFamily4_v1 = 11,
    MTLFeatureSet_iOS_GPUFamily1_v5 = 12,
    MTLFeatureSet_iOS_GPUFamily2_v5 = 13,
    MTLFeatureSet_iOS_GPUFamily3_v4 = 14,
    MTLFeatureSet_iOS_GPUFamily4_v2 = 15,
    MTLFeatureSet_iOS_GPUFamily5_v1 = 16,

    MTLFeatureSet_macOS_GPUFamily1_v1 = 10000,
    MTLFeatureSet_macOS_GPUFamily1_v2 = 10001,
    MTLFeatureSet_macOS_ReadWriteTextureTier2 = 10002,
    MTLFeatureSet_macOS_GPUFamily1_v3 = 10003,
    MTLFeatureSet_macOS_GPUFamily1_v4 = 10004,
    MTLFeatureSet_macOS_GPUFamily2_v1 = 10005,

    MTLFeatureSet_tvOS_GPUFamily1_v1 = 30000,
    MTLFeatureSet_tvOS_GPUFamily1_v2 = 30001,
    MTLFeatureSet_tvOS_GPUFamily1_v3 = 30002,
    MTLFeatureSet_tvOS_GPUFamily2_v1 = 30003,
    MTLFeatureSet_tvOS_GPUFamily1_v4 = 30004,
    MTLFeatureSet_tvOS_GPUFamily2_v2 = 30005,
};

typedef NS_ENUM(NSUInteger, MTLDeviceLocation){
    MTLDeviceLocationBuiltIn = 0,
    MTLDeviceLocationSlot = 1,
    MTLDeviceLocationExternal = 2,
    MTLDeviceLocationUnspecified = NSUIntegerMax,
};

typedef NS_ENUM(NSUInteger, MTLReadWriteTextureTier){
    MTLReadWriteTextureTierNone = 0,
    MTLReadWriteTextureTier1 = 1,
    MTLReadWriteTextureTier2 = 2,
};

typedef NS_ENUM(NSUInteger, MTLArgumentBuffersTier){
    MTLArgumentBuffersTier1 = 0,
    MTLArgumentBuffersTier2 = 1,
};

typedef NS_ENUM(NSUInteger, MTLCounterSamplingPoint){
    MTLCounterSamplingPointAtStageBoundary = 0,
    MTLCounterSamplingPointAtDrawBoundary = 1,
    MTLCounterSamplingPointAtDispatchBoundary = 2,
    MTLCounterSamplingPointAtTileDispatchBoundary = 3,
    MTLCounterSamplingPointAtBlitBoundary = 4,
};

typedef NS_ENUM(NSInteger, MTLSparsePageSize){
    MTLSparsePageSize16 = 101,
    MTLSparsePageSize64 = 102,
    MTLSparsePageSize256 = 103,
};

typedef NS_OPTIONS(NSUInteger, MTLResourceOptions){
    MTLResourceCPUCacheModeDefaultCache = 0,
    MTLResourceCPUCacheModeWriteCombined = 1,
    MTLResourceStorageModeShared = 0,
    MTLResourceStorageModeManaged = 1 << 4,
    MTLResourceStorageModePrivate = 2 << 4,
    MTLResourceStorageModeMemoryless = 3 << 4,
    MTLResourceHazardTrackingModeDefault = 0,
    MTLResourceHazardTrackingModeUntracked = 1 << 8,
    MTLResourceHazardTrackingModeTracked = 2 << 8,
};

typedef uint64_t MTLTimestamp;

@protocol MTLDevice <NSObject>

/* which device it is */
@property (nonnull, readonly) NSString *name;
@property (readonly) uint64_t registryID;
@property (nonnull, readonly) MTLArchitecture *architecture API_AVAILABLE(macos(14.0), ios(17.0));
@property (readonly, getter=isLowPower) BOOL lowPower;
@property (readonly, getter=isHeadless) BOOL headless;
@property (readonly, getter=isRemovable) BOOL removable;
@property (readonly) MTLDeviceLocation location;
@property (readonly) NSUInteger locationNumber;
@property (readonly) uint64_t maxTransferRate;
@property (readonly) uint64_t peerGroupID;
@property (readonly) uint32_t peerIndex;
@property (readonly) uint32_t peerCount;

/* memory */
@property (readonly) BOOL hasUnifiedMemory;
@property (readonly) uint64_t recommendedMaxWorkingSetSize;
@property (readonly) NSUInteger currentAllocatedSize;
@property (readonly) NSUInteger maxBufferLength;
@property (readonly) NSUInteger maxThreadgroupMemoryLength;
@property (readonly) NSUInteger sparseTileSizeInBytes;

/* limits */
@property (readonly) MTLSize maxThreadsPerThreadgroup;
@property (readonly) NSUInteger maxArgumentBufferSamplerCount;
@property (readonly) NSUInteger maximumConcurrentCompilationTaskCount API_AVAILABLE(macos(13.3));

/* families and features */
- (BOOL)supportsFamily:(MTLGPUFamily)gpuFamily;
- (BOOL)supportsFeatureSet:(MTLFeatureSet)featureSet
    API_DEPRECATED("Use supportsFamily instead", macos(10.11, 13.0), ios(8.0, 16.0));
- (BOOL)supportsTextureSampleCount:(NSUInteger)sampleCount;
- (BOOL)supportsRasterizationRateMapWithLayerCount:(NSUInteger)layerCount;
- (BOOL)supportsVertexAmplificationCount:(NSUInteger)count;
- (BOOL)supportsCounterSampling:(MTLCounterSamplingPoint)samplingPoint;
@property (readonly) MTLReadWriteTextureTier readWriteTextureSupport;
@property (readonly) MTLArgumentBuffersTier argumentBuffersSupport;
@property (readonly) BOOL supportsRaytracing;
@property (readonly) BOOL supportsRaytracingFromRender;
@property (readonly) BOOL supportsPrimitiveMotionBlur;
@property (readonly) BOOL supportsFunctionPointers;
@property (readonly) BOOL supportsFunctionPointersFromRender;
@property (readonly) BOOL supportsDynamicLibraries;
@property (readonly) BOOL supportsRenderDynamicLibraries;
@property (readonly) BOOL supports32BitFloatFiltering;
@property (readonly) BOOL supports32BitMSAA;
@property (readonly) BOOL supportsBCTextureCompression;
@property (readonly) BOOL supportsQueryTextureLOD;
@property (readonly) BOOL supportsPullModelInterpolation;
@property (readonly) BOOL supportsShaderBarycentricCoordinates;
@property (readonly, getter=isDepth24Stencil8PixelFormatSupported)
    BOOL depth24Stencil8PixelFormatSupported;
@property (readonly, getter=areRasterOrderGroupsSupported) BOOL rasterOrderGroupsSupported;
@property (readonly, getter=areBarycentricCoordsSupported) BOOL barycentricCoordsSupported;
@property (readonly, getter=areProgrammableSamplePositionsSupported)
    BOOL programmableSamplePositionsSupported;
@property (readonly, nullable) NSArray<id<MTLCounterSet>> *counterSets;
@property BOOL shouldMaximizeConcurrentCompilation API_AVAILABLE(macos(13.3));

- (MTLSizeAndAlign)heapBufferSizeAndAlignWithLength:(NSUInteger)length
                                            options:(MTLResourceOptions)options;
- (NSUInteger)sparseTileSizeInBytesForSparsePageSize:(MTLSparsePageSize)sparsePageSize
    API_AVAILABLE(macos(13.0));
- (void)sampleTimestamps:(MTLTimestamp *)cpuTimestamp gpuTimestamp:(MTLTimestamp *)gpuTimestamp;

/* the first steps of work */
- (nullable id<MTLCommandQueue>)newCommandQueue;
- (nullable id<MTLCommandQueue>)newCommandQueueWithMaxCommandBufferCount:(NSUInteger)count;
- (nullable id<MTLBuffer>)newBufferWithLength:(NSUInteger)length
                                      options:(MTLResourceOptions)options;
- (nullable id<MTLLibrary>)newDefaultLibrary;
- (nullable id<MTLLibrary>)newLibraryWithURL:(NSURL *)url error:(NSError **)error;
- (nullable id<MTLLibrary>)newLibraryWithSource:(NSString *)source
                                        options:(nullable MTLCompileOptions *)options
                                          error:(NSError **)error;
- (nullable id<MTLComputePipelineState>)
    newComputePipelineStateWithFunction:(id<MTLFunction>)computeFunction
                                  error:(NSError **)error;
- (nullable id<MTLFence>)newFence;
- (nullable id<MTLEvent>)newEvent;
- (nullable id<MTLSharedEvent>)newSharedEvent;

@end

MTL_EXPORT API_AVAILABLE(macos(14.0), ios(17.0))
@interface MTLArchitecture : NSObject <NSCopying>
@property (nonnull, readonly) NSString *name;
@end

/* finding devices */
MTL_EXTERN id<MTLDevice> _Nullable MTLCreateSystemDefaultDevice(void) NS_RETURNS_RETAINED;
MTL_EXTERN NSArray<id<MTLDevice>> *MTLCopyAllDevices(void) NS_RETURNS_RETAINED;

/* devices that come and go */
typedef NSString *MTLDeviceNotificationName NS_TYPED_EXTENSIBLE_ENUM;
MTL_EXTERN MTLDeviceNotificationName const MTLDeviceWasAddedNotification;
MTL_EXTERN MTLDeviceNotificationName const MTLDeviceRemovalRequestedNotification;
MTL_EXTERN MTLDeviceNotificationName const MTLDeviceWasRemovedNotification;

typedef void (^MTLDeviceNotificationHandler)(id<MTLDevice> device,
                                             MTLDeviceNotificationName notifyName);
MTL_EXTERN NSArray<id<MTLDevice>> *
MTLCopyAllDevicesWithObserver(id<NSObject> _Nullable __strong *_Nonnull observer,
                              MTLDeviceNotificationHandler handler) NS_RETURNS_RETAINED;
MTL_EXTERN void MTLRemoveDeviceObserver(id<NSObject> observer);

NS_ASSUME_NONNULL_END

#endif
