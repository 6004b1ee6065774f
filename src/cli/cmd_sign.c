#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "cli/commands.h"
#include "macho/adhoc.h"
#include "macho/codesig.h"
#include "macho/image.h"
#include "port/json.h"

#define ENTITLEMENTS_MAX (1u << 20)
#define COUNT(array)     (sizeof(array) / sizeof((array)[0]))

struct sign_arguments {
    const char *file;
    const char *output;
    const char *identifier;
    const char *style;
    const char *entitlements;
    uint64_t page_size;
    bool renew;
};

static int read_arguments(struct sign_arguments *args, const struct opt_env *env, int argc,
                          char **argv, struct fail *fail)
{
    const struct opt_option options[] = {
        {"output", 'o', OPT_TEXT, &args->output, "OUT", "write there instead of replacing FILE"},
        {"identifier", 'i', OPT_TEXT, &args->identifier, "ID",
         "identifier (default: from the file, as codesign or the linker does)"},
        {"page-size", 0, OPT_UINT, &args->page_size, "N", "4096 (default) or 16384"},
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
    if (args->renew &&
        (args->identifier || args->page_size != 0 || args->style || args->entitlements))
        return opt_usage(env, fail, "--renew takes every parameter from the present signature");
    if (args->style && strcmp(args->style, "codesign") != 0 && strcmp(args->style, "linker") != 0)
        return opt_usage(env, fail, "style '%s' is not codesign or linker", args->style);
    if (args->entitlements && args->style && strcmp(args->style, "linker") == 0)
        return opt_usage(env, fail, "--entitlements need style codesign");
    if (args->page_size != 0 && args->page_size != 4096 && args->page_size != 16384)
        return opt_usage(env, fail, "page size %" PRIu64 " is not 4096 or 16384", args->page_size);
    args->file = rest.list[0];
    return 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int sign_bytes(struct buf *out, const struct sign_arguments *args, struct view file,
                      struct fail *fail)
{
    own_image struct image image = {0};
    own_buf struct buf entitlements = {0};
    if (image_open(&image, file, fail) < 0)
        return -1;
    if (args->renew)
        return adhoc_renew(out, &image, fail);
    if (args->entitlements &&
        fs_read(&entitlements, args->entitlements, ENTITLEMENTS_MAX, fail) < 0)
        return -1;
    struct adhoc_options options = {
        .style = args->style && strcmp(args->style, "linker") == 0 ? ADHOC_LINKER : ADHOC_CODESIGN,
        .identifier = args->identifier,
        .file_name = base_name(args->file),
        .page_size = (uint32_t)args->page_size,
    };
    if (args->entitlements)
        options.entitlements =
            (struct view){(const uint8_t *)buf_text(&entitlements), entitlements.len};
    return adhoc_sign(out, &image, &options, fail);
}

/* What was written, read again from the bytes. */
static int print_answer(const struct opt_env *env, const char *path, struct view file,
                        struct fail *fail)
{
    own_image struct image image = {0};
    own_codesig struct codesig sig = {0};
    char cdhash[CDHASH_HEX] = "";
    if (image_open(&image, file, fail) < 0 ||
        codesig_read(&sig, image_range_data(&image, &image.code_signature), fail) < 0)
        return fail_while(fail, "reading what was written");
    const struct codesig_directory *cd = codesig_best(&sig);
    const char *kind = codesig_kind_name(codesig_kind(&sig));
    text_hex(cdhash, cd->cdhash, CDHASH_LEN);
    if (env->globals->json) {
        own_json json_t *doc = js_object();
        own_buf struct buf text = {0};
        js_set(doc, "path", js_text(path));
        js_set(doc, "kind", js_text(kind));
        js_set(doc, "identifier", js_text(cd->identifier));
        js_set(doc, "cdhash", js_text(cdhash));
        js_set(doc, "page_size", js_uint(codesig_page_len(cd)));
        js_print(&text, doc);
        fputs(buf_text(&text), stdout);
    } else if (!env->globals->quiet) {
        own_mem char *where = text_clean(path);
        printf("%s: signed (%s), identifier %s, cdhash %s\n", where, kind, cd->identifier, cdhash);
    }
    return 0;
}

int cmd_sign(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct sign_arguments args = {0};
    int parsed = read_arguments(&args, env, argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    /* A symbolic link stays one: the file that it names is replaced. */
    own_mem char *target = args.output ? text_copy(args.output) : realpath(args.file, NULL);
    struct stat status = {0};
    if (!target || stat(args.file, &status) < 0)
        return fail_named(fail, "cannot open '%s'", args.file);
    int there = args.output ? fs_exists(args.output, fail) : 0;
    if (there < 0)
        return -1;
    if (there > 0) {
        fail_set(fail, FAIL_REFUSED, "output '%s' is there already", args.output);
        return fail_hint(fail, "nothing is ever replaced by -o; choose another name");
    }
    own_fs_map struct fs_map map = {0};
    own_buf struct buf file = {0};
    if (fs_map_open(&map, args.file, fail) < 0)
        return -1;
    if (sign_bytes(&file, &args, map.view, fail) < 0)
        return fail_while(fail, "signing '%s'", args.file);
    if (fs_write_new(target, file.data, file.len, status.st_mode & 07777,
                     args.output ? FS_NO_REPLACE : FS_REPLACE, fail) < 0)
        return -1;
    return print_answer(env, args.output ? args.output : args.file,
                        (struct view){file.data, file.len}, fail);
}
