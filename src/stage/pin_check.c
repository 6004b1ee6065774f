#include "stage/pin.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/own.h"
#include "base/system.h"
#include "stage/pin_apple.h"

/* Adds "; compiler 'clang': expected 19.1.7, found 18.1.8 (/usr/bin/clang)" when it differs. */
static void judge_program(struct buf *out, const char *role, const struct toolchain_program *wanted,
                          const struct pin_program *found)
{
    const char *separator = out->len == 0 ? "" : "; ";
    if (found->real_path == NULL)
        buf_printf(out, "%s%s '%s': expected version %s, found none on this machine", separator,
                   role, wanted->program, wanted->version);
    else if (found->version != NULL && strcmp(found->version, wanted->version) != 0)
        buf_printf(out, "%s%s '%s': expected version %s, found version %s ('%s')", separator, role,
                   wanted->program, wanted->version, found->version, found->path);
    else if (found->version == NULL || found->problem != NULL)
        buf_printf(out, "%s%s '%s': expected version %s, found '%s' that cannot be used (%s)",
                   separator, role, wanted->program, wanted->version, found->path,
                   found->problem == NULL ? "it told no version" : found->problem);
}

static int install_hint(const struct toolchain *toolchain, struct fail *fail)
{
    const char *version = toolchain->compiler.version;
    int major_len = (int)strcspn(version, ".");
    if (SYSTEM_MACOS)
        return fail_hint(fail, "brew install llvm@%.*s lld@%.*s", major_len, version, major_len,
                         version);
    return fail_hint(fail, "apt-get install clang-%.*s lld-%.*s", major_len, version, major_len,
                     version);
}

static void list_builds(struct buf *out, const struct toolchain *toolchain)
{
    for (size_t i = 0; i < toolchain->builds_count; i++) {
        const struct toolchain_build *build = &toolchain->builds[i];
        buf_printf(out, "%s%s (compiler %s, linker %s)", i == 0 ? "" : " or ", build->id,
                   build->compiler, build->linker);
    }
}

/* Sets build_id, also where something else is not as pinned. */
static void find_build(struct pin *pin, const struct toolchain *toolchain)
{
    free(pin->build_id);
    pin->build_id = NULL;
    if (pin->compiler.digest == NULL || pin->linker.digest == NULL)
        return;
    for (size_t i = 0; i < toolchain->builds_count && pin->build_id == NULL; i++)
        if (strcmp(toolchain->builds[i].compiler, pin->compiler.digest) == 0 &&
            strcmp(toolchain->builds[i].linker, pin->linker.digest) == 0)
            pin->build_id = text_copy(toolchain->builds[i].id);
}

/* Without a build_id, note or failure. */
static int judge_build(struct pin *pin, const struct toolchain *toolchain, bool any_build,
                       struct fail *fail)
{
    free(pin->note);
    pin->note = NULL;
    if (pin->build_id != NULL)
        return 0;
    if (toolchain->builds_count == 0) {
        pin->note = text_printf("pin '%s' lists no builds: any build of the version is accepted",
                                toolchain->name);
        return 0;
    }
    if (any_build) {
        pin->note = text_printf("pin '%s' does not list this machine's build of the version: the "
                                "bytes that come out decide",
                                toolchain->name);
        return 0;
    }
    own_buf struct buf known = {0};
    list_builds(&known, toolchain);
    fail_set(fail, FAIL_PIN,
             "toolchain '%s' does not list this machine's build: expected %s; found compiler %s, "
             "linker %s",
             toolchain->name, buf_text(&known), pin->compiler.digest, pin->linker.digest);
    return fail_hint(fail, "audit accepts every build of the version, since there the bytes "
                           "decide; to release with this one, add it to 'builds' of the pin");
}

/* The pin of an SDK that nobody has measured yet leaves its digests open: it is told. */
static void note_open_sdk(struct pin *pin, const struct toolchain *toolchain)
{
    if (toolchain->family != TOOLCHAIN_APPLE ||
        (toolchain->sdk.settings != NULL && toolchain->sdk.contents != NULL))
        return;
    own_mem char *before = pin->note;
    pin->note =
        text_printf("%s%spin '%s' lists no digest of the SDK: any SDK of the version is "
                    "accepted",
                    before == NULL ? "" : before, before == NULL ? "" : "; ", toolchain->name);
}

static int judge_llvm(const struct pin *pin, const struct toolchain *toolchain, struct fail *fail)
{
    own_buf struct buf differs = {0};
    judge_program(&differs, "compiler", &toolchain->compiler, &pin->compiler);
    judge_program(&differs, "linker", &toolchain->linker, &pin->linker);
    if (differs.len == 0)
        return 0;
    fail_set(fail, FAIL_PIN, "toolchain '%s' does not match this machine: %s", toolchain->name,
             buf_text(&differs));
    return install_hint(toolchain, fail);
}

int pin_check(struct pin *pin, const struct toolchain *toolchain, const struct pin_options *options,
              struct fail *fail)
{
    find_build(pin, toolchain);
    int result = toolchain->family == TOOLCHAIN_APPLE
                     ? pin_apple_check(pin, toolchain, options->pins_folder, fail)
                     : judge_llvm(pin, toolchain, fail);
    if (result < 0)
        return -1;
    if (pin->resource_dir == NULL)
        return fail_set(fail, FAIL_PIN, "compiler '%s' does not say where its own headers are",
                        pin->compiler.path);
    if (judge_build(pin, toolchain, options->any_build, fail) < 0)
        return -1;
    note_open_sdk(pin, toolchain);
    return 0;
}

int pin_again(const struct pin *pin, const struct toolchain *toolchain,
              const struct pin_options *options, struct fail *fail)
{
    own_pin struct pin now = {0};
    own_buf struct buf differs = {0};
    if (pin_observe(&now, toolchain, options, fail) < 0)
        return -1;
    const struct {
        const char *what, *was, *is;
    } rows[] = {
        {"developer dir", pin->apple.developer_dir, now.apple.developer_dir},
        {"package version", pin->apple.package_version, now.apple.package_version},
        {"compiler", pin->compiler.real_path, now.compiler.real_path},
        {"compiler version", pin->compiler.version, now.compiler.version},
        {"compiler build", pin->apple.compiler_build, now.apple.compiler_build},
        {"compiler digest", pin->compiler.digest, now.compiler.digest},
        {"linker", pin->linker.real_path, now.linker.real_path},
        {"linker version", pin->linker.version, now.linker.version},
        {"linker digest", pin->linker.digest, now.linker.digest},
        {"sdk", pin->apple.sdk_dir, now.apple.sdk_dir},
        {"sdk settings", pin->apple.sdk_settings, now.apple.sdk_settings},
        {"sdk contents", pin->apple.sdk_contents, now.apple.sdk_contents},
        {"codesign", pin->apple.codesign.real_path, now.apple.codesign.real_path},
        {"lipo", pin->apple.lipo.real_path, now.apple.lipo.real_path},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].was != NULL && (rows[i].is == NULL || strcmp(rows[i].was, rows[i].is) != 0))
            buf_printf(&differs, "%s%s was %s, and is %s", differs.len == 0 ? "" : "; ",
                       rows[i].what, rows[i].was, rows[i].is == NULL ? "not there" : rows[i].is);
    }
    if (differs.len == 0)
        return 0;
    fail_set(fail, FAIL_PIN, "toolchain '%s' changed while it was used: %s", toolchain->name,
             buf_text(&differs));
    return fail_hint(fail, "something installed or switched it meanwhile: run it again");
}
