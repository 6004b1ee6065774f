/*
 * The archive stage: the source archive, git's bytes, into the staging
 * directory. It needs nothing that the compilers make, and runs beside them, with a
 * handle of its own on the repository; what it found out is recorded when its
 * turn in the order of the stages comes.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stage/archive.h"
#include "stage/release.h"

struct archive_job {
    pthread_t thread;
    struct odb *odb;
    int fd;
    struct archive_request request;
    struct archive_result made;
    int result;
    struct fail fail;
    atomic_bool abandoned;
};

static void job_free(struct archive_job *job)
{
    odb_free(job->odb);
    if (job->fd >= 0)
        close(job->fd);
    fail_release(&job->fail);
    free(job);
}

static int write_piece(void *context, const void *data, size_t len, struct fail *fail)
{
    struct archive_job *job = context;
    if (atomic_load(&job->abandoned))
        return fail_set(fail, FAIL_SYSTEM, "the source archive is no longer needed");
    if (fs_write_all(job->fd, data, len) < 0)
        return fail_errno(fail, "cannot write the source archive");
    return 0;
}

static void *run_job(void *argument)
{
    struct archive_job *job = argument;
    job->result = tarball_write(&job->made, &job->request, write_piece, job, &job->fail);
    return NULL;
}

/* Signals are for the main thread, which waits for children and must be woken. */
static int start_thread(struct archive_job *job)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&job->thread, NULL, run_job, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

int stage_archive_begin(struct release *release, struct fail *fail)
{
    struct provenance *record = &release->record;
    const struct recipe_archive *asked = &release->recipe.archive;
    record->archive_name = text_printf("%s-source-%.8s.tar.gz", record->name, record->commit);
    struct archive_job *job = mem_new(1, sizeof *job);
    job->fd = openat(release->stage.fd, record->archive_name,
                     O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (job->fd < 0)
        fail_errno(fail, "cannot create '%s'", record->archive_name);
    if (job->fd < 0 || odb_open(&job->odb, release->request->repository, fail) < 0) {
        job_free(job);
        return -1;
    }
    job->request = (struct archive_request){
        .odb = job->odb,
        .revision = record->commit,
        .prefix = asked->prefix,
        .paths = (const char *const *)asked->paths,
        .path_count = asked->paths_count,
        .format = ARCHIVE_FORMAT_TAR_GZ,
        .digests = true,
    };
    errno = start_thread(job);
    if (errno != 0) {
        job_free(job);
        return fail_errno(fail, "cannot start a thread for the source archive");
    }
    release->archive_job = job;
    return 0;
}

void stage_archive_abandon(struct release *release)
{
    struct archive_job *job = release->archive_job;
    if (job == NULL)
        return;
    atomic_store(&job->abandoned, true);
    pthread_join(job->thread, NULL);
    job_free(job);
    release->archive_job = NULL;
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
    struct archive_job *job = release->archive_job;
    struct provenance *record = &release->record;
    progress_stage(release->request->progress, "archive", "%s", record->archive_name);
    pthread_join(job->thread, NULL);
    release->archive_job = NULL;
    int result = job->result;
    if (result < 0)
        fail_move(fail, &job->fail);
    else if (fchmod(job->fd, 0644) < 0 || close(steal_fd(&job->fd)) < 0)
        result = fail_errno(fail, "cannot write '%s'", record->archive_name);
    else
        record_archive(record, &release->recipe.archive, &job->made);
    job_free(job);
    return result < 0 ? fail_while(fail, "making the source archive") : 0;
}
