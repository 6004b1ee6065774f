#include "stage/pin_files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/own.h"
#include "macho/image.h"
#include "port/child.h"

#define FILES_MAX 256u
#define THREADS   2

const char *const pin_environment[] = {"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin", NULL};

static const char *const trace_environment[] = {"LC_ALL=C", "TZ=UTC", "PATH=/usr/bin:/bin",
                                                "LD_TRACE_LOADED_OBJECTS=1", NULL};

bool pin_files_is_own(const char *name)
{
    static const char *const starts[] = {"libLLVM", "libclang", "liblld", "libRemarks", "libLTO"};
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

void pin_files_add(struct pin_program *program, const char *real_path, bool own)
{
    for (size_t i = 0; i < program->files_count; i++)
        if (strcmp(program->files[i].path, real_path) == 0)
            return;
    if (program->files_count >= FILES_MAX)
        return;
    program->files = mem_resize(program->files, program->files_count + 1, sizeof(*program->files));
    program->files[program->files_count++] =
        (struct pin_file){.path = text_copy(real_path), .own = own};
}

/* One line of the loader: "\tNAME => PATH (0x...)", "\tPATH (0x...)" or "\tNAME => not found". */
static void take_line(struct pin_program *program, const char *line, size_t len)
{
    own_mem char *text = mem_copy(line, len);
    char *arrow = strstr(text, " => ");
    char *path = arrow == NULL ? text + strspn(text, "\t ") : arrow + 4;
    if (strncmp(path, "not found", 9) == 0) {
        if (program->problem == NULL)
            program->problem = text_printf("%.*s, which it loads, is not there",
                                           (int)(arrow - text) - 1, text + 1);
        return;
    }
    char *end = strstr(path, " (0x");
    if (path[0] != '/' || end == NULL)
        return; /* linux-vdso.so.1 is no file */
    *end = '\0';
    own_mem char *real = realpath(path, NULL);
    if (real != NULL)
        pin_files_add(program, real, pin_files_is_own(base_name(real)));
    else if (program->problem == NULL)
        program->problem = text_printf("%s, which it loads, is not there", path);
}

static void take_trace(struct pin_program *program, const struct buf *output)
{
    const char *text = buf_text(output);
    for (const char *end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
        take_line(program, text, (size_t)(end - text));
        text = end + 1;
    }
}

static enum image_kind kind_of(const char *path)
{
    uint8_t head[512];
    own_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, head, sizeof(head));
    return got < 0 ? IMAGE_UNKNOWN : image_kind((struct view){head, (uint64_t)got});
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const struct pin_file *)a)->path, ((const struct pin_file *)b)->path);
}

static void children_release(struct child (*children)[2])
{
    child_release(&(*children)[0]);
    child_release(&(*children)[1]);
}

int pin_files_list(struct pin_program **programs, size_t count, unsigned limit_sec,
                   struct fail *fail)
{
    __attribute__((cleanup(children_release))) struct child children[2] = {0};
    const char *argv[2][3] = {0};
    struct pin_program *traced[2] = {0};
    size_t traces = 0;
    for (size_t i = 0; i < count && i < 2; i++) {
        pin_files_add(programs[i], programs[i]->real_path, true);
        enum image_kind kind = kind_of(programs[i]->real_path);
        if ((kind == IMAGE_THIN || kind == IMAGE_FAT) && pin_macho_libraries(programs[i], fail) < 0)
            return -1;
        if (kind != IMAGE_ELF)
            continue;
        argv[traces][0] = programs[i]->path;
        argv[traces][1] = "--version"; /* what a static program does instead of being traced */
        children[traces].program = programs[i]->path;
        children[traces].argv = argv[traces];
        children[traces].envp = trace_environment;
        children[traces].limit_sec = limit_sec;
        traced[traces++] = programs[i];
    }
    if (traces > 0 && child_run_all(children, traces, 0, fail) < 0)
        return -1;
    for (size_t i = 0; i < traces; i++) {
        if (child_succeeded(&children[i]))
            take_trace(traced[i], &children[i].output);
        else if (traced[i]->problem == NULL)
            traced[i]->problem = text_copy("the loader cannot say which libraries it loads");
    }
    for (size_t i = 0; i < count; i++)
        if (programs[i]->files_count > 2)
            qsort(programs[i]->files + 1, programs[i]->files_count - 1, sizeof(struct pin_file),
                  compare_files);
    return 0;
}

/* One file to hash. */
struct task {
    const char *path;
    struct stat status;
    char sha256[SHA256_HEX];
    bool known;  /* from the cache */
    bool steady; /* it was the same before and after */
    struct fail fail;
    int result;
};

struct tasks {
    struct task *list;
    size_t count;
    atomic_size_t next;
};

static void tasks_release(struct tasks *tasks)
{
    for (size_t i = 0; i < tasks->count; i++)
        fail_release(&tasks->list[i].fail);
    free(tasks->list);
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtime == b->st_mtime && a->st_ctime == b->st_ctime;
}

static int hash(struct task *task)
{
    own_fd int fd = open(task->path, O_RDONLY | O_CLOEXEC);
    struct stat before;
    struct stat after;
    if (fd < 0 || fstat(fd, &before) < 0)
        return fail_errno(&task->fail, "cannot open '%s'", task->path);
    if (digest_fd(task->sha256, fd, task->path, &task->fail) < 0)
        return -1;
    if (fstat(fd, &after) < 0)
        return fail_errno(&task->fail, "cannot look at '%s'", task->path);
    task->steady = same_file(&task->status, &before) && same_file(&before, &after);
    return 0;
}

static void *work(void *context)
{
    struct tasks *tasks = context;
    for (;;) {
        size_t index = atomic_fetch_add(&tasks->next, 1);
        if (index >= tasks->count)
            return NULL;
        struct task *task = &tasks->list[index];
        if (!task->known)
            task->result = hash(task);
    }
}

static const char *digest_of(const struct tasks *tasks, const char *path)
{
    for (size_t i = 0; i < tasks->count; i++)
        if (strcmp(tasks->list[i].path, path) == 0)
            return tasks->list[i].sha256;
    return NULL;
}

/* Collects each file once; a file in the cache is not read. */
static int make_tasks(struct tasks *tasks, struct pin_program **programs, size_t count,
                      const struct pin_cache *cache, struct fail *fail)
{
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < programs[i]->files_count; j++) {
            const char *path = programs[i]->files[j].path;
            if (digest_of(tasks, path) != NULL)
                continue;
            struct task task = {.path = path};
            if (stat(path, &task.status) < 0)
                return fail_errno(fail, "cannot look at '%s'", path);
            task.known = pin_cache_file(task.sha256, cache, path, &task.status);
            tasks->list = mem_grow(tasks->list, tasks->count, &capacity, sizeof(task));
            tasks->list[tasks->count++] = task;
        }
    }
    return 0;
}

static void run_tasks(struct tasks *tasks)
{
    size_t unknown = 0;
    for (size_t i = 0; i < tasks->count; i++)
        unknown += !tasks->list[i].known;
    pthread_t helper;
    bool helped = unknown >= THREADS && pthread_create(&helper, NULL, work, tasks) == 0;
    work(tasks);
    if (helped)
        pthread_join(helper, NULL);
}

static int compare_lines(const void *a, const void *b)
{
    const struct pin_file *x = *(const struct pin_file *const *)a;
    const struct pin_file *y = *(const struct pin_file *const *)b;
    int order = strcmp(base_name(x->path), base_name(y->path));
    return order != 0 ? order : strcmp(x->sha256, y->sha256);
}

/* The digest that the pin lists: toolchain.h. */
static void digest_program(struct pin_program *program)
{
    own_mem const struct pin_file **own = mem_new(program->files_count, sizeof(*own));
    size_t count = 0;
    for (size_t i = 0; i < program->files_count; i++)
        if (program->files[i].own)
            own[count++] = &program->files[i];
    qsort(own, count, sizeof(*own), compare_lines);
    own_buf struct buf text = {0};
    for (size_t i = 0; i < count; i++)
        buf_printf(&text, "%s  %s\n", own[i]->sha256, base_name(own[i]->path));
    char hex[SHA256_HEX];
    digest_sha256_hex(hex, text.data, text.len);
    free(program->digest);
    program->digest = text_printf("sha256:%s", hex);
}

/* Hands a failure of a thread on; its texts move. */
static int take_fail(struct fail *fail, struct fail *from)
{
    *fail = *from;
    *from = (struct fail){0};
    return -1;
}

int pin_files_digest(struct pin_program **programs, size_t count, struct pin_cache *cache,
                     struct fail *fail)
{
    __attribute__((cleanup(tasks_release))) struct tasks tasks = {0};
    if (make_tasks(&tasks, programs, count, cache, fail) < 0)
        return -1;
    run_tasks(&tasks);
    for (size_t i = 0; i < tasks.count; i++) {
        struct task *task = &tasks.list[i];
        if (task->result < 0)
            return take_fail(fail, &task->fail);
        if (!task->known && task->steady)
            pin_cache_add_file(cache, task->path, &task->status, task->sha256);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < programs[i]->files_count; j++)
            memcpy(programs[i]->files[j].sha256, digest_of(&tasks, programs[i]->files[j].path),
                   SHA256_HEX);
        digest_program(programs[i]);
    }
    return 0;
}
