/* hallmark verify */
#include <stdio.h>

#include "cli/commands.h"
#include "port/json.h"
#include "stage/check.h"

/* One path after the other; a failure ends neither the others nor the answer. */
struct answer {
    json_t *paths; /* NULL: text */
    size_t bad;
};

static void add_json(struct answer *answer, const char *path, const struct findings *findings,
                     const struct fail *failure)
{
    json_t *object = js_object();
    js_set(object, "path", js_text(path));
    js_set(object, "verdict",
           js_text(failure != NULL              ? "failed"
                   : findings->error_count == 0 ? "good"
                                                : "findings"));
    if (failure != NULL)
        js_set(object, "failure", js_text(failure->message));
    js_set(object, "findings", js_findings(findings));
    js_push(answer->paths, object);
}

static void add_text(const struct opt_env *env, const char *path, const struct findings *findings)
{
    own_mem char *where = text_clean(path);
    findings_print(findings, stdout, opt_color(env));
    if (findings->error_count == 0)
        opt_verdict(env, true, "%s", where);
    else
        opt_verdict(env, false, "%s: %s", where, findings_count_text(findings));
}

static int verify_one(const struct opt_env *env, struct answer *answer, const struct check *check,
                      const char *path, struct fail *fail)
{
    own_findings struct findings findings = {0};
    int result = check_path(&findings, check, path, fail);
    if (fail->code == FAIL_SIGNAL)
        return -1;
    answer->bad += findings.error_count;
    if (answer->paths != NULL)
        add_json(answer, path, &findings, result < 0 ? fail : NULL);
    else if (result == 0)
        add_text(env, path, &findings);
    if (result == 0)
        return 0;
    if (answer->paths == NULL)
        findings_print(&findings, stdout, opt_color(env));
    return -1;
}

/* All paths; those that cannot be judged are told and counted, and the first one gives the exit
 * code. The only one is main's to tell. */
static int verify_all(const struct opt_env *env, struct answer *answer, const struct check *check,
                      const struct opt_rest *rest, struct fail *fail)
{
    enum fail_code first = FAIL_NONE;
    size_t failed = 0;
    for (size_t i = 0; i < rest->count; i++) {
        own_fail struct fail inner = {0};
        if (verify_one(env, answer, check, rest->list[i], &inner) == 0)
            continue;
        if (inner.code == FAIL_SIGNAL || rest->count == 1)
            return fail_move(fail, &inner);
        fail_print(&inner, env->command->name, stderr);
        if (failed++ == 0)
            first = inner.code;
    }
    if (failed == 0)
        return 0;
    return fail_set(fail, first, "%zu of %zu paths could not be judged", failed, rest->count);
}

static void print_json(struct answer *answer)
{
    own_json json_t *document = js_object();
    own_buf struct buf text = {0};
    js_set(document, "paths", answer->paths);
    js_print(&text, document);
    fputs(buf_text(&text), stdout);
}

int cmd_verify(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    own_check struct check check = {0};
    const char *recipe_file = NULL;
    const char *policy_file = NULL;
    own_opt_list struct opt_list trust_files = {0};
    const struct opt_option options[] = {
        {"recipe", 0, OPT_TEXT, &recipe_file, "FILE", "the recipe that the artifacts must fulfil"},
        {"policy", 0, OPT_TEXT, &policy_file, "FILE", "the policy that they must keep"},
        {"arch", 0, OPT_TEXT, &check.arch, "ARCH",
         "the architecture that a file must have; of a universal file that slice alone"},
        {"identifier", 0, OPT_TEXT, &check.identifier, "ID",
         "the identifier that the signature of a file must have"},
        {"require-sha256", 0, OPT_FLAG, &check.require_sha256, NULL,
         "a signature of SHA-1 alone is an error"},
        {"trust", 0, OPT_LIST, &trust_files, "FILE",
         "certificates (PEM) that may end a chain as Apple's roots do; can be repeated"},
        {"strict", 0, OPT_FLAG, &check.strict, NULL, "every warning is an error"},
    };
    struct opt_rest rest = {0};
    int parsed =
        opt_parse(&rest, env, options, sizeof options / sizeof options[0], argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (rest.count == 0)
        return opt_usage(env, fail, "no path given, expected release directories or Mach-O files");
    if (check_open(&check, recipe_file, policy_file, fail) < 0)
        return -1;
    for (size_t i = 0; i < trust_files.count; i++) {
        if (check_trust(&check, trust_files.list[i], fail) < 0)
            return -1;
    }
    struct answer answer = {.paths = env->globals->json ? js_array() : NULL};
    int result = verify_all(env, &answer, &check, &rest, fail);
    if (answer.paths != NULL)
        print_json(&answer);
    if (result < 0)
        return -1;
    return answer.bad == 0 ? 0 : EXIT_FINDINGS;
}
