/*
 * Metal/MTLTypes.h: sizes, origins, regions.
 * Facts: Apple's documentation "MTLSize", "MTLOrigin", "MTLRegion",
 * "MTLSizeAndAlign"; metal-cpp (Apache-2.0), Metal/MTLTypes.hpp.
 */
#ifndef MTLTypes_h
#define MTLTypes_h

#import <Metal/MTLDefines.h>

typedef struct {
    NSUInteger x, y, z;
} MTLOrigin;

typedef struct {
    NSUInteger width, height, depth;
} MTLSize;

typedef struct {
    MTLOrigin origin;
    MTLSize size;
} MTLRegion;

typedef struct {
    float x, y;
} MTLSamplePosition;

typedef struct {
    NSUInteger size;
    NSUInteger align;
} MTLSizeAndAlign;

MTL_INLINE MTLOrigin MTLOriginMake(NSUInteger x, NSUInteger y, NSUInteger z)
{
    return (MTLOrigin){x, y, z};
}

MTL_INLINE MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth)
{
    return (MTLSize){width, height, depth};
}

#endif
