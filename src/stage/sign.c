/*
 * The sign stage: each linked artifact gets the ad-hoc signature that its recipe pins. Apple's
 * codesign signs the same file, where it is part of the toolchain.
 */
#include "macho/adhoc.h"
#include "macho/image.h"
#include "stage/release.h"
#include "stage/witness.h"

static int sign_artifact(struct release *release, struct release_artifact *artifact,
                         struct fail *fail)
{
    const struct recipe_sign *sign = &artifact->recipe->sign;
    own_image struct image image = {0};
    own_buf struct buf signed_bytes = {0};
    struct view linked = {.data = artifact->bytes.data, .len = artifact->bytes.len};
    struct adhoc_options options = {
        .style = sign->style == RECIPE_STYLE_LINKER ? ADHOC_LINKER : ADHOC_CODESIGN,
        .identifier = sign->identifier,
        .file_name = artifact->recipe->name,
        .page_size = sign->page_size,
    };
    own_fail struct fail why = {0};
    if (image_open(&image, linked, &why) < 0)
        return fail_set(fail, FAIL_CHILD, "the linker made no Mach-O file '%s': %s",
                        artifact->recipe->name, why.message);
    if (adhoc_sign(&signed_bytes, &image, &options, fail) < 0)
        return fail_while(fail, "signing '%s'", artifact->recipe->name);
    struct view made = {.data = signed_bytes.data, .len = signed_bytes.len};
    if (witness_signature(release, artifact->recipe, linked, made, fail) < 0)
        return -1;
    buf_release(&artifact->bytes);
    artifact->bytes = signed_bytes;
    signed_bytes = (struct buf){0};
    return 0;
}

int stage_sign(struct release *release, struct fail *fail)
{
    progress_stage(release->request->progress, "sign", "artifacts: %zu, ad hoc",
                   release->artifact_count);
    for (size_t i = 0; i < release->artifact_count; i++) {
        if (sign_artifact(release, &release->artifacts[i], fail) < 0)
            return -1;
    }
    return 0;
}
