/* release_dir.h: universal files of a release. */
#include <string.h>

#include "stage/release_dir.h"
#include "stage/universal.h"

bool release_dir_map(struct fs_map *map, const struct release_dir *dir, const char *name)
{
    own_fail struct fail ignored = {0};
    return sums_dir_find(&dir->files, name) != NULL &&
           fs_map_open_at(map, dir->files.fd, name, &ignored) == 0;
}

static const struct prov_universal *find_stated(const struct provenance *record, const char *name)
{
    for (size_t i = 0; i < record->universal_count; i++) {
        if (strcmp(record->universals[i].name, name) == 0)
            return &record->universals[i];
    }
    return NULL;
}

static void check_one(struct release_dir *dir, struct findings *findings,
                      const struct recipe_artifact *artifact)
{
    struct fs_map *maps = mem_new(artifact->of_count, sizeof *maps);
    own_mem struct universal_part *parts = mem_new(artifact->of_count, sizeof *parts);
    own_fs_map struct fs_map file = {0};
    bool complete = release_dir_map(&file, dir, artifact->name);
    for (size_t i = 0; i < artifact->of_count; i++) {
        complete = release_dir_map(&maps[i], dir, artifact->of[i]) && complete;
        parts[i] = (struct universal_part){artifact->of[i], maps[i].view};
    }
    if (complete)
        universal_check(findings, artifact, file.view, parts,
                        find_stated(&dir->record, artifact->name));
    for (size_t i = 0; i < artifact->of_count; i++)
        fs_map_release(&maps[i]);
    own_release_mem(&maps);
}

void release_dir_check_universals(struct release_dir *dir, struct findings *findings,
                                  const struct recipe *recipe)
{
    for (size_t i = 0; i < recipe->universals_count; i++)
        check_one(dir, findings, &recipe->universals[i]);
    if (recipe->universals_count == dir->record.universal_count)
        return;
    own_mem char *expected = text_printf("%zu", recipe->universals_count);
    own_mem char *stated = text_printf("%zu", dir->record.universal_count);
    finding_error(findings, "provenance.claim", PROVENANCE_JSON_NAME ": number of universal files",
                  expected, stated);
}
