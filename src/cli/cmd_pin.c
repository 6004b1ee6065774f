#include <stdio.h>
#include <string.h>

#include "base/datadir.h"
#include "base/fs.h"
#include "cli/commands.h"
#include "port/json.h"
#include "stage/pin.h"

#define TEXT_MAX (1u << 20)

/* One line of the table of `pin check`. */
struct row {
    const char *field;
    char *pinned;
    char *found; /* NULL: not found */
    bool ok;
};

enum { ROWS_MAX = 8 };

struct table {
    struct row rows[ROWS_MAX];
    size_t count;
};

static void table_release(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        own_release_mem(&table->rows[i].pinned);
        own_release_mem(&table->rows[i].found);
    }
}

/* Takes the two texts. */
static void add_row(struct table *table, const char *field, char *pinned, char *found, bool ok)
{
    table->rows[table->count++] =
        (struct row){.field = field, .pinned = pinned, .found = found, .ok = ok};
}

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
    return object;
}

static void show_json(const struct toolchain *pin, const char *path)
{
    own_json json_t *doc = js_object();
    js_set(doc, "name", js_text(pin->name));
    js_set(doc, "file", js_text(path));
    js_set(doc, "family", js_text(toolchain_family_text(pin->family)));
    js_set(doc, "compiler", program_json(&pin->compiler));
    js_set(doc, "linker", program_json(&pin->linker));
    json_t *sdk = js_object();
    js_set(sdk, "path", js_text(pin->sdk.path));
    js_set(sdk, "version", js_text(pin->sdk.version));
    js_set(doc, "sdk", sdk);
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
    printf("  compiler  %s %s\n", pin->compiler.program, pin->compiler.version);
    printf("  linker    %s %s\n", pin->linker.program, pin->linker.version);
    printf("  sdk       %s %s\n", pin->sdk.path, pin->sdk.version);
    for (size_t i = 0; i < pin->builds_count; i++)
        printf("  build     %s\n    compiler %s\n    linker   %s\n", pin->builds[i].id,
               pin->builds[i].compiler, pin->builds[i].linker);
    if (pin->builds_count == 0)
        printf("  build     any of these versions\n");
}

static void add_program(struct table *table, bool compiler, const struct toolchain_program *wanted,
                        const struct pin_program *found)
{
    add_row(table, compiler ? "compiler" : "linker", text_copy(wanted->program),
            found->path == NULL ? NULL : text_copy(found->path), found->path != NULL);
    char *version = NULL;
    if (found->version != NULL)
        version = text_copy(found->version);
    else if (found->problem != NULL)
        version = text_printf("unknown (%s)", found->problem);
    add_row(table, compiler ? "compiler version" : "linker version", text_copy(wanted->version),
            version, found->version != NULL && strcmp(found->version, wanted->version) == 0);
}

/* "debian-12-amd64, debian-12-arm64"; "any" when the pin lists none. */
static char *build_ids(const struct toolchain *pin)
{
    own_buf struct buf text = {0};
    for (size_t i = 0; i < pin->builds_count; i++)
        buf_printf(&text, "%s%s", i == 0 ? "" : ", ", pin->builds[i].id);
    return pin->builds_count == 0 ? text_copy("any") : buf_steal(&text);
}

/* What the SDK's settings call its version; NULL when they are not there or not understood. */
static char *sdk_version(const struct toolchain *pin, const char *root)
{
    own_fail struct fail ignored = {0};
    own_mem char *path = text_printf("%s/%s/SDKSettings.json", root, pin->sdk.path);
    own_buf struct buf text = {0};
    own_json json_t *doc = NULL;
    if (fs_read(&text, path, TEXT_MAX, &ignored) < 0 ||
        js_parse(&doc, (struct view){text.data, text.len}, path, &ignored) < 0)
        return NULL;
    const char *version = js_get_text(doc, "Version");
    return version == NULL ? NULL : text_copy(version);
}

static void fill_table(struct table *table, const struct toolchain *pin, const struct pin *found,
                       const char *root)
{
    add_program(table, true, &pin->compiler, &found->compiler);
    add_program(table, false, &pin->linker, &found->linker);
    char *build = NULL;
    if (found->build_id != NULL)
        build = text_copy(found->build_id);
    else if (found->compiler.digest != NULL && found->linker.digest != NULL)
        build = text_printf("one that is not listed (compiler %s, linker %s)",
                            found->compiler.digest, found->linker.digest);
    add_row(table, "build", build_ids(pin), build,
            found->build_id != NULL || (build != NULL && pin->builds_count == 0));
    char *version = sdk_version(pin, root);
    bool same = version != NULL && strcmp(version, pin->sdk.version) == 0;
    add_row(table, "sdk version", text_copy(pin->sdk.version), version, same);
}

static void print_table(const struct table *table, const struct toolchain *pin, const char *path)
{
    int pinned_len = 6;
    for (size_t i = 0; i < table->count; i++)
        if ((int)strlen(table->rows[i].pinned) > pinned_len)
            pinned_len = (int)strlen(table->rows[i].pinned);
    printf("toolchain %s (%s)\n", pin->name, path);
    printf("       %-16s  %-*s  %s\n", "field", pinned_len, "pinned", "found");
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        printf("  %-3s  %-16s  %-*s  %s\n", row->ok ? "ok" : "BAD", row->field, pinned_len,
               row->pinned, row->found == NULL ? "not found" : row->found);
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

static void check_json(const struct table *table, const struct toolchain *pin, const char *path,
                       const struct pin *found, const struct fail *fail)
{
    own_json json_t *doc = js_object();
    js_set(doc, "name", js_text(pin->name));
    js_set(doc, "file", js_text(path));
    js_set(doc, "matches", js_bool(fail->code == FAIL_NONE));
    js_set(doc, "problem", js_text(fail->message));
    js_set(doc, "build", js_text(found->build_id));
    json_t *fields = js_array();
    for (size_t i = 0; i < table->count; i++) {
        json_t *field = js_object();
        js_set(field, "field", js_text(table->rows[i].field));
        js_set(field, "pinned", js_text(table->rows[i].pinned));
        js_set(field, "found", js_text(table->rows[i].found));
        js_set(field, "ok", js_bool(table->rows[i].ok));
        js_push(fields, field);
    }
    js_set(doc, "fields", fields);
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
    const struct pin_options options = {.fresh = true};
    if (pin_observe(&found, pin, &options, fail) < 0)
        return -1;
    int result = pin_check(&found, pin, false, fail);
    __attribute__((cleanup(table_release))) struct table table = {.count = 0};
    fill_table(&table, pin, &found, root);
    const struct row *sdk = &table.rows[table.count - 1];
    if (result == 0 && !sdk->ok)
        result = fail_set(
            fail, FAIL_PIN, "SDK '%s' of toolchain '%s': expected version %s, found %s",
            pin->sdk.path, pin->name, pin->sdk.version, sdk->found == NULL ? "none" : sdk->found);
    if (env->globals->json)
        check_json(&table, pin, path, &found, fail);
    else
        print_table(&table, pin, path);
    if (found.note != NULL && !env->globals->json && !env->globals->quiet)
        printf("note: %s\n", found.note);
    return result;
}

int cmd_pin(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct opt_rest rest = {0};
    int parsed = opt_parse(&rest, env, NULL, 0, argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (rest.count != 2)
        return opt_usage(env, fail, "expected 'show' or 'check' and the name of a toolchain");
    bool checks = strcmp(rest.list[0], "check") == 0;
    if (!checks && strcmp(rest.list[0], "show") != 0)
        return opt_usage(env, fail, "'%s' is neither 'show' nor 'check'", rest.list[0]);
    own_toolchain struct toolchain pin = {0};
    own_mem char *path = NULL;
    own_mem char *root = NULL;
    if (load(&pin, &path, &root, rest.list[1], fail) < 0)
        return -1;
    if (checks)
        return check(env, &pin, path, root, fail);
    if (env->globals->json)
        show_json(&pin, path);
    else
        show(&pin, path);
    return 0;
}
