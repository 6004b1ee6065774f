#include "stage/pin_draft.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/fs.h"
#include "base/own.h"
#include "stage/pin_apple.h"
#include "stage/pin_sdk.h"

#define CLT_PACKAGE "com.apple.pkg.CLTools_Executables"

/* A text in YAML that needs no escapes but for its own quotes. */
static void put_text(struct buf *out, const char *text)
{
    buf_putc(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buf_putc(out, '\'');
        buf_putc(out, *text);
    }
    buf_putc(out, '\'');
}

static void put_field(struct buf *out, const char *before, const char *text, const char *after)
{
    buf_puts(out, before);
    put_text(out, text);
    buf_puts(out, after);
}

static void put_head(struct buf *out, const struct pin_draft *request)
{
    buf_puts(out, "# Drafted by 'hallmark pin write' of what one machine has: read it before it is "
                  "committed.\n");
    put_field(out, "name: ", request->name, "\n");
    buf_printf(out, "family: %s\n", toolchain_family_text(request->family));
}

static void put_builds(struct buf *out, const struct pin_draft *request, const struct pin *found)
{
    struct utsname machine = {0};
    own_mem char *id = NULL;
    if (request->build_id != NULL)
        id = text_copy(request->build_id);
    else if (uname(&machine) == 0)
        id = text_printf("%s-%s", machine.sysname, machine.machine);
    else
        id = text_copy("here");
    for (char *at = id; request->build_id == NULL && *at != '\0'; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    put_field(out, "builds:\n  - {id: ", id, ", ");
    put_field(out, "compiler: ", found->compiler.digest, ", ");
    put_field(out, "linker: ", found->linker.digest, "}\n");
}

/* What was written has to be a pin. */
static int check_draft(const struct buf *text, const struct pin_draft *request, struct fail *fail)
{
    own_toolchain struct toolchain pin = {0};
    return toolchain_parse(&pin, (struct view){text->data, text->len}, "the draft", request->name,
                           fail);
}

/* ---- apple ---------------------------------------------------------------------------------- */

static void put_apple(struct buf *out, const struct toolchain *wanted, const struct pin *found)
{
    const struct pin_apple *apple = &found->apple;
    put_field(out, "developer_dir: ", wanted->developer_dir, "\n");
    put_field(out, "package: {id: ", wanted->package.id, ", ");
    put_field(out, "version: ", apple->package_version, "}\n");
    put_field(out, "compiler: {program: clang, version: ", found->compiler.version, ", ");
    put_field(out, "build: ", apple->compiler_build, "}\n");
    put_field(out, "linker: {program: ld, version: ", found->linker.version, "}\n");
    put_field(out, "sdk:\n  name: ", wanted->sdk.name, "\n");
    put_field(out, "  version: ", apple->sdk_version, "\n");
    put_field(out, "  settings: ", apple->sdk_settings, "\n");
    put_field(out, "  contents: ", apple->sdk_contents, "\n");
}

/* Xcode is the developer directory Contents/Developer of an application. */
static const char *package_of(const char *developer_dir, struct fail *fail)
{
    own_mem char *path = text_printf("%s/../version.plist", developer_dir);
    int there = fs_exists(path, fail);
    if (there < 0)
        return NULL;
    return there > 0 ? TOOLCHAIN_XCODE : CLT_PACKAGE;
}

static int draft_apple(struct buf *out, const struct pin_draft *request, struct fail *fail)
{
    own_pin struct pin found = {0};
    own_pin_fields struct pin_fields fields = {0};
    own_buf struct buf missing = {0};
    own_mem char *directory = text_copy(request->developer_dir == NULL ? PIN_DRAFT_DEVELOPER_DIR
                                                                       : request->developer_dir);
    for (size_t len = strlen(directory); len > 1 && directory[len - 1] == '/'; len--)
        directory[len - 1] = '\0'; /* as shells complete it */
    if (toolchain_developer_dir_check(directory, fail) < 0)
        return -1; /* before anything in it is started */
    const char *package = package_of(directory, fail);
    if (package == NULL)
        return -1;
    /* A pin that leaves every version open. */
    const struct toolchain wanted = {
        .name = (char *)(uintptr_t)request->name,
        .family = TOOLCHAIN_APPLE,
        .developer_dir = directory,
        .package = {.id = (char *)(uintptr_t)package},
        .compiler = {.program = (char *)(uintptr_t) "clang"},
        .linker = {.program = (char *)(uintptr_t) "ld"},
        .sdk = {.name = (char *)(uintptr_t)(request->sdk == NULL ? "macosx" : request->sdk)},
    };
    if (pin_observe(&found, &wanted, &(struct pin_options){.any_place = true, .fresh = true},
                    fail) < 0)
        return -1;
    if (found.apple.developer_dir == NULL) {
        fail_set(fail, FAIL_PIN, "there is no developer directory '%s'", directory);
        return fail_hint(fail, "--developer-dir names another one; --family llvm drafts a pin of "
                               "clang and lld");
    }
    pin_apple_fields(&fields, &found, &wanted);
    pin_fields_judge(&missing, &fields);
    if (missing.len != 0)
        return fail_set(fail, FAIL_PIN, "the developer directory '%s' is not complete: %s",
                        directory, buf_text(&missing));
    put_apple(out, &wanted, &found);
    put_builds(out, request, &found);
    return 0;
}

/* ---- llvm ----------------------------------------------------------------------------------- */

/* Major 0: any version. */
static int check_program(const char *name, const struct pin_program *found, unsigned major,
                         struct fail *fail)
{
    own_mem char *wanted = major == 0 ? text_copy("") : text_printf(" %u", major);
    if (found->path == NULL)
        return fail_set(fail, FAIL_PIN, "there is no '%s'%s on this machine", name, wanted);
    if (found->version == NULL || found->problem != NULL)
        return fail_set(fail, FAIL_PIN, "there is no '%s'%s on this machine, but '%s' (%s)", name,
                        wanted, found->path,
                        found->problem == NULL ? "it told no version" : found->problem);
    if (major != 0 && strtoul(found->version, NULL, 10) != major)
        return fail_set(fail, FAIL_PIN, "there is no '%s'%s on this machine, but %s ('%s')", name,
                        wanted, found->version, found->path);
    return 0;
}

static int draft_llvm(struct buf *out, const struct pin_draft *request, struct fail *fail)
{
    own_pin struct pin found = {0};
    own_mem char *version = NULL;
    own_mem char *problem = NULL;
    unsigned major = request->major == 0 ? pin_newest_major() : (unsigned)request->major;
    own_mem char *major_text = text_printf("%u", major);
    const char *sdk = request->sdk == NULL ? "toolchain/sdk" : request->sdk;
    const struct toolchain wanted = {
        .name = (char *)(uintptr_t)request->name,
        .family = TOOLCHAIN_LLVM,
        .compiler = {.program = (char *)(uintptr_t) "clang", .version = major_text},
        .linker = {.program = (char *)(uintptr_t) "ld64.lld", .version = major_text},
    };
    if (pin_observe(&found, &wanted, &(struct pin_options){.fresh = true}, fail) < 0)
        return -1;
    if (check_program("clang", &found.compiler, major, fail) < 0 ||
        check_program("ld64.lld", &found.linker, major, fail) < 0)
        return -1;
    own_mem char *folder = text_printf("%s/%s", request->root, sdk);
    pin_sdk_settings(&version, NULL, &problem, folder);
    if (version == NULL)
        return fail_set(fail, FAIL_PIN, "the SDK '%s' does not say its version%s%s", folder,
                        problem == NULL ? "" : ": ", problem == NULL ? "" : problem);
    put_field(out, "compiler: {program: clang, version: ", found.compiler.version, "}\n");
    put_field(out, "linker: {program: ld64.lld, version: ", found.linker.version, "}\n");
    put_field(out, "sdk: {path: ", sdk, ", ");
    put_field(out, "version: ", version, "}\n");
    put_builds(out, request, &found);
    return 0;
}

int pin_draft(struct buf *out, const struct pin_draft *request, struct fail *fail)
{
    own_buf struct buf text = {0};
    if (toolchain_name_check(request->name, fail) < 0)
        return -1;
    put_head(&text, request);
    int result = request->family == TOOLCHAIN_APPLE ? draft_apple(&text, request, fail)
                                                    : draft_llvm(&text, request, fail);
    if (result < 0 || check_draft(&text, request, fail) < 0)
        return fail_while(fail, "drafting the pin '%s'", request->name);
    buf_append(out, text.data, text.len);
    return 0;
}
