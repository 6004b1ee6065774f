/* provenance.h: provenance.intoto.json, read back. */
#include <stdlib.h>
#include <string.h>

#include "format/intoto_names.h"
#include "format/provenance.h"
#include "port/json.h"

/* Walks the document; after the first complaint everything else is skipped. */
struct reader {
    const char *name;
    struct fail *fail;
    bool failed;
};

static void complain(struct reader *reader, const char *key, const char *expected)
{
    if (reader->failed)
        return;
    reader->failed = true;
    fail_set(reader->fail, FAIL_INPUT, "'%s' is not a provenance of hallmark: '%s' is not %s",
             reader->name, key, expected);
}

static json_t *object_of(struct reader *reader, const json_t *parent, const char *key)
{
    json_t *value = json_object_get(parent, key);
    if (!json_is_object(value))
        complain(reader, key, "an object");
    return json_is_object(value) ? value : NULL;
}

static json_t *array_of(struct reader *reader, const json_t *parent, const char *key)
{
    json_t *value = json_object_get(parent, key);
    if (!json_is_array(value))
        complain(reader, key, "an array");
    return json_is_array(value) ? value : NULL;
}

static char *text_of(struct reader *reader, const json_t *parent, const char *key)
{
    const char *text = js_get_text(parent, key);
    if (text == NULL)
        complain(reader, key, "a string");
    return text_copy(text == NULL ? "" : text);
}

/* A string, or NULL for null. */
static char *optional_text(struct reader *reader, const json_t *parent, const char *key)
{
    const json_t *value = json_object_get(parent, key);
    if (json_is_null(value))
        return NULL;
    return text_of(reader, parent, key);
}

static uint64_t uint_of(struct reader *reader, const json_t *parent, const char *key)
{
    const json_t *value = json_object_get(parent, key);
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0) {
        complain(reader, key, "a number");
        return 0;
    }
    return (uint64_t)number;
}

static bool bool_of(struct reader *reader, const json_t *parent, const char *key)
{
    const json_t *value = json_object_get(parent, key);
    if (!json_is_boolean(value))
        complain(reader, key, "true or false");
    return json_is_true(value);
}

static struct prov_list list_of(struct reader *reader, const json_t *parent, const char *key)
{
    struct prov_list list = {0};
    const json_t *array = array_of(reader, parent, key);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *text = json_string_value(json_array_get(array, i));
        if (text == NULL)
            complain(reader, key, "an array of strings");
        prov_list_add(&list, text == NULL ? "" : text);
    }
    return list;
}

static struct prov_text embedded_text(struct reader *reader, const json_t *parent, const char *key)
{
    struct prov_text text = {0};
    if (json_is_null(json_object_get(parent, key)))
        return text;
    const json_t *object = object_of(reader, parent, key);
    text.path = text_of(reader, object, "path");
    text.outside = !bool_of(reader, object, "fromRevision");
    text.sha256 = text_of(reader, object, "sha256");
    text.text = text_of(reader, object, "text");
    return text;
}

static void read_external(struct reader *reader, struct provenance *out, const json_t *object)
{
    out->format = (unsigned)uint_of(reader, object, "format");
    if (!reader->failed && (out->format < 1 || out->format > PROVENANCE_FORMAT)) {
        reader->failed = true;
        fail_set(reader->fail, FAIL_INPUT, "'%s' has format %u, expected 1 to %u", reader->name,
                 out->format, PROVENANCE_FORMAT);
        fail_hint(reader->fail, "a newer hallmark made it; install that one");
    }
    out->name = text_of(reader, object, "name");
    out->version = text_of(reader, object, "version");
    out->repository = optional_text(reader, object, "repository");
    out->commit = text_of(reader, object, "commit");
    out->tree = text_of(reader, object, "tree");
    out->commit_time = text_of(reader, object, "commitTime");
    out->epoch = json_integer_value(json_object_get(object, "sourceDateEpoch"));
    out->recipe = embedded_text(reader, object, "recipe");
    out->policy = embedded_text(reader, object, "policy");
    out->pin = embedded_text(reader, object, "toolchain");
    if (out->recipe.path == NULL)
        complain(reader, "recipe", "an object");
    if (out->pin.path == NULL)
        complain(reader, "toolchain", "an object");
}

static void read_toolchain(struct reader *reader, struct provenance *out, const json_t *object)
{
    out->toolchain = text_of(reader, object, "name");
    out->family = text_of(reader, object, "family");
    const json_t *compiler = object_of(reader, object, "compiler");
    out->compiler = text_of(reader, compiler, "program");
    out->compiler_version = text_of(reader, compiler, "version");
    const json_t *linker = object_of(reader, object, "linker");
    out->linker = text_of(reader, linker, "program");
    out->linker_version = text_of(reader, linker, "version");
    const json_t *sdk = object_of(reader, object, "sdk");
    out->sdk_path = text_of(reader, sdk, "path");
    out->sdk_version = text_of(reader, sdk, "version");
    out->sdk_tree = optional_text(reader, sdk, "gitTree");
    out->sdk_sha256 = text_of(reader, sdk, "sha256");
}

static void read_pass(struct reader *reader, struct prov_artifact *out, const json_t *artifact)
{
    if (json_is_null(json_object_get(artifact, "pass")))
        return;
    const json_t *object = object_of(reader, artifact, "pass");
    out->pass = text_of(reader, object, "name");
    out->auth_fixups = list_of(reader, object, "signedPointers");
    if (bool_of(reader, object, "ranOnAppleHardware"))
        complain(reader, "ranOnAppleHardware", "false");
}

static void read_artifact(struct reader *reader, struct prov_artifact *out, const json_t *object,
                          unsigned format)
{
    out->name = text_of(reader, object, "name");
    out->kind = text_of(reader, object, "kind");
    out->len = uint_of(reader, object, "size");
    out->sha256 = text_of(reader, object, "sha256");
    out->arch = text_of(reader, object, "arch");
    out->cpusubtype = text_of(reader, object, "cpusubtype");
    out->min_macos = text_of(reader, object, "minMacos");
    out->sdk = text_of(reader, object, "sdk");
    out->linker = text_of(reader, object, "linker");
    out->uuid = optional_text(reader, object, "uuid");
    out->install_name = optional_text(reader, object, "installName");
    out->libraries = list_of(reader, object, "libraries");
    const json_t *signature = object_of(reader, object, "signature");
    out->signature = text_of(reader, signature, "kind");
    out->identifier = text_of(reader, signature, "identifier");
    out->sign_flags = text_of(reader, signature, "flags");
    out->page_size = uint_of(reader, signature, "pageSize");
    out->cdhash = text_of(reader, signature, "cdhash");
    if (format >= 2)
        read_pass(reader, out, object);
}

static void read_command(struct reader *reader, struct prov_command *out, const json_t *object)
{
    out->artifact = text_of(reader, object, "artifact");
    out->step = text_of(reader, object, "step");
    out->argv = list_of(reader, object, "argv");
}

static void read_rule(struct reader *reader, struct prov_rule *out, const json_t *object)
{
    out->id = text_of(reader, object, "id");
    out->reason = text_of(reader, object, "reason");
    out->artifacts = list_of(reader, object, "artifacts");
    out->checks = uint_of(reader, object, "checks");
    out->passed = bool_of(reader, object, "passed");
}

static void read_universal(struct reader *reader, struct prov_universal *out, const json_t *object)
{
    out->name = text_of(reader, object, "name");
    out->len = uint_of(reader, object, "size");
    out->sha256 = text_of(reader, object, "sha256");
    const json_t *slices = array_of(reader, object, "slices");
    for (size_t i = 0; i < json_array_size(slices) && !reader->failed; i++) {
        const json_t *slice = json_array_get(slices, i);
        struct prov_slice *one = prov_universal_add_slice(out);
        one->artifact = text_of(reader, slice, "artifact");
        one->arch = text_of(reader, slice, "arch");
        one->cpusubtype = text_of(reader, slice, "cpusubtype");
        one->offset = uint_of(reader, slice, "offset");
        one->align_log2 = uint_of(reader, slice, "alignLog2");
    }
}

static void read_result(struct reader *reader, struct prov_trial_result *out, const json_t *object)
{
    out->artifact = text_of(reader, object, "artifact");
    out->main = optional_text(reader, object, "main");
    out->runs = uint_of(reader, object, "runs");
    out->checks = uint_of(reader, object, "checks");
    out->passed = bool_of(reader, object, "passed");
    out->transcript = list_of(reader, object, "transcript");
}

static void read_trial(struct reader *reader, struct prov_trial *out, const json_t *object)
{
    out->file = embedded_text(reader, object, "file");
    if (out->file.path == NULL)
        complain(reader, "file", "an object");
    out->reason = text_of(reader, object, "reason");
    const json_t *results = array_of(reader, object, "results");
    for (size_t i = 0; i < json_array_size(results) && !reader->failed; i++)
        read_result(reader, prov_trial_add_result(out), json_array_get(results, i));
}

static void read_source(struct reader *reader, struct provenance *out, const json_t *object)
{
    own_mem char *path = text_of(reader, object, "path");
    own_mem char *sha256 = text_of(reader, object, "sha256");
    prov_files_add(&out->sources, path, uint_of(reader, object, "size"), sha256);
}

static void read_steps(struct reader *reader, struct provenance *out, const json_t *object)
{
    const json_t *commands = array_of(reader, object, "commands");
    for (size_t i = 0; i < json_array_size(commands) && !reader->failed; i++)
        read_command(reader, provenance_add_command(out), json_array_get(commands, i));
    const json_t *sources = array_of(reader, object, "sources");
    for (size_t i = 0; i < json_array_size(sources) && !reader->failed; i++)
        read_source(reader, out, json_array_get(sources, i));
    const json_t *rules = array_of(reader, object, "policyRules");
    for (size_t i = 0; i < json_array_size(rules) && !reader->failed; i++)
        read_rule(reader, provenance_add_rule(out), json_array_get(rules, i));
    const json_t *universals = out->format >= 2 ? array_of(reader, object, "universals") : NULL;
    for (size_t i = 0; i < json_array_size(universals) && !reader->failed; i++)
        read_universal(reader, provenance_add_universal(out), json_array_get(universals, i));
    const json_t *trials = out->format >= 2 ? array_of(reader, object, "trials") : NULL;
    for (size_t i = 0; i < json_array_size(trials) && !reader->failed; i++)
        read_trial(reader, provenance_add_trial(out), json_array_get(trials, i));
}

static void read_internal(struct reader *reader, struct provenance *out, const json_t *object)
{
    read_toolchain(reader, out, object_of(reader, object, "toolchain"));
    out->environment = list_of(reader, object, "environment");
    read_steps(reader, out, object);
    const json_t *artifacts = array_of(reader, object, "artifacts");
    for (size_t i = 0; i < json_array_size(artifacts) && !reader->failed; i++)
        read_artifact(reader, provenance_add_artifact(out), json_array_get(artifacts, i),
                      out->format);
    const json_t *archive = object_of(reader, object, "archive");
    out->archive_name = text_of(reader, archive, "name");
    out->archive_prefix = text_of(reader, archive, "prefix");
    out->archive_paths = list_of(reader, archive, "paths");
    out->archive_len = uint_of(reader, archive, "size");
    out->archive_sha256 = text_of(reader, archive, "sha256");
    out->tar_len = uint_of(reader, archive, "tarSize");
    out->tar_sha256 = text_of(reader, archive, "tarSha256");
}

static void expect_text(struct reader *reader, const json_t *object, const char *key,
                        const char *expected)
{
    const char *text = js_get_text(object, key);
    if (text == NULL || strcmp(text, expected) != 0)
        complain(reader, key, expected);
}

int intoto_parse(struct provenance *out, struct view text, const char *name, struct fail *fail)
{
    struct reader reader = {.name = name, .fail = fail};
    own_json json_t *document = NULL;
    if (text.len > PROVENANCE_MAX)
        return fail_set(fail, FAIL_INPUT, "'%s' has %llu bytes, expected at most %u", name,
                        (unsigned long long)text.len, PROVENANCE_MAX);
    if (js_parse(&document, text, name, fail) < 0)
        return -1;
    expect_text(&reader, document, "_type", INTOTO_STATEMENT);
    expect_text(&reader, document, "predicateType", INTOTO_PREDICATE);
    const json_t *predicate = object_of(&reader, document, "predicate");
    const json_t *definition = object_of(&reader, predicate, "buildDefinition");
    expect_text(&reader, definition, "buildType", INTOTO_BUILD_TYPE);
    read_external(&reader, out, object_of(&reader, definition, "externalParameters"));
    read_internal(&reader, out, object_of(&reader, definition, "internalParameters"));
    return reader.failed ? -1 : 0;
}
