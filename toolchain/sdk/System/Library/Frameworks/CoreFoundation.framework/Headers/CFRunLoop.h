/*
 * CoreFoundation/CFRunLoop.h: the run loop, as far as waiting needs it.
 * Facts: Apple's documentation "CFRunLoop"; swift-corelibs-foundation,
 * CoreFoundation/RunLoop.subproj/CFRunLoop.h.
 */
#ifndef __COREFOUNDATION_CFRUNLOOP__
#define __COREFOUNDATION_CFRUNLOOP__

#include <CoreFoundation/CFBase.h>
#include <CoreFoundation/CFString.h>

CF_EXTERN_C_BEGIN
CF_IMPLICIT_BRIDGING_ENABLED

typedef CFStringRef CFRunLoopMode;
typedef struct CF_BRIDGED_MUTABLE_TYPE(id) __CFRunLoop *CFRunLoopRef;

typedef CF_ENUM(SInt32, CFRunLoopRunResult){
    kCFRunLoopRunFinished = 1,
    kCFRunLoopRunStopped = 2,
    kCFRunLoopRunTimedOut = 3,
    kCFRunLoopRunHandledSource = 4,
};

CF_EXPORT const CFRunLoopMode kCFRunLoopDefaultMode;
CF_EXPORT const CFRunLoopMode kCFRunLoopCommonModes;

CF_EXPORT CFTypeID CFRunLoopGetTypeID(void);
CF_EXPORT CFRunLoopRef CFRunLoopGetCurrent(void);
CF_EXPORT CFRunLoopRef CFRunLoopGetMain(void);
CF_EXPORT void CFRunLoopRun(void);
CF_EXPORT CFRunLoopRunResult CFRunLoopRunInMode(CFRunLoopMode mode, CFTimeInterval seconds,
                                                Boolean return_after_source_handled);
CF_EXPORT void CFRunLoopStop(CFRunLoopRef loop);
CF_EXPORT void CFRunLoopWakeUp(CFRunLoopRef loop);
#ifdef __BLOCKS__
CF_EXPORT void CFRunLoopPerformBlock(CFRunLoopRef loop, CFTypeRef mode, void (^block)(void));
#endif

CF_EXPORT CFAbsoluteTime CFAbsoluteTimeGetCurrent(void);

CF_IMPLICIT_BRIDGING_DISABLED
CF_EXTERN_C_END

#endif
