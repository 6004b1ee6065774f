/*
 * objc/NSObject.h: the class NSObject and the protocol NSObject.
 * Facts: apple-oss-distributions objc4, runtime/NSObject.h; Apple's
 * documentation of NSObject.
 */
#ifndef _OBJC_NSOBJECT_H_
#define _OBJC_NSOBJECT_H_

#ifdef __OBJC__

#include <objc/NSObjCRuntime.h>
#include <objc/objc.h>

@class NSInvocation, NSMethodSignature, NSString;

_Pragma("clang assume_nonnull begin")

@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
@property (readonly, nullable) Class superclass;
- (Class)class;
- (instancetype)self;
- (BOOL)isProxy;

- (nullable id)performSelector:(SEL)selector;
- (nullable id)performSelector:(SEL)selector withObject:(nullable id)object;
- (nullable id)performSelector:(SEL)selector
                    withObject:(nullable id)object1
                    withObject:(nullable id)object2;

- (BOOL)isKindOfClass:(Class)cls;
- (BOOL)isMemberOfClass:(Class)cls;
- (BOOL)conformsToProtocol:(Protocol *)protocol;
- (BOOL)respondsToSelector:(SEL)selector;

- (instancetype)retain OBJC_ARC_UNAVAILABLE;
- (oneway void)release OBJC_ARC_UNAVAILABLE;
- (instancetype)autorelease OBJC_ARC_UNAVAILABLE;
- (NSUInteger)retainCount OBJC_ARC_UNAVAILABLE;
- (nullable struct _NSZone *)zone OBJC_ARC_UNAVAILABLE;

@property (readonly, copy) NSString *description;
@optional
@property (readonly, copy) NSString *debugDescription;
@end

OBJC_ROOT_CLASS OBJC_EXPORT
@interface NSObject <NSObject> {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wobjc-interface-ivars"
    Class isa OBJC_ISA_AVAILABILITY;
#pragma clang diagnostic pop
}

+ (void)load;
+ (void)initialize;
- (instancetype)init
#if NS_ENFORCE_NSOBJECT_DESIGNATED_INITIALIZER
    NS_DESIGNATED_INITIALIZER
#endif
    ;
+ (instancetype)new;
+ (instancetype)allocWithZone:(nullable struct _NSZone *)zone;
+ (instancetype)alloc;
- (void)dealloc;

- (id)copy;
- (id)mutableCopy;
+ (id)copyWithZone:(nullable struct _NSZone *)zone OBJC_ARC_UNAVAILABLE;
+ (id)mutableCopyWithZone:(nullable struct _NSZone *)zone OBJC_ARC_UNAVAILABLE;

+ (BOOL)instancesRespondToSelector:(SEL)selector;
+ (BOOL)conformsToProtocol:(Protocol *)protocol;
- (nullable IMP)methodForSelector:(SEL)selector;
+ (nullable IMP)instanceMethodForSelector:(SEL)selector;
- (void)doesNotRecognizeSelector:(SEL)selector;

- (nullable id)forwardingTargetForSelector:(SEL)selector;
- (void)forwardInvocation:(NSInvocation *)invocation;
- (nullable NSMethodSignature *)methodSignatureForSelector:(SEL)selector;
+ (nullable NSMethodSignature *)instanceMethodSignatureForSelector:(SEL)selector;

- (BOOL)allowsWeakReference UNAVAILABLE_ATTRIBUTE;
- (BOOL)retainWeakReference UNAVAILABLE_ATTRIBUTE;

+ (BOOL)isSubclassOfClass:(Class)cls;
+ (BOOL)resolveClassMethod:(SEL)selector;
+ (BOOL)resolveInstanceMethod:(SEL)selector;

+ (NSUInteger)hash;
+ (nullable Class)superclass;
+ (Class)class;
+ (NSString *)description;
+ (NSString *)debugDescription;
@end

_Pragma("clang assume_nonnull end")

#endif

#endif
