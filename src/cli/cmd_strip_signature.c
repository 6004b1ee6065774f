#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "cli/commands.h"
#include "cli/rewrite.h"
#include "macho/adhoc.h"
#include "port/json.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void print_answer(const struct opt_env *env, const char *path, uint32_t stripped)
{
    if (env->globals->json) {
        own_json json_t *doc = js_object();
        own_buf struct buf text = {0};
        js_set(doc, "path", js_text(path));
        js_set(doc, "stripped", js_uint(stripped));
        js_print(&text, doc);
        fputs(buf_text(&text), stdout);
        return;
    }
    if (env->globals->quiet)
        return;
    own_mem char *where = text_clean(path);
    if (stripped == 0)
        printf("%s: has no signature\n", where);
    else
        printf("%s: %" PRIu32 " %s removed\n", where, stripped,
               stripped == 1 ? "signature" : "signatures");
}

int cmd_strip_signature(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    const char *output = NULL;
    const struct opt_option options[] = {
        {"output", 'o', OPT_TEXT, &output, "OUT", "write there instead of replacing FILE"},
    };
    struct opt_rest rest = {0};
    int parsed = opt_parse(&rest, env, options, COUNT(options), argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (rest.count != 1)
        return opt_usage(env, fail, "one FILE is needed, %zu were given", rest.count);
    own_rewrite struct rewrite job = {0};
    own_pieces struct pieces pieces = {0};
    own_rewritten struct rewritten slices = {0};
    uint32_t stripped = 0;
    if (rewrite_open(&job, env, rest.list[0], output, fail) < 0)
        return -1;
    if (adhoc_strip_file(&pieces, &stripped, job.map.view, fail) < 0)
        return fail_while(fail, "stripping '%s'", job.file);
    /* A file that has nothing to lose is left alone. */
    if ((stripped > 0 || output) && rewrite_finish(&slices, &job, &pieces, fail) < 0)
        return -1;
    print_answer(env, rewrite_name(&job), stripped);
    return 0;
}
