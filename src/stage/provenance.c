/*
 * The provenance stage: artifacts, both documents and the sums go into the
 * staging directory. Everything comes from the record.
 */
#include <string.h>

#include "format/sums.h"
#include "port/digest.h"
#include "stage/release.h"

static int put(struct release *release, struct sums *sums, const char *name, const void *data,
               size_t len, mode_t mode, struct fail *fail)
{
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, data, len);
    sums_add(sums, name, digest);
    return fs_create_at(release->stage.fd, name, data, len, mode, fail);
}

static int put_artifacts(struct release *release, struct sums *sums, struct fail *fail)
{
    for (size_t i = 0; i < release->artifact_count; i++) {
        const struct release_artifact *artifact = &release->artifacts[i];
        mode_t mode = artifact->recipe->kind == RECIPE_EXECUTABLE ? 0755 : 0644;
        if (put(release, sums, artifact->recipe->name, artifact->bytes.data, artifact->bytes.len,
                mode, fail) < 0)
            return -1;
    }
    for (size_t i = 0; i < release->universal_count; i++) {
        const struct release_artifact *universal = &release->universals[i];
        const char *first = universal->recipe->of[0];
        mode_t mode = 0644;
        for (size_t k = 0; k < release->artifact_count; k++) {
            if (strcmp(release->artifacts[k].recipe->name, first) == 0 &&
                release->artifacts[k].recipe->kind == RECIPE_EXECUTABLE)
                mode = 0755;
        }
        if (put(release, sums, universal->recipe->name, universal->bytes.data, universal->bytes.len,
                mode, fail) < 0)
            return -1;
    }
    return 0;
}

static int put_documents(struct release *release, struct sums *sums, struct fail *fail)
{
    const struct provenance *record = &release->record;
    if (record->recipe.outside && put(release, sums, RELEASE_RECIPE_NAME, record->recipe.text,
                                      strlen(record->recipe.text), 0644, fail) < 0)
        return -1;
    own_buf struct buf json = {0};
    own_buf struct buf text = {0};
    intoto_print(&json, record);
    provmd_print(&text, record);
    if (put(release, sums, PROVENANCE_JSON_NAME, json.data, json.len, 0644, fail) < 0 ||
        put(release, sums, PROVENANCE_MD_NAME, text.data, text.len, 0644, fail) < 0)
        return -1;
    return 0;
}

int stage_provenance(struct release *release, struct fail *fail)
{
    own_sums struct sums sums = {0};
    own_buf struct buf text = {0};
    progress_stage(release->request->progress, "provenance", "documents and sums");
    sums_add(&sums, release->record.archive_name, release->record.archive_sha256);
    if (put_artifacts(release, &sums, fail) < 0 || put_documents(release, &sums, fail) < 0)
        return fail_while(fail, "writing the release");
    sums_print(&text, &sums);
    if (fs_create_at(release->stage.fd, SUMS_NAME, text.data, text.len, 0644, fail) < 0)
        return fail_while(fail, "writing the release");
    return 0;
}
