#include "stage/tool.h"

#include <stdlib.h>
#include <string.h>

#include "stage/scratch.h"

/* Of address space of a compiler: a source could ask for any amount. Apple's systems, where its
 * programs are, hold none to a limit. */
#define MEMORY_MAX (8ull << 30)

void tool_terminate(struct prov_list *list)
{
    list->list = mem_resize(list->list, list->count + 1, sizeof *list->list);
    list->list[list->count] = NULL;
}

const char *tool_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* KEY=VALUE, to both lists where they are wanted. */
static void variable(struct prov_list *real, struct prov_list *recorded, const char *key,
                     const char *value, const char *shown)
{
    own_mem char *real_text = text_printf("%s=%s", key, value);
    own_mem char *shown_text = text_printf("%s=%s", key, shown);
    if (real != NULL)
        prov_list_add(real, real_text);
    if (recorded != NULL)
        prov_list_add(recorded, shown_text);
}

static void plan_environment(struct prov_list *real, struct prov_list *recorded,
                             const struct release *release)
{
    own_mem char *epoch = text_printf("%lld", (long long)release->record.epoch);
    own_mem char *home = text_printf("%s/home", release->scratch.path);
    own_mem char *temporary = text_printf("%s/tmp", release->scratch.path);
    const struct pin_apple *apple = &release->pin.apple;
    variable(real, recorded, "PATH", "/usr/bin:/bin", "/usr/bin:/bin");
    variable(real, recorded, "LC_ALL", "C", "C");
    variable(real, recorded, "TZ", "UTC", "UTC");
    variable(real, recorded, "ZERO_AR_DATE", "1", "1");
    variable(real, recorded, "SOURCE_DATE_EPOCH", epoch, epoch);
    variable(real, recorded, "HOME", home, "$WORK/home");
    variable(real, recorded, "TMPDIR", temporary, "$WORK/tmp");
    if (release->toolchain.family != TOOLCHAIN_APPLE)
        return;
    variable(real, recorded, "DEVELOPER_DIR",
             apple->developer_dir == NULL ? "" : apple->developer_dir, "$DEVELOPER_DIR");
    variable(real, recorded, "SDKROOT", apple->sdk_dir == NULL ? "" : apple->sdk_dir, "$SDK");
}

void tool_record_environment(struct prov_list *recorded, const struct release *release)
{
    plan_environment(NULL, recorded, release);
}

static void add_folder_of(struct prov_list *list, const char *path)
{
    own_mem char *folder = fs_path_folder(path);
    if (*folder != '\0')
        prov_list_add(list, folder);
}

/*
 * The files of a program that the loader could list, and no more: whatever else lay in the folders
 * could get into the artifact, and is another thing on another machine. A script says nothing of
 * what it runs, nor do Apple's programs: its folder and those of the system.
 */
static void allow_program(struct prov_list *readable, const struct pin_program *program,
                          bool starts_others)
{
    static const char *const system_folders[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64"};
    prov_list_add(readable, program->path);
    for (size_t i = 0; i < program->files_count; i++)
        prov_list_add(readable, program->files[i].path);
    if (program->files_count > 1 && !starts_others)
        return;
    add_folder_of(readable, program->path);
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++)
        prov_list_add(readable, system_folders[i]);
}

/* What a compiler may write and read, where the kernel can hold it to that: a source can
 * name any file (.incbin does without a trace in the dependency file). */
static void plan_confinement(struct tool_room *room, const struct release *release)
{
    static const char *const folders[] = {WORK_OBJ, WORK_OUT, WORK_WITNESS, "home", "tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        own_mem char *path = text_printf("%s/%s", release->scratch.path, folders[i]);
        prov_list_add(&room->writable, path);
    }
    prov_list_add(&room->readable, release->scratch.path);
    prov_list_add(&room->readable, release->pin.resource_dir);
    prov_list_add(&room->readable, "/etc/ld.so.cache");
    bool apple = release->toolchain.family == TOOLCHAIN_APPLE;
    allow_program(&room->readable, &release->pin.compiler, apple);
    allow_program(&room->readable, &release->pin.linker, apple);
    if (release->pin.apple.developer_dir != NULL)
        prov_list_add(&room->readable, release->pin.apple.developer_dir);
    if (release->pin.apple.sdk_dir != NULL)
        prov_list_add(&room->readable, release->pin.apple.sdk_dir);
}

void tool_room_open(struct tool_room *room, const struct release *release)
{
    room->directory = text_printf("%s/" WORK_TREE, release->scratch.path);
    plan_environment(&room->environment, NULL, release);
    plan_confinement(room, release);
    tool_terminate(&room->environment);
    tool_terminate(&room->writable);
    tool_terminate(&room->readable);
}

void tool_room_release(struct tool_room *room)
{
    free(room->directory);
    prov_list_release(&room->environment);
    prov_list_release(&room->writable);
    prov_list_release(&room->readable);
    *room = (struct tool_room){0};
}

struct child tool_child(const struct tool_room *room, const struct release *release,
                        const struct prov_list *words)
{
    return (struct child){
        .program = words->list[0],
        .argv = (const char *const *)words->list,
        .envp = (const char *const *)room->environment.list,
        .directory = room->directory,
        .limit_sec = release->request->limit_sec,
        .memory_max = release->toolchain.family == TOOLCHAIN_APPLE ? 0 : MEMORY_MAX,
        .writable = (const char *const *)room->writable.list,
        .readable = (const char *const *)room->readable.list,
    };
}
