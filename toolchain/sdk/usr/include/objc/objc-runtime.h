/*
 * objc/objc-runtime.h: runtime.h and message.h in one.
 * Facts: apple-oss-distributions objc4, runtime/objc-runtime.h.
 */
#include <objc/message.h>
#include <objc/objc.h>
#include <objc/runtime.h>
