/*
 * objc/Protocol.h: the class of protocols.
 * Facts: apple-oss-distributions objc4, runtime/Protocol.h.
 */
#ifndef _OBJC_PROTOCOL_H_
#define _OBJC_PROTOCOL_H_

#ifdef __OBJC__
#include <objc/NSObject.h>

OBJC_EXPORT
@interface Protocol : NSObject
@end

#else
#include <objc/runtime.h>
#endif

#endif
