#include "stage/pin.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/own.h"
#include "port/child.h"
#include "stage/pin_cache.h"
#include "stage/pin_files.h"

#define LIMIT_SEC 10u

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
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        const char *mark = strstr(places[i], "%s");
        own_mem char *directory =
            text_printf("%.*s%s%s", (int)(mark - places[i]), places[i], major, mark + 2);
        if (take(out, directory, wanted->program))
            return;
    }
    if (!take_from_path(out, versioned))
        (void)take_from_path(out, wanted->program);
}

/* The word behind `mark` in the first line; NULL when it is not there or unprintable. */
static char *word_behind(const char *text, const char *mark)
{
    size_t line_len = strcspn(text, "\r\n");
    const char *at = strstr(text, mark);
    if (at == NULL || (size_t)(at - text) >= line_len)
        return NULL;
    at += strlen(mark);
    size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-~_");
    return len == 0 || len > 64 ? NULL : mem_copy(at, len);
}

/* What one program is asked. */
struct question {
    struct pin_program *program;
    const char *name;     /* in the cache */
    const char *argument; /* the command line */
    const char *mark;     /* what precedes the version; NULL: the first line is the answer */
    char **answer;
    const char *argv[4];
};

static void take_answer(struct question *question, const struct child *child)
{
    struct pin_program *program = question->program;
    if (!child_succeeded(child)) {
        own_fail struct fail why = {0};
        child_fail(child, &why);
        if (program->problem == NULL)
            program->problem = text_copy(why.message);
        return;
    }
    const char *text = buf_text(&child->output);
    if (strncmp(text, "Apple ", 6) == 0 && question->mark != NULL) {
        if (program->problem == NULL)
            program->problem = text_copy("it is Apple's own, whose versions count differently");
    } else if (question->mark != NULL) {
        *question->answer = word_behind(text, question->mark);
    } else {
        own_mem char *line = mem_copy(text, strcspn(text, "\r\n"));
        *question->answer = line[0] == '/' ? realpath(line, NULL) : NULL;
    }
    if (*question->answer == NULL && program->problem == NULL)
        program->problem = text_printf("its answer to %s is not understood", question->argument);
}

static void children_release(struct child (*children)[2])
{
    for (size_t i = 0; i < 2; i++)
        child_release(&(*children)[i]);
}

static int ask(struct question *questions, size_t count, struct pin_cache *cache,
               unsigned limit_sec, struct fail *fail)
{
    __attribute__((cleanup(children_release))) struct child children[2] = {0};
    struct question *asked[2] = {0};
    size_t asked_count = 0;
    for (size_t i = 0; i < count && asked_count < 2; i++) {
        struct question *question = &questions[i];
        struct pin_program *program = question->program;
        *question->answer = pin_cache_answer(cache, question->name, program->digest, program->path);
        if (*question->answer != NULL)
            continue;
        question->argv[0] = program->path;
        question->argv[1] = question->argument;
        children[asked_count] = (struct child){.program = program->path,
                                               .argv = question->argv,
                                               .envp = pin_environment,
                                               .directory = "/",
                                               .limit_sec = limit_sec};
        asked[asked_count++] = question;
    }
    if (asked_count > 0 && child_run_all(children, asked_count, 0, fail) < 0)
        return -1;
    for (size_t i = 0; i < asked_count; i++) {
        take_answer(asked[i], &children[i]);
        if (*asked[i]->answer != NULL)
            pin_cache_add_answer(cache, asked[i]->name, asked[i]->program->digest,
                                 asked[i]->program->path, *asked[i]->answer);
    }
    return 0;
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
    struct question versions[2];
    size_t count = 0;
    if (pin->compiler.real_path != NULL)
        versions[count++] = (struct question){.program = &pin->compiler,
                                              .name = "version",
                                              .argument = "--version",
                                              .mark = "clang version ",
                                              .answer = &pin->compiler.version};
    if (pin->linker.real_path != NULL)
        versions[count++] = (struct question){.program = &pin->linker,
                                              .name = "version",
                                              .argument = "--version",
                                              .mark = "LLD ",
                                              .answer = &pin->linker.version};
    if (ask(versions, count, cache, limit_sec, fail) < 0)
        return -1;
    struct question resources = {.program = &pin->compiler,
                                 .name = "resources",
                                 .argument = "-print-resource-dir",
                                 .answer = &pin->resource_dir};
    if (pin->compiler.version != NULL && ask(&resources, 1, cache, limit_sec, fail) < 0)
        return -1;
    forget_missing_directory(pin);
    return 0;
}

int pin_observe(struct pin *out, const struct toolchain *toolchain,
                const struct pin_options *options, struct fail *fail)
{
    own_pin struct pin pin = {.name = text_copy(toolchain->name),
                              .sdk_version = text_copy(toolchain->sdk.version)};
    if (toolchain->family != TOOLCHAIN_LLVM)
        return fail_set(fail, FAIL_PIN,
                        "toolchain '%s' is of family '%s', which this version does not support",
                        toolchain->name, toolchain_family_text(toolchain->family));
    unsigned limit_sec = options->limit_sec == 0 ? LIMIT_SEC : options->limit_sec;
    find_program(&pin.compiler, &toolchain->compiler, options);
    find_program(&pin.linker, &toolchain->linker, options);
    struct pin_program *found[2];
    size_t count = 0;
    if (pin.compiler.real_path != NULL)
        found[count++] = &pin.compiler;
    if (pin.linker.real_path != NULL)
        found[count++] = &pin.linker;
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, options->fresh);
    if (pin_files_list(found, count, limit_sec, fail) < 0 ||
        pin_files_digest(found, count, &cache, fail) < 0 ||
        ask_all(&pin, &cache, limit_sec, fail) < 0)
        return fail_while(fail, "looking for the programs of toolchain '%s'", toolchain->name);
    pin_cache_save(&cache);
    *out = pin;
    pin = (struct pin){0};
    return 0;
}

int pin_find(struct pin *out, const struct toolchain *toolchain, const struct pin_options *options,
             struct fail *fail)
{
    own_pin struct pin pin = {0};
    if (pin_observe(&pin, toolchain, options, fail) < 0 ||
        pin_check(&pin, toolchain, options->any_build, fail) < 0)
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
