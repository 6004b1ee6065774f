#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "port/odb_store.h"

#define ALTERNATES_MAX (1u << 20) /* bytes of one objects/info/alternates */

static int add_dir(struct store *store, const char *path, const char *relative_to, unsigned depth,
                   struct fail *fail);

static void set_once(char **owner, const char *text)
{
    if (*owner == NULL)
        *owner = text_copy(text);
}

/* The lines of objects/info/alternates: directories, absolute or relative to objects/. */
static int add_alternates(struct store *store, const char *objects, unsigned depth,
                          struct fail *fail)
{
    own_mem char *path = text_printf("%s/info/alternates", objects);
    own_buf struct buf text = {0};
    int there = fs_exists(path, fail);
    if (there <= 0)
        return there;
    if (fs_read(&text, path, ALTERNATES_MAX, fail) < 0)
        return -1;
    for (char *line = (char *)text.data, *next = NULL; line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (line[0] == '\0' || line[0] == '#')
            continue;
        if (depth == STORE_DEPTH_MAX)
            return fail_set(fail, FAIL_INPUT, "alternates nest deeper than %u: '%s' names '%s'",
                            STORE_DEPTH_MAX, path, line);
        if (add_dir(store, line, objects, depth + 1, fail) < 0)
            return -1;
    }
    return 0;
}

static bool has_dir(const struct store *store, const char *path)
{
    for (size_t i = 0; i < store->dir_count; i++) {
        if (strcmp(store->dirs[i].path, path) == 0)
            return true;
    }
    return false;
}

/* An alternate that is not there is remembered, for the message about a missing object. */
static int add_dir(struct store *store, const char *path, const char *relative_to, unsigned depth,
                   struct fail *fail)
{
    own_mem char *joined =
        path[0] == '/' ? text_copy(path) : text_printf("%s/%s", relative_to, path);
    own_mem char *resolved = realpath(joined, NULL);
    if (resolved != NULL && has_dir(store, resolved))
        return 0;
    own_fd int fd = -1;
    if (resolved != NULL)
        fd = open(resolved, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && depth > 0 && (errno == ENOENT || errno == ENOTDIR)) {
        set_once(&store->lost_alternate, joined);
        return 0;
    }
    if (fd < 0)
        return fail_errno(fail, "cannot open object directory '%s'", joined);
    store->dirs =
        mem_grow(store->dirs, store->dir_count, &store->dir_capacity, sizeof *store->dirs);
    store->dirs[store->dir_count++] =
        (struct store_dir){.path = text_copy(resolved), .fd = steal_fd(&fd)};
    return add_alternates(store, resolved, depth, fail);
}

int store_scan_dirs(struct store *store, const char *objects_path, struct fail *fail)
{
    return add_dir(store, objects_path, ".", 0, fail);
}

/* ---- packs ---- */

struct names {
    char **list;
    size_t count;
    size_t capacity;
};

static void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

static void close_dir(DIR **dir)
{
    if (*dir != NULL)
        (void)closedir(*dir);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted names of a directory that end in one of two endings; none when it is not there. */
static int list_packs(struct names *names, const char *path, struct fail *fail)
{
    __attribute__((cleanup(close_dir))) DIR *dir = opendir(path);
    if (dir == NULL)
        return errno == ENOENT ? 0 : fail_errno(fail, "cannot list '%s'", path);
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (entry == NULL && errno != 0)
            return fail_errno(fail, "cannot list '%s'", path);
        if (entry == NULL)
            break;
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || (strcmp(dot, ".pack") != 0 && strcmp(dot, ".idx") != 0))
            continue;
        names->list = mem_grow(names->list, names->count, &names->capacity, sizeof *names->list);
        names->list[names->count++] = text_copy(entry->d_name);
        if (names->count > 2 * (size_t)STORE_PACKS_MAX)
            return fail_set(fail, FAIL_INPUT, "more than %u packs in '%s'", STORE_PACKS_MAX, path);
    }
    if (names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, by_bytes);
    return 0;
}

static bool has_pack(const struct store *store, const char *path)
{
    for (size_t i = 0; i < store->pack_count; i++) {
        if (strcmp(store->packs[i]->path, path) == 0)
            return true;
    }
    return false;
}

static void add_pack(struct store *store, const char *path)
{
    struct packfile *pack = mem_new(1, sizeof *pack);
    *pack = (struct packfile){.path = text_copy(path), .pack_fd = -1, .index_fd = -1};
    store->packs =
        mem_grow(store->packs, store->pack_count, &store->pack_capacity, sizeof *store->packs);
    store->packs[store->pack_count++] = pack;
}

/* "x.idx" sorts right before "x.pack". */
static int scan_dir(struct store *store, const char *objects, bool again, struct fail *fail)
{
    __attribute__((cleanup(names_release))) struct names names = {0};
    own_mem char *folder = text_printf("%s/pack", objects);
    if (list_packs(&names, folder, fail) < 0)
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.list[i];
        size_t stem = (size_t)(strrchr(name, '.') - name);
        if (strcmp(name + stem, ".pack") != 0)
            continue;
        own_mem char *path = text_printf("%s/%s", folder, name);
        bool indexed = i > 0 && strncmp(names.list[i - 1], name, stem) == 0 &&
                       strcmp(names.list[i - 1] + stem, ".idx") == 0;
        if (!indexed)
            set_once(&store->bare_pack, path);
        else if (!again || !has_pack(store, path))
            add_pack(store, path);
        if (store->pack_count > STORE_PACKS_MAX)
            return fail_set(fail, FAIL_INPUT, "more than %u packs below '%s'", STORE_PACKS_MAX,
                            store->dirs[0].path);
    }
    return 0;
}

int store_scan_packs(struct store *store, struct fail *fail)
{
    bool again = store->pack_count > 0;
    for (size_t i = 0; i < store->dir_count; i++) {
        if (scan_dir(store, store->dirs[i].path, again, fail) < 0)
            return -1;
    }
    return 0;
}
