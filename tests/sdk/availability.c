/* The availability macros in the ways in which third-party code writes them. */
#include <Availability.h>
#include <AvailabilityMacros.h>
#include <TargetConditionals.h>
#include <os/availability.h>

#if !TARGET_OS_MAC || !TARGET_OS_OSX || TARGET_OS_IPHONE || !TARGET_CPU_ARM64
#    error "not macOS on Arm"
#endif
#if !defined(__MAC_11_0) || __MAC_OS_X_VERSION_MIN_REQUIRED < __MAC_11_0
#    error "wrong minimum"
#endif

void always(void) API_AVAILABLE(macos(10.15), ios(13.0), tvos(13.0), watchos(6.0));
void recent(void) API_AVAILABLE(macos(14.0));
void never(void) API_UNAVAILABLE(macos, ios, tvos);
void old(void) API_DEPRECATED("no longer needed", macos(10.0, 10.9), ios(2.0, 7.0));
void older(void) API_DEPRECATED_WITH_REPLACEMENT("always", macos(10.0, API_TO_BE_DEPRECATED));
void many(void) API_AVAILABLE(macos(10.4), ios(1.0), tvos(9.0), watchos(1.0), visionos(1.0),
                              macCatalyst(13.1), driverkit(19.0), bridgeos(2.0));
int call(void);

int call(void)
{
    always();
    older();
    many();
#ifdef CALL_RECENT
    recent();
#endif
#ifdef CALL_NEVER
    never();
#endif
#ifdef CALL_OLD
    old();
#endif
    return 0;
}
