/* The join stage: universal files of signed artifacts. */
#include "stage/universal.h"

#include <stdlib.h>
#include <string.h>

#include "macho/arch.h"
#include "macho/fat.h"
#include "macho/fat_write.h"
#include "macho/sigcheck.h"
#include "port/digest.h"
#include "stage/release.h"

/* The part whose bytes these are; NULL: none. */
static const struct universal_part *find_part(const struct recipe_artifact *artifact,
                                              const struct universal_part *parts, struct view bytes)
{
    for (size_t i = 0; i < artifact->of_count; i++) {
        if (parts[i].bytes.len == bytes.len &&
            memcmp(parts[i].bytes.data, bytes.data, (size_t)bytes.len) == 0)
            return &parts[i];
    }
    return NULL;
}

/* What the file says of itself. */
static void describe(struct prov_universal *out, const struct recipe_artifact *artifact,
                     struct view file, const struct fat *fat, const struct universal_part *parts)
{
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, file.data, (size_t)file.len);
    out->name = text_copy(artifact->name);
    out->len = file.len;
    out->sha256 = text_copy(digest);
    for (uint32_t i = 0; i < fat->slice_count; i++) {
        const struct fat_slice *slice = &fat->slices[i];
        const struct universal_part *part = find_part(artifact, parts, slice->data);
        struct prov_slice *entry = prov_universal_add_slice(out);
        entry->artifact = text_copy(part == NULL ? "none" : part->name);
        entry->arch = text_copy(macho_arch_name(slice->cputype, slice->cpusubtype));
        entry->cpusubtype = text_printf("0x%08x", slice->cpusubtype);
        entry->offset = slice->offset;
        entry->align_log2 = slice->align_log2;
    }
}

int universal_join(struct buf *out, struct prov_universal *record,
                   const struct recipe_artifact *artifact, const struct universal_part *parts,
                   struct fail *fail)
{
    own_mem struct fat_input *inputs = mem_new(artifact->of_count, sizeof *inputs);
    own_pieces struct pieces pieces = {0};
    own_fat struct fat fat = {0};
    for (size_t i = 0; i < artifact->of_count; i++)
        inputs[i].data = parts[i].bytes;
    if (fat_write(&pieces, inputs, artifact->of_count, fail) < 0)
        return fail_while(fail, "joining '%s'", artifact->name);
    pieces_join(out, &pieces);
    struct view file = {out->data, out->len};
    if (fat_open(&fat, file, fail) < 0)
        return fail_while(fail, "reading '%s' again", artifact->name);
    describe(record, artifact, file, &fat, parts);
    return 0;
}

/* ---- checking ------------------------------------------------------------------------------- */

/* Whether its slices are the parts, in any order. */
static bool check_parts(struct findings *findings, const struct recipe_artifact *artifact,
                        const struct fat *fat, const struct universal_part *parts)
{
    size_t before = findings->error_count;
    for (size_t i = 0; i < artifact->of_count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < fat->slice_count; k++)
            found = found || find_part(artifact, parts, fat->slices[k].data) == &parts[i];
        if (!found)
            finding_error(findings, "universal.part", artifact->name, parts[i].name,
                          "no slice with its bytes");
    }
    if (fat->slice_count != artifact->of_count) {
        own_mem char *expected = text_printf("%zu slices", artifact->of_count);
        own_mem char *actual = text_printf("%u slices", fat->slice_count);
        finding_error(findings, "universal.part", artifact->name, expected, actual);
    }
    return findings->error_count == before;
}

/* Nothing else can be in the file than what joining the parts makes: order and alignment too. */
static void check_layout(struct findings *findings, const struct recipe_artifact *artifact,
                         struct view file, const struct universal_part *parts)
{
    own_fail struct fail bad = {0};
    own_buf struct buf joined = {0};
    struct prov_universal record = {0};
    if (universal_join(&joined, &record, artifact, parts, &bad) < 0)
        finding_error(findings, "universal.file", artifact->name, "parts that can be joined",
                      bad.message);
    else if (joined.len != file.len || memcmp(joined.data, file.data, joined.len) != 0)
        finding_error(findings, "universal.file", artifact->name,
                      "its parts, laid out as lipo does", "another layout of the same parts");
    prov_universal_release(&record);
}

static char *describe_all(const struct prov_universal *universal)
{
    own_buf struct buf text = {0};
    buf_printf(&text, "%llu bytes, SHA-256 %s", (unsigned long long)universal->len,
               universal->sha256);
    for (size_t i = 0; i < universal->slice_count; i++) {
        const struct prov_slice *slice = &universal->slices[i];
        buf_printf(&text, ", %s %s of %s at %llu (2^%llu)", slice->arch, slice->cpusubtype,
                   slice->artifact, (unsigned long long)slice->offset,
                   (unsigned long long)slice->align_log2);
    }
    return buf_steal(&text);
}

static void check_claims(struct findings *findings, const struct prov_universal *found,
                         const struct prov_universal *stated)
{
    own_mem char *actual = describe_all(found);
    own_mem char *claimed = stated == NULL ? text_copy("nothing") : describe_all(stated);
    if (strcmp(actual, claimed) != 0)
        finding_error(findings, "provenance.claim", found->name, claimed, actual);
}

void universal_check(struct findings *findings, const struct recipe_artifact *artifact,
                     struct view file, const struct universal_part *parts,
                     const struct prov_universal *stated)
{
    own_fail struct fail bad = {0};
    own_fat struct fat fat = {0};
    struct prov_universal found = {0};
    if (fat_open(&fat, file, &bad) < 0 || !fat.is_fat) {
        finding_error(findings, "universal.file", artifact->name, "a universal file",
                      bad.message == NULL ? "a thin image" : bad.message);
        return;
    }
    size_t first = findings->count;
    sigcheck_universal(findings, file, &fat);
    findings_prefix(findings, first, artifact->name);
    if (check_parts(findings, artifact, &fat, parts))
        check_layout(findings, artifact, file, parts);
    describe(&found, artifact, file, &fat, parts);
    check_claims(findings, &found, stated);
    prov_universal_release(&found);
}

/* ---- the stage ------------------------------------------------------------------------------ */

static const struct release_artifact *find_artifact(const struct release *release, const char *name)
{
    for (size_t i = 0; i < release->artifact_count; i++) {
        if (strcmp(release->artifacts[i].recipe->name, name) == 0)
            return &release->artifacts[i];
    }
    return NULL;
}

static int join(struct release *release, size_t index, struct fail *fail)
{
    const struct recipe_artifact *artifact = &release->recipe.universals[index];
    struct release_artifact *out = &release->universals[index];
    own_mem struct universal_part *parts = mem_new(artifact->of_count, sizeof *parts);
    for (size_t i = 0; i < artifact->of_count; i++) {
        const struct release_artifact *part = find_artifact(release, artifact->of[i]);
        parts[i] = (struct universal_part){artifact->of[i], {part->bytes.data, part->bytes.len}};
    }
    struct prov_universal *record = provenance_add_universal(&release->record);
    out->recipe = artifact;
    if (universal_join(&out->bytes, record, artifact, parts, fail) < 0)
        return -1;
    universal_check(&release->findings, artifact, (struct view){out->bytes.data, out->bytes.len},
                    parts, record);
    return 0;
}

int stage_universal(struct release *release, struct fail *fail)
{
    size_t count = release->recipe.universals_count;
    if (count == 0)
        return 0;
    progress_stage(release->request->progress, "join", "universal files: %zu", count);
    release->universals = mem_new(count, sizeof *release->universals);
    release->universal_count = count;
    for (size_t i = 0; i < count; i++) {
        if (join(release, i, fail) < 0)
            return -1;
    }
    return 0;
}
