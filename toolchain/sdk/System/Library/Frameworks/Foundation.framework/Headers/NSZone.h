/*
 * Foundation/NSZone.h: memory zones, kept for the methods that name them.
 * Facts: Apple's documentation "NSZone".
 */
#ifndef Foundation_NSZone_h
#define Foundation_NSZone_h

#import <Foundation/NSObjCRuntime.h>

typedef struct _NSZone NSZone;

#endif
