#include "stage/pin.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/own.h"
#include "stage/pin_apple.h"
#include "stage/pin_ask.h"
#include "stage/pin_cache.h"
#include "stage/pin_files.h"

#define LIMIT_SEC 10u
#define MAJOR_MAX 99u /* of a clang that is looked for */

/* Where packages of the major version put their programs; %s is that version. */
static const char *const places[] = {
    "/usr/lib/llvm-%s/bin",       "/opt/homebrew/opt/llvm@%s/bin", "/opt/homebrew/opt/lld@%s/bin",
    "/usr/local/opt/llvm@%s/bin", "/usr/local/opt/lld@%s/bin",
};

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Takes directory/name when it is a program. */
static bool take(struct pin_program *out, const char *directory, const char *name)
{
    own_mem char *path = text_printf("%s/%s", directory, name);
    if (!is_program(path))
        return false;
    char *real = realpath(path, NULL);
    if (real == NULL)
        return false;
    out->path = steal_mem(&path);
    out->real_path = real;
    return true;
}

static bool take_from_path(struct pin_program *out, const char *name)
{
    const char *list = getenv("PATH");
    while (list != NULL && *list != '\0') {
        size_t len = strcspn(list, ":");
        own_mem char *directory = mem_copy(list, len);
        if (directory[0] == '/' && take(out, directory, name))
            return true;
        list += len + (list[len] == ':');
    }
    return false;
}

/* Where its number is in the path. */
static bool find_versioned(struct pin_program *out, const char *program, const char *major)
{
    own_mem char *versioned = text_printf("%s-%s", program, major);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const char *mark = strstr(places[i], "%s");
        own_mem char *directory =
            text_printf("%.*s%s%s", (int)(mark - places[i]), places[i], major, mark + 2);
        if (take(out, directory, program))
            return true;
    }
    return take_from_path(out, versioned);
}

static void find_program(struct pin_program *out, const struct toolchain_program *wanted,
                         const struct pin_options *options)
{
    own_mem char *major = mem_copy(wanted->version, strcspn(wanted->version, "."));
    own_mem char *versioned = text_printf("%s-%s", wanted->program, major);
    if (options->directories != NULL) {
        for (size_t i = 0; options->directories[i] != NULL; i++)
            if (take(out, options->directories[i], versioned) ||
                take(out, options->directories[i], wanted->program))
                return;
        return;
    }
    if (!find_versioned(out, wanted->program, major))
        (void)take_from_path(out, wanted->program);
}

static char *take_version(const char *text, const char *mark, char **problem)
{
    if (strncmp(text, "Apple ", 6) != 0)
        return pin_word_behind(text, mark);
    if (*problem == NULL)
        *problem = text_copy("it is Apple's own, whose versions count differently");
    return NULL;
}

static char *take_clang_version(const char *text, char **problem)
{
    return take_version(text, "clang version ", problem);
}

static char *take_lld_version(const char *text, char **problem)
{
    return take_version(text, "LLD ", problem);
}

static struct pin_question question(struct pin_program *program, const char *name,
                                    const char *argument, pin_take *parse, char **answer)
{
    return (struct pin_question){.argv = {program->path, argument},
                                 .environment = pin_environment,
                                 .take = parse,
                                 .answer = answer,
                                 .problem = &program->problem,
                                 .cache_name = name,
                                 .digest = program->digest};
}

/* A cached resource directory may have gone. */
static void forget_missing_directory(struct pin *pin)
{
    struct stat status;
    if (pin->resource_dir == NULL ||
        (stat(pin->resource_dir, &status) == 0 && S_ISDIR(status.st_mode)))
        return;
    free(pin->resource_dir);
    pin->resource_dir = NULL;
}

/*
 * A pin comes from a tree that may be a stranger's, so what it names need not be a compiler at all:
 * nothing but --version is asked before the answer was clang's (`halt -p...` would be obeyed).
 */
static int ask_all(struct pin *pin, struct pin_cache *cache, unsigned limit_sec, struct fail *fail)
{
    struct pin_question versions[2];
    size_t count = 0;
    if (pin->compiler.real_path != NULL)
        versions[count++] = question(&pin->compiler, "version", "--version", take_clang_version,
                                     &pin->compiler.version);
    if (pin->linker.real_path != NULL)
        versions[count++] =
            question(&pin->linker, "version", "--version", take_lld_version, &pin->linker.version);
    if (pin_ask(versions, count, cache, limit_sec, fail) < 0)
        return -1;
    struct pin_question resources = question(&pin->compiler, "resources", "-print-resource-dir",
                                             pin_take_path, &pin->resource_dir);
    if (pin->compiler.version != NULL && pin_ask(&resources, 1, cache, limit_sec, fail) < 0)
        return -1;
    forget_missing_directory(pin);
    return 0;
}

static int observe_llvm(struct pin *pin, const struct toolchain *toolchain,
                        const struct pin_options *options, struct fail *fail)
{
    find_program(&pin->compiler, &toolchain->compiler, options);
    find_program(&pin->linker, &toolchain->linker, options);
    struct pin_program *found[2];
    size_t count = 0;
    if (pin->compiler.real_path != NULL)
        found[count++] = &pin->compiler;
    if (pin->linker.real_path != NULL)
        found[count++] = &pin->linker;
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, options->fresh);
    if (pin_files_list(found, count, options->limit_sec, fail) < 0 ||
        pin_files_digest(found, count, &cache, fail) < 0 ||
        ask_all(pin, &cache, options->limit_sec, fail) < 0)
        return -1;
    pin_cache_save(&cache);
    return 0;
}

int pin_observe(struct pin *out, const struct toolchain *toolchain,
                const struct pin_options *options, struct fail *fail)
{
    own_pin struct pin pin = {.name = text_copy(toolchain->name)};
    if (toolchain->sdk.version != NULL)
        pin.sdk_version = text_copy(toolchain->sdk.version);
    struct pin_options limited = *options;
    if (limited.limit_sec == 0)
        limited.limit_sec = LIMIT_SEC;
    int result = toolchain->family == TOOLCHAIN_APPLE
                     ? pin_apple_observe(&pin, toolchain, &limited, fail)
                     : observe_llvm(&pin, toolchain, &limited, fail);
    if (result < 0)
        return fail_while(fail, "looking for the programs of toolchain '%s'", toolchain->name);
    *out = pin;
    pin = (struct pin){0};
    return 0;
}

bool pin_is_installed(const struct toolchain *toolchain)
{
    own_pin struct pin pin = {0};
    const struct pin_options options = {0};
    find_program(&pin.compiler, &toolchain->compiler, &options);
    find_program(&pin.linker, &toolchain->linker, &options);
    return pin.compiler.path != NULL && pin.linker.path != NULL;
}

unsigned pin_newest_major(void)
{
    for (unsigned major = MAJOR_MAX; major > 0; major--) {
        own_pin struct pin pin = {0};
        own_mem char *text = text_printf("%u", major);
        if (find_versioned(&pin.compiler, "clang", text))
            return major;
    }
    return 0;
}

int pin_find(struct pin *out, const struct toolchain *toolchain, const struct pin_options *options,
             struct fail *fail)
{
    own_pin struct pin pin = {0};
    if (pin_observe(&pin, toolchain, options, fail) < 0 ||
        pin_check(&pin, toolchain, options, fail) < 0)
        return -1;
    *out = pin;
    pin = (struct pin){0};
    return 0;
}

static void program_release(struct pin_program *program)
{
    for (size_t i = 0; i < program->files_count; i++)
        free(program->files[i].path);
    free(program->files);
    free(program->path);
    free(program->real_path);
    free(program->version);
    free(program->problem);
    free(program->digest);
}

static void apple_release(struct pin_apple *apple)
{
    free(apple->developer_dir);
    free(apple->package_version);
    free(apple->package_problem);
    free(apple->compiler_build);
    free(apple->sdk_dir);
    free(apple->sdk_problem);
    free(apple->sdk_version);
    free(apple->sdk_settings);
    free(apple->sdk_contents);
    program_release(&apple->codesign);
    program_release(&apple->lipo);
}

void pin_release(struct pin *pin)
{
    program_release(&pin->compiler);
    program_release(&pin->linker);
    free(pin->name);
    free(pin->sdk_version);
    free(pin->resource_dir);
    free(pin->build_id);
    free(pin->note);
    apple_release(&pin->apple);
    *pin = (struct pin){0};
}
