#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/datadir.h"
#include "base/fs.h"
#include "base/own.h"
#include "stage/pin_apple.h"

#define PIN_TEXT_MAX (1u << 20)
#define PINS_MAX     1000u
#define DOWNLOADS    "https://developer.apple.com/download/all/"

void pin_apple_fields(struct pin_fields *out, const struct pin *pin,
                      const struct toolchain *toolchain)
{
    const struct pin_apple *apple = &pin->apple;
    const struct toolchain_sdk *sdk = &toolchain->sdk;
    pin_fields_add_place(out, "developer dir", toolchain->developer_dir, apple->developer_dir,
                         NULL);
    pin_fields_add_place(out, "package", toolchain->package.id,
                         apple->package_version == NULL ? NULL : toolchain->package.id,
                         apple->package_problem);
    pin_fields_add(out, "package version", toolchain->package.version, apple->package_version,
                   NULL);
    pin_fields_add_place(out, "compiler", toolchain->compiler.program, pin->compiler.path,
                         pin->compiler.problem);
    pin_fields_add(out, "compiler version", toolchain->compiler.version, pin->compiler.version,
                   NULL);
    pin_fields_add(out, "compiler build", toolchain->compiler.build, apple->compiler_build, NULL);
    pin_fields_add_place(out, "linker", toolchain->linker.program, pin->linker.path,
                         pin->linker.problem);
    pin_fields_add(out, "linker version", toolchain->linker.version, pin->linker.version, NULL);
    pin_fields_add_place(out, "sdk", sdk->name, apple->sdk_dir, apple->sdk_problem);
    pin_fields_add(out, "sdk version", sdk->version, apple->sdk_version, NULL);
    pin_fields_add(out, "sdk settings", sdk->settings, apple->sdk_settings, NULL);
    pin_fields_add(out, "sdk contents", sdk->contents, apple->sdk_contents, NULL);
    pin_fields_add_place(out, "codesign", "codesign", apple->codesign.path,
                         apple->codesign.problem);
    pin_fields_add_place(out, "lipo", "lipo", apple->lipo.path, apple->lipo.problem);
}

static bool is_yaml(const char *name)
{
    size_t len = strlen(name);
    return len > 5 && strcmp(name + len - 5, ".yaml") == 0 && name[0] != '.';
}

/* Whether a pin is of family llvm and its programs are here; what they are is not asked. */
static bool is_usable(const char *path, const char *name)
{
    own_fail struct fail ignored = {0};
    own_buf struct buf text = {0};
    own_toolchain struct toolchain toolchain = {0};
    if (fs_read(&text, path, PIN_TEXT_MAX, &ignored) < 0 ||
        toolchain_parse(&toolchain, (struct view){text.data, text.len}, path, name, &ignored) < 0)
        return false;
    return toolchain.family == TOOLCHAIN_LLVM && pin_is_installed(&toolchain);
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

void pin_apple_others(struct buf *out, const char *folder)
{
    struct dirent **list = NULL;
    int count = scandir(folder, &list, NULL, compare_names);
    for (int i = 0; i < count; i++) {
        const char *file = list[i]->d_name;
        own_mem char *path = text_printf("%s/%s", folder, file);
        own_mem char *name = is_yaml(file) ? mem_copy(file, strlen(file) - 5) : NULL;
        if (name != NULL && (unsigned)i < PINS_MAX && is_usable(path, name))
            buf_printf(out, "%s%s", out->len == 0 ? "" : ", ", name);
        free(list[i]);
    }
    free(list);
}

/* "Command Line Tools 26.4"; the id, where Apple's name for it is not known. */
static char *product_name(const struct toolchain_package *package)
{
    const char *version = package->version;
    size_t len = strspn(version, "0123456789");
    if (version[len] == '.')
        len += 1 + strspn(version + len + 1, "0123456789");
    if (strncmp(package->id, "com.apple.pkg.CLTools", 21) == 0)
        return text_printf("Command Line Tools for Xcode %.*s", (int)len, version);
    if (strcmp(package->id, TOOLCHAIN_XCODE) == 0)
        return text_printf("Xcode %.*s", (int)len, version);
    return text_printf("package %s", package->id);
}

static int refuse_missing(const struct toolchain *toolchain, const char *pins_folder,
                          struct fail *fail)
{
    own_buf struct buf others = {0};
    own_mem char *installed = text_printf("%s/toolchain", datadir_path());
    own_mem char *product = product_name(&toolchain->package);
    pin_apple_others(&others, pins_folder == NULL ? installed : pins_folder);
    fail_set(fail, FAIL_PIN,
             "toolchain '%s' needs package %s %s in '%s', which is not on this machine",
             toolchain->name, toolchain->package.id, toolchain->package.version,
             toolchain->developer_dir);
    return fail_hint(fail,
                     "on a Mac, install %s (softwareupdate --list names it, softwareupdate "
                     "--install takes that name; or from " DOWNLOADS "), then 'hallmark pin check "
                     "%s'; toolchains that this machine has: %s",
                     product, toolchain->name, others.len == 0 ? "none" : buf_text(&others));
}

int pin_apple_check(const struct pin *pin, const struct toolchain *toolchain,
                    const char *pins_folder, struct fail *fail)
{
    if (pin->apple.developer_dir == NULL)
        return refuse_missing(toolchain, pins_folder, fail);
    own_pin_fields struct pin_fields fields = {0};
    own_buf struct buf differs = {0};
    pin_apple_fields(&fields, pin, toolchain);
    pin_fields_judge(&differs, &fields);
    if (differs.len == 0)
        return 0;
    own_mem char *product = product_name(&toolchain->package);
    fail_set(fail, FAIL_PIN, "toolchain '%s' does not match this machine: %s", toolchain->name,
             buf_text(&differs));
    return fail_hint(fail,
                     "install %s in '%s' (" DOWNLOADS "), or draft a pin of what is here: "
                     "'hallmark pin write NAME --developer-dir DIR'",
                     product, toolchain->developer_dir);
}
