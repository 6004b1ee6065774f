/*
 * Metal/Metal.h: all of the Metal headers that are here. They describe the
 * device: what it is and what it can do. Work for the device (libraries,
 * pipelines, command buffers) is declared as far as its names go.
 * Facts: Apple's documentation "Metal".
 */
#ifndef Metal_h
#define Metal_h

#import <Metal/MTLDefines.h>
#import <Metal/MTLDevice.h>
#import <Metal/MTLTypes.h>

#endif
