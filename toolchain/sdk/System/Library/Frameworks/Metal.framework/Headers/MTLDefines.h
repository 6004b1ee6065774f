/*
 * Metal/MTLDefines.h: macros that the Metal headers are written with.
 * Facts: Apple's metal-cpp (Apache-2.0), Metal/MTLDefines.hpp.
 */
#ifndef MTLDefines_h
#define MTLDefines_h

#import <Availability.h>
#import <Foundation/NSObjCRuntime.h>

#ifdef __cplusplus
#define MTL_EXTERN extern "C" __attribute__((visibility("default")))
#else
#define MTL_EXTERN extern __attribute__((visibility("default")))
#endif
#define MTL_EXPORT __attribute__((visibility("default")))
#define MTL_INLINE static inline

#endif
