#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/fs_regular.h"

struct mapping {
    struct view view;
    char *name; /* fit to be shown */
};

/* All that is mapped, so that fs_map_forget() can tell a mapped file from other memory, and
 * mapped_file_shrank() which one it was. */
static struct {
    struct mapping *list;
    size_t count;
    size_t capacity;
    pthread_mutex_t lock;
} mapped = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void remember(struct view view, const char *name)
{
    pthread_mutex_lock(&mapped.lock);
    mapped.list = mem_grow(mapped.list, mapped.count, &mapped.capacity, sizeof(mapped.list[0]));
    mapped.list[mapped.count++] = (struct mapping){view, text_clean(name)};
    pthread_mutex_unlock(&mapped.lock);
}

static void forget(struct view view)
{
    pthread_mutex_lock(&mapped.lock);
    for (size_t i = 0; i < mapped.count; i++) {
        if (mapped.list[i].view.data == view.data) {
            free(mapped.list[i].name);
            mapped.list[i] = mapped.list[--mapped.count];
            break;
        }
    }
    if (mapped.count == 0) {
        free(mapped.list);
        mapped.list = NULL;
        mapped.capacity = 0;
    }
    pthread_mutex_unlock(&mapped.lock);
}

static const char *name_at(uintptr_t address)
{
    for (size_t i = 0; i < mapped.count; i++) {
        uintptr_t start = (uintptr_t)mapped.list[i].view.data;
        if (address >= start && address - start < mapped.list[i].view.len)
            return mapped.list[i].name;
    }
    return NULL;
}

/* Raised by our own reading of the mapping, never inside of malloc() or stdio: what is not safe in
 * any handler is safe in this one. */
static void mapped_file_shrank(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number;
    (void)context;
    char reason[PATH_MAX + 128] = "";
    /* Another thread may be at the list: then the name is not told. */
    const char *name = NULL;
    if (pthread_mutex_trylock(&mapped.lock) == 0)
        name = name_at((uintptr_t)info->si_addr);
    (void)snprintf(reason, sizeof reason,
                   "%s%s%s was cut short while it was read (SIGBUS)\n"
                   "  hint: run again when nothing writes to it",
                   name ? "'" : "", name ? name : "a file", name ? "'" : "");
    own_stop(reason); // NOLINT(bugprone-signal-handler,cert-sig30-c)
}

static void watch_mapped_files(void)
{
    struct sigaction action = {.sa_sigaction = mapped_file_shrank, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

static int map_opened(struct fs_map *out, int fd, const struct stat *info, const char *name,
                      struct fail *fail)
{
    if (info->st_size == 0) {
        out->view = (struct view){0};
        return 0;
    }
    void *memory = mmap(NULL, (size_t)info->st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (memory == MAP_FAILED)
        return fail_errno(fail, "cannot map '%s'", name);
    watch_mapped_files();
    out->view = (struct view){.data = memory, .len = (uint64_t)info->st_size};
    remember(out->view, name);
    return 0;
}

int fs_map_open(struct fs_map *out, const char *path, struct fail *fail)
{
    struct stat info;
    own_fd int fd = fs_open_regular(&info, AT_FDCWD, path, 0, fail);
    return fd < 0 ? -1 : map_opened(out, fd, &info, path, fail);
}

int fs_map_open_at(struct fs_map *out, int dir_fd, const char *name, struct fail *fail)
{
    struct stat info;
    own_fd int fd = fs_open_regular(&info, dir_fd, name, O_NOFOLLOW, fail);
    return fd < 0 ? -1 : map_opened(out, fd, &info, name, fail);
}

void fs_map_forget(struct view view)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = (uintptr_t)view.data;
    pthread_mutex_lock(&mapped.lock);
    for (size_t i = 0; i < mapped.count; i++) {
        uintptr_t start = (uintptr_t)mapped.list[i].view.data;
        if (first < start || !range_fits(first - start, view.len, mapped.list[i].view.len))
            continue;
        /* Whole pages around it: what lies in their other parts is read again when it is needed,
         * since nobody can have written to it. */
        uintptr_t low = first / page * page;
        madvise((void *)low, first - low + (size_t)view.len, MADV_DONTNEED);
        break;
    }
    pthread_mutex_unlock(&mapped.lock);
}

void fs_map_release(struct fs_map *map)
{
    if (map->view.data != NULL) {
        forget(map->view);
        munmap((void *)(uintptr_t)map->view.data, (size_t)map->view.len);
    }
    map->view = (struct view){0};
}
