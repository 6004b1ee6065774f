/*
 * dlfcn.h: loading libraries and finding symbols at run time.
 * Facts: POSIX.1-2008, <dlfcn.h>; apple-oss-distributions dyld,
 * include/dlfcn.h (values of the flags and of the special handles).
 */
#ifndef _DLFCN_H_
#define _DLFCN_H_

#include <Availability.h>
#include <stdbool.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

#define RTLD_LAZY 0x1
#define RTLD_NOW 0x2
#define RTLD_LOCAL 0x4
#define RTLD_GLOBAL 0x8
#define RTLD_NOLOAD 0x10
#define RTLD_NODELETE 0x80
#define RTLD_FIRST 0x100

#define RTLD_NEXT ((void *)-1)
#define RTLD_DEFAULT ((void *)-2)
#define RTLD_SELF ((void *)-3)
#define RTLD_MAIN_ONLY ((void *)-5)

typedef struct dl_info {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} Dl_info;

extern void *dlopen(const char *path, int mode);
extern int dlclose(void *handle);
extern void *dlsym(void *handle, const char *symbol);
extern char *dlerror(void);
extern int dladdr(const void *address, Dl_info *info);
extern bool dlopen_preflight(const char *path);

__END_DECLS

#endif
