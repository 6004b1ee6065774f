/*
 * Foundation/NSNull.h: the object that stands for nothing in collections.
 * Facts: Apple's documentation "NSNull".
 */
#ifndef Foundation_NSNull_h
#define Foundation_NSNull_h

#import <Foundation/NSObject.h>

NS_ASSUME_NONNULL_BEGIN

@interface NSNull : NSObject <NSCopying, NSSecureCoding>
+ (NSNull *)null;
@end

NS_ASSUME_NONNULL_END

#endif
