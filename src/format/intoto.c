/* provenance.h: provenance.intoto.json, written. */
#include <string.h>

#include "format/intoto_names.h"
#include "format/provenance.h"
#include "port/json.h"

static json_t *digest_object(const char *kind, const char *value)
{
    json_t *object = js_object();
    js_set(object, kind, js_text(value));
    return object;
}

static json_t *list_array(const struct prov_list *list)
{
    json_t *array = js_array();
    for (size_t i = 0; i < list->count; i++)
        js_push(array, js_text(list->list[i]));
    return array;
}

static void push_subject(json_t *array, const char *name, const char *sha256)
{
    json_t *subject = js_object();
    js_set(subject, "name", js_text(name));
    js_set(subject, "digest", digest_object("sha256", sha256));
    js_push(array, subject);
}

static json_t *subjects(const struct provenance *record)
{
    json_t *array = js_array();
    for (size_t i = 0; i < record->artifact_count; i++)
        push_subject(array, record->artifacts[i].name, record->artifacts[i].sha256);
    for (size_t i = 0; i < record->universal_count; i++)
        push_subject(array, record->universals[i].name, record->universals[i].sha256);
    push_subject(array, record->archive_name, record->archive_sha256);
    return array;
}

/* recipe, policy and pin: {"path", "outside", "sha256", "text"}; null when there is none */
static json_t *text_object(const struct prov_text *text)
{
    if (text->path == NULL)
        return json_null();
    json_t *object = js_object();
    js_set(object, "path", js_text(text->path));
    js_set(object, "fromRevision", js_bool(!text->outside));
    js_set(object, "sha256", js_text(text->sha256));
    js_set(object, "text", js_text(text->text));
    return object;
}

static json_t *external_parameters(const struct provenance *record)
{
    json_t *object = js_object();
    js_set(object, "format", js_uint(record->format));
    js_set(object, "name", js_text(record->name));
    js_set(object, "version", js_text(record->version));
    js_set(object, "repository", js_text(record->repository));
    js_set(object, "commit", js_text(record->commit));
    js_set(object, "tree", js_text(record->tree));
    js_set(object, "commitTime", js_text(record->commit_time));
    js_set(object, "sourceDateEpoch", json_integer(record->epoch));
    js_set(object, "recipe", text_object(&record->recipe));
    js_set(object, "policy", text_object(&record->policy));
    js_set(object, "toolchain", text_object(&record->pin));
    return object;
}

static json_t *program_object(const char *program, const char *version)
{
    json_t *object = js_object();
    js_set(object, "program", js_text(program));
    js_set(object, "version", js_text(version));
    return object;
}

static json_t *toolchain_object(const struct provenance *record)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(record->toolchain));
    js_set(object, "family", js_text(record->family));
    js_set(object, "compiler", program_object(record->compiler, record->compiler_version));
    js_set(object, "linker", program_object(record->linker, record->linker_version));
    json_t *sdk = js_object();
    js_set(sdk, "path", js_text(record->sdk_path));
    js_set(sdk, "version", js_text(record->sdk_version));
    js_set(sdk, "gitTree", js_text(record->sdk_tree));
    js_set(sdk, "sha256", js_text(record->sdk_sha256));
    js_set(object, "sdk", sdk);
    return object;
}

static json_t *commands_array(const struct provenance *record)
{
    json_t *array = js_array();
    for (size_t i = 0; i < record->command_count; i++) {
        const struct prov_command *command = &record->commands[i];
        json_t *object = js_object();
        js_set(object, "artifact", js_text(command->artifact));
        js_set(object, "step", js_text(command->step));
        js_set(object, "argv", list_array(&command->argv));
        js_push(array, object);
    }
    return array;
}

/* {"name", "ranOnAppleHardware", "signedPointers"}; null when there is none */
static json_t *pass_object(const struct prov_artifact *artifact)
{
    if (artifact->pass == NULL)
        return json_null();
    json_t *object = js_object();
    js_set(object, "name", js_text(artifact->pass));
    js_set(object, "ranOnAppleHardware", js_bool(false));
    js_set(object, "signedPointers", list_array(&artifact->auth_fixups));
    return object;
}

static json_t *artifact_object(const struct prov_artifact *artifact, unsigned format)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(artifact->name));
    js_set(object, "kind", js_text(artifact->kind));
    js_set(object, "size", js_uint(artifact->len));
    js_set(object, "sha256", js_text(artifact->sha256));
    js_set(object, "arch", js_text(artifact->arch));
    js_set(object, "cpusubtype", js_text(artifact->cpusubtype));
    js_set(object, "minMacos", js_text(artifact->min_macos));
    js_set(object, "sdk", js_text(artifact->sdk));
    js_set(object, "linker", js_text(artifact->linker));
    js_set(object, "uuid", js_text(artifact->uuid));
    js_set(object, "installName", js_text(artifact->install_name));
    js_set(object, "libraries", list_array(&artifact->libraries));
    json_t *signature = js_object();
    js_set(signature, "kind", js_text(artifact->signature));
    js_set(signature, "identifier", js_text(artifact->identifier));
    js_set(signature, "flags", js_text(artifact->sign_flags));
    js_set(signature, "pageSize", js_uint(artifact->page_size));
    js_set(signature, "cdhash", js_text(artifact->cdhash));
    js_set(object, "signature", signature);
    if (format >= 2)
        js_set(object, "pass", pass_object(artifact));
    return object;
}

static json_t *artifacts_array(const struct provenance *record)
{
    json_t *array = js_array();
    for (size_t i = 0; i < record->artifact_count; i++)
        js_push(array, artifact_object(&record->artifacts[i], record->format));
    return array;
}

static json_t *rules_array(const struct provenance *record)
{
    json_t *array = js_array();
    for (size_t i = 0; i < record->rule_count; i++) {
        const struct prov_rule *rule = &record->rules[i];
        json_t *object = js_object();
        js_set(object, "id", js_text(rule->id));
        js_set(object, "reason", js_text(rule->reason));
        js_set(object, "artifacts", list_array(&rule->artifacts));
        js_set(object, "checks", js_uint(rule->checks));
        js_set(object, "passed", js_bool(rule->passed));
        js_push(array, object);
    }
    return array;
}

static json_t *universals_array(const struct provenance *record)
{
    json_t *array = js_array();
    for (size_t i = 0; i < record->universal_count; i++) {
        const struct prov_universal *universal = &record->universals[i];
        json_t *object = js_object();
        json_t *slices = js_array();
        for (size_t k = 0; k < universal->slice_count; k++) {
            const struct prov_slice *slice = &universal->slices[k];
            json_t *one = js_object();
            js_set(one, "artifact", js_text(slice->artifact));
            js_set(one, "arch", js_text(slice->arch));
            js_set(one, "cpusubtype", js_text(slice->cpusubtype));
            js_set(one, "offset", js_uint(slice->offset));
            js_set(one, "alignLog2", js_uint(slice->align_log2));
            js_push(slices, one);
        }
        js_set(object, "name", js_text(universal->name));
        js_set(object, "size", js_uint(universal->len));
        js_set(object, "sha256", js_text(universal->sha256));
        js_set(object, "slices", slices);
        js_push(array, object);
    }
    return array;
}

static json_t *trials_array(const struct provenance *record)
{
    json_t *array = js_array();
    for (size_t i = 0; i < record->trial_count; i++) {
        const struct prov_trial *trial = &record->trials[i];
        json_t *object = js_object();
        json_t *results = js_array();
        for (size_t k = 0; k < trial->result_count; k++) {
            const struct prov_trial_result *result = &trial->results[k];
            json_t *one = js_object();
            js_set(one, "artifact", js_text(result->artifact));
            js_set(one, "main", js_text(result->main));
            js_set(one, "runs", js_uint(result->runs));
            js_set(one, "checks", js_uint(result->checks));
            js_set(one, "passed", js_bool(result->passed));
            js_set(one, "transcript", list_array(&result->transcript));
            js_push(results, one);
        }
        js_set(object, "file", text_object(&trial->file));
        js_set(object, "reason", js_text(trial->reason));
        js_set(object, "results", results);
        js_push(array, object);
    }
    return array;
}

static json_t *archive_object(const struct provenance *record)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(record->archive_name));
    js_set(object, "prefix", js_text(record->archive_prefix));
    js_set(object, "paths", list_array(&record->archive_paths));
    js_set(object, "size", js_uint(record->archive_len));
    js_set(object, "sha256", js_text(record->archive_sha256));
    js_set(object, "tarSize", js_uint(record->tar_len));
    js_set(object, "tarSha256", js_text(record->tar_sha256));
    return object;
}

static json_t *sources_array(const struct provenance *record)
{
    json_t *array = js_array();
    for (size_t i = 0; i < record->sources.count; i++) {
        const struct prov_file *file = &record->sources.list[i];
        json_t *object = js_object();
        js_set(object, "path", js_text(file->path));
        js_set(object, "size", js_uint(file->len));
        js_set(object, "sha256", js_text(file->sha256));
        js_push(array, object);
    }
    return array;
}

static json_t *internal_parameters(const struct provenance *record)
{
    json_t *object = js_object();
    js_set(object, "toolchain", toolchain_object(record));
    js_set(object, "environment", list_array(&record->environment));
    js_set(object, "commands", commands_array(record));
    js_set(object, "sources", sources_array(record));
    js_set(object, "artifacts", artifacts_array(record));
    js_set(object, "policyRules", rules_array(record));
    if (record->format >= 2) {
        js_set(object, "universals", universals_array(record));
        js_set(object, "trials", trials_array(record));
    }
    js_set(object, "archive", archive_object(record));
    return object;
}

static void push_dependency(json_t *array, const char *name, const char *kind, const char *digest)
{
    json_t *object = js_object();
    js_set(object, "name", js_text(name));
    js_set(object, "digest", digest_object(kind, digest));
    js_push(array, object);
}

static json_t *dependencies(const struct provenance *record)
{
    json_t *array = js_array();
    json_t *source = js_object();
    if (record->repository != NULL)
        js_set(source, "uri", js_printf("git+%s", record->repository));
    else
        js_set(source, "name", js_text("source"));
    js_set(source, "digest", digest_object("gitCommit", record->commit));
    js_push(array, source);
    const struct prov_text *texts[] = {&record->recipe, &record->policy, &record->pin};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i]->path != NULL)
            push_dependency(array, texts[i]->path, "sha256", texts[i]->sha256);
    }
    for (size_t i = 0; i < record->trial_count; i++)
        push_dependency(array, record->trials[i].file.path, "sha256",
                        record->trials[i].file.sha256);
    push_dependency(array, record->sdk_path, INTOTO_SDK_DIGEST, record->sdk_sha256);
    for (size_t i = 0; i < record->sources.count; i++)
        push_dependency(array, record->sources.list[i].path, "sha256",
                        record->sources.list[i].sha256);
    return array;
}

void intoto_print(struct buf *out, const struct provenance *record)
{
    json_t *definition = js_object();
    js_set(definition, "buildType", js_text(INTOTO_BUILD_TYPE));
    js_set(definition, "externalParameters", external_parameters(record));
    js_set(definition, "internalParameters", internal_parameters(record));
    js_set(definition, "resolvedDependencies", dependencies(record));
    json_t *builder = js_object();
    js_set(builder, "id", js_text(INTOTO_BUILDER));
    json_t *details = js_object();
    js_set(details, "builder", builder);
    json_t *predicate = js_object();
    js_set(predicate, "buildDefinition", definition);
    js_set(predicate, "runDetails", details);
    own_json json_t *statement = js_object();
    js_set(statement, "_type", js_text(INTOTO_STATEMENT));
    js_set(statement, "subject", subjects(record));
    js_set(statement, "predicateType", js_text(INTOTO_PREDICATE));
    js_set(statement, "predicate", predicate);
    js_print(out, statement);
}
