/*
 * Availability.h: API_AVAILABLE and its relatives, written on clang's
 * availability attribute.
 * Facts: clang, Attribute Reference, "availability"; the use of the macros in
 * Apple's open sources (xnu, objc4, libdispatch).
 * A platform is written macos(13.0), ios(16.0), ...; up to eight in one list.
 */
#ifndef __AVAILABILITY__
#define __AVAILABILITY__

#include <AvailabilityVersions.h>

#define __MAC_OS_X_VERSION_MIN_REQUIRED __ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__
#define __MAC_OS_X_VERSION_MAX_ALLOWED __MAC_14_0

#define API_TO_BE_DEPRECATED 100000
#define __API_TO_BE_DEPRECATED 100000

/*
 * One platform: the token in front of the parenthesis names it. clang 19 does
 * not know bridgeos; it becomes a platform that is never compiled for.
 */
#define __AV_INTRO_macos(v) macos, introduced = v
#define __AV_INTRO_macosx(v) macos, introduced = v
#define __AV_INTRO_ios(v) ios, introduced = v
#define __AV_INTRO_tvos(v) tvos, introduced = v
#define __AV_INTRO_watchos(v) watchos, introduced = v
#define __AV_INTRO_visionos(v) visionos, introduced = v
#define __AV_INTRO_bridgeos(v) android, introduced = v
#define __AV_INTRO_driverkit(v) driverkit, introduced = v
#define __AV_INTRO_macCatalyst(v) macCatalyst, introduced = v
#define __AV_INTRO_maccatalyst(v) macCatalyst, introduced = v

#define __AV_DEPR_macos(i, d) macos, introduced = i, deprecated = d
#define __AV_DEPR_macosx(i, d) macos, introduced = i, deprecated = d
#define __AV_DEPR_ios(i, d) ios, introduced = i, deprecated = d
#define __AV_DEPR_tvos(i, d) tvos, introduced = i, deprecated = d
#define __AV_DEPR_watchos(i, d) watchos, introduced = i, deprecated = d
#define __AV_DEPR_visionos(i, d) visionos, introduced = i, deprecated = d
#define __AV_DEPR_bridgeos(i, d) android, introduced = i, deprecated = d
#define __AV_DEPR_driverkit(i, d) driverkit, introduced = i, deprecated = d
#define __AV_DEPR_macCatalyst(i, d) macCatalyst, introduced = i, deprecated = d
#define __AV_DEPR_maccatalyst(i, d) macCatalyst, introduced = i, deprecated = d

#define __AV_NONE_macos macos
#define __AV_NONE_macosx macos
#define __AV_NONE_ios ios
#define __AV_NONE_tvos tvos
#define __AV_NONE_watchos watchos
#define __AV_NONE_visionos visionos
#define __AV_NONE_bridgeos android
#define __AV_NONE_driverkit driverkit
#define __AV_NONE_macCatalyst macCatalyst
#define __AV_NONE_maccatalyst macCatalyst

#define __AV_INTRO(x) __attribute__((availability(__AV_INTRO_##x)))
#define __AV_NONE(x) __attribute__((availability(__AV_NONE_##x, unavailable)))
#define __AV_DEPR(m, x) __attribute__((availability(__AV_DEPR_##x, message = m)))
#define __AV_REPL(r, x) __attribute__((availability(__AV_DEPR_##x, replacement = r)))

/* the right macro for a list of one to eight */
#define __AV_PICK(a, b, c, d, e, f, g, h, name, ...) name

#define __AV_INTRO1(a) __AV_INTRO(a)
#define __AV_INTRO2(a, ...) __AV_INTRO(a) __AV_INTRO1(__VA_ARGS__)
#define __AV_INTRO3(a, ...) __AV_INTRO(a) __AV_INTRO2(__VA_ARGS__)
#define __AV_INTRO4(a, ...) __AV_INTRO(a) __AV_INTRO3(__VA_ARGS__)
#define __AV_INTRO5(a, ...) __AV_INTRO(a) __AV_INTRO4(__VA_ARGS__)
#define __AV_INTRO6(a, ...) __AV_INTRO(a) __AV_INTRO5(__VA_ARGS__)
#define __AV_INTRO7(a, ...) __AV_INTRO(a) __AV_INTRO6(__VA_ARGS__)
#define __AV_INTRO8(a, ...) __AV_INTRO(a) __AV_INTRO7(__VA_ARGS__)

#define __AV_NONE1(a) __AV_NONE(a)
#define __AV_NONE2(a, ...) __AV_NONE(a) __AV_NONE1(__VA_ARGS__)
#define __AV_NONE3(a, ...) __AV_NONE(a) __AV_NONE2(__VA_ARGS__)
#define __AV_NONE4(a, ...) __AV_NONE(a) __AV_NONE3(__VA_ARGS__)
#define __AV_NONE5(a, ...) __AV_NONE(a) __AV_NONE4(__VA_ARGS__)
#define __AV_NONE6(a, ...) __AV_NONE(a) __AV_NONE5(__VA_ARGS__)
#define __AV_NONE7(a, ...) __AV_NONE(a) __AV_NONE6(__VA_ARGS__)
#define __AV_NONE8(a, ...) __AV_NONE(a) __AV_NONE7(__VA_ARGS__)

#define __AV_DEPR1(m, a) __AV_DEPR(m, a)
#define __AV_DEPR2(m, a, ...) __AV_DEPR(m, a) __AV_DEPR1(m, __VA_ARGS__)
#define __AV_DEPR3(m, a, ...) __AV_DEPR(m, a) __AV_DEPR2(m, __VA_ARGS__)
#define __AV_DEPR4(m, a, ...) __AV_DEPR(m, a) __AV_DEPR3(m, __VA_ARGS__)
#define __AV_DEPR5(m, a, ...) __AV_DEPR(m, a) __AV_DEPR4(m, __VA_ARGS__)
#define __AV_DEPR6(m, a, ...) __AV_DEPR(m, a) __AV_DEPR5(m, __VA_ARGS__)
#define __AV_DEPR7(m, a, ...) __AV_DEPR(m, a) __AV_DEPR6(m, __VA_ARGS__)
#define __AV_DEPR8(m, a, ...) __AV_DEPR(m, a) __AV_DEPR7(m, __VA_ARGS__)

#define __AV_REPL1(r, a) __AV_REPL(r, a)
#define __AV_REPL2(r, a, ...) __AV_REPL(r, a) __AV_REPL1(r, __VA_ARGS__)
#define __AV_REPL3(r, a, ...) __AV_REPL(r, a) __AV_REPL2(r, __VA_ARGS__)
#define __AV_REPL4(r, a, ...) __AV_REPL(r, a) __AV_REPL3(r, __VA_ARGS__)
#define __AV_REPL5(r, a, ...) __AV_REPL(r, a) __AV_REPL4(r, __VA_ARGS__)
#define __AV_REPL6(r, a, ...) __AV_REPL(r, a) __AV_REPL5(r, __VA_ARGS__)
#define __AV_REPL7(r, a, ...) __AV_REPL(r, a) __AV_REPL6(r, __VA_ARGS__)
#define __AV_REPL8(r, a, ...) __AV_REPL(r, a) __AV_REPL7(r, __VA_ARGS__)

#define API_AVAILABLE(...)                                                                         \
    __AV_PICK(__VA_ARGS__, __AV_INTRO8, __AV_INTRO7, __AV_INTRO6, __AV_INTRO5, __AV_INTRO4,        \
              __AV_INTRO3, __AV_INTRO2, __AV_INTRO1, 0)                                            \
    (__VA_ARGS__)
#define API_UNAVAILABLE(...)                                                                       \
    __AV_PICK(__VA_ARGS__, __AV_NONE8, __AV_NONE7, __AV_NONE6, __AV_NONE5, __AV_NONE4, __AV_NONE3, \
              __AV_NONE2, __AV_NONE1, 0)                                                           \
    (__VA_ARGS__)
#define API_DEPRECATED(message, ...)                                                               \
    __AV_PICK(__VA_ARGS__, __AV_DEPR8, __AV_DEPR7, __AV_DEPR6, __AV_DEPR5, __AV_DEPR4, __AV_DEPR3, \
              __AV_DEPR2, __AV_DEPR1, 0)                                                           \
    (message, __VA_ARGS__)
#define API_DEPRECATED_WITH_REPLACEMENT(replacement, ...)                                          \
    __AV_PICK(__VA_ARGS__, __AV_REPL8, __AV_REPL7, __AV_REPL6, __AV_REPL5, __AV_REPL4, __AV_REPL3, \
              __AV_REPL2, __AV_REPL1, 0)                                                           \
    (replacement, __VA_ARGS__)

#define __API_AVAILABLE(...) API_AVAILABLE(__VA_ARGS__)
#define __API_UNAVAILABLE(...) API_UNAVAILABLE(__VA_ARGS__)
#define __API_DEPRECATED(...) API_DEPRECATED(__VA_ARGS__)
#define __API_DEPRECATED_WITH_REPLACEMENT(...) API_DEPRECATED_WITH_REPLACEMENT(__VA_ARGS__)

/* older spellings */
#define __OSX_AVAILABLE(version) API_AVAILABLE(macos(version))
#define __OSX_DEPRECATED(introduced, deprecated, message)                                          \
    API_DEPRECATED(message, macos(introduced, deprecated))
#define __OSX_UNAVAILABLE API_UNAVAILABLE(macos)
#define __OSX_AVAILABLE_STARTING(mac, iphone)
#define __OSX_AVAILABLE_BUT_DEPRECATED(mac, mac_end, iphone, iphone_end)
#define __OSX_AVAILABLE_BUT_DEPRECATED_MSG(mac, mac_end, iphone, iphone_end, message)
#define __IOS_AVAILABLE(version) API_AVAILABLE(ios(version))
#define __IOS_PROHIBITED API_UNAVAILABLE(ios)
#define __TVOS_AVAILABLE(version) API_AVAILABLE(tvos(version))
#define __TVOS_PROHIBITED API_UNAVAILABLE(tvos)
#define __WATCHOS_AVAILABLE(version) API_AVAILABLE(watchos(version))
#define __WATCHOS_PROHIBITED API_UNAVAILABLE(watchos)
#define __SWIFT_UNAVAILABLE __attribute__((availability(swift, unavailable)))
#define __SWIFT_UNAVAILABLE_MSG(text)                                                              \
    __attribute__((availability(swift, unavailable, message = text)))

#endif
