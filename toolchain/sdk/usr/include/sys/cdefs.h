/*
 * sys/cdefs.h: macros that the other C headers are written with.
 * Facts: apple-oss-distributions xnu, bsd/sys/cdefs.h (names and meaning);
 * clang, Attribute Reference.
 */
#ifndef _CDEFS_H_
#define _CDEFS_H_

#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#define __P(arguments) arguments
#define __CONCAT(a, b) a##b
#define __STRING(a) #a

#define __const const
#define __signed signed
#define __volatile volatile

#define __dead2 __attribute__((__noreturn__))
#define __pure2 __attribute__((__const__))
#define __pure __attribute__((__pure__))
#define __unused __attribute__((__unused__))
#define __used __attribute__((__used__))
#define __cold __attribute__((__cold__))
#define __deprecated __attribute__((__deprecated__))
#define __deprecated_msg(text) __attribute__((__deprecated__(text)))
#define __unavailable __attribute__((__unavailable__))
#define __exported __attribute__((__visibility__("default")))
#define __result_use_check __attribute__((__warn_unused_result__))
#define __alloc_size(...) __attribute__((__alloc_size__(__VA_ARGS__)))
#define __printflike(format_index, first_argument)                                                 \
    __attribute__((__format__(__printf__, format_index, first_argument)))
#define __printf0like(format_index, first_argument)                                                \
    __attribute__((__format__(__printf0__, format_index, first_argument)))
#define __scanflike(format_index, first_argument)                                                  \
    __attribute__((__format__(__scanf__, format_index, first_argument)))
#define __strftimelike(format_index) __attribute__((__format__(__strftime__, format_index, 0)))

/* arm64 has one variant of each function: no $INODE64, $UNIX2003, ... */
#define __DARWIN_ALIAS(symbol)
#define __DARWIN_ALIAS_C(symbol)
#define __DARWIN_ALIAS_I(symbol)
#define __DARWIN_INODE64(symbol)
#define __DARWIN_1050(symbol)
#define __DARWIN_EXTSN(symbol) __asm("_" __STRING(symbol) "$DARWIN_EXTSN")

#define __DARWIN_64_BIT_INO_T 1
#define __DARWIN_ONLY_64_BIT_INO_T 1
#define __DARWIN_ONLY_UNIX_CONFORMANCE 1
#define __DARWIN_ONLY_VERS_1050 1
#define __DARWIN_UNIX03 1

#define __DARWIN_C_ANSI 010000L
#define __DARWIN_C_FULL 900000L
#define __DARWIN_C_LEVEL __DARWIN_C_FULL

#endif
