/*
 * The compile stage: one run of the pinned compiler for each source, one of
 * the pinned linker for each artifact, in a closed environment, each on the
 * record. Every file that the compiler opened must be one that we gave it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/stop.h"
#include "format/depfile.h"
#include "port/child.h"
#include "port/digest.h"
#include "stage/arm64e_build.h"
#include "stage/scratch.h"
#include "stage/release.h"

#define ARTIFACT_MAX (256ull << 20)
#define DEPFILE_MAX  (16ull << 20)
#define MEMORY_MAX   (8ull << 30) /* of a compiler; a source could ask for any amount */

/* The folders of the scratch space that the commands may write. */
static const char *const work_folders[] = {WORK_OBJ, WORK_OUT, "home", "tmp"};

/* A command line as it runs, and as it is recorded. */
struct command {
    struct prov_list real;
    struct prov_list recorded;
    const char *artifact;
    const char *step;
    const char *source; /* NULL: a linker's */
    char *made;         /* the file that it writes, below the scratch directory */
    char *deps;         /* its dependency file; NULL: none */
};

struct commands {
    struct command *list;
    size_t count;
};

static void commands_release(struct commands *commands)
{
    for (size_t i = 0; i < commands->count; i++) {
        prov_list_release(&commands->list[i].real);
        prov_list_release(&commands->list[i].recorded);
        free(commands->list[i].made);
        free(commands->list[i].deps);
    }
    free(commands->list);
}
#define own_commands __attribute__((cleanup(commands_release)))

static struct command *add_command(struct commands *commands, const char *artifact,
                                   const char *step)
{
    commands->list = mem_resize(commands->list, commands->count + 1, sizeof *commands->list);
    struct command *command = &commands->list[commands->count++];
    *command = (struct command){.artifact = artifact, .step = step};
    return command;
}

static void word(struct command *command, const char *text)
{
    prov_list_add(&command->real, text);
    prov_list_add(&command->recorded, text);
}

static void word_as(struct command *command, const char *real, const char *recorded)
{
    prov_list_add(&command->real, real);
    prov_list_add(&command->recorded, recorded);
}

/* A file below the scratch directory, named from tree/ where the commands run. */
static void word_in_work(struct command *command, const char *below)
{
    own_mem char *real = text_printf("../%s", below);
    own_mem char *recorded = text_printf("$WORK/%s", below);
    word_as(command, real, recorded);
}

static void word_program(struct command *command, const char *path, const char *name)
{
    own_mem char *recorded = text_printf("$TOOLCHAIN/%s", name);
    word_as(command, path, recorded);
}

static bool is_objective_c(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".m") == 0;
}

static char *object_path(const struct recipe_artifact *artifact, size_t source, const char *suffix)
{
    return text_printf(WORK_OBJ "/%s/%zu.%s", artifact->name, source, suffix);
}

/* Compiler, target and flags: what is the same for object file and assembly. */
static struct command *begin_compile(struct commands *commands, const struct release *release,
                                     const struct recipe_artifact *artifact, size_t source,
                                     const char *step)
{
    struct command *command = add_command(commands, artifact->name, step);
    own_mem char *target =
        text_printf("%s-apple-macos%s", recipe_arch_text(artifact->arch), artifact->min_macos);
    word_program(command, release->pin.compiler.path, release->toolchain.compiler.program);
    word(command, "--no-default-config");
    word(command, "-target");
    word(command, target);
    word(command, "-isysroot");
    word_as(command, WORK_SDK_FROM_TREE, "$SDK");
    for (size_t i = 0; i < artifact->cflags_count; i++)
        word(command, artifact->rooted_cflags[i]);
    if (artifact->arch == RECIPE_ARM64E) {
        for (size_t i = 0; arm64e_flags[i] != NULL; i++)
            word(command, arm64e_flags[i]);
    }
    command->source = artifact->source_paths[source];
    return command;
}

static void end_compile(struct command *command, const char *how)
{
    word(command, how);
    word(command, command->source);
    word(command, "-o");
    word_in_work(command, command->made);
}

static void plan_compile(struct commands *commands, const struct release *release,
                         const struct recipe_artifact *artifact, size_t source)
{
    struct command *command = begin_compile(commands, release, artifact, source, "compile");
    command->made = object_path(artifact, source, "o");
    command->deps = object_path(artifact, source, "d");
    word(command, "-MD");
    word(command, "-MF");
    word_in_work(command, command->deps);
    end_compile(command, "-c");
}

/* The same source as assembly: what the object file does not say (arm64e_build.h). */
static void plan_assembly(struct commands *commands, const struct release *release,
                          const struct recipe_artifact *artifact, size_t source)
{
    struct command *command = begin_compile(commands, release, artifact, source, "assembly");
    command->made = object_path(artifact, source, "s");
    end_compile(command, "-S");
}

/* Chained fix-ups and init offsets need a system that reads them: macOS 13 surely does. */
#define CHAINS_SINCE 0x000d0000u

static void plan_link(struct commands *commands, const struct release *release,
                      const struct recipe_artifact *artifact)
{
    struct command *command = add_command(commands, artifact->name, "link");
    word_program(command, release->pin.linker.path, release->toolchain.linker.program);
    word(command, "-arch");
    word(command, recipe_arch_text(RECIPE_ARM64)); /* lld knows no other: arm64e_build.h */
    switch (artifact->kind) {
    case RECIPE_DYLIB:
        word(command, "-dylib");
        word(command, "-install_name");
        word(command, artifact->install_name);
        break;
    case RECIPE_BUNDLE:
        word(command, "-bundle");
        break;
    case RECIPE_EXECUTABLE:
    case RECIPE_UNIVERSAL: /* is not linked but joined */
        break;
    }
    word(command, "-platform_version");
    word(command, "macos");
    word(command, artifact->min_macos);
    word(command, release->toolchain.sdk.version);
    word(command, "-syslibroot");
    word_as(command, WORK_SDK_FROM_TREE, "$SDK");
    if (artifact->min_macos_packed >= CHAINS_SINCE) {
        word(command, "-fixup_chains");
        word(command, "-init_offsets");
    }
    bool objective_c = false;
    for (size_t i = 0; i < artifact->frameworks_count; i++) {
        word(command, "-framework");
        word(command, artifact->frameworks[i]);
    }
    for (size_t i = 0; i < artifact->sources_count; i++)
        objective_c = objective_c || is_objective_c(artifact->source_paths[i]);
    if (objective_c)
        word(command, "-lobjc");
    word(command, "-lSystem");
    for (size_t i = 0; i < artifact->sources_count; i++) {
        own_mem char *object = object_path(artifact, i, "o");
        word_in_work(command, object);
    }
    command->made = text_printf(WORK_OUT "/%s", artifact->name);
    word(command, "-o");
    word_in_work(command, command->made);
}

/* The closed environment; the record names machine directories as $WORK. */
static void plan_environment(struct prov_list *real, struct release *release)
{
    struct prov_list *recorded = &release->record.environment;
    own_mem char *epoch = text_printf("SOURCE_DATE_EPOCH=%lld", (long long)release->record.epoch);
    const char *const fixed[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", "ZERO_AR_DATE=1",
                                 epoch};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        prov_list_add(real, fixed[i]);
        prov_list_add(recorded, fixed[i]);
    }
    own_mem char *home = text_printf("HOME=%s/home", release->scratch.path);
    own_mem char *tmp = text_printf("TMPDIR=%s/tmp", release->scratch.path);
    prov_list_add(real, home);
    prov_list_add(real, tmp);
    prov_list_add(recorded, "HOME=$WORK/home");
    prov_list_add(recorded, "TMPDIR=$WORK/tmp");
}

static void terminate(struct prov_list *list)
{
    list->list = mem_resize(list->list, list->count + 1, sizeof *list->list);
    list->list[list->count] = NULL;
}

struct runs {
    struct child *list;
    size_t count;
};

static void runs_release(struct runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        child_release(&runs->list[i]);
    free(runs->list);
}
#define own_runs __attribute__((cleanup(runs_release)))

/* A run that printed something printed a warning: nothing with warnings is released. */
static int judge(const struct child *child, const struct command *command, struct fail *fail)
{
    if (!child_succeeded(child)) {
        child_fail(child, fail);
    } else if (child->output.len != 0 || child->errors.len != 0) {
        const char *slash = strrchr(child->program, '/');
        fail_set(fail, FAIL_CHILD, "'%s' printed warnings",
                 slash == NULL ? child->program : slash + 1);
        own_buf struct buf all = {0};
        buf_append(&all, child->output.data, child->output.len);
        buf_append(&all, child->errors.data, child->errors.len);
        fail_output(fail, buf_text(&all), all.len);
        fail_hint(fail, "mend the source, or switch the warning off in the recipe's cflags");
    } else {
        return 0;
    }
    fail_while(fail, "running the %s step of '%s'", command->step, command->artifact);
    own_buf struct buf line = {0};
    prov_shell_line(&line, &command->recorded);
    return fail_while(fail, "running %s", buf_text(&line));
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
 * what it runs: its folder and those of the system.
 */
static void allow_program(struct prov_list *readable, const struct pin_program *program)
{
    static const char *const system_folders[] = {"/lib", "/lib64", "/usr/lib", "/usr/lib64"};
    prov_list_add(readable, program->path);
    for (size_t i = 0; i < program->files_count; i++)
        prov_list_add(readable, program->files[i].path);
    if (program->files_count > 1)
        return;
    add_folder_of(readable, program->path);
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++)
        prov_list_add(readable, system_folders[i]);
}

/* What the compiler may write and read, where the kernel can hold it to that: a source can
 * name any file (.incbin does without a trace in the dependency file). */
static void plan_confinement(struct prov_list *writable, struct prov_list *readable,
                             const struct release *release)
{
    for (size_t i = 0; i < sizeof work_folders / sizeof work_folders[0]; i++) {
        own_mem char *path = text_printf("%s/%s", release->scratch.path, work_folders[i]);
        prov_list_add(writable, path);
    }
    prov_list_add(readable, release->scratch.path);
    prov_list_add(readable, release->pin.resource_dir);
    prov_list_add(readable, "/etc/ld.so.cache");
    allow_program(readable, &release->pin.compiler);
    allow_program(readable, &release->pin.linker);
    terminate(writable);
    terminate(readable);
}

static int run_commands(struct release *release, struct commands *commands,
                        struct prov_list *environment, struct fail *fail)
{
    own_runs struct runs runs = {.list = mem_new(commands->count, sizeof *runs.list),
                                 .count = commands->count};
    own_mem char *directory = text_printf("%s/" WORK_TREE, release->scratch.path);
    own_prov_list struct prov_list writable = {0};
    own_prov_list struct prov_list readable = {0};
    plan_confinement(&writable, &readable, release);
    for (size_t i = 0; i < commands->count; i++) {
        terminate(&commands->list[i].real);
        runs.list[i] = (struct child){
            .program = commands->list[i].real.list[0],
            .argv = (const char *const *)commands->list[i].real.list,
            .envp = (const char *const *)environment->list,
            .directory = directory,
            .limit_sec = release->request->limit_sec,
            .memory_max = MEMORY_MAX,
            /* A source can ask for any size; what the linker makes follows from the objects. */
            .file_max = commands->list[i].source == NULL ? 0 : 2 * ARTIFACT_MAX,
            .writable = (const char *const *)writable.list,
            .readable = (const char *const *)readable.list,
        };
    }
    if (child_run_all(runs.list, runs.count, 0, fail) < 0)
        return -1;
    for (size_t i = 0; i < runs.count; i++) {
        if (!runs.list[i].confined)
            release->confined = false;
        if (judge(&runs.list[i], &commands->list[i], fail) < 0)
            return -1;
    }
    return 0;
}

static void record_commands(struct release *release, const struct commands *commands)
{
    for (size_t i = 0; i < commands->count; i++) {
        const struct command *command = &commands->list[i];
        struct prov_command *recorded = provenance_add_command(&release->record);
        recorded->artifact = text_copy(command->artifact);
        recorded->step = text_copy(command->step);
        for (size_t k = 0; k < command->recorded.count; k++)
            prov_list_add(&recorded->argv, command->recorded.list[k]);
    }
}

/* Normal form of a path that a dependency file names from tree/; NULL when it is absolute or
 * climbs out. Paths into the SDK begin with "../sdk/". */
static char *path_in_tree(const char *path)
{
    return fs_path_join("", path);
}

static bool begins_with_folder(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && path[len] == '/';
}

/* "../sdk/usr/include/x.h" leads nowhere else; "../sdk/../../etc/passwd" does. */
static bool lies_in_sdk(const char *path)
{
    if (!begins_with_folder(path, WORK_SDK_FROM_TREE))
        return false;
    own_mem char *inside = fs_path_join("", path + sizeof WORK_SDK_FROM_TREE);
    return inside != NULL && *inside != '\0';
}

static bool lies_in_resources(const struct release *release, const char *path)
{
    if (!begins_with_folder(path, release->pin.resource_dir))
        return false;
    own_mem char *inside = fs_path_join("", path + strlen(release->pin.resource_dir) + 1);
    return inside != NULL && *inside != '\0';
}

static int record_source(struct release *release, const char *path, struct fail *fail)
{
    struct prov_files *sources = &release->record.sources;
    for (size_t i = 0; i < sources->count; i++) {
        if (strcmp(sources->list[i].path, path) == 0)
            return 0;
    }
    own_mem char *below = text_printf(WORK_TREE "/%s", path);
    own_mem char *absolute = text_printf("%s/%s", release->scratch.path, below);
    own_fs_map struct fs_map map = {0};
    struct stat info;
    if (stat(absolute, &info) < 0 && (errno == ENOENT || errno == ENOTDIR))
        return fail_set(fail, FAIL_INPUT,
                        "the compiler opened '%s', which is not in the folders of the sources",
                        path);
    if (fs_map_open(&map, absolute, fail) < 0)
        return fail_while(fail, "recording source '%s'", path);
    if (map.view.len >= sizeof LFS_POINTER_START - 1 &&
        memcmp(map.view.data, LFS_POINTER_START, sizeof LFS_POINTER_START - 1) == 0)
        return fail_set(fail, FAIL_INPUT, "'%s' is a git LFS pointer, its content is not in git",
                        path);
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, map.view.data, (size_t)map.view.len);
    prov_files_add(sources, path, map.view.len, digest);
    return 0;
}

static int check_opened(struct release *release, const char *path, const struct command *command,
                        struct fail *fail)
{
    own_mem char *inside = path_in_tree(path);
    if (inside != NULL && *inside != '\0')
        return record_source(release, inside, fail);
    if (lies_in_sdk(path) || lies_in_resources(release, path))
        return 0;
    fail_set(fail, FAIL_INPUT,
             "the compiler opened '%s' for '%s', which is neither in the revision nor in the SDK "
             "nor one of its own headers",
             path, command->artifact);
    return fail_hint(fail, "commit the file, and include it by a path inside the tree");
}

/* A program that exits with 0 and did not do its work: its fault, not the disk's or the source's. */
static int check_made(const struct release *release, const struct command *command,
                      const char *path, const char *what, struct fail *fail)
{
    struct stat info;
    const char *program = strrchr(command->recorded.list[0], '/') + 1;
    const char *of = command->source == NULL ? command->artifact : command->source;
    int result = fstatat(release->scratch.fd, path, &info, AT_SYMLINK_NOFOLLOW);
    if (result < 0 && errno != ENOENT)
        return fail_errno(fail, "cannot look at '%s' in '%s'", path, release->scratch.path);
    if (result < 0 || !S_ISREG(info.st_mode))
        return fail_set(fail, FAIL_CHILD, "'%s' made no %s for '%s', although it exited with 0",
                        program, what, of);
    if ((uint64_t)info.st_size > ARTIFACT_MAX)
        return fail_set(fail, FAIL_CHILD,
                        "'%s' made %s of %llu bytes for '%s', expected at most %llu", program, what,
                        (unsigned long long)info.st_size, of, ARTIFACT_MAX);
    return 0;
}

static int check_dependencies(struct release *release, const struct command *command,
                              struct fail *fail)
{
    own_buf struct buf text = {0};
    if (command->deps == NULL)
        return check_made(release, command, command->made, "assembly", fail);
    if (check_made(release, command, command->made, "object file", fail) < 0 ||
        check_made(release, command, command->deps, "dependency file", fail) < 0)
        return -1;
    if (fs_read_at(&text, release->scratch.fd, command->deps, DEPFILE_MAX, fail) < 0)
        return fail_while(fail, "reading what the compiler opened");
    own_prov_list struct prov_list paths = {0};
    if (depfile_parse(&paths, buf_text(&text), text.len) < 0 || paths.count == 0)
        return fail_set(fail, FAIL_CHILD,
                        "the compiler wrote a dependency file for '%s' that "
                        "cannot be read",
                        command->artifact);
    for (size_t i = 0; i < paths.count; i++) {
        if (check_opened(release, paths.list[i], command, fail) < 0)
            return -1;
    }
    return 0;
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const struct prov_file *)a)->path, ((const struct prov_file *)b)->path);
}

static int make_directories(struct release *release, struct fail *fail)
{
    for (size_t i = 0; i < sizeof work_folders / sizeof work_folders[0]; i++) {
        if (mkdirat(release->scratch.fd, work_folders[i], 0700) < 0)
            return fail_errno(fail, "cannot make directory '%s'", work_folders[i]);
    }
    for (size_t i = 0; i < release->recipe.artifacts_count; i++) {
        own_mem char *path = text_printf(WORK_OBJ "/%s", release->recipe.artifacts[i].name);
        if (mkdirat(release->scratch.fd, path, 0700) < 0)
            return fail_errno(fail, "cannot make directory '%s'", path);
    }
    return 0;
}

/* The pass over what the linker made of objects for arm64e. */
static int take_arm64e(struct release *release, struct release_artifact *artifact,
                       struct fail *fail)
{
    size_t count = 0;
    const struct recipe_artifact *recipe = artifact->recipe;
    for (size_t i = 0; i < recipe->sources_count; i++) {
        own_buf struct buf text = {0};
        own_mem char *path = object_path(recipe, i, "s");
        if (fs_read_at(&text, release->scratch.fd, path, ARTIFACT_MAX, fail) < 0)
            return fail_while(fail, "reading the assembly of '%s'", recipe->source_paths[i]);
        if (strlen(buf_text(&text)) != text.len)
            return fail_set(fail, FAIL_CHILD, "the assembly of '%s' is no text",
                            recipe->source_paths[i]);
        if (arm64e_count_signed(&count, buf_text(&text), recipe->source_paths[i], fail) < 0)
            return -1;
    }
    artifact->pass = ARM64E_PASS;
    return arm64e_build(&artifact->bytes, recipe->name, count, fail);
}

static int take_artifacts(struct release *release, const struct commands *links, struct fail *fail)
{
    release->artifact_count = release->recipe.artifacts_count;
    release->artifacts = mem_new(release->artifact_count, sizeof *release->artifacts);
    for (size_t i = 0; i < links->count; i++) {
        release->artifacts[i].recipe = &release->recipe.artifacts[i];
        if (check_made(release, &links->list[i], links->list[i].made, "file", fail) < 0)
            return -1;
        if (fs_read_at(&release->artifacts[i].bytes, release->scratch.fd, links->list[i].made,
                       ARTIFACT_MAX, fail) < 0)
            return fail_while(fail, "reading what the linker made for '%s'",
                              links->list[i].artifact);
        if (release->artifacts[i].recipe->arch == RECIPE_ARM64E &&
            take_arm64e(release, &release->artifacts[i], fail) < 0)
            return -1;
    }
    return 0;
}

int stage_compile(struct release *release, struct fail *fail)
{
    const struct recipe *recipe = &release->recipe;
    own_commands struct commands compiles = {0};
    own_commands struct commands links = {0};
    own_prov_list struct prov_list environment = {0};
    size_t source_count = 0;
    if (make_directories(release, fail) < 0)
        return -1;
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        for (size_t k = 0; k < recipe->artifacts[i].sources_count; k++)
            plan_compile(&compiles, release, &recipe->artifacts[i], k);
        for (size_t k = 0;
             recipe->artifacts[i].arch == RECIPE_ARM64E && k < recipe->artifacts[i].sources_count;
             k++)
            plan_assembly(&compiles, release, &recipe->artifacts[i], k);
        plan_link(&links, release, &recipe->artifacts[i]);
    }
    plan_environment(&environment, release);
    terminate(&environment);
    release->confined = true;
    progress_stage(release->request->progress, "compile", "sources: %zu, artifacts: %zu",
                   source_count, links.count);
    if (run_commands(release, &compiles, &environment, fail) < 0)
        return -1;
    for (size_t i = 0; i < compiles.count; i++) {
        if (check_dependencies(release, &compiles.list[i], fail) < 0)
            return -1;
    }
    struct prov_files *sources = &release->record.sources;
    if (sources->count > 1)
        qsort(sources->list, sources->count, sizeof *sources->list, compare_files);
    progress_stage(release->request->progress, "link", "artifacts: %zu", links.count);
    if (run_commands(release, &links, &environment, fail) < 0)
        return -1;
    record_commands(release, &compiles);
    record_commands(release, &links);
    return take_artifacts(release, &links, fail);
}
