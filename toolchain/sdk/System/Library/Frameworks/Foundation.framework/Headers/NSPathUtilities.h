/*
 * Foundation/NSPathUtilities.h: well-known directories.
 * Facts: Apple's documentation "NSSearchPathForDirectoriesInDomains" and
 * "NSTemporaryDirectory".
 */
#ifndef Foundation_NSPathUtilities_h
#define Foundation_NSPathUtilities_h

#import <Foundation/NSArray.h>
#import <Foundation/NSString.h>

NS_ASSUME_NONNULL_BEGIN
__BEGIN_DECLS

typedef NS_ENUM(NSUInteger, NSSearchPathDirectory){
    NSApplicationDirectory = 1,
    NSLibraryDirectory = 5,
    NSUserDirectory = 7,
    NSDocumentDirectory = 9,
    NSDesktopDirectory = 12,
    NSCachesDirectory = 13,
    NSApplicationSupportDirectory = 14,
    NSDownloadsDirectory = 15,
};

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wflag-enum" /* all domains, those to come included */
typedef NS_OPTIONS(NSUInteger, NSSearchPathDomainMask){
    NSUserDomainMask = 1,
    NSLocalDomainMask = 2,
    NSNetworkDomainMask = 4,
    NSSystemDomainMask = 8,
    NSAllDomainsMask = 0x0ffff,
};
#pragma clang diagnostic pop

FOUNDATION_EXPORT NSString *NSUserName(void);
FOUNDATION_EXPORT NSString *NSFullUserName(void);
FOUNDATION_EXPORT NSString *NSHomeDirectory(void);
FOUNDATION_EXPORT NSString *NSTemporaryDirectory(void);
FOUNDATION_EXPORT NSArray<NSString *> *
NSSearchPathForDirectoriesInDomains(NSSearchPathDirectory directory,
                                    NSSearchPathDomainMask domainMask, BOOL expandTilde);

__END_DECLS
NS_ASSUME_NONNULL_END

#endif
