/*
 * sys/syslimits.h: limits of the kernel.
 * Facts: apple-oss-distributions xnu, bsd/sys/syslimits.h.
 */
#ifndef _SYS_SYSLIMITS_H_
#define _SYS_SYSLIMITS_H_

#define ARG_MAX (1024 * 1024)
#define CHILD_MAX 266
#define GID_MAX 2147483647U
#define LINK_MAX 32767
#define MAX_CANON 1024
#define MAX_INPUT 1024
#define NAME_MAX 255
#define NGROUPS_MAX 16
#define UID_MAX 2147483647U
#define OPEN_MAX 10240
#define PATH_MAX 1024
#define PIPE_BUF 512
#define IOV_MAX 1024
#define NZERO 20

#endif
