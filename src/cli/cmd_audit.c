/* hallmark audit */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "port/json.h"
#include "stage/audit.h"

static bool is_good(const struct audit *audit)
{
    return audit->derived && audit->findings.error_count == 0;
}

/* Nothing is wrong, but not all could be derived: exit code 4, by the failure. */
static bool is_open(const struct audit *audit)
{
    return audit->missing.code != FAIL_NONE && audit->findings.error_count == 0;
}

/* What an auditor would have to get; null when it is here. */
static json_t *missing_object(const struct audit *audit)
{
    if (audit->missing.code == FAIL_NONE)
        return json_null();
    json_t *object = js_object();
    js_set(object, "name", js_text(audit->toolchain));
    js_set(object, "problem", js_text(audit->missing.message));
    js_set(object, "hint", js_text(audit->missing.hint));
    return object;
}

static void print_json(const struct audit *audit, const char *directory)
{
    own_json json_t *document = js_object();
    js_set(document, "directory", js_text(directory));
    js_set(document, "verdict",
           js_text(is_good(audit)   ? "identical"
                   : is_open(audit) ? "not-derivable"
                                    : "findings"));
    js_set(document, "derived", js_bool(audit->derived));
    js_set(document, "name", js_text(audit->name));
    js_set(document, "version", js_text(audit->version));
    js_set(document, "commit", js_text(audit->commit));
    js_set(document, "toolchainBuild", js_text(audit->build_id));
    js_set(document, "missingToolchain", missing_object(audit));
    json_t *files = js_array();
    for (size_t i = 0; i < audit->count; i++) {
        const struct audit_entry *entry = &audit->entries[i];
        json_t *file = js_object();
        js_set(file, "name", js_text(entry->name));
        js_set(file, "status", js_text(audit_status_text(entry->status)));
        js_set(file, "expected", js_text(*entry->expected ? entry->expected : NULL));
        js_set(file, "actual", js_text(*entry->actual ? entry->actual : NULL));
        js_push(files, file);
    }
    js_set(document, "files", files);
    js_set(document, "findings", js_findings(&audit->findings));
    own_buf struct buf text = {0};
    js_print(&text, document);
    fputs(buf_text(&text), stdout);
}

static int status_width(const struct audit *audit)
{
    size_t width = 10;
    for (size_t i = 0; i < audit->count; i++) {
        size_t len = strlen(audit_status_text(audit->entries[i].status));
        width = len > width ? len : width;
    }
    return (int)width;
}

static size_t count_status(const struct audit *audit, enum audit_status status)
{
    size_t count = 0;
    for (size_t i = 0; i < audit->count; i++)
        count += audit->entries[i].status == status ? 1 : 0;
    return count;
}

/* Main prints the failure itself when there is nothing worse to say. */
static void print_missing(const struct audit *audit)
{
    printf("not derivable here: %zu of %zu files of %s %s need toolchain '%s'%s\n",
           count_status(audit, AUDIT_NOT_DERIVABLE), audit->count, audit->name, audit->version,
           audit->toolchain, is_open(audit) ? "; everything else holds" : "");
    if (is_open(audit))
        return;
    own_mem char *message = text_clean(audit->missing.message);
    printf("  %s\n", message);
    if (audit->missing.hint == NULL)
        return;
    own_mem char *hint = text_clean(audit->missing.hint);
    printf("  hint: %s\n", hint);
}

static void print_text(const struct opt_env *env, const struct audit *audit, const char *directory,
                       bool manifest)
{
    own_mem char *where = text_clean(directory);
    for (size_t i = 0; i < audit->count; i++) {
        own_mem char *name = text_clean(audit->entries[i].name);
        printf("%-*s  %s\n", status_width(audit), audit_status_text(audit->entries[i].status),
               name);
    }
    findings_print(&audit->findings, stdout, opt_color(env));
    if (audit->missing.code != FAIL_NONE)
        print_missing(audit);
    if (is_open(audit))
        return;
    if (is_good(audit))
        opt_verdict(env, true, "all %zu files of %s %s come from commit %s, %s", audit->count,
                    audit->name, audit->version, audit->commit,
                    manifest ? "by the digests of the manifest" : "byte for byte");
    else
        opt_verdict(env, false, "%s in '%s'", findings_count_text(&audit->findings), where);
}

int cmd_audit(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct progress progress = progress_start("audit", env->globals->quiet);
    struct audit_request request = {.progress = &progress};
    uint64_t limit_sec = OPT_TIME_LIMIT_SEC;
    const struct opt_option options[] = {
        {"repo", 0, OPT_TEXT, &request.repository, "DIR", "the repository that holds the commit"},
        {"manifest", 0, OPT_FLAG, &request.manifest, NULL,
         "the directory holds sums and documents only: compare digests"},
        {"time-limit", 0, OPT_UINT, &limit_sec, "SEC", "for each run of a compiler (default: 300)"},
        {"keep", 0, OPT_FLAG, &request.keep, NULL, "keep what was derived and say where"},
    };
    struct opt_rest rest = {0};
    int parsed =
        opt_parse(&rest, env, options, sizeof options / sizeof options[0], argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    progress.quiet = env->globals->quiet; /* it may follow the command */
    if (rest.count != 1)
        return opt_usage(env, fail, "%zu directories given, expected one RELEASE_DIR", rest.count);
    if (request.repository == NULL)
        return opt_usage(env, fail, "no repository given, '--repo DIR' is needed");
    if (opt_time_limit(&request.limit_sec, env, limit_sec, fail) < 0)
        return -1;
    request.directory = rest.list[0];
    own_audit struct audit audit = {0};
    int result = audit_run(&audit, &request, fail);
    progress_end(&progress);
    if (result < 0)
        return -1;
    if (audit.kept != NULL)
        fprintf(stderr, "audit: what was derived is kept in %s\n", audit.kept);
    if (env->globals->json)
        print_json(&audit, request.directory);
    else
        print_text(env, &audit, request.directory, request.manifest);
    if (is_open(&audit))
        return fail_move(fail, &audit.missing);
    return is_good(&audit) ? 0 : EXIT_FINDINGS;
}
