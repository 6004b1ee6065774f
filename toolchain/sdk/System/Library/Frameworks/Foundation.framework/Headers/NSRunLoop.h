/*
 * Foundation/NSRunLoop.h: the run loop, as far as waiting needs it.
 * Facts: Apple's documentation "NSRunLoop".
 */
#ifndef Foundation_NSRunLoop_h
#define Foundation_NSRunLoop_h

#import <CoreFoundation/CFRunLoop.h>
#import <Foundation/NSDate.h>
#import <Foundation/NSObject.h>

NS_ASSUME_NONNULL_BEGIN

FOUNDATION_EXPORT NSRunLoopMode const NSDefaultRunLoopMode;
FOUNDATION_EXPORT NSRunLoopMode const NSRunLoopCommonModes;

@interface NSRunLoop : NSObject
@property (class, readonly, strong) NSRunLoop *currentRunLoop;
@property (class, readonly, strong) NSRunLoop *mainRunLoop;
- (CFRunLoopRef)getCFRunLoop CF_RETURNS_NOT_RETAINED;
- (void)run;
- (void)runUntilDate:(NSDate *)limit;
- (BOOL)runMode:(NSRunLoopMode)mode beforeDate:(NSDate *)limit;
- (void)performBlock:(void (^)(void))block;
@end

NS_ASSUME_NONNULL_END

#endif
