/* Sizes, offsets and constants that are part of the binary interface of arm64 macOS. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <mach-o/fat.h>
#include <mach-o/loader.h>
#include <mach-o/nlist.h>
#include <mach/mach.h>
#include <mach/mach_time.h>
#include <math.h>
#include <os/lock.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SIZE(type, size)             _Static_assert(sizeof(type) == (size), #type)
#define OFFSET(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #member)
#define VALUE(expression, value)     _Static_assert((expression) == (value), #expression)
#define TYPE(expression, type) \
    _Static_assert(_Generic((expression), type : 1, default : 0), #expression)

/* base types */
SIZE(void *, 8);
SIZE(long, 8);
SIZE(long double, 8);
SIZE(wchar_t, 4);
SIZE(off_t, 8);
SIZE(time_t, 8);
SIZE(dev_t, 4);
SIZE(mode_t, 2);
SIZE(nlink_t, 2);
SIZE(ino_t, 8);
SIZE(uid_t, 4);
SIZE(pid_t, 4);
SIZE(blkcnt_t, 8);
SIZE(blksize_t, 4);
SIZE(suseconds_t, 4);
SIZE(sigset_t, 4);
TYPE((int64_t)0, long long);
TYPE((uint64_t)0, unsigned long long);
TYPE((intmax_t)0, long);
TYPE((intptr_t)0, long);
TYPE((size_t)0, unsigned long);
TYPE((ssize_t)0, long);
TYPE((clock_t)0, unsigned long);
TYPE(INT64_C(1), long long);
TYPE(errno, int);

/* structures */
SIZE(struct stat, 144);
OFFSET(struct stat, st_mode, 4);
OFFSET(struct stat, st_ino, 8);
OFFSET(struct stat, st_rdev, 24);
OFFSET(struct stat, st_atimespec, 32);
OFFSET(struct stat, st_birthtimespec, 80);
OFFSET(struct stat, st_size, 96);
OFFSET(struct stat, st_blocks, 104);
OFFSET(struct stat, st_blksize, 112);
OFFSET(struct stat, st_flags, 116);
SIZE(struct timespec, 16);
SIZE(struct timeval, 16);
SIZE(struct itimerval, 32);
SIZE(struct tm, 56);
OFFSET(struct tm, tm_gmtoff, 40);
SIZE(struct flock, 24);
SIZE(fstore_t, 32);
SIZE(siginfo_t, 104);
SIZE(struct sigaction, 16);
SIZE(stack_t, 24);
SIZE(Dl_info, 32);
SIZE(os_unfair_lock, 4);
SIZE(mach_timebase_info_data_t, 8);
SIZE(struct sched_param, 8);

/* threads */
SIZE(pthread_t, 8);
SIZE(struct _opaque_pthread_t, 8192);
SIZE(pthread_attr_t, 64);
SIZE(pthread_mutexattr_t, 16);
SIZE(pthread_mutex_t, 64);
SIZE(pthread_condattr_t, 16);
SIZE(pthread_cond_t, 48);
SIZE(pthread_once_t, 16);
SIZE(pthread_rwlock_t, 200);
SIZE(pthread_rwlockattr_t, 24);
SIZE(pthread_key_t, 8);

/* Mach-O */
SIZE(struct mach_header_64, 32);
SIZE(struct segment_command_64, 72);
SIZE(struct section_64, 80);
SIZE(struct symtab_command, 24);
SIZE(struct dysymtab_command, 80);
SIZE(struct dylib_command, 24);
SIZE(struct build_version_command, 24);
SIZE(struct linkedit_data_command, 16);
SIZE(struct dyld_info_command, 48);
SIZE(struct entry_point_command, 24);
SIZE(struct nlist_64, 16);
SIZE(struct fat_arch, 20);
SIZE(struct fat_arch_64, 32);
VALUE(CPU_TYPE_ARM64, 0x0100000c);
VALUE(CPU_SUBTYPE_ARM64E, 2);
VALUE(LC_DYLD_CHAINED_FIXUPS, 0x80000034);
VALUE(LC_MAIN, 0x80000028);
VALUE(LC_RPATH, 0x8000001c);

/* constants */
VALUE(O_CREAT, 0x200);
VALUE(O_TRUNC, 0x400);
VALUE(O_EXCL, 0x800);
VALUE(O_DIRECTORY, 0x100000);
VALUE(O_CLOEXEC, 0x1000000);
VALUE(AT_FDCWD, -2);
VALUE(F_GETPATH, 50);
VALUE(F_FULLFSYNC, 51);
VALUE(F_DUPFD_CLOEXEC, 67);
VALUE(EAGAIN, 35);
VALUE(ENOTSUP, 45);
VALUE(ETIMEDOUT, 60);
VALUE(ENAMETOOLONG, 63);
VALUE(ENOTEMPTY, 66);
VALUE(ENOSYS, 78);
VALUE(EOVERFLOW, 84);
VALUE(EILSEQ, 92);
VALUE(EOPNOTSUPP, 102);
VALUE(SIGBUS, 10);
VALUE(SIGCHLD, 20);
VALUE(SIGUSR1, 30);
VALUE(CLOCK_REALTIME, 0);
VALUE(CLOCK_MONOTONIC, 6);
VALUE(CLOCK_MONOTONIC_RAW, 4);
VALUE(CLOCK_UPTIME_RAW, 8);
VALUE(CLOCK_PROCESS_CPUTIME_ID, 12);
VALUE(CLOCK_THREAD_CPUTIME_ID, 16);
VALUE(CTL_KERN, 1);
VALUE(CTL_HW, 6);
VALUE(KERN_OSVERSION, 65);
VALUE(KERN_PROCARGS2, 49);
VALUE(HW_MEMSIZE, 24);
VALUE(HW_MACHINE_ARCH, 12);
VALUE(HW_AVAILCPU, 25);
VALUE(RTLD_LAZY, 1);
VALUE(RTLD_NOW, 2);
VALUE(RTLD_LOCAL, 4);
VALUE(RTLD_GLOBAL, 8);
VALUE(RTLD_NOLOAD, 0x10);
VALUE((intptr_t)RTLD_NEXT, -1);
VALUE((intptr_t)RTLD_DEFAULT, -2);
VALUE((intptr_t)RTLD_SELF, -3);
VALUE((intptr_t)RTLD_MAIN_ONLY, -5);
VALUE(MAP_ANON, 0x1000);
VALUE(MAP_JIT, 0x800);
VALUE(_SC_PAGESIZE, 29);
VALUE(_SC_NPROCESSORS_ONLN, 58);
VALUE(_SC_PHYS_PAGES, 200);
VALUE(PATH_MAX, 1024);
VALUE(MAXPATHLEN, 1024);
VALUE(BUFSIZ, 1024);
VALUE(QOS_CLASS_USER_INTERACTIVE, 0x21);
VALUE(FP_NAN, 1);
VALUE(LONG_MAX, 9223372036854775807L);
VALUE(UINT64_MAX, 18446744073709551615ULL);
VALUE(INT_MIN, -2147483647 - 1);
