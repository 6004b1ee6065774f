/*
 * unistd.h: files, processes and the system, the POSIX way.
 * Facts: POSIX.1-2008, <unistd.h>; apple-oss-distributions Libc,
 * include/unistd.h (BSD additions, _SC_ and _PC_ numbers).
 */
#ifndef _UNISTD_H_
#define _UNISTD_H_

#include <Availability.h>
#include <stddef.h>
#include <sys/types.h>

__BEGIN_DECLS

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define SEEK_HOLE 3
#define SEEK_DATA 4

#define F_OK 0
#define X_OK (1 << 0)
#define W_OK (1 << 1)
#define R_OK (1 << 2)

#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3

#define _POSIX_VERSION 200112L
#define _POSIX_THREADS 200112L
#define _POSIX_VDISABLE ((unsigned char)'\377')

/* sysconf */
#define _SC_ARG_MAX 1
#define _SC_CHILD_MAX 2
#define _SC_CLK_TCK 3
#define _SC_NGROUPS_MAX 4
#define _SC_OPEN_MAX 5
#define _SC_JOB_CONTROL 6
#define _SC_SAVED_IDS 7
#define _SC_VERSION 8
#define _SC_STREAM_MAX 26
#define _SC_TZNAME_MAX 27
#define _SC_PAGESIZE 29
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_IOV_MAX 56
#define _SC_NPROCESSORS_CONF 57
#define _SC_NPROCESSORS_ONLN 58
#define _SC_GETGR_R_SIZE_MAX 70
#define _SC_GETPW_R_SIZE_MAX 71
#define _SC_HOST_NAME_MAX 72
#define _SC_LOGIN_NAME_MAX 73
#define _SC_THREAD_KEYS_MAX 86
#define _SC_THREAD_STACK_MIN 93
#define _SC_THREADS 96
#define _SC_SYMLOOP_MAX 120
#define _SC_PHYS_PAGES 200

/* pathconf */
#define _PC_LINK_MAX 1
#define _PC_MAX_CANON 2
#define _PC_MAX_INPUT 3
#define _PC_NAME_MAX 4
#define _PC_PATH_MAX 5
#define _PC_PIPE_BUF 6
#define _PC_CHOWN_RESTRICTED 7
#define _PC_NO_TRUNC 8
#define _PC_VDISABLE 9
#define _PC_CASE_SENSITIVE 11
#define _PC_CASE_PRESERVING 12

/* confstr */
#define _CS_PATH 1
#define _CS_DARWIN_USER_DIR 65536
#define _CS_DARWIN_USER_TEMP_DIR 65537
#define _CS_DARWIN_USER_CACHE_DIR 65538

extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
extern int optreset;

/* reading and writing */
extern int close(int fd);
extern ssize_t read(int fd, void *buffer, size_t size);
extern ssize_t write(int fd, const void *data, size_t size);
extern ssize_t pread(int fd, void *buffer, size_t size, off_t offset);
extern ssize_t pwrite(int fd, const void *data, size_t size, off_t offset);
extern off_t lseek(int fd, off_t offset, int whence);
extern int dup(int fd);
extern int dup2(int from, int to);
extern int pipe(int fds[2]);
extern int fsync(int fd);
extern void sync(void);
extern int ftruncate(int fd, off_t size);
extern int truncate(const char *path, off_t size);
extern int lockf(int fd, int command, off_t size);
extern int isatty(int fd);
extern char *ttyname(int fd);
extern int getdtablesize(void);

/* files and directories */
extern int access(const char *path, int mode);
extern int faccessat(int fd, const char *path, int mode, int flags);
extern int chdir(const char *path);
extern int fchdir(int fd);
extern char *getcwd(char *buffer, size_t size);
extern int chown(const char *path, uid_t owner, gid_t group);
extern int fchown(int fd, uid_t owner, gid_t group);
extern int lchown(const char *path, uid_t owner, gid_t group);
extern int fchownat(int fd, const char *path, uid_t owner, gid_t group, int flags);
extern int link(const char *from, const char *to);
extern int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags);
extern int symlink(const char *target, const char *path);
extern int symlinkat(const char *target, int fd, const char *path);
extern ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size);
extern ssize_t readlinkat(int fd, const char *path, char *buffer, size_t size);
extern int rmdir(const char *path);
extern int unlink(const char *path);
extern int unlinkat(int fd, const char *path, int flags);
extern long pathconf(const char *path, int name);
extern long fpathconf(int fd, int name);

/* processes and users */
extern char **environ;
extern void _exit(int status) __dead2;
extern pid_t fork(void);
extern int execv(const char *path, char *const *arguments);
extern int execve(const char *path, char *const *arguments, char *const *environment);
extern int execvp(const char *file, char *const *arguments);
extern int execl(const char *path, const char *argument, ...);
extern int execle(const char *path, const char *argument, ...);
extern int execlp(const char *file, const char *argument, ...);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t getpgid(pid_t process);
extern pid_t getpgrp(void);
extern pid_t getsid(pid_t process);
extern int setpgid(pid_t process, pid_t group);
extern pid_t setsid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern gid_t getegid(void);
extern int getgroups(int count, gid_t groups[]);
extern int setuid(uid_t user);
extern int seteuid(uid_t user);
extern int setgid(gid_t group);
extern int setegid(gid_t group);
extern int issetugid(void);
extern char *getlogin(void);
extern int nice(int increment);

/* time */
extern unsigned alarm(unsigned seconds);
extern int pause(void);
extern unsigned sleep(unsigned seconds);
extern int usleep(useconds_t microseconds);

/* the system */
extern long sysconf(int name);
extern size_t confstr(int name, char *buffer, size_t size);
extern int gethostname(char *name, size_t size);
extern int getpagesize(void) __pure2;

/* command lines */
extern int getopt(int count, char *const arguments[], const char *options);

__END_DECLS

#endif
