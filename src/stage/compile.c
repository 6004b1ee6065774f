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
#include "port/digest.h"
#include "stage/arm64e_build.h"
#include "stage/compile_plan.h"
#include "stage/scratch.h"
#include "stage/tool.h"

#define ARTIFACT_MAX (256ull << 20)
#define DEPFILE_MAX  (16ull << 20)

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
        fail_set(fail, FAIL_CHILD, "'%s' printed warnings", tool_name(child->program));
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

static int run_commands(struct release *release, struct commands *commands, struct fail *fail)
{
    own_runs struct runs runs = {.list = mem_new(commands->count, sizeof *runs.list),
                                 .count = commands->count};
    own_tool_room struct tool_room room = {0};
    tool_room_open(&room, release);
    for (size_t i = 0; i < commands->count; i++) {
        tool_terminate(&commands->list[i].real);
        runs.list[i] = tool_child(&room, release, &commands->list[i].real);
        /* A source can ask for any size; what the linker makes follows from the objects. */
        runs.list[i].file_max = commands->list[i].source == NULL ? 0 : 2 * ARTIFACT_MAX;
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

/* Whether a path leads below the folder and stays there: "../sdk/usr/include/x.h" does below
 * "../sdk", "../sdk/../../etc/passwd" does not. */
static bool lies_in(const char *folder, const char *path)
{
    size_t len = strlen(folder);
    if (strncmp(path, folder, len) != 0 || path[len] != '/')
        return false;
    own_mem char *inside = fs_path_join("", path + len + 1);
    return inside != NULL && *inside != '\0';
}

/* Apple's SDK is used where it is installed, and has links, as the way to the compiler's own headers
 * may have: the file that was read counts, not the name. */
static bool lies_in_toolchain(const struct release *release, const char *path)
{
    const char *apple = release->pin.apple.sdk_dir;
    const char *resources = release->pin.resource_dir;
    if (apple == NULL)
        return lies_in(WORK_SDK_FROM_TREE, path) || lies_in(resources, path);
    own_mem char *real = path[0] == '/' ? realpath(path, NULL) : NULL;
    return real != NULL && (lies_in(apple, real) || lies_in(resources, real));
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
    own_mem char *inside = fs_path_join("", path); /* NULL: absolute, or climbs out */
    if (inside != NULL && *inside != '\0')
        return record_source(release, inside, fail);
    if (lies_in_toolchain(release, path))
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
    const char *program = tool_name(command->recorded.list[0]);
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
    static const char *const folders[] = {WORK_OBJ, WORK_OUT, "home", "tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (mkdirat(release->scratch.fd, folders[i], 0700) < 0)
            return fail_errno(fail, "cannot make directory '%s'", folders[i]);
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
        own_mem char *path = compile_object(recipe, i, "s");
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
        if (arm64e_is_passed(&release->toolchain, release->artifacts[i].recipe) &&
            take_arm64e(release, &release->artifacts[i], fail) < 0)
            return -1;
    }
    return 0;
}

static void sort_sources(struct release *release)
{
    struct prov_files *sources = &release->record.sources;
    if (sources->count > 1)
        qsort(sources->list, sources->count, sizeof *sources->list, compare_files);
}

static int compile_sources(struct release *release, struct commands *compiles, struct fail *fail)
{
    if (run_commands(release, compiles, fail) < 0)
        return -1;
    for (size_t i = 0; i < compiles->count; i++) {
        if (check_dependencies(release, &compiles->list[i], fail) < 0)
            return -1;
    }
    sort_sources(release);
    return 0;
}

/*
 * Without the toolchain nobody knows what the compiler would open: the files that the release says
 * it did are recorded, as the revision has them. One that it has not is left out, and missed when
 * the records are compared.
 */
static int record_stated_sources(struct release *release, struct fail *fail)
{
    const struct provenance *stated = release->request->expected;
    for (size_t i = 0; stated != NULL && i < stated->sources.count; i++) {
        const char *path = stated->sources.list[i].path;
        own_fail struct fail missing = {0};
        if (!fs_path_contained(path) || record_source(release, path, &missing) == 0)
            continue;
        if (missing.code != FAIL_INPUT)
            return fail_move(fail, &missing);
    }
    sort_sources(release);
    return 0;
}

/* Apple's installer replaces a developer directory whole, at any time: proven before is not enough.
 * What a package of LLVM brings shows in its linker's version, and in the bytes that come again. */
static int prove_again(const struct release *release, struct fail *fail)
{
    const struct pin_options options = {.any_build = release->request->any_build, .fresh = true};
    if (release->toolchain.family != TOOLCHAIN_APPLE)
        return 0;
    return pin_again(&release->pin, &release->toolchain, &options, fail);
}

static size_t count_sources(const struct recipe *recipe)
{
    size_t count = 0;
    for (size_t i = 0; i < recipe->artifacts_count; i++)
        count += recipe->artifacts[i].sources_count;
    return count;
}

int stage_compile(struct release *release, struct fail *fail)
{
    own_commands struct commands compiles = {0};
    own_commands struct commands links = {0};
    compile_plan(&compiles, &links, release);
    tool_record_environment(&release->record.environment, release);
    record_commands(release, &compiles);
    record_commands(release, &links);
    if (release->request->without_toolchain)
        return record_stated_sources(release, fail);
    if (make_directories(release, fail) < 0)
        return -1;
    release->confined = true;
    progress_stage(release->request->progress, "compile", "sources: %zu, artifacts: %zu",
                   count_sources(&release->recipe), links.count);
    if (compile_sources(release, &compiles, fail) < 0)
        return -1;
    progress_stage(release->request->progress, "link", "artifacts: %zu", links.count);
    if (run_commands(release, &links, fail) < 0 || prove_again(release, fail) < 0)
        return -1;
    return take_artifacts(release, &links, fail);
}
