#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/datadir.h"
#include "base/fs.h"
#include "cli/commands.h"
#include "port/json.h"
#include "stage/pin.h"
#include "stage/pin_apple.h"
#include "stage/pin_draft.h"
#include "stage/pin_sdk.h"

#define TEXT_MAX (1u << 20)

/* toolchain/NAME.yaml here, else the installed one; *root is the directory that holds it. */
static int load(struct toolchain *out, char **path, char **root, const char *name,
                struct fail *fail)
{
    if (toolchain_name_check(name, fail) < 0)
        return -1;
    const char *roots[] = {".", datadir_path()};
    for (size_t i = 0; i < 2; i++) {
        own_mem char *candidate = i == 0 ? text_printf("toolchain/%s.yaml", name)
                                         : text_printf("%s/toolchain/%s.yaml", roots[i], name);
        int there = fs_exists(candidate, fail);
        if (there < 0)
            return -1;
        if (there == 0)
            continue;
        own_buf struct buf text = {0};
        if (fs_read(&text, candidate, TEXT_MAX, fail) < 0 ||
            toolchain_parse(out, (struct view){text.data, text.len}, candidate, name, fail) < 0)
            return fail_while(fail, "reading toolchain '%s'", name);
        *path = steal_mem(&candidate);
        *root = text_copy(roots[i]);
        return 0;
    }
    fail_set(fail, FAIL_INPUT,
             "there is no toolchain '%s': neither 'toolchain/%s.yaml' nor '%s/toolchain/%s.yaml' "
             "is there",
             name, name, datadir_path(), name);
    return fail_hint(
        fail, "run it in the root of a repository that has toolchain/, or set " DATADIR_VARIABLE);
}

static void print_json(json_t *doc)
{
    own_buf struct buf text = {0};
    js_print(&text, doc);
    fputs(buf_text(&text), stdout);
}

static json_t *program_json(const struct toolchain_program *program)
{
    json_t *object = js_object();
    js_set(object, "program", js_text(program->program));
    js_set(object, "version", js_text(program->version));
    if (program->build != NULL)
        js_set(object, "build", js_text(program->build));
    return object;
}

static json_t *sdk_json(const struct toolchain *pin)
{
    json_t *sdk = js_object();
    bool apple = pin->family == TOOLCHAIN_APPLE;
    js_set(sdk, apple ? "name" : "path", js_text(toolchain_sdk_name(pin)));
    js_set(sdk, "version", js_text(pin->sdk.version));
    if (apple) {
        js_set(sdk, "settings", js_text(pin->sdk.settings));
        js_set(sdk, "contents", js_text(pin->sdk.contents));
    }
    return sdk;
}

static void show_json(const struct toolchain *pin, const char *path)
{
    own_json json_t *doc = js_object();
    js_set(doc, "name", js_text(pin->name));
    js_set(doc, "file", js_text(path));
    js_set(doc, "family", js_text(toolchain_family_text(pin->family)));
    if (pin->family == TOOLCHAIN_APPLE) {
        json_t *package = js_object();
        js_set(package, "id", js_text(pin->package.id));
        js_set(package, "version", js_text(pin->package.version));
        js_set(doc, "developer_dir", js_text(pin->developer_dir));
        js_set(doc, "package", package);
    }
    js_set(doc, "compiler", program_json(&pin->compiler));
    js_set(doc, "linker", program_json(&pin->linker));
    js_set(doc, "sdk", sdk_json(pin));
    json_t *builds = js_array();
    for (size_t i = 0; i < pin->builds_count; i++) {
        json_t *build = js_object();
        js_set(build, "id", js_text(pin->builds[i].id));
        js_set(build, "compiler", js_text(pin->builds[i].compiler));
        js_set(build, "linker", js_text(pin->builds[i].linker));
        js_push(builds, build);
    }
    js_set(doc, "builds", builds);
    print_json(doc);
}

static void show(const struct toolchain *pin, const char *path)
{
    printf("toolchain %s (%s)\n", pin->name, path);
    printf("  family    %s\n", toolchain_family_text(pin->family));
    if (pin->family == TOOLCHAIN_APPLE)
        printf("  directory %s\n  package   %s %s\n", pin->developer_dir, pin->package.id,
               pin->package.version);
    printf("  compiler  %s %s", pin->compiler.program, pin->compiler.version);
    if (pin->compiler.build != NULL)
        printf(" (%s)", pin->compiler.build);
    putchar('\n');
    printf("  linker    %s %s\n", pin->linker.program, pin->linker.version);
    printf("  sdk       %s %s\n", toolchain_sdk_name(pin), pin->sdk.version);
    if (pin->family == TOOLCHAIN_APPLE)
        printf("    settings %s\n    contents %s\n",
               pin->sdk.settings == NULL ? "any" : pin->sdk.settings,
               pin->sdk.contents == NULL ? "any" : pin->sdk.contents);
    for (size_t i = 0; i < pin->builds_count; i++)
        printf("  build     %s\n    compiler %s\n    linker   %s\n", pin->builds[i].id,
               pin->builds[i].compiler, pin->builds[i].linker);
    if (pin->builds_count == 0)
        printf("  build     any of these versions\n");
}

static void add_program(struct pin_fields *fields, bool compiler,
                        const struct toolchain_program *wanted, const struct pin_program *found)
{
    pin_fields_add_place(fields, compiler ? "compiler" : "linker", wanted->program, found->path,
                         NULL);
    pin_fields_add(fields, compiler ? "compiler version" : "linker version", wanted->version,
                   found->version, found->problem);
}

/* "debian-12-amd64, debian-12-arm64"; NULL when the pin lists none. */
static char *build_ids(const struct toolchain *pin)
{
    own_buf struct buf text = {0};
    for (size_t i = 0; i < pin->builds_count; i++)
        buf_printf(&text, "%s%s", i == 0 ? "" : ", ", pin->builds[i].id);
    return pin->builds_count == 0 ? NULL : buf_steal(&text);
}

static void add_build(struct pin_fields *fields, const struct toolchain *pin,
                      const struct pin *found)
{
    own_mem char *pinned = build_ids(pin);
    own_mem char *build = NULL;
    if (found->build_id == NULL && found->compiler.digest != NULL && found->linker.digest != NULL)
        build = text_printf("one that is not listed (compiler %s, linker %s)",
                            found->compiler.digest, found->linker.digest);
    if (found->build_id != NULL)
        pin_fields_add_place(fields, "build", pinned, found->build_id, NULL);
    else
        pin_fields_add(fields, "build", pinned, build, NULL);
}

static void fill_fields(struct pin_fields *fields, const struct toolchain *pin,
                        const struct pin *found, const char *root)
{
    if (pin->family == TOOLCHAIN_APPLE) {
        pin_apple_fields(fields, found, pin);
        add_build(fields, pin, found);
        return;
    }
    add_program(fields, true, &pin->compiler, &found->compiler);
    add_program(fields, false, &pin->linker, &found->linker);
    add_build(fields, pin, found);
    own_mem char *sdk = text_printf("%s/%s", root, pin->sdk.path);
    own_mem char *version = NULL;
    pin_sdk_settings(&version, NULL, NULL, sdk);
    pin_fields_add(fields, "sdk version", pin->sdk.version, version, NULL);
}

static const char *pinned_text(const struct pin_field *field)
{
    return field->pinned == NULL ? "any" : field->pinned;
}

static const char *found_text(const struct pin_field *field)
{
    if (field->found != NULL)
        return field->found;
    return field->problem == NULL ? "not found" : "unknown";
}

static void print_fields(const struct pin_fields *fields, const struct toolchain *pin,
                         const char *path)
{
    int pinned_len = 6;
    for (size_t i = 0; i < fields->count; i++)
        if ((int)strlen(pinned_text(&fields->list[i])) > pinned_len)
            pinned_len = (int)strlen(pinned_text(&fields->list[i]));
    printf("toolchain %s (%s)\n", pin->name, path);
    printf("       %-16s  %-*s  %s\n", "field", pinned_len, "pinned", "found");
    for (size_t i = 0; i < fields->count; i++) {
        const struct pin_field *field = &fields->list[i];
        printf("  %-3s  %-16s  %-*s  %s", field->ok ? "ok" : "BAD", field->name, pinned_len,
               pinned_text(field), found_text(field));
        if (field->problem != NULL)
            printf(" (%s)", field->problem);
        putchar('\n');
    }
}

static json_t *files_json(const struct pin_program *program)
{
    json_t *files = js_array();
    for (size_t i = 0; i < program->files_count; i++) {
        json_t *file = js_object();
        js_set(file, "path", js_text(program->files[i].path));
        js_set(file, "sha256", js_text(program->files[i].sha256));
        js_set(file, "pinned", js_bool(program->files[i].own));
        js_push(files, file);
    }
    return files;
}

static void check_json(const struct pin_fields *fields, const struct toolchain *pin,
                       const char *path, const struct pin *found, const struct fail *fail)
{
    own_json json_t *doc = js_object();
    js_set(doc, "name", js_text(pin->name));
    js_set(doc, "file", js_text(path));
    js_set(doc, "matches", js_bool(fail->code == FAIL_NONE));
    js_set(doc, "problem", js_text(fail->message));
    js_set(doc, "build", js_text(found->build_id));
    json_t *list = js_array();
    for (size_t i = 0; i < fields->count; i++) {
        json_t *field = js_object();
        js_set(field, "field", js_text(fields->list[i].name));
        js_set(field, "pinned", js_text(fields->list[i].pinned));
        js_set(field, "found", js_text(fields->list[i].found));
        js_set(field, "problem", js_text(fields->list[i].problem));
        js_set(field, "ok", js_bool(fields->list[i].ok));
        js_push(list, field);
    }
    js_set(doc, "fields", list);
    js_set(doc, "compiler_digest", js_text(found->compiler.digest));
    js_set(doc, "linker_digest", js_text(found->linker.digest));
    js_set(doc, "compiler_files", files_json(&found->compiler));
    js_set(doc, "linker_files", files_json(&found->linker));
    print_json(doc);
}

static int check(const struct opt_env *env, const struct toolchain *pin, const char *path,
                 const char *root, struct fail *fail)
{
    own_pin struct pin found = {0};
    own_mem char *pins = text_printf("%s/toolchain", root);
    const struct pin_options options = {.fresh = true, .pins_folder = pins};
    if (pin_observe(&found, pin, &options, fail) < 0)
        return -1;
    int result = pin_check(&found, pin, &options, fail);
    own_pin_fields struct pin_fields fields = {0};
    fill_fields(&fields, pin, &found, root);
    own_buf struct buf differs = {0};
    pin_fields_judge(&differs, &fields);
    if (result == 0 && differs.len != 0)
        result = fail_set(fail, FAIL_PIN, "SDK '%s' of toolchain '%s' does not match: %s",
                          toolchain_sdk_name(pin), pin->name, buf_text(&differs));
    if (env->globals->json)
        check_json(&fields, pin, path, &found, fail);
    else
        print_fields(&fields, pin, path);
    if (found.note != NULL && !env->globals->json && !env->globals->quiet)
        printf("note: %s\n", found.note);
    return result;
}

/* What the options of `pin write` say. */
struct write_arguments {
    const char *output;
    const char *family;
    const char *developer_dir;
    const char *sdk;
    const char *build_id;
    uint64_t major;
};

static int read_draft(struct pin_draft *out, const struct write_arguments *args,
                      const struct opt_env *env, struct fail *fail)
{
    const char *family = args->family;
    if (family == NULL)
        family = args->developer_dir == NULL ? "llvm" : "apple";
    bool apple = strcmp(family, "apple") == 0;
    if (!apple && strcmp(family, "llvm") != 0)
        return opt_usage(env, fail, "family '%s' is not llvm or apple", family);
    if (!apple && args->developer_dir != NULL)
        return opt_usage(env, fail, "--developer-dir is for family apple");
    if (apple && args->major != 0)
        return opt_usage(env, fail, "--major is for family llvm");
    if (args->major > 999)
        return opt_usage(env, fail, "major version %" PRIu64 " is too large", args->major);
    out->family = apple ? TOOLCHAIN_APPLE : TOOLCHAIN_LLVM;
    out->developer_dir = args->developer_dir;
    out->sdk = args->sdk;
    out->build_id = args->build_id;
    out->major = args->major;
    return 0;
}

static int write_pin(const struct opt_env *env, const char *name,
                     const struct write_arguments *args, struct fail *fail)
{
    own_buf struct buf text = {0};
    struct pin_draft draft = {.name = name, .root = "."};
    int here = fs_exists("toolchain", fail);
    if (here < 0 || read_draft(&draft, args, env, fail) < 0)
        return -1;
    if (here == 0)
        draft.root = datadir_path();
    if (pin_draft(&text, &draft, fail) < 0)
        return -1;
    if (args->output != NULL &&
        fs_write_new(args->output, text.data, text.len, 0644, FS_NO_REPLACE, fail) < 0)
        return -1;
    if (env->globals->json) {
        own_json json_t *doc = js_object();
        js_set(doc, "name", js_text(name));
        js_set(doc, "file", js_text(args->output));
        js_set(doc, "text", js_text(buf_text(&text)));
        print_json(doc);
    } else if (args->output == NULL) {
        fputs(buf_text(&text), stdout);
    } else if (!env->globals->quiet) {
        printf("written: %s\n", args->output);
    }
    return 0;
}

static int show_or_check(const struct opt_env *env, bool checks, const char *name,
                         struct fail *fail)
{
    own_toolchain struct toolchain pin = {0};
    own_mem char *path = NULL;
    own_mem char *root = NULL;
    if (load(&pin, &path, &root, name, fail) < 0)
        return -1;
    if (checks)
        return check(env, &pin, path, root, fail);
    if (env->globals->json)
        show_json(&pin, path);
    else
        show(&pin, path);
    return 0;
}

int cmd_pin(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct write_arguments args = {0};
    const struct opt_option options[] = {
        {"output", 'o', OPT_TEXT, &args.output, "FILE", "write: there, and not to stdout"},
        {"family", 0, OPT_TEXT, &args.family, "FAMILY", "write: llvm (default) or apple"},
        {"developer-dir", 0, OPT_TEXT, &args.developer_dir, "DIR",
         "write: of Xcode or Command Line Tools (default: " PIN_DRAFT_DEVELOPER_DIR ")"},
        {"major", 0, OPT_UINT, &args.major, "N",
         "write: of clang and lld (default: the newest that is here)"},
        {"sdk", 0, OPT_TEXT, &args.sdk, "SDK",
         "write: its path in the tree (default: toolchain/sdk), or xcrun's name (macosx)"},
        {"build-id", 0, OPT_TEXT, &args.build_id, "ID",
         "write: what to call this build (default: the kind of the machine)"},
    };
    struct opt_rest rest = {0};
    int parsed =
        opt_parse(&rest, env, options, sizeof options / sizeof options[0], argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (rest.count != 2)
        return opt_usage(env, fail,
                         "expected 'show', 'check' or 'write' and the name of a toolchain");
    if (strcmp(rest.list[0], "write") == 0)
        return write_pin(env, rest.list[1], &args, fail);
    bool checks = strcmp(rest.list[0], "check") == 0;
    if (!checks && strcmp(rest.list[0], "show") != 0)
        return opt_usage(env, fail, "'%s' is neither 'show' nor 'check' nor 'write'", rest.list[0]);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        bool given = options[i].kind == OPT_UINT ? *(const uint64_t *)options[i].target != 0
                                                 : *(const char **)options[i].target != NULL;
        if (given)
            return opt_usage(env, fail, "--%s is for 'write' alone", options[i].name);
    }
    return show_or_check(env, checks, rest.list[1], fail);
}
