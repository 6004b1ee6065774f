/* provenance.h: the record itself. */
#include "format/provenance.h"

#include <stdlib.h>
#include <string.h>

void prov_list_add(struct prov_list *list, const char *text)
{
    list->list = mem_resize(list->list, list->count + 1, sizeof *list->list);
    list->list[list->count++] = text_copy(text);
}

void prov_files_add(struct prov_files *files, const char *path, uint64_t len, const char *sha256)
{
    files->list = mem_resize(files->list, files->count + 1, sizeof *files->list);
    files->list[files->count++] =
        (struct prov_file){.path = text_copy(path), .len = len, .sha256 = text_copy(sha256)};
}

/* Appends a zeroed element to an array of `count` elements; the new one. */
static void *append(void **array, size_t *count, size_t size)
{
    *array = mem_resize(*array, *count + 1, size);
    char *element = (char *)*array + *count * size;
    memset(element, 0, size);
    ++*count;
    return element;
}

struct prov_command *provenance_add_command(struct provenance *record)
{
    return append((void **)&record->commands, &record->command_count, sizeof *record->commands);
}

struct prov_artifact *provenance_add_artifact(struct provenance *record)
{
    return append((void **)&record->artifacts, &record->artifact_count, sizeof *record->artifacts);
}

struct prov_rule *provenance_add_rule(struct provenance *record)
{
    return append((void **)&record->rules, &record->rule_count, sizeof *record->rules);
}

struct prov_universal *provenance_add_universal(struct provenance *record)
{
    return append((void **)&record->universals, &record->universal_count,
                  sizeof *record->universals);
}

struct prov_slice *prov_universal_add_slice(struct prov_universal *universal)
{
    return append((void **)&universal->slices, &universal->slice_count, sizeof *universal->slices);
}

struct prov_trial *provenance_add_trial(struct provenance *record)
{
    return append((void **)&record->trials, &record->trial_count, sizeof *record->trials);
}

struct prov_trial_result *prov_trial_add_result(struct prov_trial *trial)
{
    return append((void **)&trial->results, &trial->result_count, sizeof *trial->results);
}

void prov_list_release(struct prov_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->list[i]);
    free(list->list);
    *list = (struct prov_list){0};
}

static void text_release(struct prov_text *text)
{
    free(text->path);
    free(text->sha256);
    free(text->text);
}

void prov_universal_release(struct prov_universal *universal)
{
    free(universal->name);
    free(universal->sha256);
    for (size_t i = 0; i < universal->slice_count; i++) {
        free(universal->slices[i].artifact);
        free(universal->slices[i].arch);
        free(universal->slices[i].cpusubtype);
    }
    free(universal->slices);
    *universal = (struct prov_universal){0};
}

void prov_trial_release(struct prov_trial *trial)
{
    text_release(&trial->file);
    free(trial->reason);
    for (size_t i = 0; i < trial->result_count; i++) {
        free(trial->results[i].artifact);
        free(trial->results[i].main);
        prov_list_release(&trial->results[i].transcript);
    }
    free(trial->results);
    *trial = (struct prov_trial){0};
}

void prov_artifact_release(struct prov_artifact *artifact)
{
    char *texts[] = {artifact->name,         artifact->kind,       artifact->sha256,
                     artifact->arch,         artifact->cpusubtype, artifact->min_macos,
                     artifact->sdk,          artifact->linker,     artifact->uuid,
                     artifact->install_name, artifact->signature,  artifact->identifier,
                     artifact->sign_flags,   artifact->cdhash,     artifact->pass};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    prov_list_release(&artifact->libraries);
    prov_list_release(&artifact->auth_fixups);
    *artifact = (struct prov_artifact){0};
}

static void release_texts(struct provenance *record)
{
    char *texts[] = {record->name,           record->version,
                     record->repository,     record->commit,
                     record->tree,           record->commit_time,
                     record->toolchain,      record->family,
                     record->compiler,       record->compiler_version,
                     record->linker,         record->linker_version,
                     record->sdk_path,       record->sdk_version,
                     record->sdk_tree,       record->sdk_sha256,
                     record->archive_name,   record->archive_prefix,
                     record->archive_sha256, record->tar_sha256};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    text_release(&record->recipe);
    text_release(&record->policy);
    text_release(&record->pin);
}

void provenance_release(struct provenance *record)
{
    release_texts(record);
    prov_list_release(&record->environment);
    prov_list_release(&record->archive_paths);
    for (size_t i = 0; i < record->command_count; i++) {
        free(record->commands[i].artifact);
        free(record->commands[i].step);
        prov_list_release(&record->commands[i].argv);
    }
    free(record->commands);
    for (size_t i = 0; i < record->sources.count; i++) {
        free(record->sources.list[i].path);
        free(record->sources.list[i].sha256);
    }
    free(record->sources.list);
    for (size_t i = 0; i < record->artifact_count; i++)
        prov_artifact_release(&record->artifacts[i]);
    free(record->artifacts);
    for (size_t i = 0; i < record->rule_count; i++) {
        free(record->rules[i].id);
        free(record->rules[i].reason);
        prov_list_release(&record->rules[i].artifacts);
    }
    free(record->rules);
    for (size_t i = 0; i < record->universal_count; i++)
        prov_universal_release(&record->universals[i]);
    free(record->universals);
    for (size_t i = 0; i < record->trial_count; i++)
        prov_trial_release(&record->trials[i]);
    free(record->trials);
    *record = (struct provenance){0};
}

static bool is_plain_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./-_$";
    return word[0] != '\0' && word[strspn(word, plain)] == '\0';
}

void prov_shell_line(struct buf *out, const struct prov_list *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->list[i];
        if (i != 0)
            buf_putc(out, ' ');
        if (is_plain_word(word)) {
            buf_puts(out, word);
            continue;
        }
        buf_putc(out, '\'');
        for (; *word != '\0'; word++) {
            if (*word == '\'')
                buf_puts(out, "'\\''");
            else
                buf_putc(out, *word);
        }
        buf_putc(out, '\'');
    }
}
