/*
 * limits.h: limits of the system; clang's own header, which has those of the
 * integer types, includes this one on hosted targets.
 * Facts: POSIX.1-2008, <limits.h>; apple-oss-distributions xnu,
 * bsd/sys/syslimits.h and bsd/arm/limits.h.
 */
#ifndef _LIMITS_H_
#define _LIMITS_H_

#include <sys/syslimits.h>

#define MB_LEN_MAX 6

#define WORD_BIT 32
#define LONG_BIT 64
#define SSIZE_MAX 9223372036854775807L
#define SIZE_T_MAX 18446744073709551615UL
#define QUAD_MAX 9223372036854775807LL
#define QUAD_MIN (-0x7fffffffffffffffLL - 1)
#define UQUAD_MAX 18446744073709551615ULL
#define OFF_MAX 9223372036854775807LL
#define OFF_MIN (-0x7fffffffffffffffLL - 1)

/* what POSIX promises everywhere */
#define _POSIX_ARG_MAX 4096
#define _POSIX_CHILD_MAX 25
#define _POSIX_HOST_NAME_MAX 255
#define _POSIX_LINK_MAX 8
#define _POSIX_LOGIN_NAME_MAX 9
#define _POSIX_NAME_MAX 14
#define _POSIX_NGROUPS_MAX 8
#define _POSIX_OPEN_MAX 20
#define _POSIX_PATH_MAX 256
#define _POSIX_PIPE_BUF 512
#define _POSIX_SSIZE_MAX 32767
#define _POSIX_SYMLINK_MAX 255
#define _POSIX_SYMLOOP_MAX 8
#define _POSIX_THREAD_DESTRUCTOR_ITERATIONS 4
#define _POSIX_THREAD_KEYS_MAX 128
#define _POSIX_THREAD_THREADS_MAX 64

/* threads */
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_KEYS_MAX 512
#define PTHREAD_STACK_MIN 16384

#endif
