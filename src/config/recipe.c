#include "config/recipe.h"

#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "config/doc.h"
#include "config/recipe_check.h"

static const cyaml_strval_t kinds[] = {
    {"dylib", RECIPE_DYLIB},
    {"bundle", RECIPE_BUNDLE},
    {"executable", RECIPE_EXECUTABLE},
    {"universal", RECIPE_UNIVERSAL},
};

static const cyaml_strval_t archs[] = {
    {"arm64", RECIPE_ARM64},
    {"arm64e", RECIPE_ARM64E},
};

static const cyaml_strval_t styles[] = {
    {"codesign", RECIPE_STYLE_CODESIGN},
    {"linker", RECIPE_STYLE_LINKER},
};

static const cyaml_schema_value_t text_value = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 4096),
};

#define TEXT(key, flags, structure, member, max) \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), structure, member, 1, max)
#define TEXTS(key, flags, structure, member, min)                                                \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | (flags), structure, member, &text_value, min, \
                         RECIPE_LIST_MAX)

static const cyaml_schema_field_t sign_fields[] = {
    CYAML_FIELD_ENUM("style", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, struct recipe_sign, style,
                     styles, CYAML_ARRAY_LEN(styles)),
    TEXT("identifier", CYAML_FLAG_OPTIONAL, struct recipe_sign, identifier, 256),
    CYAML_FIELD_UINT("page_size", CYAML_FLAG_OPTIONAL, struct recipe_sign, page_size),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t artifact_fields[] = {
    TEXT("name", CYAML_FLAG_DEFAULT, struct recipe_artifact, name, 1024),
    CYAML_FIELD_ENUM("kind", CYAML_FLAG_STRICT, struct recipe_artifact, kind, kinds,
                     CYAML_ARRAY_LEN(kinds)),
    /* The next three are needed but for universal artifacts: recipe_check.c. */
    CYAML_FIELD_ENUM("arch", CYAML_FLAG_STRICT | CYAML_FLAG_OPTIONAL, struct recipe_artifact, arch,
                     archs, CYAML_ARRAY_LEN(archs)),
    TEXT("min_macos", CYAML_FLAG_OPTIONAL, struct recipe_artifact, min_macos, 64),
    TEXTS("sources", CYAML_FLAG_OPTIONAL, struct recipe_artifact, sources, 1),
    TEXTS("of", CYAML_FLAG_OPTIONAL, struct recipe_artifact, of, 2),
    TEXT("install_name", CYAML_FLAG_OPTIONAL, struct recipe_artifact, install_name, 1024),
    TEXTS("frameworks", CYAML_FLAG_OPTIONAL, struct recipe_artifact, frameworks, 0),
    TEXTS("cflags", CYAML_FLAG_OPTIONAL, struct recipe_artifact, cflags, 0),
    CYAML_FIELD_MAPPING("sign", CYAML_FLAG_OPTIONAL, struct recipe_artifact, sign, sign_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t artifact_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct recipe_artifact, artifact_fields),
};

static const cyaml_schema_field_t archive_fields[] = {
    CYAML_FIELD_STRING_PTR("prefix", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
                           struct recipe_archive, prefix, 0, 1024),
    TEXTS("paths", CYAML_FLAG_OPTIONAL, struct recipe_archive, paths, 1),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t recipe_fields[] = {
    TEXT("name", CYAML_FLAG_DEFAULT, struct recipe, name, 1024),
    TEXT("version", CYAML_FLAG_DEFAULT, struct recipe, version, 1024),
    TEXT("repository", CYAML_FLAG_OPTIONAL, struct recipe, repository, 2048),
    TEXT("toolchain", CYAML_FLAG_DEFAULT, struct recipe, toolchain, 1024),
    TEXT("policy", CYAML_FLAG_OPTIONAL, struct recipe, policy, 4096),
    TEXT("trials", CYAML_FLAG_OPTIONAL, struct recipe, trials, 4096),
    CYAML_FIELD_MAPPING("archive", CYAML_FLAG_OPTIONAL, struct recipe, archive, archive_fields),
    CYAML_FIELD_SEQUENCE("artifacts", CYAML_FLAG_POINTER, struct recipe, artifacts, &artifact_value,
                         1, RECIPE_ARTIFACTS_MAX),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t recipe_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct recipe, recipe_fields),
};

int recipe_parse(struct recipe *out, struct view text, const char *name, const char *base,
                 struct fail *fail)
{
    own_doc struct doc doc = {0};
    own_recipe struct recipe recipe = {0};
    if (doc_load(&doc, &recipe, sizeof(recipe), text, name, &recipe_schema, fail) < 0 ||
        recipe_check(&recipe, &doc, base, fail) < 0)
        return -1;
    *out = recipe;
    recipe = (struct recipe){0};
    return 0;
}

static void free_texts(char **list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++)
        free(list[i]);
    free(list);
}

void recipe_release(struct recipe *recipe)
{
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        struct recipe_artifact *artifact = &recipe->artifacts[i];
        free_texts(artifact->source_paths, artifact->sources_count);
        free_texts(artifact->rooted_cflags, artifact->cflags_count);
        free_texts(artifact->include_paths, artifact->include_paths_count);
    }
    free(recipe->policy_path);
    free(recipe->trials_path);
    recipe->policy_path = NULL;
    recipe->trials_path = NULL;
    recipe->artifacts_count += recipe->universals_count; /* one list again */
    recipe->universals_count = 0;
    recipe->universals = NULL;
    doc_free(recipe, sizeof(*recipe), &recipe_schema);
}

const char *recipe_kind_text(enum recipe_kind kind)
{
    switch (kind) {
    case RECIPE_DYLIB:
        return "dylib";
    case RECIPE_BUNDLE:
        return "bundle";
    case RECIPE_EXECUTABLE:
        return "executable";
    case RECIPE_UNIVERSAL:
        return "universal";
    }
    return "?";
}

const char *recipe_arch_text(enum recipe_arch arch)
{
    switch (arch) {
    case RECIPE_ARM64:
        return "arm64";
    case RECIPE_ARM64E:
        return "arm64e";
    }
    return "?";
}

const char *recipe_style_text(enum recipe_style style)
{
    switch (style) {
    case RECIPE_STYLE_CODESIGN:
        return "codesign";
    case RECIPE_STYLE_LINKER:
        return "linker";
    }
    return "?";
}
