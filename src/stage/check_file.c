#include <string.h>

#include "base/stop.h"
#include "config/policy_check.h"
#include "macho/arch.h"
#include "macho/fat.h"
#include "macho/image.h"
#include "macho/sigcheck.h"
#include "stage/artifact.h"
#include "stage/check_bundle.h"
#include "stage/check_parts.h"

/* What every slice of one file shares. */
struct work {
    struct findings *findings;
    const struct check *check;
    const char *path;
    const char *name; /* the last component of path */
    struct view file;
    const struct recipe_artifact *artifact;
    const struct check_bundle *bundle;
    struct policy_results results;
};

static int find_artifact(const struct recipe_artifact **out, const struct check *check,
                         const char *name, struct fail *fail)
{
    *out = NULL;
    if (!check->has_recipe)
        return 0;
    for (size_t i = 0; i < check->recipe.artifacts_count; i++) {
        if (strcmp(check->recipe.artifacts[i].name, name) == 0)
            *out = &check->recipe.artifacts[i];
    }
    if (*out != NULL)
        return 0;
    return fail_set(fail, FAIL_INPUT, "the recipe has no artifact named '%s'", name);
}

static int check_policy(struct work *work, const char *place, const struct image *image,
                        struct fail *fail)
{
    if (!work->check->has_policy)
        return 0;
    return policy_check(&work->results, work->findings, &work->check->policy, place, image->file,
                        image, fail);
}

/* A file without a recipe: the signature must hold, whatever kind it is. */
static void check_signature(struct work *work, const char *place, const struct image *image,
                            uint64_t offset)
{
    const struct check *check = work->check;
    struct sigcheck_options options = {
        .offset = offset,
        .identifier = check->identifier,
        .require_sha256 = check->require_sha256,
        .strict = check->strict,
        .trust = &check->trust,
        .allow_residue = true,
    };
    check_bundle_give(&options, work->bundle);
    size_t first = work->findings->count;
    sigcheck_verify(work->findings, image, &options);
    findings_prefix(work->findings, first, place);
}

/* That the table of a universal file says what the slice says. */
static void check_entry(struct work *work, const char *place, const struct fat_slice *slice,
                        const struct image *image)
{
    size_t first = work->findings->count;
    sigcheck_slice(work->findings, slice, image);
    findings_prefix(work->findings, first, place);
    if (work->check->strict)
        findings_be_strict(work->findings, first);
}

static int check_slice(struct work *work, const struct fat *fat, const struct fat_slice *slice,
                       struct fail *fail)
{
    own_image struct image image = {0};
    char arch[MACHO_ARCH_MAX];
    size_t first = work->findings->count;
    macho_arch_text(arch, slice->cputype, slice->cpusubtype);
    own_mem char *place =
        fat->is_fat ? text_printf("%s: slice %s", work->path, arch) : text_copy(work->path);
    /* What a recipe makes is thin, 64-bit and little-endian. */
    int opened = work->artifact != NULL ? image_open(&image, slice->data, fail)
                                        : image_open_any(&image, slice->data, fail);
    if (opened < 0)
        return fail_while(fail, "reading '%s'%s%s", work->path, fat->is_fat ? ", slice " : "",
                          fat->is_fat ? arch : "");
    if (fat->is_fat)
        check_entry(work, place, slice, &image);
    if (work->artifact != NULL)
        artifact_check(work->findings, work->path, &image, work->artifact, NULL);
    else
        check_signature(work, place, &image, slice->offset);
    if (work->check->arch != NULL && !fat->is_fat)
        artifact_check_arch(work->findings, work->path, &image, work->check->arch);
    int result = check_policy(work, fat->is_fat ? place : work->name, &image, fail);
    findings_slice(work->findings, first, arch);
    return result;
}

/* What lies between and behind the slices of a universal file. */
static void check_between(struct work *work, const struct fat *fat)
{
    size_t first = work->findings->count;
    sigcheck_universal(work->findings, work->file, fat);
    findings_prefix(work->findings, first, work->path);
    if (work->check->strict)
        findings_be_strict(work->findings, first);
}

/* Whether the slice is one that was asked for. */
static bool is_asked(const struct check *check, const struct fat *fat,
                     const struct fat_slice *slice)
{
    return check->arch == NULL || !fat->is_fat ||
           artifact_is_arch(slice->cputype, slice->cpusubtype, check->arch);
}

/* Every slice is judged, also behind one that cannot be read; the first failure is the answer's.
 * A slice that is not whole fails the file, be another one asked for. */
static int check_slices(struct work *work, const struct fat *fat, struct fail *fail)
{
    size_t asked = 0;
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        own_fail struct fail inner = {0};
        if (!is_asked(work->check, fat, &fat->slices[i]))
            continue;
        asked++;
        if (fat->slices[i].fault != NULL)
            continue;
        if (check_slice(work, fat, &fat->slices[i], &inner) < 0 && fail->code == FAIL_NONE)
            fail_move(fail, &inner);
        if (stop_pending() != 0) {
            fail_release(fail);
            return stop_check(fail);
        }
    }
    if (fail->code != FAIL_NONE)
        return -1;
    if (fat_check(fat, fail) < 0)
        return fail_while(fail, "reading '%s'", work->path);
    if (asked == 0) {
        own_mem char *expected = text_printf("a slice for %s", work->check->arch);
        own_mem char *found = fat_arch_list(work->file);
        finding_error(work->findings, "arch.mismatch", work->path, expected, found);
    }
    /* With an architecture asked for, what is beside its slice is not. */
    if (fat->is_fat && work->check->arch == NULL)
        check_between(work, fat);
    if (!work->check->has_policy || asked == 0)
        return 0;
    return policy_check_finish(&work->results, false, fail);
}

int check_file(struct findings *findings, const struct check *check, const char *path,
               struct fail *fail)
{
    own_fs_map struct fs_map map = {0};
    own_fat struct fat fat = {0};
    own_check_bundle struct check_bundle bundle = {0};
    const char *slash = strrchr(path, '/');
    struct work work = {.findings = findings,
                        .check = check,
                        .path = path,
                        .name = slash == NULL ? path : slash + 1,
                        .bundle = &bundle};
    if (find_artifact(&work.artifact, check, work.name, fail) < 0 ||
        fs_map_open(&map, path, fail) < 0)
        return -1;
    work.file = map.view;
    if (fat_read(&fat, map.view, fail) < 0)
        return fail_while(fail, "reading '%s'", path);
    if (check_bundle_open(&bundle, path, fail) < 0)
        return -1;
    int result = check_slices(&work, &fat, fail);
    policy_results_release(&work.results);
    return result;
}
