/*
 * sys/_types.h: the system's base types under reserved names.
 * Facts: apple-oss-distributions xnu, bsd/sys/_types.h and bsd/arm/_types.h.
 */
#ifndef _SYS__TYPES_H_
#define _SYS__TYPES_H_

#include <sys/cdefs.h>

typedef signed char __int8_t;
typedef unsigned char __uint8_t;
typedef short __int16_t;
typedef unsigned short __uint16_t;
typedef int __int32_t;
typedef unsigned int __uint32_t;
typedef long long __int64_t;
typedef unsigned long long __uint64_t;

typedef long __darwin_intptr_t;
typedef unsigned int __darwin_natural_t;
typedef int __darwin_ct_rune_t;
typedef int __darwin_wchar_t;
typedef int __darwin_wint_t;
typedef unsigned long __darwin_size_t;
typedef long __darwin_ssize_t;
typedef long __darwin_ptrdiff_t;
typedef __builtin_va_list __darwin_va_list;
typedef unsigned long __darwin_clock_t;
typedef long __darwin_time_t;
typedef __uint32_t __darwin_socklen_t;

typedef __int64_t __darwin_blkcnt_t;
typedef __int32_t __darwin_blksize_t;
typedef __int32_t __darwin_dev_t;
typedef unsigned int __darwin_fsblkcnt_t;
typedef unsigned int __darwin_fsfilcnt_t;
typedef __uint32_t __darwin_gid_t;
typedef __uint32_t __darwin_id_t;
typedef __uint64_t __darwin_ino64_t;
typedef __darwin_ino64_t __darwin_ino_t;
typedef __darwin_natural_t __darwin_mach_port_name_t;
typedef __darwin_mach_port_name_t __darwin_mach_port_t;
typedef __uint16_t __darwin_mode_t;
typedef __int64_t __darwin_off_t;
typedef __int32_t __darwin_pid_t;
typedef __uint32_t __darwin_sigset_t;
typedef __int32_t __darwin_suseconds_t;
typedef __uint32_t __darwin_uid_t;
typedef __uint32_t __darwin_useconds_t;
typedef unsigned char __darwin_uuid_t[16];

typedef int errno_t;

#ifdef __cplusplus
#define __DARWIN_NULL 0
#else
#define __DARWIN_NULL ((void *)0)
#endif

#endif
