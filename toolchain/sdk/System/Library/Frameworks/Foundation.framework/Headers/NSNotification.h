/*
 * Foundation/NSNotification.h: messages to whoever asked for them.
 * Facts: Apple's documentation "NSNotification" and "NSNotificationCenter".
 */
#ifndef Foundation_NSNotification_h
#define Foundation_NSNotification_h

#import <Foundation/NSObject.h>

@class NSDictionary, NSOperationQueue, NSString;

NS_ASSUME_NONNULL_BEGIN

typedef NSString *NSNotificationName NS_EXTENSIBLE_STRING_ENUM;

@interface NSNotification : NSObject <NSCopying, NSCoding>
@property (readonly, copy) NSNotificationName name;
@property (nullable, readonly, retain) id object;
@property (nullable, readonly, copy) NSDictionary *userInfo;
+ (instancetype)notificationWithName:(NSNotificationName)name object:(nullable id)object;
@end

@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter;
- (void)addObserver:(id)observer
           selector:(SEL)selector
               name:(nullable NSNotificationName)name
             object:(nullable id)object;
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)object
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void (^)(NSNotification *notification))block;
- (void)postNotification:(NSNotification *)notification;
- (void)postNotificationName:(NSNotificationName)name object:(nullable id)object;
- (void)removeObserver:(id)observer;
@end

NS_ASSUME_NONNULL_END

#endif
