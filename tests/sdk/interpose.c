/* An injected dylib in C: interposing, images and sections, symbols, a destructor. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mach-o/dyld-interposing.h>
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#include <mach-o/nlist.h>
#include <mach/mach.h>
#include <os/lock.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static os_unfair_lock lock = OS_UNFAIR_LOCK_INIT;
static unsigned opened;

static int counted_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        mode = (mode_t)va_arg(arguments, int);
        va_end(arguments);
    }
    os_unfair_lock_lock(&lock);
    opened++;
    os_unfair_lock_unlock(&lock);
    int fd = open(path, flags, mode);
    if (fd < 0 && errno != ENOENT)
        fprintf(stderr, "open '%s': %s\n", path, strerror(errno));
    return fd;
}
DYLD_INTERPOSE(counted_open, open);

static void image_added(const struct mach_header *header, intptr_t slide)
{
    Dl_info info;
    if (header->magic != MH_MAGIC_64 || !dladdr(header, &info))
        return;
    const struct mach_header_64 *wide = (const void *)header;
    const struct load_command *command = (const void *)(wide + 1);
    for (uint32_t i = 0; i < wide->ncmds; i++) {
        if (command->cmd == LC_SEGMENT_64) {
            const struct segment_command_64 *segment = (const void *)command;
            if (strcmp(segment->segname, SEG_LINKEDIT) == 0)
                printf("%s +%lx %llu\n", info.dli_fname, (unsigned long)slide, segment->filesize);
        }
        command = (const void *)((const char *)command + command->cmdsize);
    }
    unsigned long size = 0;
    if (getsectiondata(wide, "__DATA", "__interpose", &size))
        printf("%s interposes %lu\n", info.dli_fname, size / (2 * sizeof(void *)));
}

__attribute__((constructor)) static void start(void)
{
    struct stat status;
    char path[1024];
    uint32_t size = sizeof path;
    if (_NSGetExecutablePath(path, &size) == 0 && stat(path, &status) == 0)
        printf("%s: %lld bytes\n", path, status.st_size);
    _dyld_register_func_for_add_image(image_added);
    void *page = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (page != MAP_FAILED) {
        kern_return_t result = vm_protect(mach_task_self(), (vm_address_t)page, vm_page_size, 0,
                                          VM_PROT_READ | VM_PROT_COPY);
        if (result != KERN_SUCCESS)
            fprintf(stderr, "%s\n", mach_error_string(result));
        munmap(page, 16384);
    }
    if (!dlsym(RTLD_NEXT, "open"))
        fprintf(stderr, "%s\n", dlerror());
}

__attribute__((destructor)) static void stop(void)
{
    const char *name = getenv("COUNT_OPEN");
    printf("%s: opened %u\n", name ? name : getprogname(), opened);
}
