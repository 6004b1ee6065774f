/*
 * Foundation/NSThread.h: threads as objects.
 * Facts: Apple's documentation "NSThread".
 */
#ifndef Foundation_NSThread_h
#define Foundation_NSThread_h

#import <Foundation/NSDate.h>
#import <Foundation/NSObject.h>

@class NSArray<ObjectType>, NSMutableDictionary, NSString;

NS_ASSUME_NONNULL_BEGIN

@interface NSThread : NSObject
@property (class, readonly, strong) NSThread *currentThread;
@property (class, readonly, strong) NSThread *mainThread;
@property (class, readonly) BOOL isMainThread;
@property (readonly) BOOL isMainThread;
@property (readonly, retain) NSMutableDictionary *threadDictionary;
@property (nullable, copy) NSString *name;
@property NSUInteger stackSize;
@property (class, readonly, copy) NSArray<NSString *> *callStackSymbols;
+ (BOOL)isMultiThreaded;
+ (void)sleepForTimeInterval:(NSTimeInterval)interval;
+ (void)detachNewThreadWithBlock:(void (^)(void))block;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithBlock:(void (^)(void))block;
- (void)start;
- (void)cancel;
- (void)main;
@end

NS_ASSUME_NONNULL_END

#endif
