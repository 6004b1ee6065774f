/*
 * objc/message.h: sending messages from C. None of the functions has a usable
 * prototype: cast to the method's own type before the call. There are no
 * _stret and _fpret variants on arm64.
 * Facts: apple-oss-distributions objc4, runtime/message.h.
 */
#ifndef _OBJC_MESSAGE_H
#define _OBJC_MESSAGE_H

#include <objc/objc.h>
#include <objc/runtime.h>

#ifndef OBJC_SUPER
#define OBJC_SUPER
struct objc_super {
    __unsafe_unretained _Nonnull id receiver;
    __unsafe_unretained _Nonnull Class super_class;
};
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"
OBJC_EXPORT void objc_msgSend(void);
OBJC_EXPORT void objc_msgSendSuper(void);
OBJC_EXPORT void method_invoke(void);
OBJC_EXPORT void _objc_msgForward(void);
#pragma clang diagnostic pop

#endif
