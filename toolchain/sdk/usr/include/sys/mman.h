/*
 * sys/mman.h: mapping memory and files.
 * Facts: POSIX.1-2008, <sys/mman.h>; apple-oss-distributions xnu,
 * bsd/sys/mman.h.
 */
#ifndef _SYS_MMAN_H_
#define _SYS_MMAN_H_

#include <sys/types.h>

__BEGIN_DECLS

#define PROT_NONE 0x00
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define PROT_EXEC 0x04

#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_FIXED 0x0010
#define MAP_NORESERVE 0x0040
#define MAP_JIT 0x0800
#define MAP_FILE 0x0000
#define MAP_ANON 0x1000
#define MAP_ANONYMOUS MAP_ANON
#define MAP_FAILED ((void *)-1)

#define MS_ASYNC 0x0001
#define MS_INVALIDATE 0x0002
#define MS_SYNC 0x0010

#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define MADV_FREE 5

extern void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
extern int munmap(void *address, size_t size);
extern int mprotect(void *address, size_t size, int protection);
extern int msync(void *address, size_t size, int flags);
extern int madvise(void *address, size_t size, int advice);
extern int mlock(const void *address, size_t size);
extern int munlock(const void *address, size_t size);
extern int mincore(const void *address, size_t size, char *result);
extern int shm_open(const char *name, int flags, ...);
extern int shm_unlink(const char *name);

__END_DECLS

#endif
