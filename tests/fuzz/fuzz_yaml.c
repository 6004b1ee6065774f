/*
 * The readers of recipe, policy and toolchain pin, on arbitrary bytes. What must hold: a refusal
 * has a message and leaves nothing behind; what is accepted keeps the promises of the headers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "config/cflags.h"
#include "config/policy.h"
#include "config/recipe.h"
#include "config/toolchain.h"
#include "fuzz.h"

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz_yaml: %s\n", what);
    abort();
}

static void check_fail(int result, const struct fail *fail)
{
    must(result == 0 || (fail->code == FAIL_INPUT && fail->message != NULL),
         "a refusal is FAIL_INPUT and has a message");
    must(result < 0 || fail->code == FAIL_NONE, "a success has no failure");
}

static void check_path(const char *path)
{
    must(fs_path_contained(path), "a path of an accepted recipe is contained");
}

static void check_artifact(const struct recipe_artifact *artifact)
{
    must(strchr(artifact->name, '/') == NULL && artifact->name[0] != '.', "an artifact is a name");
    must(artifact->arch == RECIPE_ARM64, "only arm64 is accepted");
    must(artifact->sources_count > 0, "an artifact has sources");
    must((artifact->install_name != NULL) == (artifact->kind == RECIPE_DYLIB),
         "dylibs and only they have an install name");
    must(artifact->min_macos_packed >= 0x000b0000, "the minimum version is in range");
    for (size_t i = 0; i < artifact->sources_count; i++)
        check_path(artifact->source_paths[i]);
    for (size_t i = 0; i < artifact->include_paths_count; i++)
        if (artifact->include_paths[i][0] != '\0')
            check_path(artifact->include_paths[i]);
    for (size_t i = 0; i < artifact->cflags_count; i++)
        must(artifact->cflags[i][0] == '-' && artifact->rooted_cflags[i][0] == '-' &&
                 cflags_problem(artifact->rooted_cflags[i]) == NULL,
             "each flag is allowed");
    must(artifact->sign.identifier != NULL && artifact->sign.page_size >= 4096 &&
             artifact->sign.style != 0,
         "the signature profile is complete");
}

static void try_recipe(struct view text)
{
    own_fail struct fail fail = {0};
    own_recipe struct recipe recipe = {0};
    int result = recipe_parse(&recipe, text, "recipe", "a/b", &fail);
    check_fail(result, &fail);
    must(result == 0 || recipe.name == NULL, "a refused recipe is empty");
    for (size_t i = 0; i < recipe.artifacts_count; i++)
        check_artifact(&recipe.artifacts[i]);
    if (recipe.policy != NULL)
        check_path(recipe.policy_path);
}

static void try_policy(struct view text)
{
    own_fail struct fail fail = {0};
    own_policy struct policy policy = {0};
    int result = policy_parse(&policy, text, "policy", &fail);
    check_fail(result, &fail);
    must((result == 0) == (policy.rules_count > 0), "a policy has rules exactly when it was read");
    for (size_t i = 0; i < policy.rules_count; i++)
        (void)policy_rule_applies(&policy.rules[i], "libexample.dylib");
}

static void try_toolchain(struct view text)
{
    own_fail struct fail fail = {0};
    own_toolchain struct toolchain pin = {0};
    int result = toolchain_parse(&pin, text, "toolchain", NULL, &fail);
    check_fail(result, &fail);
    if (result == 0) {
        must(strchr(pin.compiler.program, '/') == NULL, "a program is a name");
        if (pin.family == TOOLCHAIN_LLVM)
            check_path(pin.sdk.path);
        else
            must(pin.developer_dir[0] == '/' && strstr(pin.developer_dir, "/../") == NULL,
                 "a developer directory is absolute and plain");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct view text = {data, size};
    try_recipe(text);
    try_policy(text);
    try_toolchain(text);
    return 0;
}

#define DIGEST "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char *const seeds[] = {
    "name: Shim\nversion: 1.0\nrepository: https://example.org/shim.git\ntoolchain: llvm-19\n"
    "policy: policy.yaml\narchive: {prefix: \"shim-1/\", paths: [shim, toolchain]}\nartifacts:\n"
    "  - name: Shim.dylib\n    kind: dylib\n    arch: arm64\n    min_macos: \"13.0\"\n"
    "    sources: [Shim.m, ../common/log.c]\n    install_name: \"@rpath/Shim.dylib\"\n"
    "    frameworks: [Foundation, Metal]\n    cflags: [-O3, -Wall, -Iinclude, -DX=1]\n"
    "    sign: {style: linker, identifier: org.shim, page_size: 16384}\n"
    "  - {name: probe, kind: executable, arch: arm64, min_macos: 11.5, sources: [probe.m]}\n",
    "rules:\n  - id: strings\n    reason: >-\n      must never\n      ship\n"
    "    artifacts: [\"lib*.dylib\", probe]\n    forbid: {strings: [\"\\xe9\"], imports: "
    "[_system], "
    "selectors: ['a:b:'], libraries: [/x]}\n"
    "  - {id: linkage, reason: r, allow: {libraries: [/usr/lib/libSystem.B.dylib], imports: "
    "[_getenv]}}\n",
    "name: llvm-19\nfamily: llvm\ncompiler: {program: clang, version: \"19.1.7\"}\n"
    "linker: {program: ld64.lld, version: 19.1.7}\nsdk: {path: toolchain/sdk, version: \"14.0\"}\n"
    "builds:\n  - {id: a, compiler: " DIGEST ", linker: " DIGEST "}\n",
    "%YAML 1.1\n---\nname: &a [*a, !!str x]\n...\n---\nb: |\n  c\n",
    "? [a]\n: {b: c}\n? |\n  x\n: - y\n",
};

size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    return fuzz_give_text(seeds, sizeof(seeds) / sizeof(seeds[0]), index, out, out_size);
}
