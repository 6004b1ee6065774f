/*
 * Foundation/NSLock.h: locks as objects.
 * Facts: Apple's documentation "NSLock", "NSRecursiveLock", "NSCondition".
 */
#ifndef Foundation_NSLock_h
#define Foundation_NSLock_h

#import <Foundation/NSObject.h>

@class NSDate, NSString;

NS_ASSUME_NONNULL_BEGIN

@protocol NSLocking
- (void)lock;
- (void)unlock;
@end

@interface NSLock : NSObject <NSLocking>
- (BOOL)tryLock;
- (BOOL)lockBeforeDate:(NSDate *)limit;
@property (nullable, copy) NSString *name;
@end

@interface NSRecursiveLock : NSObject <NSLocking>
- (BOOL)tryLock;
- (BOOL)lockBeforeDate:(NSDate *)limit;
@property (nullable, copy) NSString *name;
@end

@interface NSCondition : NSObject <NSLocking>
- (void)wait;
- (BOOL)waitUntilDate:(NSDate *)limit;
- (void)signal;
- (void)broadcast;
@property (nullable, copy) NSString *name;
@end

NS_ASSUME_NONNULL_END

#endif
