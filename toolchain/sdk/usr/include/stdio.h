/*
 * stdio.h: streams and formatted text. FILE is opaque here.
 * Facts: C11 7.21; POSIX.1-2008, <stdio.h>; apple-oss-distributions Libc,
 * include/stdio.h and include/_stdio.h (constants, __stdinp, BSD additions).
 */
#ifndef _STDIO_H_
#define _STDIO_H_

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

__BEGIN_DECLS

typedef struct __sFILE FILE;
typedef __darwin_off_t fpos_t;

extern FILE *__stdinp;
extern FILE *__stdoutp;
extern FILE *__stderrp;
#define stdin __stdinp
#define stdout __stdoutp
#define stderr __stderrp

#define EOF (-1)
#define BUFSIZ 1024
#define FILENAME_MAX 1024
#define FOPEN_MAX 20
#define L_tmpnam 1024
#define L_ctermid 1024
#define TMP_MAX 308915776
#define P_tmpdir "/var/tmp/"
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

/* opening and closing */
extern FILE *fopen(const char *restrict path, const char *restrict mode);
extern FILE *fdopen(int fd, const char *mode);
extern FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream);
extern FILE *fmemopen(void *restrict buffer, size_t size, const char *restrict mode);
extern FILE *open_memstream(char **buffer, size_t *size);
extern FILE *tmpfile(void);
extern FILE *popen(const char *command, const char *mode);
extern int pclose(FILE *stream);
extern int fclose(FILE *stream);
extern int fflush(FILE *stream);
extern int fpurge(FILE *stream);
extern int fileno(FILE *stream);
extern void setbuf(FILE *restrict stream, char *restrict buffer);
extern void setbuffer(FILE *stream, char *buffer, int size);
extern int setlinebuf(FILE *stream);
extern int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size);
extern void flockfile(FILE *stream);
extern int ftrylockfile(FILE *stream);
extern void funlockfile(FILE *stream);

/* files by name */
extern int remove(const char *path);
extern int rename(const char *from, const char *to);
extern int renameat(int from_fd, const char *from, int to_fd, const char *to);
extern int renamex_np(const char *from, const char *to, unsigned int flags);
extern int renameatx_np(int from_fd, const char *from, int to_fd, const char *to,
                        unsigned int flags);
#define RENAME_SECLUDE 0x00000001
#define RENAME_SWAP 0x00000002
#define RENAME_EXCL 0x00000004

/* formatted output */
extern int printf(const char *restrict format, ...) __printflike(1, 2);
extern int fprintf(FILE *restrict stream, const char *restrict format, ...) __printflike(2, 3);
extern int dprintf(int fd, const char *restrict format, ...) __printflike(2, 3);
extern int sprintf(char *restrict s, const char *restrict format, ...) __printflike(2, 3);
extern int snprintf(char *restrict s, size_t size, const char *restrict format, ...)
    __printflike(3, 4);
extern int asprintf(char **restrict s, const char *restrict format, ...) __printflike(2, 3);
extern int vprintf(const char *restrict format, va_list arguments) __printflike(1, 0);
extern int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments)
    __printflike(2, 0);
extern int vdprintf(int fd, const char *restrict format, va_list arguments) __printflike(2, 0);
extern int vsprintf(char *restrict s, const char *restrict format, va_list arguments)
    __printflike(2, 0);
extern int vsnprintf(char *restrict s, size_t size, const char *restrict format,
                     va_list arguments) __printflike(3, 0);
extern int vasprintf(char **restrict s, const char *restrict format, va_list arguments)
    __printflike(2, 0);

/* formatted input */
extern int scanf(const char *restrict format, ...) __scanflike(1, 2);
extern int fscanf(FILE *restrict stream, const char *restrict format, ...) __scanflike(2, 3);
extern int sscanf(const char *restrict s, const char *restrict format, ...) __scanflike(2, 3);
extern int vscanf(const char *restrict format, va_list arguments) __scanflike(1, 0);
extern int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments)
    __scanflike(2, 0);
extern int vsscanf(const char *restrict s, const char *restrict format, va_list arguments)
    __scanflike(2, 0);

/* characters, lines, blocks */
extern int fgetc(FILE *stream);
extern int getc(FILE *stream);
extern int getc_unlocked(FILE *stream);
extern int getchar(void);
extern int getchar_unlocked(void);
extern int ungetc(int c, FILE *stream);
extern int fputc(int c, FILE *stream);
extern int putc(int c, FILE *stream);
extern int putc_unlocked(int c, FILE *stream);
extern int putchar(int c);
extern int putchar_unlocked(int c);
extern char *fgets(char *restrict s, int size, FILE *restrict stream);
extern char *fgetln(FILE *stream, size_t *length);
extern int fputs(const char *restrict s, FILE *restrict stream);
extern int puts(const char *s);
extern ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream);
extern ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter,
                        FILE *restrict stream);
extern size_t fread(void *restrict data, size_t size, size_t count, FILE *restrict stream);
extern size_t fwrite(const void *restrict data, size_t size, size_t count,
                     FILE *restrict stream);

/* position and state */
extern int fgetpos(FILE *restrict stream, fpos_t *position);
extern int fsetpos(FILE *stream, const fpos_t *position);
extern int fseek(FILE *stream, long offset, int whence);
extern int fseeko(FILE *stream, off_t offset, int whence);
extern long ftell(FILE *stream);
extern off_t ftello(FILE *stream);
extern void rewind(FILE *stream);
extern void clearerr(FILE *stream);
extern int feof(FILE *stream);
extern int ferror(FILE *stream);
extern void perror(const char *s);

/* a stream made of functions */
extern FILE *funopen(const void *cookie, int (*readfn)(void *, char *, int),
                     int (*writefn)(void *, const char *, int),
                     fpos_t (*seekfn)(void *, fpos_t, int), int (*closefn)(void *));

__END_DECLS

#endif
