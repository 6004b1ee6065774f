/*
 * Foundation/NSMethodSignature.h: types of methods, as forwarding needs them.
 * Facts: Apple's documentation "NSMethodSignature".
 */
#ifndef Foundation_NSMethodSignature_h
#define Foundation_NSMethodSignature_h

#import <Foundation/NSObject.h>

NS_ASSUME_NONNULL_BEGIN

@interface NSMethodSignature : NSObject
+ (nullable NSMethodSignature *)signatureWithObjCTypes:(const char *)types;
@property (readonly) NSUInteger numberOfArguments;
- (const char *)getArgumentTypeAtIndex:(NSUInteger)index NS_RETURNS_INNER_POINTER;
@property (readonly) NSUInteger frameLength;
- (BOOL)isOneway;
@property (readonly) const char *methodReturnType NS_RETURNS_INNER_POINTER;
@property (readonly) NSUInteger methodReturnLength;
@end

NS_ASSUME_NONNULL_END

#endif
