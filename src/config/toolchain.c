#include "config/toolchain.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/own.h"
#include "config/doc.h"
#include "config/rule.h"

static const cyaml_strval_t families[] = {
    {"llvm", TOOLCHAIN_LLVM},
    {"apple", TOOLCHAIN_APPLE},
};

static const cyaml_schema_field_t program_fields[] = {
    CYAML_FIELD_STRING_PTR("program", CYAML_FLAG_POINTER, struct toolchain_program, program, 1,
                           128),
    CYAML_FIELD_STRING_PTR("version", CYAML_FLAG_POINTER, struct toolchain_program, version, 1, 64),
    CYAML_FIELD_STRING_PTR("build", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                           struct toolchain_program, build, 1, 64),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t package_fields[] = {
    CYAML_FIELD_STRING_PTR("id", CYAML_FLAG_POINTER, struct toolchain_package, id, 1, 128),
    CYAML_FIELD_STRING_PTR("version", CYAML_FLAG_POINTER, struct toolchain_package, version, 1, 64),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t sdk_fields[] = {
    CYAML_FIELD_STRING_PTR("path", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct toolchain_sdk,
                           path, 1, 1024),
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct toolchain_sdk,
                           name, 1, 128),
    CYAML_FIELD_STRING_PTR("version", CYAML_FLAG_POINTER, struct toolchain_sdk, version, 1, 64),
    CYAML_FIELD_STRING_PTR("settings", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                           struct toolchain_sdk, settings, 1, 128),
    CYAML_FIELD_STRING_PTR("contents", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                           struct toolchain_sdk, contents, 1, 128),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t build_fields[] = {
    CYAML_FIELD_STRING_PTR("id", CYAML_FLAG_POINTER, struct toolchain_build, id, 1, 128),
    CYAML_FIELD_STRING_PTR("compiler", CYAML_FLAG_POINTER, struct toolchain_build, compiler, 1,
                           128),
    CYAML_FIELD_STRING_PTR("linker", CYAML_FLAG_POINTER, struct toolchain_build, linker, 1, 128),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t build_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct toolchain_build, build_fields),
};

static const cyaml_schema_field_t toolchain_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct toolchain, name, 1, 128),
    CYAML_FIELD_ENUM("family", CYAML_FLAG_STRICT, struct toolchain, family, families,
                     CYAML_ARRAY_LEN(families)),
    CYAML_FIELD_STRING_PTR("developer_dir", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                           struct toolchain, developer_dir, 1, 1024),
    CYAML_FIELD_MAPPING("package", CYAML_FLAG_OPTIONAL, struct toolchain, package, package_fields),
    CYAML_FIELD_MAPPING("compiler", CYAML_FLAG_DEFAULT, struct toolchain, compiler, program_fields),
    CYAML_FIELD_MAPPING("linker", CYAML_FLAG_DEFAULT, struct toolchain, linker, program_fields),
    CYAML_FIELD_MAPPING("sdk", CYAML_FLAG_DEFAULT, struct toolchain, sdk, sdk_fields),
    CYAML_FIELD_SEQUENCE("builds", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct toolchain,
                         builds, &build_value, 0, TOOLCHAIN_BUILDS_MAX),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t toolchain_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct toolchain, toolchain_fields),
};

static bool is_digest(const char *text)
{
    return strncmp(text, "sha256:", 7) == 0 && strlen(text) == 7 + 64 &&
           strspn(text + 7, "0123456789abcdef") == 64;
}

static int check_builds(const struct doc *doc, const struct toolchain *pin, struct fail *fail)
{
    for (size_t i = 0; i < pin->builds_count; i++) {
        const struct toolchain_build *build = &pin->builds[i];
        own_mem char *path = text_printf("builds[%zu]", i);
        const char *problem = rule_name(build->id, 128);
        if (problem != NULL)
            return doc_fail(doc, fail, path, "build id '%s' %s", build->id, problem);
        for (size_t j = 0; j < i; j++)
            if (strcmp(pin->builds[j].id, build->id) == 0)
                return doc_fail(doc, fail, path, "build id '%s' occurs twice", build->id);
        if (!is_digest(build->compiler))
            return doc_fail(doc, fail, path,
                            "compiler of build '%s' is not 'sha256:' and 64 lower-case digits",
                            build->id);
        if (!is_digest(build->linker))
            return doc_fail(doc, fail, path,
                            "linker of build '%s' is not 'sha256:' and 64 lower-case digits",
                            build->id);
    }
    return 0;
}

/* One field by its rule. */
static int check_field(const struct doc *doc, const char *path, const char *value,
                       const char *problem, struct fail *fail)
{
    return problem == NULL ? 0 : doc_fail(doc, fail, path, "%s '%s' %s", path, value, problem);
}

/* A key that one family needs and the other must not have. */
static int check_key(const struct doc *doc, const struct toolchain *pin,
                     enum toolchain_family family, const char *path, struct fail *fail)
{
    bool there = doc_has(doc, path);
    if (pin->family == family && !there)
        return doc_fail(doc, fail, path, "key '%s' is missing, which family '%s' needs", path,
                        toolchain_family_text(family));
    if (pin->family != family && there)
        return doc_fail(doc, fail, path, "key '%s' is for family '%s' alone", path,
                        toolchain_family_text(family));
    return 0;
}

static int check_family(const struct doc *doc, const struct toolchain *pin, struct fail *fail)
{
    static const char *const of_apple[] = {"developer_dir", "package", "compiler.build",
                                           "sdk.name"};
    static const char *const may_apple[] = {"sdk.settings", "sdk.contents"};
    if (check_key(doc, pin, TOOLCHAIN_LLVM, "sdk.path", fail) < 0)
        return -1;
    for (size_t i = 0; i < sizeof(of_apple) / sizeof(of_apple[0]); i++)
        if (check_key(doc, pin, TOOLCHAIN_APPLE, of_apple[i], fail) < 0)
            return -1;
    for (size_t i = 0; i < sizeof(may_apple) / sizeof(may_apple[0]); i++)
        if (doc_has(doc, may_apple[i]) &&
            check_key(doc, pin, TOOLCHAIN_APPLE, may_apple[i], fail) < 0)
            return -1;
    if (doc_has(doc, "linker.build"))
        return doc_fail(doc, fail, "linker.build", "key 'linker.build' is not known: %s",
                        "a linker has its version alone");
    return 0;
}

static const char *rule_digest(const char *text)
{
    return text == NULL || is_digest(text) ? NULL : "is not 'sha256:' and 64 lower-case digits";
}

static const char *rule_developer_dir(const char *path)
{
    if (path[0] != '/')
        return "is not absolute";
    return fs_path_contained(path + 1) ? NULL : "is not a plain path";
}

static int check_apple(const struct doc *doc, const struct toolchain *pin, struct fail *fail)
{
    const struct toolchain_package *package = &pin->package;
    const char *dir = pin->developer_dir;
    const char *build = pin->compiler.build;
    const struct toolchain_sdk *sdk = &pin->sdk;
    if (check_field(doc, "developer_dir", dir, rule_developer_dir(dir), fail) < 0 ||
        check_field(doc, "package.id", package->id, rule_name(package->id, 128), fail) < 0 ||
        check_field(doc, "package.version", package->version, rule_name(package->version, 64),
                    fail) < 0 ||
        check_field(doc, "compiler.build", build, rule_name(build, 64), fail) < 0 ||
        check_field(doc, "sdk.name", sdk->name, rule_name(sdk->name, 128), fail) < 0 ||
        check_field(doc, "sdk.settings", sdk->settings, rule_digest(sdk->settings), fail) < 0 ||
        check_field(doc, "sdk.contents", sdk->contents, rule_digest(sdk->contents), fail) < 0)
        return -1;
    return 0;
}

static int check_toolchain(const struct doc *doc, const struct toolchain *pin,
                           const char *expected_name, struct fail *fail)
{
    const struct toolchain_program *cc = &pin->compiler;
    const struct toolchain_program *ld = &pin->linker;
    const struct toolchain_sdk *sdk = &pin->sdk;
    if (check_field(doc, "name", pin->name, rule_name(pin->name, 128), fail) < 0 ||
        check_family(doc, pin, fail) < 0 ||
        check_field(doc, "compiler.program", cc->program, rule_name(cc->program, 128), fail) < 0 ||
        check_field(doc, "compiler.version", cc->version, rule_version(cc->version, 1, 4), fail) <
            0 ||
        check_field(doc, "linker.program", ld->program, rule_name(ld->program, 128), fail) < 0 ||
        check_field(doc, "linker.version", ld->version, rule_version(ld->version, 1, 4), fail) <
            0 ||
        (pin->family == TOOLCHAIN_LLVM &&
         check_field(doc, "sdk.path", sdk->path, rule_path(sdk->path), fail) < 0) ||
        (pin->family == TOOLCHAIN_APPLE && check_apple(doc, pin, fail) < 0) ||
        check_field(doc, "sdk.version", sdk->version, rule_version(sdk->version, 2, 3), fail) < 0)
        return -1;
    if (expected_name != NULL && strcmp(pin->name, expected_name) != 0)
        return doc_fail(doc, fail, "name", "toolchain '%s' calls itself '%s'", expected_name,
                        pin->name);
    return check_builds(doc, pin, fail);
}

int toolchain_parse(struct toolchain *out, struct view text, const char *name,
                    const char *expected_name, struct fail *fail)
{
    own_doc struct doc doc = {0};
    own_toolchain struct toolchain pin = {0};
    if (doc_load(&doc, &pin, sizeof(pin), text, name, &toolchain_schema, fail) < 0 ||
        check_toolchain(&doc, &pin, expected_name, fail) < 0)
        return -1;
    *out = pin;
    pin = (struct toolchain){0};
    return 0;
}

void toolchain_release(struct toolchain *toolchain)
{
    doc_free(toolchain, sizeof(*toolchain), &toolchain_schema);
}

const char *toolchain_family_text(enum toolchain_family family)
{
    switch (family) {
    case TOOLCHAIN_LLVM:
        return "llvm";
    case TOOLCHAIN_APPLE:
        return "apple";
    }
    return "?";
}

const char *toolchain_sdk_name(const struct toolchain *toolchain)
{
    return toolchain->family == TOOLCHAIN_APPLE ? toolchain->sdk.name : toolchain->sdk.path;
}

int toolchain_name_check(const char *name, struct fail *fail)
{
    const char *problem = rule_name(name, 128);
    return problem == NULL ? 0
                           : fail_set(fail, FAIL_INPUT, "toolchain name '%s' %s", name, problem);
}

int toolchain_developer_dir_check(const char *path, struct fail *fail)
{
    const char *problem = rule_developer_dir(path);
    return problem == NULL
               ? 0
               : fail_set(fail, FAIL_INPUT, "developer directory '%s' %s", path, problem);
}
