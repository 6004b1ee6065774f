#include "config/recipe_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "config/cflags.h"
#include "config/rule.h"

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* The place of the artifact that is looked at. */
struct at {
    const struct doc *doc;
    struct fail *fail;
    size_t index;
    const char *base;
};

/* doc_fail() at a key of the artifact, "cflags[2]". */
static int fail_key(const struct at *at, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail_key(const struct at *at, const char *key, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *problem = text_vprintf(format, args);
    va_end(args);
    own_mem char *path = text_printf("artifacts[%zu].%s", at->index, key);
    return doc_fail(at->doc, at->fail, path, "%s", problem);
}

static int fail_entry(const struct at *at, const char *key, size_t entry, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static int fail_entry(const struct at *at, const char *key, size_t entry, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *problem = text_vprintf(format, args);
    va_end(args);
    own_mem char *path = text_printf("artifacts[%zu].%s[%zu]", at->index, key, entry);
    return doc_fail(at->doc, at->fail, path, "%s", problem);
}

static int check_name(const struct recipe *recipe, const struct at *at)
{
    const char *name = recipe->artifacts[at->index].name;
    const char *problem = rule_artifact(name);
    if (problem != NULL)
        return fail_key(at, "name", "artifact name '%s' %s", name, problem);
    for (size_t i = 0; i < at->index; i++) {
        const char *other = recipe->artifacts[i].name;
        if (strcmp(other, name) == 0)
            return fail_key(at, "name", "artifact name '%s' occurs twice", name);
        if (rule_same_folded(other, name))
            return fail_key(at, "name",
                            "artifact names '%s' and '%s' are one where case does not count", other,
                            name);
    }
    return 0;
}

static int check_min_macos(struct recipe_artifact *artifact, const struct at *at)
{
    const char *text = artifact->min_macos;
    const char *problem = rule_version(text, 2, 2);
    if (problem != NULL) {
        fail_key(at, "min_macos", "min_macos '%s' of '%s' %s", text, artifact->name, problem);
        return fail_hint(at->fail, "two numbers, for example \"13.0\"");
    }
    unsigned long major = strtoul(text, NULL, 10);
    unsigned long minor = strtoul(strchr(text, '.') + 1, NULL, 10);
    if (major < 11 || major > 99 || minor > 99)
        return fail_key(
            at, "min_macos",
            "min_macos '%s' of '%s' is out of range (from 11.0, the first for arm64, to "
            "99.99)",
            text, artifact->name);
    artifact->min_macos_packed = (uint32_t)(major << 16 | minor << 8);
    return 0;
}

static const char *extension_problem(const char *source)
{
    const char *slash = strrchr(source, '/');
    const char *dot = strrchr(slash == NULL ? source : slash, '.');
    if (dot != NULL && (strcmp(dot, ".m") == 0 || strcmp(dot, ".c") == 0))
        return NULL;
    return "is neither Objective-C (.m) nor C (.c)";
}

static int check_sources(struct recipe_artifact *artifact, const struct at *at)
{
    artifact->source_paths = mem_new(artifact->sources_count, sizeof(char *));
    for (size_t i = 0; i < artifact->sources_count; i++) {
        const char *source = artifact->sources[i];
        const char *problem = rule_path_from(&artifact->source_paths[i], at->base, source, false);
        if (problem == NULL)
            problem = extension_problem(source);
        if (problem != NULL)
            return fail_entry(at, "sources", i, "source '%s' of '%s' %s", source, artifact->name,
                              problem);
        for (size_t j = 0; j < i; j++)
            if (strcmp(artifact->source_paths[j], artifact->source_paths[i]) == 0)
                return fail_entry(at, "sources", i, "source '%s' of '%s' occurs twice", source,
                                  artifact->name);
    }
    return 0;
}

static const char *install_name_problem(const char *text)
{
    static const char *const starts[] = {"@rpath/", "@loader_path/", "@executable_path/", "/"};
    size_t start = 0;
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]) && start == 0; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0)
            start = strlen(starts[i]);
    if (start == 0)
        return "begins with none of @rpath/ @loader_path/ @executable_path/ and /";
    if (text[strlen(text) - 1] == '/')
        return "ends with a slash";
    if (strspn(text + start, WORD "/._+~@-") != strlen(text + start))
        return "has a character that is none of A-Z a-z 0-9 / . _ + ~ @ -";
    return NULL;
}

static int check_install_name(const struct recipe_artifact *artifact, const struct at *at)
{
    if (artifact->kind != RECIPE_DYLIB)
        return artifact->install_name == NULL
                   ? 0
                   : fail_key(at, "install_name", "'%s' is no dylib, so it has no install_name",
                              artifact->name);
    if (artifact->install_name == NULL)
        return fail_key(at, "name", "dylib '%s' has no install_name", artifact->name);
    const char *problem = install_name_problem(artifact->install_name);
    return problem == NULL ? 0
                           : fail_key(at, "install_name", "install_name '%s' of '%s' %s",
                                      artifact->install_name, artifact->name, problem);
}

static int check_frameworks(const struct recipe_artifact *artifact, const struct at *at)
{
    for (size_t i = 0; i < artifact->frameworks_count; i++) {
        const char *name = artifact->frameworks[i];
        if (strspn(name, WORD "_") != strlen(name) || strlen(name) > 128)
            return fail_entry(at, "frameworks", i,
                              "framework '%s' of '%s' is not a name of A-Z a-z 0-9 _", name,
                              artifact->name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(artifact->frameworks[j], name) == 0)
                return fail_entry(at, "frameworks", i, "framework '%s' of '%s' occurs twice", name,
                                  artifact->name);
    }
    return 0;
}

static int check_cflags(struct recipe_artifact *artifact, const struct at *at)
{
    artifact->rooted_cflags = mem_new(artifact->cflags_count, sizeof(char *));
    artifact->include_paths = mem_new(artifact->cflags_count, sizeof(char *));
    for (size_t i = 0; i < artifact->cflags_count; i++) {
        const char *flag = artifact->cflags[i];
        const char *reason = cflags_problem(flag);
        if (reason != NULL)
            return fail_entry(at, "cflags", i, "flag '%s' of '%s' is refused (%s)", flag,
                              artifact->name, reason);
        const char *directory = cflags_include(flag);
        if (directory == NULL) {
            artifact->rooted_cflags[i] = text_copy(flag);
            continue;
        }
        own_mem char *rooted = NULL;
        const char *problem = rule_path_from(&rooted, at->base, directory, true);
        if (problem != NULL)
            return fail_entry(at, "cflags", i, "flag '%s' of '%s' is refused (its directory %s)",
                              flag, artifact->name, problem);
        if (rooted[0] == '=')
            return fail_entry(at, "cflags", i,
                              "flag '%s' of '%s' is refused (the compiler takes '=' for the SDK)",
                              flag, artifact->name);
        artifact->rooted_cflags[i] = text_printf("-I%s", rooted);
        if (strcmp(rooted, ".") == 0)
            rooted[0] = '\0'; /* the root of the tree, as a folder */
        artifact->include_paths[artifact->include_paths_count++] = steal_mem(&rooted);
    }
    return 0;
}

/* Fills the defaults. */
static int check_sign(struct recipe_artifact *artifact, const struct at *at)
{
    struct recipe_sign *sign = &artifact->sign;
    if (sign->style == 0)
        sign->style = RECIPE_STYLE_CODESIGN;
    if (sign->identifier == NULL) {
        sign->identifier = text_copy(artifact->name);
        char *dot = strrchr(sign->identifier, '.');
        if (dot != NULL && (strcmp(dot, ".dylib") == 0 || strcmp(dot, ".bundle") == 0))
            *dot = '\0';
    }
    const char *problem = rule_name(sign->identifier, 128);
    if (problem != NULL)
        return fail_key(at, "sign.identifier", "signature identifier '%s' of '%s' %s",
                        sign->identifier, artifact->name, problem);
    own_mem char *page_key = text_printf("artifacts[%zu].sign.page_size", at->index);
    if (!doc_has(at->doc, page_key))
        sign->page_size = 4096;
    if (sign->page_size != 4096 && sign->page_size != 16384)
        return fail_key(at, "sign.page_size", "page_size %u of '%s' is neither 4096 nor 16384",
                        (unsigned)sign->page_size, artifact->name);
    return 0;
}

/* Chained fix-ups, which are the only ones that can sign, need a system that reads them. */
#define ARM64E_SINCE 0x000d0000u

static int check_arm64e(const struct recipe_artifact *artifact, const struct at *at)
{
    if (artifact->kind == RECIPE_EXECUTABLE)
        return fail_key(at, "arch", "'%s' is an executable for arm64e: macOS runs none but its own",
                        artifact->name);
    if (artifact->min_macos_packed < ARM64E_SINCE)
        return fail_key(at, "min_macos", "min_macos '%s' of '%s' is too old for arm64e (from 13.0)",
                        artifact->min_macos, artifact->name);
    for (size_t i = 0; i < artifact->cflags_count; i++) {
        if (strcmp(artifact->cflags[i], "-fjump-tables") == 0)
            return fail_entry(at, "cflags", i,
                              "flag '%s' of '%s' is refused (code for arm64e has no jump tables)",
                              artifact->cflags[i], artifact->name);
    }
    return 0;
}

/* Which keys a universal artifact has, and which every other one. */
static int check_keys(const struct recipe_artifact *artifact, const struct at *at)
{
    static const struct {
        const char *key;
        bool universal, thin; /* whether these may have it */
        bool needed;
    } keys[] = {
        {"of", true, false, true},
        {"arch", false, true, true},
        {"min_macos", false, true, true},
        {"sources", false, true, true},
        {"install_name", false, true, false},
        {"frameworks", false, true, false},
        {"cflags", false, true, false},
        {"sign", false, true, false},
    };
    bool is_universal = artifact->kind == RECIPE_UNIVERSAL;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        own_mem char *path = text_printf("artifacts[%zu].%s", at->index, keys[i].key);
        own_mem char *parent = text_printf("artifacts[%zu]", at->index);
        bool allowed = is_universal ? keys[i].universal : keys[i].thin;
        bool there = doc_has(at->doc, path);
        if (there && !allowed)
            return doc_fail(at->doc, at->fail, path, "'%s' is %s, so it has no '%s'",
                            artifact->name, is_universal ? "universal" : "not universal",
                            keys[i].key);
        if (!there && allowed && keys[i].needed)
            return doc_fail(at->doc, at->fail, parent, "key '%s' of '%s' is missing", keys[i].key,
                            parent);
    }
    return 0;
}

/* Each part is a thin artifact of its own architecture, all of one kind. */
static int check_universal(const struct recipe *recipe, const struct at *at)
{
    const struct recipe_artifact *artifact = &recipe->artifacts[at->index];
    const struct recipe_artifact *first = NULL;
    unsigned archs = 0;
    for (size_t i = 0; i < artifact->of_count; i++) {
        const struct recipe_artifact *part = NULL;
        for (size_t k = 0; k < at->index && part == NULL; k++) {
            if (recipe->artifacts[k].kind != RECIPE_UNIVERSAL &&
                strcmp(recipe->artifacts[k].name, artifact->of[i]) == 0)
                part = &recipe->artifacts[k];
        }
        if (part == NULL)
            return fail_entry(at, "of", i, "'%s' joins '%s', which is no thin artifact before it",
                              artifact->name, artifact->of[i]);
        if ((archs >> part->arch & 1u) != 0)
            return fail_entry(at, "of", i, "'%s' joins two artifacts for %s", artifact->name,
                              recipe_arch_text(part->arch));
        archs |= 1u << part->arch;
        if (first == NULL)
            first = part;
        if (part->kind != first->kind)
            return fail_entry(at, "of", i, "'%s' joins a %s and a %s", artifact->name,
                              recipe_kind_text(first->kind), recipe_kind_text(part->kind));
    }
    return 0;
}

static int check_artifact(struct recipe *recipe, const struct at *at)
{
    struct recipe_artifact *artifact = &recipe->artifacts[at->index];
    if (check_name(recipe, at) < 0 || check_keys(artifact, at) < 0)
        return -1;
    if (artifact->kind == RECIPE_UNIVERSAL)
        return check_universal(recipe, at);
    if (at->index > 0 && recipe->artifacts[at->index - 1].kind == RECIPE_UNIVERSAL)
        return fail_key(at, "name", "'%s' comes behind a universal artifact, which must be last",
                        artifact->name);
    if (check_min_macos(artifact, at) < 0 || check_sources(artifact, at) < 0 ||
        check_install_name(artifact, at) < 0 || check_frameworks(artifact, at) < 0 ||
        check_cflags(artifact, at) < 0)
        return -1;
    if (artifact->arch == RECIPE_ARM64E && check_arm64e(artifact, at) < 0)
        return -1;
    return check_sign(artifact, at);
}

/*
 * It is printed in documents as an argument of `git clone`, so nothing that a shell or git takes
 * for more than an address, and nobody's password.
 */
static const char *repository_problem(const char *text)
{
    static const char *const starts[] = {"https://", "http://", "ssh://", "git://", "git@"};
    size_t start = 0;
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]) && start == 0; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0)
            start = strlen(starts[i]);
    if (start == 0)
        return "begins with none of https:// http:// ssh:// git:// and git@";
    const char *rest = text + start;
    if (rest[0] == '\0' || rest[0] == '-' || strspn(rest, WORD ":/._~@%+=,-") != strlen(rest))
        return "is not a plain address";
    size_t host_len = strcspn(rest, "/");
    if (text[0] == 'h' && memchr(rest, '@', host_len) != NULL)
        return "carries a user name or a password";
    return NULL;
}

static int check_archive(struct recipe *recipe, const struct doc *doc, struct fail *fail)
{
    struct recipe_archive *archive = &recipe->archive;
    if (archive->prefix == NULL)
        archive->prefix = text_printf("%s-%s/", recipe->name, recipe->version);
    own_mem char *plain = text_copy(archive->prefix);
    size_t len = strlen(plain);
    if (len > 0 && plain[len - 1] == '/')
        plain[len - 1] = '\0';
    const char *problem = archive->prefix[0] == '\0' ? NULL : rule_path(plain);
    if (problem != NULL)
        return doc_fail(doc, fail, "archive.prefix", "archive prefix '%s' %s", archive->prefix,
                        problem);
    for (size_t i = 0; i < archive->paths_count; i++) {
        problem = rule_path(archive->paths[i]);
        if (problem == NULL)
            continue;
        own_mem char *path = text_printf("archive.paths[%zu]", i);
        return doc_fail(doc, fail, path, "archive path '%s' %s", archive->paths[i], problem);
    }
    return 0;
}

static int check_head(struct recipe *recipe, const struct doc *doc, const char *base,
                      struct fail *fail)
{
    const char *problem = rule_name(recipe->name, RECIPE_NAME_MAX);
    if (problem != NULL)
        return doc_fail(doc, fail, "name", "recipe name '%s' %s", recipe->name, problem);
    problem = rule_name(recipe->version, 64);
    if (problem != NULL)
        return doc_fail(doc, fail, "version", "version '%s' %s", recipe->version, problem);
    problem = rule_name(recipe->toolchain, 128);
    if (problem != NULL)
        return doc_fail(doc, fail, "toolchain", "toolchain name '%s' %s", recipe->toolchain,
                        problem);
    problem = recipe->repository == NULL ? NULL : repository_problem(recipe->repository);
    if (problem != NULL)
        return doc_fail(doc, fail, "repository", "repository '%s' %s", recipe->repository, problem);
    problem = recipe->policy == NULL
                  ? NULL
                  : rule_path_from(&recipe->policy_path, base, recipe->policy, false);
    if (problem != NULL)
        return doc_fail(doc, fail, "policy", "policy path '%s' %s", recipe->policy, problem);
    problem = recipe->trials == NULL
                  ? NULL
                  : rule_path_from(&recipe->trials_path, base, recipe->trials, true);
    if (problem != NULL)
        return doc_fail(doc, fail, "trials", "folder of trials '%s' %s", recipe->trials, problem);
    if (recipe->trials_path != NULL && strcmp(recipe->trials_path, ".") == 0)
        recipe->trials_path[0] = '\0'; /* the root of the tree, as a folder */
    return check_archive(recipe, doc, fail);
}

/* The list as two: thin ones, and behind them the universal ones. */
static int split_artifacts(struct recipe *recipe, const struct doc *doc, struct fail *fail)
{
    size_t thin = 0;
    while (thin < recipe->artifacts_count && recipe->artifacts[thin].kind != RECIPE_UNIVERSAL)
        thin++;
    if (thin == 0)
        return doc_fail(doc, fail, "artifacts", "there are universal artifacts alone");
    recipe->universals = recipe->artifacts + thin;
    recipe->universals_count = recipe->artifacts_count - thin;
    recipe->artifacts_count = thin;
    return 0;
}

int recipe_check(struct recipe *recipe, const struct doc *doc, const char *base, struct fail *fail)
{
    if (check_head(recipe, doc, base, fail) < 0)
        return -1;
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        struct at at = {.doc = doc, .fail = fail, .index = i, .base = base};
        if (check_artifact(recipe, &at) < 0)
            return -1;
    }
    return split_artifacts(recipe, doc, fail);
}
