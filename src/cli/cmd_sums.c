/* hallmark sums */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "port/json.h"
#include "stage/sums_dir.h"

static void print_json(const char *directory, size_t files, const struct findings *findings)
{
    own_json json_t *document = js_object();
    js_set(document, "directory", js_text(directory));
    js_set(document, "files", js_uint(files));
    js_set(document, "findings", js_findings(findings));
    own_buf struct buf text = {0};
    js_print(&text, document);
    fputs(buf_text(&text), stdout);
}

static int check(const struct opt_env *env, const char *directory, struct fail *fail)
{
    own_sums_dir struct sums_dir dir = SUMS_DIR_INIT;
    own_findings struct findings findings = {0};
    if (sums_dir_open(&dir, directory, fail) < 0 || sums_dir_check(&dir, &findings, fail) < 0)
        return -1;
    if (env->globals->json) {
        print_json(directory, dir.sums.count, &findings);
    } else {
        own_mem char *where = text_clean(directory);
        findings_print(&findings, stdout, opt_color(env));
        if (findings.error_count == 0)
            opt_verdict(env, true, "%zu files of '%s' match " SUMS_NAME ", and none is unlisted",
                        dir.sums.count, where);
        else
            opt_verdict(env, false, "%s in '%s'", findings_count_text(&findings), where);
    }
    return findings.error_count == 0 ? 0 : EXIT_FINDINGS;
}

static int write_sums(const struct opt_env *env, const char *directory, struct fail *fail)
{
    size_t count = 0;
    own_findings struct findings none = {0};
    own_mem char *where = text_clean(directory);
    if (sums_dir_write(&count, directory, fail) < 0)
        return -1;
    if (env->globals->json)
        print_json(directory, count, &none);
    else
        printf("wrote '%s/" SUMS_NAME "' with %zu sum%s\n", where, count, count == 1 ? "" : "s");
    return 0;
}

int cmd_sums(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct opt_rest rest = {0};
    int parsed = opt_parse(&rest, env, NULL, 0, argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (rest.count != 2)
        return opt_usage(env, fail, "%zu arguments given, expected 'write' or 'check' and DIR",
                         rest.count);
    if (strcmp(rest.list[0], "write") == 0)
        return write_sums(env, rest.list[1], fail);
    if (strcmp(rest.list[0], "check") == 0)
        return check(env, rest.list[1], fail);
    return opt_usage(env, fail, "unknown job '%s', expected 'write' or 'check'", rest.list[0]);
}
