/*
 * Foundation/NSDate.h: moments in time.
 * Facts: Apple's documentation "NSDate".
 */
#ifndef Foundation_NSDate_h
#define Foundation_NSDate_h

#import <Foundation/NSObject.h>

@class NSString;

NS_ASSUME_NONNULL_BEGIN

typedef double NSTimeInterval;
#define NSTimeIntervalSince1970 978307200.0

@interface NSDate : NSObject <NSCopying, NSSecureCoding>
@property (readonly) NSTimeInterval timeIntervalSinceReferenceDate;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithTimeIntervalSinceReferenceDate:(NSTimeInterval)interval
    NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@end

@interface NSDate (NSExtendedDate)
- (NSTimeInterval)timeIntervalSinceDate:(NSDate *)date;
@property (readonly) NSTimeInterval timeIntervalSinceNow;
@property (readonly) NSTimeInterval timeIntervalSince1970;
- (instancetype)dateByAddingTimeInterval:(NSTimeInterval)interval;
- (NSDate *)earlierDate:(NSDate *)date;
- (NSDate *)laterDate:(NSDate *)date;
- (NSComparisonResult)compare:(NSDate *)date;
- (BOOL)isEqualToDate:(NSDate *)date;
@property (class, readonly) NSTimeInterval timeIntervalSinceReferenceDate;
@end

@interface NSDate (NSDateCreation)
+ (instancetype)date;
+ (instancetype)dateWithTimeIntervalSinceNow:(NSTimeInterval)interval;
+ (instancetype)dateWithTimeIntervalSinceReferenceDate:(NSTimeInterval)interval;
+ (instancetype)dateWithTimeIntervalSince1970:(NSTimeInterval)interval;
@property (class, readonly, copy) NSDate *distantFuture;
@property (class, readonly, copy) NSDate *distantPast;
@end

NS_ASSUME_NONNULL_END

#endif
