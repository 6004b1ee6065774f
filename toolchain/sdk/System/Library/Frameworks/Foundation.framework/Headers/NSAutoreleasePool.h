/*
 * Foundation/NSAutoreleasePool.h: pools, for code without ARC.
 * Facts: Apple's documentation "NSAutoreleasePool".
 */
#ifndef Foundation_NSAutoreleasePool_h
#define Foundation_NSAutoreleasePool_h

#import <Foundation/NSObject.h>

NS_ASSUME_NONNULL_BEGIN

NS_AUTOMATED_REFCOUNT_UNAVAILABLE
@interface NSAutoreleasePool : NSObject
+ (void)addObject:(id)object;
- (void)addObject:(id)object;
- (void)drain;
@end

NS_ASSUME_NONNULL_END

#endif
