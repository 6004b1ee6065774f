#include "stage/pin_apple.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/own.h"
#include "macho/plist.h"
#include "stage/pin_ask.h"
#include "stage/pin_files.h"
#include "stage/pin_sdk.h"

#define SYSTEM_PKGUTIL  "/usr/sbin/pkgutil"
#define SYSTEM_CODESIGN "/usr/bin/codesign"

/* Below them only an administrator installs. */
static const char *const system_places[] = {"/Library/Developer", "/Applications"};

/* All that has to be known to ask. */
struct looking {
    struct pin *pin;
    const struct toolchain *toolchain;
    unsigned limit_sec;
    char *variable; /* DEVELOPER_DIR=... */
    const char *environment[5];
    char *xcrun;
    char *pkgutil;
};

static void looking_release(struct looking *looking)
{
    free(looking->variable);
    free(looking->xcrun);
    free(looking->pkgutil);
}
#define own_looking __attribute__((cleanup(looking_release)))

/* ---- the developer directory ---------------------------------------------------------------- */

static bool lies_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    return strncmp(path, folder, len) == 0 && path[len] == '/';
}

static bool is_allowed_place(const char *real)
{
    for (size_t i = 0; i < sizeof system_places / sizeof system_places[0]; i++)
        if (lies_below(real, system_places[i]))
            return true;
    const char *list = getenv(PIN_APPLE_PLACES);
    while (list != NULL && *list != '\0') {
        size_t len = strcspn(list, ":");
        own_mem char *name = mem_copy(list, len);
        own_mem char *place = name[0] == '/' ? realpath(name, NULL) : NULL;
        if (place != NULL && (strcmp(real, place) == 0 || lies_below(real, place)))
            return true;
        list += len + (list[len] == ':');
    }
    return false;
}

/* Leaves developer_dir NULL when it is not there. */
static int find_developer_dir(struct pin *pin, const struct toolchain *toolchain, bool any_place,
                              struct fail *fail)
{
    struct stat info;
    own_mem char *real = realpath(toolchain->developer_dir, NULL);
    if (real == NULL || stat(real, &info) < 0 || !S_ISDIR(info.st_mode))
        return 0;
    if (!any_place && !is_allowed_place(real)) {
        fail_set(fail, FAIL_PIN,
                 "toolchain '%s' names the developer directory '%s', from which nothing may be "
                 "started",
                 toolchain->name, real);
        return fail_hint(fail,
                         "a pin can name directories below /Library/Developer and "
                         "/Applications; " PIN_APPLE_PLACES " allows others, separated by colons");
    }
    pin->apple.developer_dir = steal_mem(&real);
    return 0;
}

/* ---- asking --------------------------------------------------------------------------------- */

static void prepare(struct looking *looking)
{
    const char *root = looking->pin->apple.developer_dir;
    looking->variable = text_printf("DEVELOPER_DIR=%s", root);
    looking->environment[0] = "LC_ALL=C";
    looking->environment[1] = "TZ=UTC";
    looking->environment[2] = "PATH=/usr/bin:/bin";
    looking->environment[3] = looking->variable;
    looking->xcrun = text_printf("%s/usr/bin/xcrun", root);
    looking->pkgutil = text_printf("%s/usr/bin/pkgutil", root);
    if (access(looking->pkgutil, X_OK) != 0) {
        free(looking->pkgutil);
        looking->pkgutil = text_copy(SYSTEM_PKGUTIL);
    }
}

static void say(char **problem, const char *text)
{
    if (*problem == NULL)
        *problem = text_copy(text);
}

/* "package-id: ID", "version: VERSION", ... */
static char *take_receipt(const char *text, char **problem)
{
    (void)problem;
    const char *line = strncmp(text, "version: ", 9) == 0 ? text : strstr(text, "\nversion: ");
    return line == NULL ? NULL : pin_word_behind(line + (*line == '\n'), "version: ");
}

/* "Apple clang version 21.0.0 (clang-2100.0.123.102)": version and build with a blank between. */
static char *take_clang(const char *text, char **problem)
{
    own_mem char *version = pin_word_behind(text, "Apple clang version ");
    own_mem char *build = pin_word_behind(text, " (");
    if (version != NULL && build != NULL)
        return text_printf("%s %s", version, build);
    say(problem, "it is not Apple's clang");
    return NULL;
}

/* "@(#)PROGRAM:ld PROJECT:ld-1266.8"; the project was called ld64 and dyld too. */
static char *take_ld(const char *text, char **problem)
{
    own_mem char *project = pin_word_behind(text, "PROGRAM:ld PROJECT:");
    const char *dash = project == NULL ? NULL : strchr(project, '-');
    if (dash != NULL && dash[1] != '\0')
        return text_copy(dash + 1);
    say(problem, "it is not Apple's ld");
    return NULL;
}

static struct pin_question ask_xcrun(struct looking *looking, const char *what, const char *name,
                                     char **answer, char **problem)
{
    return (struct pin_question){.argv = {looking->xcrun, "--no-cache", what, name},
                                 .environment = looking->environment,
                                 .take = pin_take_path,
                                 .answer = answer,
                                 .problem = problem};
}

/* Where everything is: one question each, all at once. */
static int ask_places(struct looking *looking, struct fail *fail)
{
    struct pin_apple *apple = &looking->pin->apple;
    const struct toolchain *toolchain = looking->toolchain;
    const struct {
        struct pin_program *program;
        const char *name;
    } programs[] = {
        {&looking->pin->compiler, toolchain->compiler.program},
        {&looking->pin->linker, toolchain->linker.program},
        {&apple->codesign, "codesign"},
        {&apple->lipo, "lipo"},
    };
    struct pin_question questions[PIN_QUESTIONS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        questions[count++] =
            ask_xcrun(looking, "--find", programs[i].name, &programs[i].program->real_path,
                      &programs[i].program->problem);
    questions[count++] =
        ask_xcrun(looking, "--sdk", toolchain->sdk.name, &apple->sdk_dir, &apple->sdk_problem);
    questions[count - 1].argv[4] = "--show-sdk-path";
    if (strcmp(toolchain->package.id, TOOLCHAIN_XCODE) != 0)
        questions[count++] =
            (struct pin_question){.argv = {looking->pkgutil, "--pkg-info", toolchain->package.id},
                                  .environment = looking->environment,
                                  .take = take_receipt,
                                  .answer = &apple->package_version,
                                  .problem = &apple->package_problem};
    if (access(looking->xcrun, X_OK) == 0)
        return pin_ask(questions, count, NULL, looking->limit_sec, fail);
    for (size_t i = 0; i < count; i++)
        say(questions[i].problem, "the developer directory has no 'usr/bin/xcrun'");
    return 0;
}

/* A program counts only in the developer directory; `or_else` is a place of the system's. */
static void judge_place(struct looking *looking, struct pin_program *program, const char *or_else)
{
    const char *root = looking->pin->apple.developer_dir;
    if (program->real_path == NULL)
        return;
    program->path = text_copy(program->real_path);
    if (lies_below(program->real_path, root) ||
        (or_else != NULL && strcmp(program->real_path, or_else) == 0))
        return;
    free(program->problem);
    program->problem = text_printf("it is outside of '%s'", root);
}

static void judge_sdk_place(struct looking *looking)
{
    struct pin_apple *apple = &looking->pin->apple;
    if (apple->sdk_dir == NULL || lies_below(apple->sdk_dir, apple->developer_dir))
        return;
    free(apple->sdk_problem);
    apple->sdk_problem = text_printf("it is outside of '%s'", apple->developer_dir);
}

/* ---- Xcode says its version in a property list ---------------------------------------------- */

static char *plist_word(const struct plist *list, const char *key)
{
    const struct plist_node *node = plist_get(list, key);
    if (node == NULL || node->type != PLIST_STRING)
        return NULL;
    char *word = pin_word_behind(node->bytes, "");
    if (word != NULL && strlen(word) == node->len)
        return word;
    free(word);
    return NULL;
}

static void read_xcode_version(struct pin_apple *apple)
{
    own_fail struct fail why = {0};
    own_mem char *path = text_printf("%s/../version.plist", apple->developer_dir);
    own_buf struct buf text = {0};
    own_plist struct plist list = {0};
    if (fs_read(&text, path, PLIST_LEN_MAX, &why) < 0 ||
        plist_parse(&list, (struct view){text.data, text.len}, &why) < 0) {
        say(&apple->package_problem, why.message);
        return;
    }
    own_mem char *version = plist_word(&list, "CFBundleShortVersionString");
    own_mem char *build = plist_word(&list, "ProductBuildVersion");
    if (version == NULL || build == NULL)
        say(&apple->package_problem, "its version.plist does not say which it is");
    else
        apple->package_version = text_printf("%s-%s", version, build);
}

/* ---- what the programs say ------------------------------------------------------------------ */

static struct pin_question ask_program(struct looking *looking, struct pin_program *program,
                                       const char *argument, pin_take *take, char **answer)
{
    return (struct pin_question){.argv = {program->path, argument},
                                 .environment = looking->environment,
                                 .take = take,
                                 .answer = answer,
                                 .problem = &program->problem};
}

/* What was answered is not remembered: it is asked again after compiling (pin_again()). */
static int ask_versions(struct looking *looking, struct fail *fail)
{
    struct pin *pin = looking->pin;
    own_mem char *clang = NULL;
    struct pin_question questions[2];
    size_t count = 0;
    if (pin->compiler.problem == NULL && pin->compiler.path != NULL)
        questions[count++] = ask_program(looking, &pin->compiler, "--version", take_clang, &clang);
    if (pin->linker.problem == NULL && pin->linker.path != NULL) {
        questions[count] = ask_program(looking, &pin->linker, "-v", take_ld, &pin->linker.version);
        questions[count++].merged = true;
    }
    if (pin_ask(questions, count, NULL, looking->limit_sec, fail) < 0)
        return -1;
    if (clang == NULL)
        return 0;
    char *blank = strchr(clang, ' ');
    pin->apple.compiler_build = text_copy(blank + 1);
    *blank = '\0';
    pin->compiler.version = steal_mem(&clang);
    questions[0] = ask_program(looking, &pin->compiler, "-print-resource-dir", pin_take_path,
                               &pin->resource_dir);
    if (pin_ask(questions, 1, NULL, looking->limit_sec, fail) < 0)
        return -1;
    if (pin->resource_dir != NULL && !lies_below(pin->resource_dir, pin->apple.developer_dir)) {
        free(pin->resource_dir);
        pin->resource_dir = NULL;
    }
    return 0;
}

static int digest_programs(struct looking *looking, bool fresh, struct fail *fail)
{
    struct pin *pin = looking->pin;
    struct pin_program *programs[] = {&pin->compiler, &pin->linker};
    struct pin_program *found[2];
    size_t count = 0;
    for (size_t i = 0; i < 2; i++)
        if (programs[i]->problem == NULL && programs[i]->path != NULL)
            found[count++] = programs[i];
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, fresh);
    if (pin_files_list(found, count, looking->limit_sec, fail) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < found[i]->files_count; k++)
            found[i]->files[k].own = lies_below(found[i]->files[k].path, pin->apple.developer_dir);
    if (pin_files_digest(found, count, &cache, fail) < 0)
        return -1;
    pin_cache_save(&cache);
    return 0;
}

int pin_apple_observe(struct pin *out, const struct toolchain *toolchain,
                      const struct pin_options *options, struct fail *fail)
{
    own_looking struct looking looking = {
        .pin = out, .toolchain = toolchain, .limit_sec = options->limit_sec};
    struct pin_apple *apple = &out->apple;
    if (find_developer_dir(out, toolchain, options->any_place, fail) < 0)
        return -1;
    if (apple->developer_dir == NULL)
        return 0;
    prepare(&looking);
    if (ask_places(&looking, fail) < 0)
        return -1;
    judge_place(&looking, &out->compiler, NULL);
    judge_place(&looking, &out->linker, NULL);
    judge_place(&looking, &apple->lipo, NULL);
    judge_place(&looking, &apple->codesign, SYSTEM_CODESIGN);
    judge_sdk_place(&looking);
    if (strcmp(toolchain->package.id, TOOLCHAIN_XCODE) == 0)
        read_xcode_version(apple);
    if (digest_programs(&looking, options->fresh, fail) < 0 || ask_versions(&looking, fail) < 0)
        return -1;
    if (apple->sdk_dir == NULL || apple->sdk_problem != NULL)
        return 0;
    pin_sdk_settings(&apple->sdk_version, &apple->sdk_settings, &apple->sdk_problem,
                     apple->sdk_dir);
    return pin_sdk_contents(&apple->sdk_contents, apple->sdk_dir, fail);
}
