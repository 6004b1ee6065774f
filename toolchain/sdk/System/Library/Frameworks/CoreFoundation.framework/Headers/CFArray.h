/*
 * CoreFoundation/CFArray.h: arrays.
 * Facts: Apple's documentation "CFArray"; swift-corelibs-foundation,
 * CoreFoundation/Collections.subproj/CFArray.h.
 */
#ifndef __COREFOUNDATION_CFARRAY__
#define __COREFOUNDATION_CFARRAY__

#include <CoreFoundation/CFBase.h>

CF_EXTERN_C_BEGIN
CF_IMPLICIT_BRIDGING_ENABLED

typedef const void *(*CFArrayRetainCallBack)(CFAllocatorRef allocator, const void *value);
typedef void (*CFArrayReleaseCallBack)(CFAllocatorRef allocator, const void *value);
typedef CFStringRef (*CFArrayCopyDescriptionCallBack)(const void *value);
typedef Boolean (*CFArrayEqualCallBack)(const void *a, const void *b);
typedef void (*CFArrayApplierFunction)(const void *value, void *context);

typedef struct {
    CFIndex version;
    CFArrayRetainCallBack retain;
    CFArrayReleaseCallBack release;
    CFArrayCopyDescriptionCallBack copyDescription;
    CFArrayEqualCallBack equal;
} CFArrayCallBacks;

CF_EXPORT const CFArrayCallBacks kCFTypeArrayCallBacks;

typedef const struct CF_BRIDGED_TYPE(NSArray) __CFArray *CFArrayRef;
typedef struct CF_BRIDGED_MUTABLE_TYPE(NSMutableArray) __CFArray *CFMutableArrayRef;

CF_EXPORT CFTypeID CFArrayGetTypeID(void);
CF_EXPORT CFArrayRef CFArrayCreate(CFAllocatorRef allocator, const void **values, CFIndex count,
                                   const CFArrayCallBacks *callbacks);
CF_EXPORT CFArrayRef CFArrayCreateCopy(CFAllocatorRef allocator, CFArrayRef array);
CF_EXPORT CFMutableArrayRef CFArrayCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                                                 const CFArrayCallBacks *callbacks);
CF_EXPORT CFMutableArrayRef CFArrayCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity,
                                                     CFArrayRef array);
CF_EXPORT CFIndex CFArrayGetCount(CFArrayRef array);
CF_EXPORT CFIndex CFArrayGetCountOfValue(CFArrayRef array, CFRange range, const void *value);
CF_EXPORT Boolean CFArrayContainsValue(CFArrayRef array, CFRange range, const void *value);
CF_EXPORT const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index);
CF_EXPORT void CFArrayGetValues(CFArrayRef array, CFRange range, const void **values);
CF_EXPORT CFIndex CFArrayGetFirstIndexOfValue(CFArrayRef array, CFRange range, const void *value);
CF_EXPORT void CFArrayApplyFunction(CFArrayRef array, CFRange range,
                                    CFArrayApplierFunction CF_NOESCAPE function, void *context);
CF_EXPORT void CFArrayAppendValue(CFMutableArrayRef array, const void *value);
CF_EXPORT void CFArrayInsertValueAtIndex(CFMutableArrayRef array, CFIndex index,
                                         const void *value);
CF_EXPORT void CFArraySetValueAtIndex(CFMutableArrayRef array, CFIndex index, const void *value);
CF_EXPORT void CFArrayRemoveValueAtIndex(CFMutableArrayRef array, CFIndex index);
CF_EXPORT void CFArrayRemoveAllValues(CFMutableArrayRef array);

CF_IMPLICIT_BRIDGING_DISABLED
CF_EXTERN_C_END

#endif
