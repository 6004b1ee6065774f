/* release_dir.h: the artifacts and documents of a release against its record. */
#include <string.h>

#include "config/policy_check.h"
#include "macho/image.h"
#include "port/digest.h"
#include "stage/artifact.h"
#include "stage/release.h"
#include "stage/release_dir.h"

static void carried_release(struct release_carried *carried)
{
    recipe_release(&carried->recipe);
    toolchain_release(&carried->pin);
    policy_release(&carried->policy);
}
#define own_carried __attribute__((cleanup(carried_release)))

/* Whether an embedded text has the digest that the record states. */
bool release_dir_text_holds(struct findings *findings, const struct prov_text *text)
{
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, text->text, strlen(text->text));
    if (strcmp(digest, text->sha256) == 0)
        return true;
    finding_error(findings, "provenance.text", text->path, text->sha256, digest);
    return false;
}

static struct view text_view(const struct prov_text *text)
{
    return (struct view){.data = (const uint8_t *)text->text, .len = strlen(text->text)};
}

static void read_carried(struct release_carried *out, struct findings *findings,
                         const struct provenance *record)
{
    own_fail struct fail bad_recipe = {0}, bad_pin = {0}, bad_policy = {0};
    own_mem char *base =
        record->recipe.outside ? text_copy("") : fs_path_folder(record->recipe.path);
    if (release_dir_text_holds(findings, &record->recipe)) {
        out->has_recipe = recipe_parse(&out->recipe, text_view(&record->recipe),
                                       record->recipe.path, base, &bad_recipe) == 0;
        if (!out->has_recipe)
            finding_error(findings, "provenance.text", record->recipe.path, "a recipe",
                          bad_recipe.message);
    }
    if (release_dir_text_holds(findings, &record->pin)) {
        out->has_pin = toolchain_parse(&out->pin, text_view(&record->pin), record->pin.path,
                                       record->toolchain, &bad_pin) == 0;
        if (!out->has_pin)
            finding_error(findings, "provenance.text", record->pin.path, "a toolchain pin",
                          bad_pin.message);
    }
    if (record->policy.path != NULL && release_dir_text_holds(findings, &record->policy)) {
        out->has_policy = policy_parse(&out->policy, text_view(&record->policy),
                                       record->policy.path, &bad_policy) == 0;
        if (!out->has_policy)
            finding_error(findings, "provenance.text", record->policy.path, "a policy",
                          bad_policy.message);
    }
}

static const struct prov_artifact *claimed(const struct provenance *record, const char *name)
{
    for (size_t i = 0; i < record->artifact_count; i++) {
        if (strcmp(record->artifacts[i].name, name) == 0)
            return &record->artifacts[i];
    }
    return NULL;
}

static int check_one(struct release_dir *dir, struct findings *findings,
                     struct policy_results *results, const struct release_carried *carried,
                     const struct recipe_artifact *artifact, const struct release_check *check,
                     struct fail *fail)
{
    const char *name = artifact->name;
    own_fail struct fail inner = {0};
    own_fs_map struct fs_map map = {0};
    own_image struct image image = {0};
    const struct prov_artifact *claim = claimed(&dir->record, name);
    if (claim == NULL)
        finding_error(findings, "provenance.claim", name, "an artifact of the record", "none");
    if (sums_dir_find(&dir->files, name) == NULL)
        return 0; /* sums.missing is among the findings */
    if (fs_map_open_at(&map, dir->files.fd, name, &inner) < 0 ||
        image_open(&image, map.view, &inner) < 0) {
        finding_error(findings, "macho.malformed", name, "a thin Mach-O file", inner.message);
        return 0;
    }
    artifact_check(findings, name, &image, artifact, carried->has_pin ? &carried->pin : NULL);
    if (check->arch != NULL)
        artifact_check_arch(findings, name, &image, check->arch);
    if (claim != NULL)
        artifact_check_claims(findings, claim, &image);
    if (check->policy->rules_count == 0 ||
        policy_check(results, findings, check->policy, name, map.view, &image, &inner) == 0)
        return 0;
    if (inner.code != FAIL_INPUT)
        return fail_move(fail, &inner);
    finding_error(findings, "macho.malformed", name, "tables that can be read", inner.message);
    return 0;
}

/* The file list of a release is what its recipe makes, and nothing else. */
static void check_layout(const struct release_dir *dir, struct findings *findings,
                         const struct recipe *recipe)
{
    own_prov_list struct prov_list names = {0};
    for (size_t i = 0; i < recipe->artifacts_count; i++)
        prov_list_add(&names, recipe->artifacts[i].name);
    for (size_t i = 0; i < recipe->universals_count; i++)
        prov_list_add(&names, recipe->universals[i].name);
    prov_list_add(&names, dir->record.archive_name);
    prov_list_add(&names, PROVENANCE_JSON_NAME);
    prov_list_add(&names, PROVENANCE_MD_NAME);
    if (dir->record.recipe.outside)
        prov_list_add(&names, RELEASE_RECIPE_NAME);
    for (size_t i = 0; dir->files.has_sums && i < names.count; i++) {
        if (sums_find(&dir->files.sums, names.list[i]) == NULL)
            finding_error(findings, "sums.missing", names.list[i], "a line in " SUMS_NAME, "none");
    }
    for (size_t i = 0; dir->files.has_sums && i < dir->files.sums.count; i++) {
        bool known = false;
        for (size_t k = 0; k < names.count; k++)
            known = known || strcmp(names.list[k], dir->files.sums.list[i].name) == 0;
        if (!known)
            finding_error(findings, "sums.unlisted", dir->files.sums.list[i].name,
                          "a file that the recipe makes", "an unknown one");
    }
}

/* PROVENANCE.md says what the record says; recipe.yaml and the archive have its digests. */
static int check_documents(struct release_dir *dir, struct findings *findings)
{
    own_fail struct fail inner = {0};
    own_buf struct buf text = {0};
    own_buf struct buf printed = {0};
    provmd_print(&printed, &dir->record);
    if (fs_read_at(&text, dir->files.fd, PROVENANCE_MD_NAME, PROVENANCE_MAX, &inner) < 0)
        finding_error(findings, "provenance.document", PROVENANCE_MD_NAME, "a readable document",
                      inner.message);
    else if (printed.len != text.len || memcmp(printed.data, text.data, text.len) != 0)
        finding_error(findings, "provenance.document", PROVENANCE_MD_NAME,
                      "what " PROVENANCE_JSON_NAME " says", "something else");
    if (!dir->files.has_sums)
        return 0;
    const char *archive = sums_find(&dir->files.sums, dir->record.archive_name);
    if (archive != NULL && strcmp(archive, dir->record.archive_sha256) != 0)
        finding_error(findings, "provenance.claim", dir->record.archive_name,
                      dir->record.archive_sha256, archive);
    const char *recipe = sums_find(&dir->files.sums, RELEASE_RECIPE_NAME);
    if (dir->record.recipe.outside && recipe != NULL &&
        strcmp(recipe, dir->record.recipe.sha256) != 0)
        finding_error(findings, "provenance.claim", RELEASE_RECIPE_NAME, dir->record.recipe.sha256,
                      recipe);
    return 0;
}

int release_dir_check_record(struct release_dir *dir, struct findings *findings,
                             const struct release_check *asked, struct fail *fail)
{
    own_carried struct release_carried carried = {0};
    own_policy_results struct policy_results results = {0};
    if (!dir->has_record)
        return 0; /* a finding already */
    read_carried(&carried, findings, &dir->record);
    release_dir_check_claims(dir, findings, &carried);
    struct release_check check = *asked;
    if (check.policy == NULL)
        check.policy = &carried.policy;
    if (check.recipe == NULL && carried.has_recipe)
        check.recipe = &carried.recipe;
    if (check.recipe == NULL)
        return check_documents(dir, findings);
    check_layout(dir, findings, check.recipe);
    for (size_t i = 0; i < check.recipe->artifacts_count; i++) {
        if (check_one(dir, findings, &results, &carried, &check.recipe->artifacts[i], &check,
                      fail) < 0)
            return fail_while(fail, "checking '%s/%s'", dir->files.path,
                              check.recipe->artifacts[i].name);
    }
    if (check.policy->rules_count != 0 && results.count != 0 &&
        policy_check_finish(&results, asked->policy == NULL, fail) < 0)
        return fail_while(fail, "checking the policy of '%s'", dir->files.path);
    release_dir_check_universals(dir, findings, check.recipe);
    if (carried.has_recipe && release_dir_check_trials(dir, findings, &carried.recipe, fail) < 0)
        return fail_while(fail, "running the trials of '%s' again", dir->files.path);
    return check_documents(dir, findings);
}
