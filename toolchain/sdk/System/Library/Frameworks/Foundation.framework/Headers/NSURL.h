/*
 * Foundation/NSURL.h: locators, as far as files and bundles need them.
 * Facts: Apple's documentation "NSURL".
 */
#ifndef Foundation_NSURL_h
#define Foundation_NSURL_h

#import <Foundation/NSObject.h>

@class NSString;

NS_ASSUME_NONNULL_BEGIN

@interface NSURL : NSObject <NSSecureCoding, NSCopying>
- (nullable instancetype)initWithString:(NSString *)string;
- (instancetype)initFileURLWithPath:(NSString *)path NS_DESIGNATED_INITIALIZER;
- (instancetype)initFileURLWithPath:(NSString *)path
                        isDirectory:(BOOL)isDirectory NS_DESIGNATED_INITIALIZER;
+ (nullable instancetype)URLWithString:(NSString *)string;
+ (NSURL *)fileURLWithPath:(NSString *)path;
+ (NSURL *)fileURLWithPath:(NSString *)path isDirectory:(BOOL)isDirectory;
@property (nullable, readonly, copy) NSString *absoluteString;
@property (nullable, readonly, copy) NSString *scheme;
@property (nullable, readonly, copy) NSString *host;
@property (nullable, readonly, copy) NSString *path;
@property (nullable, readonly, copy) NSString *lastPathComponent;
@property (nullable, readonly, copy) NSString *pathExtension;
@property (readonly, getter=isFileURL) BOOL fileURL;
@property (readonly) const char *fileSystemRepresentation NS_RETURNS_INNER_POINTER;
- (nullable NSURL *)URLByAppendingPathComponent:(NSString *)component;
@property (nullable, readonly, copy) NSURL *URLByDeletingLastPathComponent;
@end

NS_ASSUME_NONNULL_END

#endif
