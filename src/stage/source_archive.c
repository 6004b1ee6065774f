/* The archive stage: the source archive, git's bytes, into the staging directory. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage/archive.h"
#include "stage/release.h"

static int write_piece(void *context, const void *data, size_t len, struct fail *fail)
{
    const int *fd = context;
    if (fs_write_all(*fd, data, len) < 0)
        return fail_errno(fail, "cannot write the source archive");
    return 0;
}

static void record_archive(struct provenance *record, const struct recipe_archive *asked,
                           const struct archive_result *made)
{
    record->archive_prefix = text_copy(asked->prefix);
    for (size_t i = 0; i < asked->paths_count; i++)
        prov_list_add(&record->archive_paths, asked->paths[i]);
    record->archive_len = made->gz_len;
    record->archive_sha256 = text_copy(made->gz_sha256);
    record->tar_len = made->tar_len;
    record->tar_sha256 = text_copy(made->tar_sha256);
}

int stage_archive(struct release *release, struct fail *fail)
{
    struct provenance *record = &release->record;
    const struct recipe_archive *asked = &release->recipe.archive;
    record->archive_name = text_printf("%s-source-%.8s.tar.gz", record->name, record->commit);
    progress_stage(release->request->progress, "archive", "%s", record->archive_name);
    own_fd int fd = openat(release->stage.fd, record->archive_name,
                           O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return fail_errno(fail, "cannot create '%s'", record->archive_name);
    struct archive_request request = {
        .odb = release->odb,
        .revision = record->commit,
        .prefix = asked->prefix,
        .paths = (const char *const *)asked->paths,
        .path_count = asked->paths_count,
        .format = ARCHIVE_FORMAT_TAR_GZ,
        .digests = true,
    };
    struct archive_result made = {0};
    if (tarball_write(&made, &request, write_piece, &fd, fail) < 0)
        return fail_while(fail, "making the source archive");
    if (fchmod(fd, 0644) < 0 || close(steal_fd(&fd)) < 0)
        return fail_errno(fail, "cannot write '%s'", record->archive_name);
    record_archive(record, asked, &made);
    return 0;
}
