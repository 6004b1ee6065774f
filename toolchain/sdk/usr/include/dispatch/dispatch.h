/*
 * dispatch/dispatch.h: all of the libdispatch headers that are here.
 * Facts: apple-oss-distributions libdispatch, dispatch/dispatch.h.
 */
#ifndef __DISPATCH_PUBLIC__
#define __DISPATCH_PUBLIC__

#include <dispatch/base.h>
#include <dispatch/group.h>
#include <dispatch/object.h>
#include <dispatch/once.h>
#include <dispatch/queue.h>
#include <dispatch/semaphore.h>
#include <dispatch/source.h>
#include <dispatch/time.h>

#define DISPATCH_API_VERSION 20181008

#endif
