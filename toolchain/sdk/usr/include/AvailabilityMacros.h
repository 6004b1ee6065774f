/*
 * AvailabilityMacros.h: MAC_OS_X_VERSION_* in the spelling of older code.
 * Facts: as AvailabilityVersions.h.
 */
#ifndef __AVAILABILITYMACROS__
#define __AVAILABILITYMACROS__

#include <AvailabilityVersions.h>

#define MAC_OS_X_VERSION_10_0 __MAC_10_0
#define MAC_OS_X_VERSION_10_1 __MAC_10_1
#define MAC_OS_X_VERSION_10_2 __MAC_10_2
#define MAC_OS_X_VERSION_10_3 __MAC_10_3
#define MAC_OS_X_VERSION_10_4 __MAC_10_4
#define MAC_OS_X_VERSION_10_5 __MAC_10_5
#define MAC_OS_X_VERSION_10_6 __MAC_10_6
#define MAC_OS_X_VERSION_10_7 __MAC_10_7
#define MAC_OS_X_VERSION_10_8 __MAC_10_8
#define MAC_OS_X_VERSION_10_9 __MAC_10_9
#define MAC_OS_X_VERSION_10_10 __MAC_10_10
#define MAC_OS_X_VERSION_10_11 __MAC_10_11
#define MAC_OS_X_VERSION_10_12 __MAC_10_12
#define MAC_OS_X_VERSION_10_13 __MAC_10_13
#define MAC_OS_X_VERSION_10_14 __MAC_10_14
#define MAC_OS_X_VERSION_10_15 __MAC_10_15
#define MAC_OS_X_VERSION_10_16 __MAC_10_16
#define MAC_OS_VERSION_11_0 __MAC_11_0
#define MAC_OS_VERSION_12_0 __MAC_12_0
#define MAC_OS_VERSION_13_0 __MAC_13_0
#define MAC_OS_VERSION_14_0 __MAC_14_0

#define MAC_OS_X_VERSION_MIN_REQUIRED __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__
#define MAC_OS_X_VERSION_MAX_ALLOWED __MAC_14_0

#define DEPRECATED_ATTRIBUTE __attribute__((deprecated))
#define DEPRECATED_MSG_ATTRIBUTE(text) __attribute__((deprecated(text)))
#define UNAVAILABLE_ATTRIBUTE __attribute__((unavailable))
#define WEAK_IMPORT_ATTRIBUTE __attribute__((weak_import))

#endif
