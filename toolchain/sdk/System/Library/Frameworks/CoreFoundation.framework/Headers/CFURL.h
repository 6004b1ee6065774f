/*
 * CoreFoundation/CFURL.h: locators, as far as files and bundles need them.
 * Facts: Apple's documentation "CFURL"; swift-corelibs-foundation,
 * CoreFoundation/URL.subproj/CFURL.h.
 */
#ifndef __COREFOUNDATION_CFURL__
#define __COREFOUNDATION_CFURL__

#include <CoreFoundation/CFBase.h>
#include <CoreFoundation/CFString.h>

CF_EXTERN_C_BEGIN
CF_IMPLICIT_BRIDGING_ENABLED

typedef CF_ENUM(CFIndex, CFURLPathStyle){
    kCFURLPOSIXPathStyle = 0,
    kCFURLHFSPathStyle = 1,
    kCFURLWindowsPathStyle = 2,
};

typedef const struct CF_BRIDGED_TYPE(NSURL) __CFURL *CFURLRef;

CF_EXPORT CFTypeID CFURLGetTypeID(void);
CF_EXPORT CFURLRef CFURLCreateWithString(CFAllocatorRef allocator, CFStringRef text,
                                         CFURLRef base);
CF_EXPORT CFURLRef CFURLCreateWithFileSystemPath(CFAllocatorRef allocator, CFStringRef path,
                                                 CFURLPathStyle style, Boolean is_directory);
CF_EXPORT CFURLRef CFURLCreateFromFileSystemRepresentation(CFAllocatorRef allocator,
                                                           const UInt8 *path, CFIndex length,
                                                           Boolean is_directory);
CF_EXPORT Boolean CFURLGetFileSystemRepresentation(CFURLRef url, Boolean resolve_against_base,
                                                   UInt8 *buffer, CFIndex size);
CF_EXPORT CFStringRef CFURLCopyFileSystemPath(CFURLRef url, CFURLPathStyle style);
CF_EXPORT CFStringRef CFURLGetString(CFURLRef url);
CF_EXPORT CFStringRef CFURLCopyLastPathComponent(CFURLRef url);

CF_IMPLICIT_BRIDGING_DISABLED
CF_EXTERN_C_END

#endif
