/*
 * stdlib.h: memory, environment, conversion, sorting, process end.
 * Facts: C11 7.22; POSIX.1-2008, <stdlib.h>; apple-oss-distributions Libc,
 * include/stdlib.h (BSD additions).
 */
#ifndef _STDLIB_H_
#define _STDLIB_H_

#include <Availability.h>
#include <alloca.h>
#include <stddef.h>
#include <sys/types.h>

__BEGIN_DECLS

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff
#define MB_CUR_MAX (___mb_cur_max())
extern int ___mb_cur_max(void);

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

/* memory */
extern void *malloc(size_t size) __result_use_check __alloc_size(1);
extern void *calloc(size_t count, size_t size) __result_use_check __alloc_size(1, 2);
extern void *realloc(void *memory, size_t size) __result_use_check __alloc_size(2);
extern void *reallocf(void *memory, size_t size) __alloc_size(2);
extern void *valloc(size_t size) __alloc_size(1);
extern void *aligned_alloc(size_t alignment, size_t size) __result_use_check __alloc_size(2);
extern int posix_memalign(void **memory, size_t alignment, size_t size);
extern void free(void *memory);

/* end of the process */
extern void abort(void) __dead2 __cold;
extern void exit(int status) __dead2;
extern void _Exit(int status) __dead2;
extern int atexit(void (*function)(void));
#ifdef __BLOCKS__
extern int atexit_b(void (^block)(void));
#endif

/* environment */
extern char *getenv(const char *name);
extern int setenv(const char *name, const char *value, int overwrite);
extern int unsetenv(const char *name);
extern int putenv(char *assignment);
extern int system(const char *command);
extern const char *getprogname(void);
extern void setprogname(const char *name);

/* text to numbers */
extern int atoi(const char *s);
extern long atol(const char *s);
extern long long atoll(const char *s);
extern double atof(const char *s);
extern long strtol(const char *s, char **end, int base);
extern long long strtoll(const char *s, char **end, int base);
extern unsigned long strtoul(const char *s, char **end, int base);
extern unsigned long long strtoull(const char *s, char **end, int base);
extern long long strtonum(const char *s, long long minimum, long long maximum,
                          const char **error) API_AVAILABLE(macos(11.0));
extern float strtof(const char *s, char **end);
extern double strtod(const char *s, char **end);
extern long double strtold(const char *s, char **end);

/* arithmetic */
extern int abs(int j) __pure2;
extern long labs(long j) __pure2;
extern long long llabs(long long j) __pure2;
extern div_t div(int number, int denominator) __pure2;
extern ldiv_t ldiv(long number, long denominator) __pure2;
extern lldiv_t lldiv(long long number, long long denominator);

/* random numbers */
extern int rand(void);
extern void srand(unsigned seed);
extern int rand_r(unsigned *seed);
extern long random(void);
extern void srandom(unsigned seed);
extern double drand48(void);
extern long lrand48(void);
extern void srand48(long seed);
extern uint32_t arc4random(void);
extern void arc4random_buf(void *buffer, size_t size);
extern uint32_t arc4random_uniform(uint32_t upper_bound);

/* sorting and searching */
extern void *bsearch(const void *key, const void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *));
extern void qsort(void *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *));
extern void qsort_r(void *base, size_t count, size_t size, void *context,
                    int (*compare)(void *, const void *, const void *));
extern int heapsort(void *base, size_t count, size_t size,
                    int (*compare)(const void *, const void *));
extern int mergesort(void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *));
#ifdef __BLOCKS__
extern void *bsearch_b(const void *key, const void *base, size_t count, size_t size,
                       int (^compare)(const void *, const void *));
extern void qsort_b(void *base, size_t count, size_t size,
                    int (^compare)(const void *, const void *));
#endif

/* wide characters */
extern int mblen(const char *s, size_t size);
extern int mbtowc(wchar_t *restrict wide, const char *restrict s, size_t size);
extern int wctomb(char *s, wchar_t wide);
extern size_t mbstowcs(wchar_t *restrict wide, const char *restrict s, size_t size);
extern size_t wcstombs(char *restrict s, const wchar_t *restrict wide, size_t size);

/* names of files */
extern char *realpath(const char *restrict path, char *restrict resolved) __DARWIN_EXTSN(realpath);
extern int mkstemp(char *template_path);
extern int mkstemps(char *template_path, int suffix_length);
extern char *mkdtemp(char *template_path);

/* terminals and others */
extern int getsubopt(char **option, char *const *tokens, char **value);
extern int posix_openpt(int flags);
extern int grantpt(int fd);
extern int unlockpt(int fd);
extern char *ptsname(int fd);
extern int getloadavg(double averages[], int count);

__END_DECLS

#endif
