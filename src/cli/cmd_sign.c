#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/rewrite.h"
#include "macho/adhoc.h"
#include "port/json.h"
#include "stage/check_bundle.h"

#define ENTITLEMENTS_MAX (1u << 20)
#define COUNT(array)     (sizeof(array) / sizeof((array)[0]))

struct sign_arguments {
    const char *file;
    const char *output;
    const char *identifier;
    const char *style;
    const char *entitlements;
    const char *page_size;
    uint32_t page_bytes; /* what it says: struct adhoc_options */
    bool renew;
};

/* Whether the value is one; the size is 0 when none is given. */
static bool page_size_parse(uint32_t *size, const char *value)
{
    static const struct {
        const char *name;
        uint32_t size;
    } values[] = {{"4096", 4096}, {"16384", 16384}, {"auto", ADHOC_PAGE_SIZE_AUTO}};
    *size = 0;
    for (size_t i = 0; value && i < COUNT(values); i++) {
        if (strcmp(value, values[i].name) == 0)
            *size = values[i].size;
    }
    return !value || *size != 0;
}

static bool is_linker(const struct sign_arguments *args)
{
    return args->style && strcmp(args->style, "linker") == 0;
}

static int read_arguments(struct sign_arguments *args, const struct opt_env *env, int argc,
                          char **argv, struct fail *fail)
{
    const struct opt_option options[] = {
        {"output", 'o', OPT_TEXT, &args->output, "OUT", "write there instead of replacing FILE"},
        {"identifier", 'i', OPT_TEXT, &args->identifier, "ID",
         "identifier (default: from the file, as codesign or the linker does)"},
        {"page-size", 0, OPT_TEXT, &args->page_size, "N",
         "4096 (default), 16384, or auto: 16384 for arm64, else 4096"},
        {"style", 0, OPT_TEXT, &args->style, "STYLE", "codesign (default) or linker"},
        {"entitlements", 0, OPT_TEXT, &args->entitlements, "PLIST",
         "seal these entitlements (an XML property list)"},
        {"renew", 0, OPT_FLAG, &args->renew, NULL,
         "build the present ad-hoc signature anew from its own parameters"},
    };
    struct opt_rest rest = {0};
    int parsed = opt_parse(&rest, env, options, COUNT(options), argc, argv, fail);
    if (parsed != 0)
        return parsed;
    if (rest.count != 1)
        return opt_usage(env, fail, "one FILE is needed, %zu were given", rest.count);
    if (args->renew && (args->identifier || args->page_size || args->style || args->entitlements))
        return opt_usage(env, fail, "--renew takes every parameter from the present signature");
    if (args->style && strcmp(args->style, "codesign") != 0 && strcmp(args->style, "linker") != 0)
        return opt_usage(env, fail, "style '%s' is not codesign or linker", args->style);
    if (args->entitlements && is_linker(args))
        return opt_usage(env, fail, "--entitlements need style codesign");
    if (!page_size_parse(&args->page_bytes, args->page_size))
        return opt_usage(env, fail, "page size '%s' is not 4096, 16384 or auto", args->page_size);
    if (args->page_bytes == ADHOC_PAGE_SIZE_AUTO && is_linker(args))
        return opt_usage(env, fail, "--page-size auto needs style codesign");
    args->file = rest.list[0];
    return 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int sign_bytes(struct pieces *out, const struct sign_arguments *args, struct view file,
                      struct fail *fail)
{
    own_buf struct buf entitlements = {0};
    if (args->renew)
        return adhoc_renew_file(out, file, fail);
    if (args->entitlements &&
        fs_read(&entitlements, args->entitlements, ENTITLEMENTS_MAX, fail) < 0)
        return -1;
    struct adhoc_options options = {
        .style = is_linker(args) ? ADHOC_LINKER : ADHOC_CODESIGN,
        .identifier = args->identifier,
        .file_name = base_name(args->file),
        .page_size = args->page_bytes,
    };
    if (args->entitlements)
        options.entitlements =
            (struct view){(const uint8_t *)buf_text(&entitlements), entitlements.len};
    if (adhoc_sign_file(out, file, &options, fail) == 0)
        return 0;
    return args->entitlements ? fail_while(fail, "signing with '%s'", args->entitlements) : -1;
}

/* codesign would seal the Info.plist and the resources of the bundle that a file is in. */
static void tell_of_bundle(const struct rewrite *job)
{
    static const char *const places[] = {
        "../Info.plist",        /* Contents/MacOS/x */
        "Resources/Info.plist", /* x.framework/Versions/A/x */
        "Info.plist",           /* shallow bundles */
    };
    own_mem char *real = realpath(job->file, NULL);
    own_mem char *folder = real ? fs_path_folder(real) : NULL;
    for (size_t i = 0; folder && i < COUNT(places); i++) {
        own_mem char *path = text_printf("%s/%s", folder, places[i]);
        if (access(path, F_OK) != 0)
            continue;
        struct progress progress =
            progress_start(job->env->command->name, job->env->globals->quiet);
        own_mem char *name = text_clean(job->file);
        progress_warn(&progress,
                      "'%s' is signed as a file by itself; the bundle that it is in (%s) is not "
                      "sealed",
                      name, places[i]);
        return;
    }
}

static int find_broken(struct check_bundle_broken *out, const struct rewrite *job,
                       struct fail *fail)
{
    own_check_bundle struct check_bundle bundle = {0};
    own_fs_map struct fs_map map = {0};
    *out = (struct check_bundle_broken){0};
    if (check_bundle_open(&bundle, job->target, fail) < 0)
        return -1;
    if (!bundle.there)
        return 0;
    if (fs_map_open(&map, job->target, fail) < 0)
        return -1;
    return check_bundle_compare(out, &bundle, map.view, fail);
}

/* Renewing keeps what the signature seals of the bundle, be it changed since. The file is written
 * already: what goes wrong here is a warning too. */
static void tell_of_seals(const struct rewrite *job)
{
    own_fail struct fail fail = {0};
    struct check_bundle_broken broken;
    struct progress progress = progress_start(job->env->command->name, job->env->globals->quiet);
    own_mem char *name = text_clean(rewrite_name(job));
    if (find_broken(&broken, job, &fail) < 0)
        progress_warn(&progress, "what '%s' seals of its bundle is not known: %s", name,
                      fail.message);
    else if (broken.info_plist || broken.resources)
        progress_warn(&progress,
                      "the bundle that '%s' is in no longer has the %s that its signature seals",
                      name,
                      !broken.resources    ? "Info.plist"
                      : !broken.info_plist ? "CodeResources"
                                           : "Info.plist and the CodeResources");
}

static void put_slice(json_t *to, const struct rewritten_slice *slice)
{
    js_set(to, "kind", js_text(slice->kind));
    if (!slice->identifier)
        return;
    js_set(to, "identifier", js_text(slice->identifier));
    js_set(to, "cdhash", js_text(slice->cdhash));
    js_set(to, "page_size", js_uint(slice->page_size));
}

static void print_json(const char *path, const struct rewritten *slices)
{
    own_json json_t *doc = js_object();
    own_buf struct buf text = {0};
    json_t *list = js_array();
    js_set(doc, "path", js_text(path));
    if (!slices->is_fat)
        put_slice(doc, &slices->list[0]);
    for (size_t i = 0; i < slices->count; i++) {
        json_t *slice = js_object();
        js_set(slice, "arch", js_text(slices->list[i].arch));
        put_slice(slice, &slices->list[i]);
        js_push(list, slice);
    }
    js_set(doc, "slices", list);
    js_print(&text, doc);
    fputs(buf_text(&text), stdout);
}

static void print_text(const char *path, const struct rewritten *slices)
{
    own_mem char *where = text_clean(path);
    for (size_t i = 0; i < slices->count; i++) {
        const struct rewritten_slice *slice = &slices->list[i];
        own_mem char *arch = slices->is_fat ? text_printf(" (%s)", slice->arch) : text_copy("");
        if (slice->identifier) {
            own_mem char *identifier = text_clean(slice->identifier);
            printf("%s%s: signed (%s), identifier %s, cdhash %s\n", where, arch, slice->kind,
                   identifier, slice->cdhash);
        } else
            printf("%s%s: has no signature\n", where, arch);
    }
}

int cmd_sign(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct sign_arguments args = {0};
    own_rewrite struct rewrite job = {0};
    own_pieces struct pieces pieces = {0};
    own_rewritten struct rewritten slices = {0};
    int parsed = read_arguments(&args, env, argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (rewrite_open(&job, env, args.file, args.output, fail) < 0)
        return -1;
    if (sign_bytes(&pieces, &args, job.map.view, fail) < 0)
        return fail_while(fail, "signing '%s'", args.file);
    if (rewrite_finish(&slices, &job, &pieces, fail) < 0)
        return -1;
    if (args.renew)
        tell_of_seals(&job);
    else
        tell_of_bundle(&job);
    if (env->globals->json)
        print_json(rewrite_name(&job), &slices);
    else if (!env->globals->quiet)
        print_text(rewrite_name(&job), &slices);
    return 0;
}
