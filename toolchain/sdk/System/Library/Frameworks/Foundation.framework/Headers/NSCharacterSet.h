/*
 * Foundation/NSCharacterSet.h: sets of characters, for searching and trimming.
 * Facts: Apple's documentation "NSCharacterSet".
 */
#ifndef Foundation_NSCharacterSet_h
#define Foundation_NSCharacterSet_h

#import <Foundation/NSObject.h>
#import <Foundation/NSRange.h>
#import <Foundation/NSString.h>

NS_ASSUME_NONNULL_BEGIN

@interface NSCharacterSet : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly, class, copy) NSCharacterSet *whitespaceCharacterSet;
@property (readonly, class, copy) NSCharacterSet *whitespaceAndNewlineCharacterSet;
@property (readonly, class, copy) NSCharacterSet *newlineCharacterSet;
@property (readonly, class, copy) NSCharacterSet *decimalDigitCharacterSet;
@property (readonly, class, copy) NSCharacterSet *letterCharacterSet;
@property (readonly, class, copy) NSCharacterSet *alphanumericCharacterSet;
@property (readonly, class, copy) NSCharacterSet *punctuationCharacterSet;
+ (NSCharacterSet *)characterSetWithRange:(NSRange)range;
+ (NSCharacterSet *)characterSetWithCharactersInString:(NSString *)characters;
@property (readonly, copy) NSCharacterSet *invertedSet;
- (BOOL)characterIsMember:(unichar)character;
@end

NS_ASSUME_NONNULL_END

#endif
