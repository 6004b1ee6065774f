/*
 * CoreFoundation/CFString.h: strings.
 * Facts: Apple's documentation "CFString"; swift-corelibs-foundation,
 * CoreFoundation/String.subproj/CFString.h.
 */
#ifndef __COREFOUNDATION_CFSTRING__
#define __COREFOUNDATION_CFSTRING__

#include <CoreFoundation/CFArray.h>
#include <CoreFoundation/CFBase.h>
#include <CoreFoundation/CFData.h>
#include <CoreFoundation/CFDictionary.h>
#include <stdarg.h>

CF_EXTERN_C_BEGIN
CF_ASSUME_NONNULL_BEGIN
CF_IMPLICIT_BRIDGING_ENABLED

#define CFSTR(text) ((CFStringRef)__builtin___CFStringMakeConstantString("" text ""))

typedef UInt32 CFStringEncoding;
#define kCFStringEncodingInvalidId (0xffffffffU)
typedef CF_ENUM(CFStringEncoding, CFStringBuiltInEncodings){
    kCFStringEncodingMacRoman = 0,
    kCFStringEncodingWindowsLatin1 = 0x0500,
    kCFStringEncodingISOLatin1 = 0x0201,
    kCFStringEncodingNextStepLatin = 0x0B01,
    kCFStringEncodingASCII = 0x0600,
    kCFStringEncodingUnicode = 0x0100,
    kCFStringEncodingUTF8 = 0x08000100,
    kCFStringEncodingNonLossyASCII = 0x0BFF,
    kCFStringEncodingUTF16 = 0x0100,
    kCFStringEncodingUTF16BE = 0x10000100,
    kCFStringEncodingUTF16LE = 0x14000100,
    kCFStringEncodingUTF32 = 0x0c000100,
    kCFStringEncodingUTF32BE = 0x18000100,
    kCFStringEncodingUTF32LE = 0x1c000100,
};

typedef CF_OPTIONS(CFOptionFlags, CFStringCompareFlags){
    kCFCompareCaseInsensitive = 1,
    kCFCompareBackwards = 4,
    kCFCompareAnchored = 8,
    kCFCompareNonliteral = 16,
    kCFCompareLocalized = 32,
    kCFCompareNumerically = 64,
};

CF_EXPORT CFTypeID CFStringGetTypeID(void);

/* making strings */
CF_EXPORT CFStringRef _Nullable CFStringCreateWithCString(CFAllocatorRef _Nullable allocator,
                                                          const char *text,
                                                          CFStringEncoding encoding);
CF_EXPORT CFStringRef _Nullable CFStringCreateWithBytes(CFAllocatorRef _Nullable allocator,
                                                        const UInt8 *bytes, CFIndex count,
                                                        CFStringEncoding encoding,
                                                        Boolean external);
CF_EXPORT CFStringRef _Nullable CFStringCreateWithCharacters(CFAllocatorRef _Nullable allocator,
                                                             const UniChar *_Nullable characters,
                                                             CFIndex count);
CF_EXPORT CFStringRef _Nullable CFStringCreateWithCStringNoCopy(
    CFAllocatorRef _Nullable allocator, const char *text, CFStringEncoding encoding,
    CFAllocatorRef _Nullable deallocator);
CF_EXPORT CFStringRef _Nullable CFStringCreateWithSubstring(CFAllocatorRef _Nullable allocator,
                                                            CFStringRef _Nullable string,
                                                            CFRange range);
CF_EXPORT CFStringRef _Nullable CFStringCreateCopy(CFAllocatorRef _Nullable allocator,
                                                   CFStringRef _Nullable string);
CF_EXPORT CFStringRef _Null_unspecified
CFStringCreateWithFormat(CFAllocatorRef _Nullable allocator, CFDictionaryRef _Nullable options,
                         CFStringRef _Null_unspecified format, ...) CF_FORMAT_FUNCTION(3, 4);
CF_EXPORT CFStringRef _Null_unspecified CFStringCreateWithFormatAndArguments(
    CFAllocatorRef _Nullable allocator, CFDictionaryRef _Nullable options,
    CFStringRef _Null_unspecified format, va_list arguments) CF_FORMAT_FUNCTION(3, 0);
CF_EXPORT CFStringRef _Null_unspecified
CFStringCreateFromExternalRepresentation(CFAllocatorRef _Nullable allocator,
                                         CFDataRef _Null_unspecified data,
                                         CFStringEncoding encoding);
CF_EXPORT CFStringRef _Null_unspecified CFStringCreateByCombiningStrings(
    CFAllocatorRef _Nullable allocator, CFArrayRef _Null_unspecified strings,
    CFStringRef _Null_unspecified separator);

/* reading strings */
CF_EXPORT CFIndex CFStringGetLength(CFStringRef string);
CF_EXPORT UniChar CFStringGetCharacterAtIndex(CFStringRef string, CFIndex index);
CF_EXPORT void CFStringGetCharacters(CFStringRef string, CFRange range, UniChar *buffer);
CF_EXPORT Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex size,
                                     CFStringEncoding encoding);
CF_EXPORT const char *_Nullable CFStringGetCStringPtr(CFStringRef string,
                                                      CFStringEncoding encoding);
CF_EXPORT CFIndex CFStringGetBytes(CFStringRef _Null_unspecified string, CFRange range,
                                   CFStringEncoding encoding, UInt8 loss_byte, Boolean external,
                                   UInt8 *_Null_unspecified buffer, CFIndex size,
                                   CFIndex *_Null_unspecified used);
CF_EXPORT CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding);
CF_EXPORT CFDataRef _Null_unspecified
CFStringCreateExternalRepresentation(CFAllocatorRef _Nullable allocator,
                                     CFStringRef _Null_unspecified string,
                                     CFStringEncoding encoding, UInt8 loss_byte);
CF_EXPORT SInt32 CFStringGetIntValue(CFStringRef _Null_unspecified string);
CF_EXPORT double CFStringGetDoubleValue(CFStringRef _Null_unspecified string);

/* comparing and searching */
CF_EXPORT CFComparisonResult CFStringCompare(CFStringRef _Null_unspecified a,
                                             CFStringRef _Null_unspecified b,
                                             CFStringCompareFlags options);
CF_EXPORT CFRange CFStringFind(CFStringRef _Null_unspecified string,
                               CFStringRef _Null_unspecified part, CFStringCompareFlags options);
CF_EXPORT Boolean CFStringHasPrefix(CFStringRef _Null_unspecified string,
                                    CFStringRef _Null_unspecified prefix);
CF_EXPORT Boolean CFStringHasSuffix(CFStringRef _Null_unspecified string,
                                    CFStringRef _Null_unspecified suffix);
CF_EXPORT CFArrayRef _Null_unspecified CFStringCreateArrayBySeparatingStrings(
    CFAllocatorRef _Nullable allocator, CFStringRef _Null_unspecified string,
    CFStringRef _Null_unspecified separator);

/* changing strings */
CF_EXPORT CFMutableStringRef _Null_unspecified
CFStringCreateMutable(CFAllocatorRef _Nullable allocator, CFIndex capacity);
CF_EXPORT CFMutableStringRef _Null_unspecified
CFStringCreateMutableCopy(CFAllocatorRef _Nullable allocator, CFIndex capacity,
                          CFStringRef _Null_unspecified string);
CF_EXPORT void CFStringAppend(CFMutableStringRef _Null_unspecified string,
                              CFStringRef _Null_unspecified appended);
CF_EXPORT void CFStringAppendCString(CFMutableStringRef _Null_unspecified string,
                                     const char *_Null_unspecified text,
                                     CFStringEncoding encoding);
CF_EXPORT void CFStringAppendFormat(CFMutableStringRef _Null_unspecified string,
                                    CFDictionaryRef _Nullable options,
                                    CFStringRef _Null_unspecified format, ...)
    CF_FORMAT_FUNCTION(3, 4);

CF_IMPLICIT_BRIDGING_DISABLED

/* what CFSTR falls back on without the compiler's constant strings */
CF_EXPORT CFStringRef __CFStringMakeConstantString(const char *text) CF_FORMAT_ARGUMENT(1);

CF_ASSUME_NONNULL_END
CF_EXTERN_C_END

#endif
