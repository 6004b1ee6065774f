/* hallmark assay */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/assay.h"
#include "base/fs.h"
#include "cli/commands.h"
#include "port/json.h"

#define TRIAL_LEN_MAX (1u << 20)

struct arguments {
    const char *dylib;
    const char *main; /* NULL: the one that the trial names, beside the dylib */
    const char *trial;
    struct opt_list settings;
    struct opt_list arguments;
};

struct assay {
    const struct opt_env *env;
    const struct arguments *arguments;
    struct trial trial;
    struct fs_map dylib;
    struct fs_map main;
    char *main_path;
    json_t *runs; /* NULL: text */
    size_t bad;
};

static int read_arguments(struct arguments *out, const struct opt_env *env, int argc, char **argv,
                          struct fail *fail)
{
    const struct opt_option options[] = {
        {"main", 0, OPT_TEXT, (void *)&out->main, "PROGRAM",
         "start this executable after the dylib was loaded"},
        {"trial", 0, OPT_TEXT, (void *)&out->trial, "FILE",
         "the world, and what is expected of it (YAML); else everything is asked"},
        {"env", 0, OPT_LIST, &out->settings, "NAME=VALUE", "set an environment variable"},
        {"argument", 0, OPT_LIST, &out->arguments, "ARG", "an argument of the executable"},
    };
    struct opt_rest rest = {0};
    int parsed =
        opt_parse(&rest, env, options, sizeof options / sizeof options[0], argc, argv, fail);
    if (parsed != 0)
        return parsed;
    if (rest.count != 1)
        return opt_usage(env, fail, "one DYLIB is needed, %zu were given", rest.count);
    for (size_t i = 0; i < out->settings.count; i++) {
        const char *equals = strchr(out->settings.list[i], '=');
        if (equals == NULL || equals == out->settings.list[i])
            return opt_usage(env, fail, "--env '%s' is not NAME=VALUE", out->settings.list[i]);
    }
    if (out->arguments.count > 0 && out->main == NULL && out->trial == NULL)
        return opt_usage(env, fail, "--argument needs --main");
    out->dylib = rest.list[0];
    return 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static int read_trial(struct trial *out, const char *path, struct fail *fail)
{
    own_buf struct buf text = {0};
    if (fs_read(&text, path, TRIAL_LEN_MAX, fail) < 0)
        return -1;
    return trial_parse(out, (struct view){text.data, text.len}, path, fail);
}

/* What the command line adds to the trial. */
static void add_texts(char ***list, size_t *count, const struct opt_list *more)
{
    if (more->count == 0)
        return;
    *list = mem_resize(*list, *count + more->count, sizeof **list);
    for (size_t i = 0; i < more->count; i++)
        (*list)[(*count)++] = text_copy(more->list[i]);
}

static int open_all(struct assay *assay, struct fail *fail)
{
    const struct arguments *arguments = assay->arguments;
    if (arguments->trial != NULL && read_trial(&assay->trial, arguments->trial, fail) < 0)
        return -1;
    add_texts(&assay->trial.environment, &assay->trial.environment_count, &arguments->settings);
    add_texts(&assay->trial.arguments, &assay->trial.arguments_count, &arguments->arguments);
    if (fs_map_open(&assay->dylib, arguments->dylib, fail) < 0)
        return -1;
    if (arguments->main != NULL)
        assay->main_path = text_copy(arguments->main);
    else if (assay->trial.main != NULL)
        assay->main_path =
            text_printf("%.*s%s", (int)(base_name(arguments->dylib) - arguments->dylib),
                        arguments->dylib, assay->trial.main);
    if (assay->main_path == NULL || fs_map_open(&assay->main, assay->main_path, fail) == 0)
        return 0;
    return fail_hint(fail, "give the executable with --main");
}

static void close_all(struct assay *assay)
{
    trial_release(&assay->trial);
    fs_map_release(&assay->dylib);
    fs_map_release(&assay->main);
    own_release_mem(&assay->main_path);
}

/* ---- the answer ----------------------------------------------------------------------------- */

static json_t *lines_of(const char *text)
{
    json_t *lines = js_array();
    char *line = NULL;
    while ((line = text_take_line(&text)) != NULL) {
        js_push(lines, js_text(line));
        free(line);
    }
    return lines;
}

static void add_json(struct assay *assay, const char *setting, const struct assay_outcome *outcome)
{
    json_t *run = js_object();
    if (setting != NULL)
        js_set(run, "setting", js_text(setting));
    js_set(run, "transcript", lines_of(buf_text(&outcome->transcript)));
    js_set(run, "checks", js_uint(outcome->checks));
    js_set(run, "instructions", js_uint(outcome->instructions));
    js_set(run, "findings", js_findings(&outcome->findings));
    js_push(assay->runs, run);
}

static void add_text(struct assay *assay, const char *setting, const struct assay_outcome *outcome)
{
    if (setting != NULL)
        printf("with %s\n", setting);
    if (!assay->env->globals->quiet)
        fputs(buf_text(&outcome->transcript), stdout);
    findings_print(&outcome->findings, stdout, opt_color(assay->env));
}

static int run_one(struct assay *assay, size_t number, struct fail *fail)
{
    own_assay struct assay_outcome outcome = {0};
    const char *setting = assay_setting(&assay->trial, number);
    struct assay_subject subject = {
        .name = base_name(assay->arguments->dylib),
        .bytes = assay->dylib.view,
        .main_name = assay->main_path == NULL ? NULL : base_name(assay->main_path),
        .main_bytes = assay->main.view,
        .is_asked = assay->arguments->trial == NULL,
    };
    if (assay_run(&outcome, &subject, &assay->trial, setting, fail) < 0)
        return -1;
    assay->bad += outcome.findings.error_count;
    if (assay->runs != NULL)
        add_json(assay, setting, &outcome);
    else
        add_text(assay, setting, &outcome);
    return 0;
}

static void print_json(struct assay *assay)
{
    own_json json_t *document = js_object();
    own_buf struct buf text = {0};
    js_set(document, "dylib", js_text(assay->arguments->dylib));
    js_set(document, "verdict", js_text(assay->bad == 0 ? "good" : "findings"));
    js_set(document, "runs", assay->runs);
    js_print(&text, document);
    fputs(buf_text(&text), stdout);
}

static int run_all(struct assay *assay, struct fail *fail)
{
    size_t runs = assay_runs(&assay->trial);
    for (size_t i = 0; i < runs; i++) {
        if (run_one(assay, i, fail) < 0)
            return fail_while(fail, "assaying '%s'", assay->arguments->dylib);
    }
    if (assay->runs != NULL) {
        print_json(assay);
    } else if (assay->arguments->trial != NULL || assay->bad > 0) {
        own_mem char *where = text_clean(assay->arguments->dylib);
        if (assay->bad == 0)
            opt_verdict(assay->env, true, "%s", where);
        else
            opt_verdict(assay->env, false, "%s: %zu finding%s", where, assay->bad,
                        assay->bad == 1 ? "" : "s");
    }
    return assay->bad == 0 ? 0 : EXIT_FINDINGS;
}

int cmd_assay(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct arguments arguments = {0};
    struct assay assay = {.env = env, .arguments = &arguments};
    int parsed = read_arguments(&arguments, env, argc, argv, fail);
    int result = parsed < 0 ? -1 : 0;
    if (parsed == 0 && (result = open_all(&assay, fail)) == 0) {
        assay.runs = env->globals->json ? js_array() : NULL;
        result = run_all(&assay, fail);
    }
    close_all(&assay);
    opt_list_release(&arguments.settings);
    opt_list_release(&arguments.arguments);
    return result;
}
