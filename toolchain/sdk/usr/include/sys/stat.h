/*
 * sys/stat.h: what the file system knows of a file.
 * Facts: POSIX.1-2008, <sys/stat.h>; apple-oss-distributions xnu,
 * bsd/sys/stat.h (order of the members with 64-bit inode numbers, 144 bytes).
 */
#ifndef _SYS_STAT_H_
#define _SYS_STAT_H_

#include <sys/_timespec.h>
#include <sys/types.h>

__BEGIN_DECLS

struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    __uint32_t st_flags;
    __uint32_t st_gen;
    __int32_t st_lspare;
    __int64_t st_qspare[2];
};

#define st_atime st_atimespec.tv_sec
#define st_mtime st_mtimespec.tv_sec
#define st_ctime st_ctimespec.tv_sec
#define st_birthtime st_birthtimespec.tv_sec

/* kinds */
#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_IFWHT 0160000

#define S_ISBLK(m) (((m) & S_IFMT) == S_IFBLK)
#define S_ISCHR(m) (((m) & S_IFMT) == S_IFCHR)
#define S_ISDIR(m) (((m) & S_IFMT) == S_IFDIR)
#define S_ISFIFO(m) (((m) & S_IFMT) == S_IFIFO)
#define S_ISREG(m) (((m) & S_IFMT) == S_IFREG)
#define S_ISLNK(m) (((m) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(m) (((m) & S_IFMT) == S_IFSOCK)

/* permissions */
#define S_ISUID 0004000
#define S_ISGID 0002000
#define S_ISVTX 0001000
#define S_IRWXU 0000700
#define S_IRUSR 0000400
#define S_IWUSR 0000200
#define S_IXUSR 0000100
#define S_IRWXG 0000070
#define S_IRGRP 0000040
#define S_IWGRP 0000020
#define S_IXGRP 0000010
#define S_IRWXO 0000007
#define S_IROTH 0000004
#define S_IWOTH 0000002
#define S_IXOTH 0000001

/* utimensat */
#define UTIME_NOW (-1)
#define UTIME_OMIT (-2)

extern int stat(const char *restrict path, struct stat *restrict status);
extern int lstat(const char *restrict path, struct stat *restrict status);
extern int fstat(int fd, struct stat *status);
extern int fstatat(int fd, const char *path, struct stat *status, int flags);
extern int chmod(const char *path, mode_t mode);
extern int lchmod(const char *path, mode_t mode);
extern int fchmod(int fd, mode_t mode);
extern int fchmodat(int fd, const char *path, mode_t mode, int flags);
extern int chflags(const char *path, __uint32_t flags);
extern int fchflags(int fd, __uint32_t flags);
extern int mkdir(const char *path, mode_t mode);
extern int mkdirat(int fd, const char *path, mode_t mode);
extern int mkfifo(const char *path, mode_t mode);
extern int mknod(const char *path, mode_t mode, dev_t device);
extern mode_t umask(mode_t mask);
extern int futimens(int fd, const struct timespec times[2]);
extern int utimensat(int fd, const char *path, const struct timespec times[2], int flags);

__END_DECLS

#endif
