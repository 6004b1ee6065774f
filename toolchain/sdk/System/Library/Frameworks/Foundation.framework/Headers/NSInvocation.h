/*
 * Foundation/NSInvocation.h: calls as objects, as forwarding needs them.
 * Facts: Apple's documentation "NSInvocation".
 */
#ifndef Foundation_NSInvocation_h
#define Foundation_NSInvocation_h

#import <Foundation/NSObject.h>

@class NSMethodSignature;

NS_ASSUME_NONNULL_BEGIN

@interface NSInvocation : NSObject
+ (NSInvocation *)invocationWithMethodSignature:(NSMethodSignature *)signature;
@property (readonly, retain) NSMethodSignature *methodSignature;
- (void)retainArguments;
@property (readonly) BOOL argumentsRetained;
@property (nullable, assign) id target;
@property SEL selector;
- (void)getReturnValue:(void *)value;
- (void)setReturnValue:(void *)value;
- (void)getArgument:(void *)argument atIndex:(NSInteger)index;
- (void)setArgument:(void *)argument atIndex:(NSInteger)index;
- (void)invoke;
- (void)invokeWithTarget:(id)target;
@end

NS_ASSUME_NONNULL_END

#endif
