/*
 * sys/types.h: the system's base types under their public names.
 * Facts: POSIX.1-2008, <sys/types.h>; apple-oss-distributions xnu,
 * bsd/sys/types.h.
 */
#ifndef _SYS_TYPES_H_
#define _SYS_TYPES_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/_pthread_types.h>
#include <sys/_types.h>

/* historical names */
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef __uint8_t u_int8_t;
typedef __uint16_t u_int16_t;
typedef __uint32_t u_int32_t;
typedef __uint64_t u_int64_t;
typedef __int64_t register_t;
typedef __int64_t quad_t;
typedef __uint64_t u_quad_t;
typedef char *caddr_t;
typedef __int32_t daddr_t;
typedef __uint32_t fixpt_t;
typedef __int32_t segsz_t;
typedef __int32_t swblk_t;

/* POSIX */
typedef __darwin_blkcnt_t blkcnt_t;
typedef __darwin_blksize_t blksize_t;
typedef __darwin_clock_t clock_t;
typedef __darwin_dev_t dev_t;
typedef __darwin_fsblkcnt_t fsblkcnt_t;
typedef __darwin_fsfilcnt_t fsfilcnt_t;
typedef __darwin_gid_t gid_t;
typedef __darwin_id_t id_t;
typedef __darwin_ino64_t ino64_t;
typedef __darwin_ino_t ino_t;
typedef __int32_t key_t;
typedef __darwin_mode_t mode_t;
typedef __uint16_t nlink_t;
typedef __darwin_off_t off_t;
typedef __darwin_pid_t pid_t;
typedef __darwin_ssize_t ssize_t;
typedef __darwin_suseconds_t suseconds_t;
typedef __darwin_time_t time_t;
typedef __darwin_uid_t uid_t;
typedef __darwin_useconds_t useconds_t;

/* sizes */
typedef __darwin_size_t rsize_t;

/* device numbers: eight bits major, 24 bits minor */
#define major(device) ((__int32_t)(((__uint32_t)(device) >> 24) & 0xff))
#define minor(device) ((__int32_t)((device) & 0xffffff))
#define makedev(major_number, minor_number)                                                        \
    ((dev_t)(((major_number) << 24) | ((minor_number) & 0xffffff)))

#endif
