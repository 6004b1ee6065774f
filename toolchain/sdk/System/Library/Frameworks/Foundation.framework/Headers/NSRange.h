/*
 * Foundation/NSRange.h: ranges of positions.
 * Facts: Apple's documentation "NSRange".
 */
#ifndef Foundation_NSRange_h
#define Foundation_NSRange_h

#import <Foundation/NSObjCRuntime.h>

@class NSString;

NS_ASSUME_NONNULL_BEGIN
__BEGIN_DECLS

typedef struct _NSRange {
    NSUInteger location;
    NSUInteger length;
} NSRange;
typedef NSRange *NSRangePointer;

NS_INLINE NSRange NSMakeRange(NSUInteger location, NSUInteger length)
{
    return (NSRange){location, length};
}

NS_INLINE NSUInteger NSMaxRange(NSRange range)
{
    return range.location + range.length;
}

NS_INLINE BOOL NSLocationInRange(NSUInteger location, NSRange range)
{
    return location >= range.location && location - range.location < range.length;
}

NS_INLINE BOOL NSEqualRanges(NSRange a, NSRange b)
{
    return a.location == b.location && a.length == b.length;
}

FOUNDATION_EXPORT NSString *NSStringFromRange(NSRange range);
FOUNDATION_EXPORT NSRange NSRangeFromString(NSString *string);
FOUNDATION_EXPORT NSRange NSUnionRange(NSRange a, NSRange b);
FOUNDATION_EXPORT NSRange NSIntersectionRange(NSRange a, NSRange b);

__END_DECLS
NS_ASSUME_NONNULL_END

#endif
