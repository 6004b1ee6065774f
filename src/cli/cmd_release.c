/* hallmark release */
#include <stdio.h>

#include "cli/commands.h"
#include "format/sums.h"
#include "port/json.h"
#include "stage/pipeline.h"

/* Each published file with its digest, in the order of the record. */
typedef void file_visit(void *context, const char *name, const char *sha256);

static void visit_files(const struct provenance *record, file_visit *visit, void *context)
{
    for (size_t i = 0; i < record->artifact_count; i++)
        visit(context, record->artifacts[i].name, record->artifacts[i].sha256);
    for (size_t i = 0; i < record->universal_count; i++)
        visit(context, record->universals[i].name, record->universals[i].sha256);
    if (record->archive_name != NULL)
        visit(context, record->archive_name, record->archive_sha256);
}

static void push_file(void *context, const char *name, const char *sha256)
{
    json_t *file = js_object();
    js_set(file, "name", js_text(name));
    js_set(file, "sha256", js_text(sha256));
    js_push((json_t *)context, file);
}

static void print_json(const struct release *release, const char *out)
{
    own_json json_t *document = js_object();
    js_set(document, "published", js_bool(release->published));
    js_set(document, "directory", js_text(release->published ? out : NULL));
    js_set(document, "name", js_text(release->record.name));
    js_set(document, "version", js_text(release->record.version));
    js_set(document, "commit", js_text(release->record.commit));
    json_t *files = js_array();
    visit_files(&release->record, push_file, files);
    js_set(document, "files", files);
    js_set(document, "findings", js_findings(&release->findings));
    own_buf struct buf text = {0};
    js_print(&text, document);
    fputs(buf_text(&text), stdout);
}

static void print_file(void *context, const char *name, const char *sha256)
{
    (void)context;
    printf("%s  %s\n", sha256, name);
}

static void print_text(const struct opt_env *env, const struct release *release, const char *out)
{
    findings_print(&release->findings, stdout, opt_color(env));
    if (!release->published) {
        printf("not released: %s\n", findings_count_text(&release->findings));
        return;
    }
    visit_files(&release->record, print_file, NULL);
    printf("released %s %s from commit %s into %s\n", release->record.name, release->record.version,
           release->record.commit, out);
}

static int check_request(const struct opt_env *env, const struct release_request *request,
                         const struct opt_rest *rest, struct fail *fail)
{
    if (rest->count != 0)
        return opt_usage(env, fail, "unexpected argument '%s'", rest->list[0]);
    if (request->revision == NULL)
        return opt_usage(env, fail, "no revision given, '--rev REV' is needed");
    if (request->out == NULL || *request->out == '\0')
        return opt_usage(env, fail, "no output given, '--out DIR' is needed");
    if (request->recipe_path != NULL && request->recipe_file != NULL)
        return opt_usage(env, fail, "'--recipe' and '--recipe-file' exclude each other");
    return 0;
}

int cmd_release(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct progress progress = progress_start("release", env->globals->quiet);
    struct release_request request = {.repository = ".", .progress = &progress};
    uint64_t limit_sec = OPT_TIME_LIMIT_SEC;
    const struct opt_option options[] = {
        {"rev", 0, OPT_TEXT, &request.revision, "REV", "the frozen revision (commit, tag, branch)"},
        {"out", 0, OPT_TEXT, &request.out, "DIR", "the release directory; must not exist"},
        {"recipe", 0, OPT_TEXT, &request.recipe_path, "PATH",
         "the recipe in the revision; else hallmark.yaml is looked for"},
        {"recipe-file", 0, OPT_TEXT, &request.recipe_file, "FILE",
         "a recipe from outside the revision; published with the release"},
        {"toolchain", 0, OPT_TEXT, &request.toolchain, "NAME", "instead of the recipe's toolchain"},
        {"repo", 0, OPT_TEXT, &request.repository, "DIR", "the repository (default: here)"},
        {"time-limit", 0, OPT_UINT, &limit_sec, "SEC", "for each run of a compiler (default: 300)"},
        {"keep", 0, OPT_FLAG, &request.keep, NULL, "keep the scratch directory and say where"},
    };
    struct opt_rest rest = {0};
    int parsed =
        opt_parse(&rest, env, options, sizeof options / sizeof options[0], argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    progress.quiet = env->globals->quiet; /* it may follow the command */
    if (check_request(env, &request, &rest, fail) < 0 ||
        opt_time_limit(&request.limit_sec, env, limit_sec, fail) < 0)
        return -1;
    own_release struct release release = RELEASE_INIT;
    int result = release_run(&release, &request, fail);
    progress_end(&progress);
    if (request.keep && release.scratch.path != NULL)
        fprintf(stderr, "release: scratch directory kept: %s\n", release.scratch.path);
    if (result < 0)
        return -1;
    if (env->globals->json)
        print_json(&release, request.out);
    else
        print_text(env, &release, request.out);
    return release.published ? 0 : EXIT_FINDINGS;
}
