/* provenance.h: PROVENANCE.md. */
#include <string.h>

#include "format/provenance.h"

/* Text in a table cell or a line: what would be markup is escaped. */
static void put_cell(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("\\`*_{}[]<>#|~", *text) != NULL)
            buf_putc(out, '\\');
        if (*text == '\n' || *text == '\r' || *text == '\t')
            buf_putc(out, ' ');
        else
            buf_putc(out, *text);
    }
}

static void put_code(struct buf *out, const char *text)
{
    if (strchr(text, '`') != NULL || strchr(text, '|') != NULL) {
        put_cell(out, text);
        return;
    }
    buf_printf(out, "`%s`", text);
}

static void row(struct buf *out, const char *label, const char *value)
{
    if (value == NULL)
        return;
    buf_printf(out, "| %s | ", label);
    put_code(out, value);
    buf_puts(out, " |\n");
}

/* A path, and a remark about it (NULL: none); `missing` when there is no path. */
static void path_row(struct buf *out, const char *label, const char *path, const char *remark,
                     const char *missing)
{
    buf_printf(out, "| %s | ", label);
    if (path == NULL)
        put_cell(out, missing);
    else
        put_code(out, path);
    if (path != NULL && remark != NULL)
        buf_printf(out, " (%s)", remark);
    buf_puts(out, " |\n");
}

static void head(struct buf *out)
{
    buf_puts(out, "| | |\n| --- | --- |\n");
}

static void put_source(struct buf *out, const struct provenance *record)
{
    buf_puts(out, "\n## Source\n\n");
    head(out);
    path_row(out, "repository", record->repository, NULL, "not named by the recipe");
    row(out, "commit", record->commit);
    row(out, "tree", record->tree);
    row(out, "commit time", record->commit_time);
    path_row(out, "recipe", record->recipe.path,
             record->recipe.outside ? "from outside the revision" : NULL, "none");
    row(out, "recipe SHA-256", record->recipe.sha256);
    path_row(out, "policy", record->policy.path, NULL, "none: no policy was checked");
    row(out, "policy SHA-256", record->policy.sha256);
    buf_puts(out, "\nFiles of the revision that the compiler read:\n\n| SHA-256 | bytes | file |\n"
                  "| --- | ---: | --- |\n");
    for (size_t i = 0; i < record->sources.count; i++) {
        const struct prov_file *file = &record->sources.list[i];
        buf_printf(out, "| `%s` | %llu | ", file->sha256, (unsigned long long)file->len);
        put_code(out, file->path);
        buf_puts(out, " |\n");
    }
}

static void put_toolchain(struct buf *out, const struct provenance *record)
{
    buf_puts(out, "\n## Toolchain\n\n");
    head(out);
    row(out, "pin", record->toolchain);
    path_row(out, "pin file", record->pin.path,
             record->pin.outside ? "installed with hallmark" : NULL, "none");
    row(out, "pin SHA-256", record->pin.sha256);
    row(out, "family", record->family);
    own_mem char *compiler = text_printf("%s %s", record->compiler, record->compiler_version);
    row(out, "compiler", compiler);
    own_mem char *linker = text_printf("%s %s", record->linker, record->linker_version);
    row(out, "linker", linker);
    row(out, "SDK", record->sdk_path);
    row(out, "SDK version", record->sdk_version);
    row(out, "SDK git tree", record->sdk_tree);
    row(out, "SDK SHA-256 (of the sorted sums of its files)", record->sdk_sha256);
}

static bool has_pass(const struct provenance *record)
{
    for (size_t i = 0; i < record->artifact_count; i++) {
        if (record->artifacts[i].pass != NULL)
            return true;
    }
    return false;
}

/* Whether compiler, linker and SDK are Apple's, of which an auditor may have none. */
static bool is_apple(const struct provenance *record)
{
    return strcmp(record->family, "apple") == 0;
}

static void put_commands(struct buf *out, const struct provenance *record)
{
    buf_puts(
        out,
        "\n## Environment and commands\n\nThe complete environment of every command:\n\n```\n");
    for (size_t i = 0; i < record->environment.count; i++)
        buf_printf(out, "%s\n", record->environment.list[i]);
    buf_puts(
        out,
        "```\n\nThe commands, run in `$WORK/tree`, which holds the files of the revision. "
        "`$WORK`,\n"
        "`$TOOLCHAIN` and `$SDK` stand for directories that differ from machine to machine and\n"
        "leave no trace in the results.\n\n```\n");
    for (size_t i = 0; i < record->command_count; i++) {
        prov_shell_line(out, &record->commands[i].argv);
        buf_putc(out, '\n');
    }
    buf_puts(out, "```\n\n");
    if (has_pass(record))
        buf_puts(out, "The objects for arm64e are linked as arm64, which is all that the linker "
                      "knows; the pass of\n"
                      "hallmark makes arm64e of the result. ");
    buf_puts(out, "Then hallmark signs each result ad hoc, as named below.\n");
    if (is_apple(record))
        buf_puts(out, "`$DEVELOPER_DIR` is the directory that the pin names. Apple's codesign has "
                      "made the same signatures\n"
                      "(those of the linker's style excepted); its verification and lipo have "
                      "accepted each result:\n"
                      "else this would not have been released.\n");
}

static void put_pass(struct buf *out, const struct prov_artifact *artifact)
{
    buf_puts(out, "| made by | hallmark's pass ");
    put_code(out, artifact->pass);
    buf_printf(out, " from the linker's file; it has not run on Apple hardware |\n");
    buf_printf(out, "| signed pointers | %zu, each listed in `%s` |\n", artifact->auth_fixups.count,
               PROVENANCE_JSON_NAME);
}

static void put_artifact(struct buf *out, const struct prov_artifact *artifact)
{
    buf_puts(out, "\n### ");
    put_cell(out, artifact->name);
    buf_puts(out, "\n\n");
    head(out);
    row(out, "kind", artifact->kind);
    own_mem char *size = text_printf("%llu bytes", (unsigned long long)artifact->len);
    row(out, "size", size);
    row(out, "SHA-256", artifact->sha256);
    own_mem char *arch = text_printf("%s (cpusubtype %s)", artifact->arch, artifact->cpusubtype);
    row(out, "architecture", arch);
    row(out, "minimum macOS", artifact->min_macos);
    row(out, "SDK", artifact->sdk);
    row(out, "linker", artifact->linker);
    if (artifact->pass != NULL)
        put_pass(out, artifact);
    row(out, "UUID", artifact->uuid == NULL ? "none" : artifact->uuid);
    row(out, "install name", artifact->install_name);
    for (size_t i = 0; i < artifact->libraries.count; i++)
        row(out, i == 0 ? "linked libraries" : "", artifact->libraries.list[i]);
    own_mem char *signature =
        text_printf("%s, flags %s", artifact->signature, artifact->sign_flags);
    row(out, "signature", signature);
    row(out, "identifier", artifact->identifier);
    own_mem char *page = text_printf("%llu", (unsigned long long)artifact->page_size);
    row(out, "page size", page);
    row(out, "cdhash", artifact->cdhash);
}

static void put_policy(struct buf *out, const struct provenance *record)
{
    buf_puts(out, "\n## Policy\n\n");
    if (record->rule_count == 0) {
        buf_puts(out, "The recipe names no policy: none was checked.\n");
        return;
    }
    buf_puts(out,
             "Checked on the bytes as they are published, every byte of each file.\n\n"
             "| rule | result | checks | artifacts | reason |\n| --- | --- | ---: | --- | --- |\n");
    for (size_t i = 0; i < record->rule_count; i++) {
        const struct prov_rule *rule = &record->rules[i];
        buf_puts(out, "| ");
        put_cell(out, rule->id);
        buf_printf(out, " | %s | %llu | ", rule->passed ? "passed" : "FAILED",
                   (unsigned long long)rule->checks);
        for (size_t k = 0; k < rule->artifacts.count; k++) {
            buf_puts(out, k == 0 ? "" : ", ");
            put_cell(out, rule->artifacts.list[k]);
        }
        buf_puts(out, " | ");
        put_cell(out, rule->reason);
        buf_puts(out, " |\n");
    }
}

static void put_universal(struct buf *out, const struct prov_universal *universal)
{
    buf_puts(out, "\n### ");
    put_cell(out, universal->name);
    buf_puts(out, "\n\n");
    head(out);
    row(out, "kind", "universal");
    own_mem char *size = text_printf("%llu bytes", (unsigned long long)universal->len);
    row(out, "size", size);
    row(out, "SHA-256", universal->sha256);
    for (size_t i = 0; i < universal->slice_count; i++) {
        const struct prov_slice *slice = &universal->slices[i];
        own_mem char *text =
            text_printf("%s (cpusubtype %s) at offset %llu, aligned to 2^%llu: %s", slice->arch,
                        slice->cpusubtype, (unsigned long long)slice->offset,
                        (unsigned long long)slice->align_log2, slice->artifact);
        row(out, i == 0 ? "slices" : "", text);
    }
}

static void put_result(struct buf *out, const struct prov_trial *trial,
                       const struct prov_trial_result *result)
{
    buf_puts(out, "| ");
    put_code(out, trial->file.path);
    buf_puts(out, " | ");
    put_cell(out, result->artifact);
    if (result->main != NULL) {
        buf_puts(out, " with ");
        put_cell(out, result->main);
    }
    buf_printf(out, " | %s | %llu | %llu | ", result->passed ? "passed" : "FAILED",
               (unsigned long long)result->runs, (unsigned long long)result->checks);
    put_cell(out, trial->reason);
    buf_puts(out, " |\n");
}

static void put_trials(struct buf *out, const struct provenance *record)
{
    if (record->format < 2)
        return;
    buf_puts(out, "\n## Trials\n\n");
    if (record->trial_count == 0) {
        buf_puts(out, "The recipe names no trials: none was run.\n");
        return;
    }
    buf_printf(out,
               "The bytes as they are published, in an emulated process among stand-ins for what "
               "macOS has;\n"
               "for arm64e with pointer authentication on. What each run answered, logged and "
               "printed is in\n"
               "`%s`.\n\n"
               "| trial | artifact | result | runs | checks | reason |\n"
               "| --- | --- | --- | ---: | ---: | --- |\n",
               PROVENANCE_JSON_NAME);
    for (size_t i = 0; i < record->trial_count; i++) {
        for (size_t k = 0; k < record->trials[i].result_count; k++)
            put_result(out, &record->trials[i], &record->trials[i].results[k]);
    }
}

static void put_archive(struct buf *out, const struct provenance *record)
{
    buf_puts(out, "\n## Source archive\n\n");
    head(out);
    row(out, "file", record->archive_name);
    own_mem char *size = text_printf("%llu bytes", (unsigned long long)record->archive_len);
    row(out, "size", size);
    row(out, "SHA-256", record->archive_sha256);
    row(out, "SHA-256 of the tar inside", record->tar_sha256);
    own_prov_list struct prov_list words = {0};
    static const char *const fixed[] = {"git", "archive", "--format=tar.gz"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        prov_list_add(&words, fixed[i]);
    own_mem char *prefix = text_printf("--prefix=%s", record->archive_prefix);
    prov_list_add(&words, prefix);
    prov_list_add(&words, record->commit);
    if (record->archive_paths.count != 0)
        prov_list_add(&words, "--");
    for (size_t i = 0; i < record->archive_paths.count; i++)
        prov_list_add(&words, record->archive_paths.list[i]);
    buf_puts(out, "\nThe same bytes come from git 2.38 or later with zlib (the tar inside from any "
                  "zlib):\n\n```\n");
    prov_shell_line(out, &words);
    buf_puts(out, "\n```\n");
}

static void put_derive(struct buf *out, const struct provenance *record)
{
    buf_printf(out,
               "\n## Derive it again\n\nIn a clone of the repository, with hallmark installed, %s:"
               "\n\n```\nhallmark audit RELEASE_DIR --repo .\n```\n\n",
               is_apple(record) ? "on a Mac that has the pinned toolchain" : "on Linux or macOS");
    if (is_apple(record))
        buf_puts(out, "Elsewhere the same command checks everything but what compiler and linker "
                      "made. To\nmake the release anew:");
    else
        buf_puts(out, "or, to make the release anew:");
    buf_puts(out, "\n\n```\nhallmark release");
    buf_printf(out, " --rev %s", record->commit);
    if (record->recipe.outside)
        buf_puts(out, " --recipe-file RELEASE_DIR/recipe.yaml");
    own_prov_list struct prov_list recipe = {0};
    prov_list_add(&recipe, record->recipe.outside ? "--repo" : "--recipe");
    prov_list_add(&recipe, record->recipe.outside ? "." : record->recipe.path);
    buf_putc(out, ' ');
    prov_shell_line(out, &recipe);
    buf_printf(out, " --toolchain %s --out NEW_DIR\n```\n", record->toolchain);
}

static void put_limits(struct buf *out, const struct provenance *record)
{
    buf_puts(
        out,
        "\n## What is not claimed\n\n"
        "- The signatures are ad hoc: they seal the bytes, and name no signer. This is neither a\n"
        "  Developer ID signature nor a notarization.\n"
        "- No artifact was run on Apple hardware as part of this release.\n"
        "- What a program reports, such as the capability of a GPU, need not be so.\n"
        "- The policy looks for what it names; it does not prove the absence of anything else.\n"
        "- Who made this release is not said here: compare with a copy of SHA256SUMS that you "
        "trust,\n"
        "  or derive it again.\n");
    if (record->trial_count > 0)
        buf_puts(out, "- A trial shows what these bytes do among stand-ins. Apple's own libraries "
                      "were not there.\n");
    if (has_pass(record))
        buf_puts(
            out,
            "- What is arm64e here was linked by no linker of Apple's: hallmark signed its "
            "pointers by what\n"
            "  is publicly known of the format. Whether Apple's loader takes it was not tried.\n");
}

void provmd_print(struct buf *out, const struct provenance *record)
{
    buf_puts(out, "# Provenance of ");
    put_cell(out, record->name);
    buf_putc(out, ' ');
    put_cell(out, record->version);
    buf_printf(
        out,
        "\n\nPrinted by hallmark from the record of what was done; format %u. The same record for "
        "machines is\n`%s`. Check the files with `sha256sum -c SHA256SUMS`.\n",
        record->format, PROVENANCE_JSON_NAME);
    put_source(out, record);
    put_toolchain(out, record);
    put_commands(out, record);
    buf_puts(out, "\n## Artifacts\n");
    for (size_t i = 0; i < record->artifact_count; i++)
        put_artifact(out, &record->artifacts[i]);
    for (size_t i = 0; i < record->universal_count; i++)
        put_universal(out, &record->universals[i]);
    put_policy(out, record);
    put_trials(out, record);
    put_archive(out, record);
    put_derive(out, record);
    put_limits(out, record);
}
