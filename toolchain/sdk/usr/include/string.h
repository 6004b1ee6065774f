/*
 * string.h: memory blocks and strings.
 * Facts: C11 7.24; POSIX.1-2008, <string.h>; apple-oss-distributions Libc,
 * include/string.h (BSD additions).
 */
#ifndef _STRING_H_
#define _STRING_H_

#include <stddef.h>
#include <strings.h>
#include <sys/types.h>

__BEGIN_DECLS

/* memory */
extern void *memchr(const void *block, int byte, size_t size);
extern int memcmp(const void *a, const void *b, size_t size);
extern void *memcpy(void *restrict to, const void *restrict from, size_t size);
extern void *memccpy(void *restrict to, const void *restrict from, int byte, size_t size);
extern void *memmem(const void *block, size_t size, const void *part, size_t part_size);
extern void *memmove(void *to, const void *from, size_t size);
extern void *memset(void *block, int byte, size_t size);
extern errno_t memset_s(void *block, rsize_t capacity, int byte, rsize_t size);
extern void memset_pattern4(void *block, const void *pattern4, size_t size);
extern void memset_pattern8(void *block, const void *pattern8, size_t size);
extern void memset_pattern16(void *block, const void *pattern16, size_t size);
extern int timingsafe_bcmp(const void *a, const void *b, size_t size);
extern void swab(const void *restrict from, void *restrict to, ssize_t size);

/* strings */
extern char *stpcpy(char *restrict to, const char *restrict from);
extern char *stpncpy(char *restrict to, const char *restrict from, size_t size);
extern char *strcat(char *restrict to, const char *restrict from);
extern char *strchr(const char *s, int c);
extern int strcmp(const char *a, const char *b);
extern int strcoll(const char *a, const char *b);
extern char *strcpy(char *restrict to, const char *restrict from);
extern size_t strcspn(const char *s, const char *set);
extern char *strdup(const char *s);
extern char *strnstr(const char *s, const char *part, size_t size);
extern char *strcasestr(const char *s, const char *part);
extern size_t strlcat(char *restrict to, const char *restrict from, size_t size);
extern size_t strlcpy(char *restrict to, const char *restrict from, size_t size);
extern size_t strlen(const char *s);
extern void strmode(int mode, char *text);
extern char *strncat(char *restrict to, const char *restrict from, size_t size);
extern int strncmp(const char *a, const char *b, size_t size);
extern char *strncpy(char *restrict to, const char *restrict from, size_t size);
extern char *strndup(const char *s, size_t size);
extern size_t strnlen(const char *s, size_t size);
extern char *strpbrk(const char *s, const char *set);
extern char *strrchr(const char *s, int c);
extern char *strsep(char **s, const char *delimiters);
extern size_t strspn(const char *s, const char *set);
extern char *strstr(const char *s, const char *part);
extern char *strtok(char *restrict s, const char *restrict delimiters);
extern char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict state);
extern size_t strxfrm(char *restrict to, const char *restrict from, size_t size);

/* texts for numbers */
extern char *strerror(int error);
extern int strerror_r(int error, char *buffer, size_t size);
extern char *strsignal(int number);

__END_DECLS

#endif
