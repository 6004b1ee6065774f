#include "stage/check_parts.h"

#include <errno.h>
#include <sys/stat.h>

#include "macho/arch.h"
#include "stage/check_bundle.h"
#include "stage/release.h"
#include "stage/release_dir.h"

void check_release(struct check *check)
{
    recipe_release(&check->recipe);
    policy_release(&check->policy);
    cms_trust_release(&check->trust);
}

int check_trust(struct check *check, const char *file, struct fail *fail)
{
    own_buf struct buf text = {0};
    if (fs_read(&text, file, CMS_LEN_MAX, fail) < 0 ||
        cms_trust_read(&check->trust, (struct view){text.data, text.len}, file, fail) < 0)
        return fail_while(fail, "reading the trusted certificates");
    return 0;
}

int check_open(struct check *check, const char *recipe_file, const char *policy_file,
               struct fail *fail)
{
    uint32_t cputype = 0;
    uint32_t cpusubtype = 0;
    if (check->arch != NULL && !macho_arch_parse(&cputype, &cpusubtype, check->arch)) {
        fail_set(fail, FAIL_USAGE, "unknown architecture '%s'", check->arch);
        return fail_hint(fail, "names are lipo's: arm64, arm64e, x86_64, ...");
    }
    if (check->identifier != NULL && recipe_file != NULL)
        return fail_set(fail, FAIL_USAGE, "--identifier and --recipe exclude each other");
    if (recipe_file != NULL) {
        own_buf struct buf text = {0};
        if (fs_read(&text, recipe_file, RELEASE_TEXT_MAX, fail) < 0 ||
            recipe_parse(&check->recipe, (struct view){text.data, text.len}, recipe_file, "",
                         fail) < 0)
            return fail_while(fail, "reading the recipe");
        check->has_recipe = true;
    }
    if (policy_file != NULL) {
        own_buf struct buf text = {0};
        if (fs_read(&text, policy_file, RELEASE_TEXT_MAX, fail) < 0 ||
            policy_parse(&check->policy, (struct view){text.data, text.len}, policy_file, fail) < 0)
            return fail_while(fail, "reading the policy");
        check->has_policy = true;
    }
    return 0;
}

static int check_directory(struct findings *findings, const struct check *check, const char *path,
                           struct fail *fail)
{
    own_release_dir struct release_dir dir = RELEASE_DIR_INIT;
    struct release_check asked = {
        .recipe = check->has_recipe ? &check->recipe : NULL,
        .policy = check->has_policy ? &check->policy : NULL,
        .arch = check->arch,
    };
    if (release_dir_open(&dir, path, fail) < 0 ||
        release_dir_check_sums(&dir, findings, fail) < 0 ||
        release_dir_check_record(&dir, findings, &asked, fail) < 0)
        return -1;
    return 0;
}

int check_path(struct findings *findings, const struct check *check, const char *path,
               struct fail *fail)
{
    struct stat info;
    if (stat(path, &info) < 0 && (errno == ENOENT || errno == ENOTDIR))
        return fail_set(fail, FAIL_INPUT, "'%s' does not exist", path);
    if (stat(path, &info) < 0)
        return fail_named(fail, "cannot look at '%s'", path);
    if (!S_ISDIR(info.st_mode))
        return check_file(findings, check, path, fail);
    if (!release_dir_is_one(path) && check_bundle_refuse(path, fail) < 0)
        return -1;
    if (check->identifier != NULL)
        return fail_set(fail, FAIL_USAGE,
                        "--identifier is for single files, and '%s' is a directory", path);
    return check_directory(findings, check, path, fail);
}
