/*
 * Foundation/NSJSONSerialization.h: JSON from and to objects.
 * Facts: Apple's documentation "NSJSONSerialization".
 */
#ifndef Foundation_NSJSONSerialization_h
#define Foundation_NSJSONSerialization_h

#import <Foundation/NSObject.h>

@class NSData, NSError;

NS_ASSUME_NONNULL_BEGIN

typedef NS_OPTIONS(NSUInteger, NSJSONReadingOptions){
    NSJSONReadingMutableContainers = 1UL << 0,
    NSJSONReadingMutableLeaves = 1UL << 1,
    NSJSONReadingFragmentsAllowed = 1UL << 2,
};

typedef NS_OPTIONS(NSUInteger, NSJSONWritingOptions){
    NSJSONWritingPrettyPrinted = 1UL << 0,
    NSJSONWritingSortedKeys = 1UL << 1,
    NSJSONWritingFragmentsAllowed = 1UL << 2,
    NSJSONWritingWithoutEscapingSlashes = 1UL << 3,
};

@interface NSJSONSerialization : NSObject
+ (BOOL)isValidJSONObject:(id)object;
+ (nullable NSData *)dataWithJSONObject:(id)object
                                options:(NSJSONWritingOptions)options
                                  error:(NSError **)error;
+ (nullable id)JSONObjectWithData:(NSData *)data
                          options:(NSJSONReadingOptions)options
                            error:(NSError **)error;
@end

NS_ASSUME_NONNULL_END

#endif
