#include "cli/rewrite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "macho/arch.h"
#include "macho/codesig.h"
#include "macho/fat.h"
#include "macho/image.h"
#include "stage/check_bundle.h"

static int check_output(const char *output, struct fail *fail)
{
    int there = fs_exists(output, fail);
    if (there <= 0)
        return there;
    fail_set(fail, FAIL_REFUSED, "output '%s' is there already", output);
    return fail_hint(fail, "nothing is ever replaced by -o; choose another name");
}

int rewrite_open(struct rewrite *out, const struct opt_env *env, const char *file,
                 const char *output, struct fail *fail)
{
    *out = (struct rewrite){.env = env, .file = file, .output = output};
    out->target = output ? text_copy(output) : realpath(file, NULL);
    if (!out->target || stat(file, &out->status) < 0)
        return fail_named(fail, "cannot open '%s'", file);
    if (check_bundle_refuse(file, fail) < 0)
        return -1;
    if (output && check_output(output, fail) < 0)
        return -1;
    return fs_map_open(&out->map, file, fail);
}

const char *rewrite_name(const struct rewrite *job)
{
    return job->output ? job->output : job->file;
}

static int describe_slice(struct rewritten_slice *out, struct view bytes, struct fail *fail)
{
    own_image struct image image = {0};
    own_codesig struct codesig sig = {0};
    char arch[MACHO_ARCH_MAX];
    if (image_open_any(&image, bytes, fail) < 0)
        return -1;
    macho_arch_text(arch, image.cputype, image.cpusubtype);
    out->arch = text_copy(arch);
    out->kind = codesig_kind_name(CODESIG_NONE);
    if (!image_has(&image.code_signature))
        return 0;
    if (codesig_read(&sig, image_range_data(&image, &image.code_signature), fail) < 0)
        return -1;
    const struct codesig_directory *cd = codesig_best(&sig);
    out->kind = codesig_kind_name(codesig_kind(&sig));
    out->identifier = text_copy(cd->identifier);
    out->cdhash = mem_new(CDHASH_HEX, 1);
    text_hex(out->cdhash, cd->cdhash, CDHASH_LEN);
    out->page_size = codesig_page_len(cd);
    return 0;
}

static int describe(struct rewritten *out, const struct fs_new *file, struct fail *fail)
{
    own_fs_map struct fs_map map = {0};
    own_fat struct fat fat = {0};
    if (fs_map_open_at(&map, file->dir_fd, file->temporary, fail) < 0 ||
        fat_open(&fat, map.view, fail) < 0)
        return -1;
    out->is_fat = fat.is_fat;
    out->list = mem_new(fat.slice_count, sizeof(out->list[0]));
    out->count = fat.slice_count;
    for (uint32_t i = 0; i < fat.slice_count; i++)
        if (describe_slice(&out->list[i], fat.slices[i].data, fail) < 0)
            return -1;
    return 0;
}

/* The other names keep the old file. */
static void tell_of_hard_links(const struct rewrite *job)
{
    if (job->output || job->status.st_nlink < 2)
        return;
    struct progress progress = progress_start(job->env->command->name, job->env->globals->quiet);
    own_mem char *name = text_clean(job->file);
    progress_warn(&progress,
                  "'%s' had %ju names (hard links); the others still name the file as it was", name,
                  (uintmax_t)job->status.st_nlink);
}

int rewrite_finish(struct rewritten *out, const struct rewrite *job, const struct pieces *pieces,
                   struct fail *fail)
{
    own_fs_new struct fs_new file = FS_NEW_INIT;
    if (fs_new_open(&file, job->target, job->status.st_mode & 07777, fail) < 0 ||
        pieces_write(pieces, file.fd, job->target, fail) < 0)
        return -1;
    if (describe(out, &file, fail) < 0)
        return fail_while(fail, "reading what was written");
    if (fs_new_publish(&file, job->output ? FS_NO_REPLACE : FS_REPLACE, fail) < 0)
        return -1;
    tell_of_hard_links(job);
    return 0;
}

void rewrite_release(struct rewrite *job)
{
    free(job->target);
    fs_map_release(&job->map);
    *job = (struct rewrite){0};
}

void rewritten_release(struct rewritten *slices)
{
    for (size_t i = 0; i < slices->count; i++) {
        free(slices->list[i].arch);
        free(slices->list[i].identifier);
        free(slices->list[i].cdhash);
    }
    free(slices->list);
    *slices = (struct rewritten){0};
}
