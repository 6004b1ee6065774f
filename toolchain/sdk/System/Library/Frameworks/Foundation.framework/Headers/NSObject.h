/*
 * Foundation/NSObject.h: copying, coding, and what Foundation adds to NSObject.
 * Facts: Apple's documentation "NSObject", "NSCopying", "NSMutableCopying",
 * "NSCoding"; clang, Automatic Reference Counting (bridged casts).
 */
#ifndef Foundation_NSObject_h
#define Foundation_NSObject_h

#import <CoreFoundation/CFBase.h>
#import <Foundation/NSObjCRuntime.h>
#import <Foundation/NSZone.h>
#import <objc/NSObject.h>

@class NSArray, NSCoder, NSDictionary, NSString;

NS_ASSUME_NONNULL_BEGIN

@protocol NSCopying
- (id)copyWithZone:(nullable NSZone *)zone;
@end

@protocol NSMutableCopying
- (id)mutableCopyWithZone:(nullable NSZone *)zone;
@end

@protocol NSCoding
- (void)encodeWithCoder:(NSCoder *)coder;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end

@protocol NSSecureCoding <NSCoding>
@required
@property (class, readonly) BOOL supportsSecureCoding;
@end

@interface NSObject (NSCoderMethods)
+ (NSInteger)version;
+ (void)setVersion:(NSInteger)version;
@property (readonly) Class classForCoder;
- (nullable id)replacementObjectForCoder:(NSCoder *)coder;
- (nullable id)awakeAfterUsingCoder:(NSCoder *)coder NS_CONSUMES_SELF NS_RETURNS_RETAINED;
@end

@interface NSObject (NSKeyValueCoding)
- (nullable id)valueForKey:(NSString *)key;
- (void)setValue:(nullable id)value forKey:(NSString *)key;
- (nullable id)valueForKeyPath:(NSString *)keyPath;
- (void)setValue:(nullable id)value forKeyPath:(NSString *)keyPath;
- (nullable id)valueForUndefinedKey:(NSString *)key;
- (void)setValue:(nullable id)value forUndefinedKey:(NSString *)key;
@end

@interface NSObject (NSDelayedPerforming)
- (void)performSelector:(SEL)selector
             withObject:(nullable id)argument
             afterDelay:(double)delay;
- (void)performSelectorOnMainThread:(SEL)selector
                         withObject:(nullable id)argument
                      waitUntilDone:(BOOL)wait;
@end

__BEGIN_DECLS

#if __has_feature(objc_arc)

/* ARC owns what came with a count, and gives away what C shall own. */
NS_INLINE CF_RETURNS_RETAINED CFTypeRef _Nullable CFBridgingRetain(id _Nullable object)
{
    return (__bridge_retained CFTypeRef)object;
}

NS_INLINE id _Nullable CFBridgingRelease(CFTypeRef CF_CONSUMED _Nullable object)
{
    return (__bridge_transfer id)object;
}

#else

NS_INLINE CF_RETURNS_RETAINED CFTypeRef _Nullable CFBridgingRetain(id _Nullable object)
{
    return object ? CFRetain((CFTypeRef)object) : NULL;
}

NS_INLINE id _Nullable CFBridgingRelease(CFTypeRef CF_CONSUMED _Nullable object)
{
    return [(id)object autorelease];
}

FOUNDATION_EXPORT id NSAllocateObject(Class cls, NSUInteger extraBytes, NSZone *_Nullable zone);
FOUNDATION_EXPORT void NSDeallocateObject(id object);

#endif

__END_DECLS
NS_ASSUME_NONNULL_END

#endif
