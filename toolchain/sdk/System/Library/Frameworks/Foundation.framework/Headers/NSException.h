/*
 * Foundation/NSException.h: exceptions, their names, and assertions.
 * Facts: Apple's documentation "NSException" and "NSAssertionHandler".
 */
#ifndef Foundation_NSException_h
#define Foundation_NSException_h

#import <Foundation/NSObject.h>
#import <Foundation/NSString.h>
#import <stdarg.h>

@class NSArray<ObjectType>, NSDictionary, NSNumber;

NS_ASSUME_NONNULL_BEGIN
__BEGIN_DECLS

FOUNDATION_EXPORT NSExceptionName const NSGenericException;
FOUNDATION_EXPORT NSExceptionName const NSRangeException;
FOUNDATION_EXPORT NSExceptionName const NSInvalidArgumentException;
FOUNDATION_EXPORT NSExceptionName const NSInternalInconsistencyException;
FOUNDATION_EXPORT NSExceptionName const NSMallocException;

__attribute__((objc_exception))
@interface NSException : NSObject <NSCopying, NSSecureCoding>
+ (NSException *)exceptionWithName:(NSExceptionName)name
                            reason:(nullable NSString *)reason
                          userInfo:(nullable NSDictionary *)userInfo;
- (instancetype)initWithName:(NSExceptionName)name
                      reason:(nullable NSString *)reason
                    userInfo:(nullable NSDictionary *)userInfo NS_DESIGNATED_INITIALIZER;
@property (readonly, copy) NSExceptionName name;
@property (nullable, readonly, copy) NSString *reason;
@property (nullable, readonly, copy) NSDictionary *userInfo;
@property (readonly, copy) NSArray<NSNumber *> *callStackReturnAddresses;
@property (readonly, copy) NSArray<NSString *> *callStackSymbols;
- (void)raise OBJC_NORETURN;
+ (void)raise:(NSExceptionName)name format:(NSString *)format, ... NS_FORMAT_FUNCTION(2, 3);
+ (void)raise:(NSExceptionName)name
       format:(NSString *)format
    arguments:(va_list)arguments NS_FORMAT_FUNCTION(2, 0);
@end

typedef void NSUncaughtExceptionHandler(NSException *exception);
FOUNDATION_EXPORT NSUncaughtExceptionHandler *_Nullable NSGetUncaughtExceptionHandler(void);
FOUNDATION_EXPORT void
NSSetUncaughtExceptionHandler(NSUncaughtExceptionHandler *_Nullable handler);

@interface NSAssertionHandler : NSObject
@property (class, readonly, strong) NSAssertionHandler *currentHandler;
- (void)handleFailureInMethod:(SEL)selector
                       object:(id)object
                         file:(NSString *)file
                   lineNumber:(NSInteger)line
                  description:(nullable NSString *)format, ... NS_FORMAT_FUNCTION(5, 6);
- (void)handleFailureInFunction:(NSString *)function
                           file:(NSString *)file
                     lineNumber:(NSInteger)line
                    description:(nullable NSString *)format, ... NS_FORMAT_FUNCTION(4, 5);
@end

#ifdef NS_BLOCK_ASSERTIONS
#define NSAssert(condition, format, ...) ((void)0)
#define NSCAssert(condition, format, ...) ((void)0)
#else
#define NSAssert(condition, format, ...)                                                           \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            [[NSAssertionHandler currentHandler] handleFailureInMethod:_cmd                        \
                                                                object:self                        \
                                                                  file:@__FILE__                   \
                                                            lineNumber:__LINE__                    \
                                                           description:(format), ##__VA_ARGS__];   \
    } while (0)
#define NSCAssert(condition, format, ...)                                                          \
    do {                                                                                           \
        if (__builtin_expect(!(condition), 0))                                                     \
            [[NSAssertionHandler currentHandler] handleFailureInFunction:@(__func__)               \
                                                                    file:@__FILE__                 \
                                                              lineNumber:__LINE__                  \
                                                             description:(format), ##__VA_ARGS__]; \
    } while (0)
#endif
#define NSParameterAssert(condition) NSAssert((condition), @"%s", #condition)
#define NSCParameterAssert(condition) NSCAssert((condition), @"%s", #condition)

__END_DECLS
NS_ASSUME_NONNULL_END

#endif
