#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/stop.h"
#include "cli/commands.h"
#include "port/json.h"
#include "stage/archive.h"

struct target {
    int fd;
    const char *name;
};

struct arguments {
    const char *revision;
    const char *repository;
    const char *prefix;
    const char *format;
    const char *output;
};

static int put(void *context, const void *data, size_t len, struct fail *fail)
{
    const struct target *target = context;
    if (fs_write_all(target->fd, data, len) == 0)
        return 0;
    if (errno == EINTR && stop_pending() != 0)
        return stop_check(fail);
    return fail_errno(fail, "cannot write %s", target->name);
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t len = strlen(name);
    size_t suffix_len = strlen(suffix);
    return len > suffix_len && strcmp(name + len - suffix_len, suffix) == 0;
}

/* --format, or else what the name of the output says, or else tar. */
static int choose_format(enum archive_format *out, const struct arguments *arguments,
                         const struct opt_env *env, struct fail *fail)
{
    const char *format = arguments->format;
    if (format == NULL && arguments->output != NULL) {
        if (has_suffix(arguments->output, ".zip"))
            return opt_usage(env, fail, "zip is not supported ('%s')", arguments->output);
        bool gz = has_suffix(arguments->output, ".tar.gz") || has_suffix(arguments->output, ".tgz");
        format = gz ? "tar.gz" : "tar";
    }
    *out = ARCHIVE_FORMAT_TAR;
    if (format == NULL || strcmp(format, "tar") == 0)
        return 0;
    *out = ARCHIVE_FORMAT_TAR_GZ;
    if (strcmp(format, "tar.gz") == 0 || strcmp(format, "tgz") == 0)
        return 0;
    return opt_usage(env, fail, "unknown format '%s' (tar, tar.gz)", format);
}

static int parse(struct arguments *out, struct opt_rest *rest, const struct opt_env *env, int argc,
                 char **argv, struct fail *fail)
{
    *out = (struct arguments){.repository = "."};
    const struct opt_option options[] = {
        {"rev", 0, OPT_TEXT, &out->revision, "REV", "the commit, or a tag of one"},
        {"repo", 0, OPT_TEXT, &out->repository, "DIR", "the repository (default: here)"},
        {"prefix", 0, OPT_TEXT, &out->prefix, "P/", "what to put before every path"},
        {"format", 0, OPT_TEXT, &out->format, "F",
         "tar or tar.gz (default: by the name of the output, or tar)"},
        {"output", 'o', OPT_TEXT, &out->output, "FILE", "a new file (default: stdout)"},
    };
    int parsed = opt_parse(rest, env, options, sizeof options / sizeof *options, argc, argv, fail);
    if (parsed != 0)
        return parsed;
    if (out->revision == NULL)
        return opt_usage(env, fail, "--rev is missing");
    if (env->globals->json && out->output == NULL)
        return opt_usage(env, fail, "--json needs -o FILE, since the archive goes to stdout");
    return 0;
}

static void print_result(const struct archive_result *result, const char *output)
{
    own_json json_t *doc = js_object();
    own_buf struct buf text = {0};
    js_set(doc, "commit", js_text(result->commit));
    js_set(doc, "file", js_text(output));
    js_set(doc, "tar_sha256", js_text(result->tar_sha256));
    js_set(doc, "tar_len", js_uint(result->tar_len));
    if (*result->gz_sha256 != '\0') {
        js_set(doc, "gz_sha256", js_text(result->gz_sha256));
        js_set(doc, "gz_len", js_uint(result->gz_len));
    }
    js_print(&text, doc);
    fputs(buf_text(&text), stdout);
}

static int write_file(struct archive_result *result, const struct archive_request *request,
                      const char *output, struct fail *fail)
{
    own_fs_new struct fs_new file = FS_NEW_INIT;
    own_mem char *name = text_printf("'%s'", output);
    if (fs_new_open(&file, output, 0644, fail) < 0)
        return -1;
    struct target target = {.fd = file.fd, .name = name};
    if (tarball_write(result, request, put, &target, fail) < 0)
        return -1;
    return fs_new_publish(&file, FS_NO_REPLACE, fail);
}

int cmd_archive(const struct opt_env *env, int argc, char **argv, struct fail *fail)
{
    struct arguments arguments = {0};
    struct opt_rest rest = {0};
    struct archive_request request = {.digests = env->globals->json};
    int parsed = parse(&arguments, &rest, env, argc, argv, fail);
    if (parsed != 0)
        return parsed < 0 ? -1 : 0;
    if (choose_format(&request.format, &arguments, env, fail) < 0)
        return -1;
    own_odb struct odb *odb = NULL;
    if (odb_open(&odb, arguments.repository, fail) < 0)
        return -1;
    request.odb = odb;
    request.revision = arguments.revision;
    request.prefix = arguments.prefix;
    request.paths = (const char *const *)rest.list;
    request.path_count = rest.count;
    struct archive_result result = {0};
    if (arguments.output == NULL) {
        struct target target = {.fd = STDOUT_FILENO, .name = "stdout"};
        return tarball_write(&result, &request, put, &target, fail);
    }
    if (write_file(&result, &request, arguments.output, fail) < 0)
        return -1;
    if (env->globals->json)
        print_result(&result, arguments.output);
    return 0;
}
