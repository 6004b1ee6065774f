#include <stdio.h>

#include "base/fs.h"
#include "base/stop.h"
#include "cli/commands.h"
#include "macho/describe.h"
#include "stage/check_bundle.h"

struct inspection {
    struct describe_options options;
    json_t *files; /* NULL: text */
    bool first;
};

/* With what it borrows from. */
struct inspected {
    struct fs_map map;
    struct check_bundle bundle;
    struct description description;
};

#define own_inspected __attribute__((cleanup(inspected_release)))
static void inspected_release(struct inspected *inspected)
{
    description_release(&inspected->description);
    check_bundle_release(&inspected->bundle);
    fs_map_release(&inspected->map);
}

static int inspected_open(struct inspected *out, const struct inspection *inspection,
                          const char *path, struct fail *fail)
{
    struct describe_options options = inspection->options;
    if (check_bundle_refuse(path, fail) < 0 || fs_map_open(&out->map, path, fail) < 0)
        return -1;
    if (options.judge && check_bundle_open(&out->bundle, path, fail) < 0)
        return -1;
    check_bundle_give(&options.judging, &out->bundle);
    if (describe_open(&out->description, path, out->map.view, &options, fail) < 0)
        return fail_while(fail, "reading '%s'", path);
    return 0;
}

/* A file that could not be read, in the words of `verify --json`. */
static json_t *failed_json(const char *path, const struct fail *failure)
{
    json_t *object = js_object();
    js_set(object, "path", js_text(path));
    js_set(object, "verdict", js_text("failed"));
    js_set(object, "failure", js_text(failure->message));
    /* For who goes through the slices of all files. */
    js_set(object, "slices", js_array());
    return object;
}

static int inspect_file(struct inspection *inspection, const char *path, struct fail *fail)
{
    own_inspected struct inspected inspected = {0};
    if (stop_check(fail) < 0)
        return -1;
    if (inspected_open(&inspected, inspection, path, fail) < 0) {
        if (inspection->files != NULL)
            js_push(inspection->files, failed_json(path, fail));
        return -1;
    }
    if (inspection->files != NULL) {
        js_push(inspection->files, describe_json(&inspected.description));
    } else {
        own_buf struct buf text = {0};
        describe_text(&text, &inspected.description);
        if (!inspection->first)
            putchar('\n');
        fwrite(text.data, 1, text.len, stdout);
    }
    inspection->first = false;
    /* What could not be read has been left out of the answer: the file is bad. */
    if (describe_fault(&inspected.description, fail) < 0)
        return fail_while(fail, "reading '%s'", path);
    return 0;
}

static void print_json(json_t *files)
{
    own_buf struct buf text = {0};
    own_json json_t *document = js_object();
    js_set(document, "files", files);
    js_print(&text, document);
    fwrite(text.data, 1, text.len, stdout);
}

/* All files; those that cannot be read are told and counted, the others are shown. */
static int inspect_all(struct inspection *inspection, const struct opt_rest *rest,
                       struct fail *fail)
{
    size_t bad = 0;
    for (size_t i = 0; i < rest->count; i++) {
        own_fail struct fail one = {0};
        if (inspect_file(inspection, rest->list[i], rest->count == 1 ? fail : &one) == 0)
            continue;
        bad++;
        if (rest->count == 1)
            break;
        if (one.code == FAIL_SIGNAL)
            return stop_check(fail);
        fail_print(&one, "inspect", stderr);
    }
    if (bad == 0)
        return 0;
    if (rest->count > 1)
        fail_set(fail, FAIL_INPUT, "%zu of %zu files could not be read", bad, rest->count);
    return -1;
}

int cmd_inspect(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct inspection inspection = {.first = true};
    const struct opt_option options[] = {
        {"symbols", 's', OPT_FLAG, &inspection.options.symbols, NULL,
         "list symbols, selectors and classes"},
        {"fixups", 'f', OPT_FLAG, &inspection.options.fixups, NULL,
         "list the fix-ups, and how each pointer is signed"},
    };
    struct opt_rest rest = {0};
    int parsed = opt_parse(&rest, env, options, 2, argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (rest.count == 0)
        return opt_usage(env, fail, "no file given");
    inspection.files = env->globals->json ? js_array() : NULL;
    inspection.options.judge = env->globals->json;
    inspection.options.judging.allow_residue = true;
    int result = inspect_all(&inspection, &rest, fail);
    if (inspection.files != NULL)
        print_json(inspection.files);
    return result;
}
