#include "stage/archive_pipe.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/stop.h"
#include "port/pack.h"

#define SLOT_LEN   ((size_t)256 * 1024)
#define SLOT_COUNT 8u

struct slot {
    uint8_t *data;
    size_t len;
};

struct tarball_pipe {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool running; /* the thread has to be joined */

    /* Under the lock. Slots are used in turn: filled % SLOT_COUNT is the writer's. */
    uint64_t filled;
    uint64_t emptied;
    bool ended;   /* no more input will come */
    bool aborted; /* the writer gave up: nothing more is to be written */
    bool failed;
    bool done; /* the thread has nothing more to do */
    struct fail failure;

    struct slot slots[SLOT_COUNT];

    /* The thread's own. */
    bool gzip;
    bool digests;
    archive_sink *sink;
    void *context;
    struct pack pack;
    struct digest tar_digest;
    struct digest gz_digest;
    struct archive_result result;
};

/* ---- the thread ---- */

static int put_compressed(void *context, const void *data, size_t len, struct fail *fail)
{
    struct tarball_pipe *pipe = context;
    if (pipe->digests)
        digest_update(&pipe->gz_digest, data, len);
    pipe->result.gz_len += len;
    return pipe->sink(pipe->context, data, len, fail);
}

static int put_tar(struct tarball_pipe *pipe, const struct slot *slot, struct fail *fail)
{
    if (pipe->digests)
        digest_update(&pipe->tar_digest, slot->data, slot->len);
    pipe->result.tar_len += slot->len;
    if (pipe->gzip)
        return pack_write(&pipe->pack, slot->data, slot->len, fail);
    return pipe->sink(pipe->context, slot->data, slot->len, fail);
}

static void hex_of(char out[SHA256_HEX], struct digest *digest)
{
    uint8_t bytes[DIGEST_MAX] = {0};
    digest_finish(bytes, digest);
    text_hex(out, bytes, SHA256_LEN);
}

static int put_end(struct tarball_pipe *pipe, struct fail *fail)
{
    if (pipe->gzip && pack_close(&pipe->pack, fail) < 0)
        return -1;
    if (pipe->digests)
        hex_of(pipe->result.tar_sha256, &pipe->tar_digest);
    if (pipe->digests && pipe->gzip)
        hex_of(pipe->result.gz_sha256, &pipe->gz_digest);
    return 0;
}

/* Waits for a filled slot; NULL at the end. */
static const struct slot *next_slot(struct tarball_pipe *pipe)
{
    const struct slot *slot = NULL;
    pthread_mutex_lock(&pipe->lock);
    while (pipe->filled == pipe->emptied && !pipe->ended && !pipe->aborted)
        pthread_cond_wait(&pipe->changed, &pipe->lock);
    if (!pipe->aborted && pipe->filled > pipe->emptied)
        slot = &pipe->slots[pipe->emptied % SLOT_COUNT];
    pthread_mutex_unlock(&pipe->lock);
    return slot;
}

static void give_back(struct tarball_pipe *pipe, bool failed)
{
    pthread_mutex_lock(&pipe->lock);
    pipe->emptied++;
    pipe->failed = failed;
    pthread_cond_signal(&pipe->changed);
    pthread_mutex_unlock(&pipe->lock);
}

static void work(struct tarball_pipe *pipe)
{
    const struct slot *slot = NULL;
    while ((slot = next_slot(pipe)) != NULL) {
        bool failed = put_tar(pipe, slot, &pipe->failure) < 0;
        give_back(pipe, failed);
        if (failed)
            return;
    }
    if (!pipe->aborted && put_end(pipe, &pipe->failure) < 0)
        pipe->failed = true; /* nobody else looks before the thread is joined */
}

static void *run(void *context)
{
    struct tarball_pipe *pipe = context;
    work(pipe);
    pthread_mutex_lock(&pipe->lock);
    pipe->done = true;
    pthread_cond_signal(&pipe->changed);
    pthread_mutex_unlock(&pipe->lock);
    return NULL;
}

/* ---- the caller's side ---- */

/*
 * Waits for a change, with the lock held. A signal that asks to stop may have reached this thread
 * alone while the other one is stuck in a write: it is passed on, so that the write ends.
 */
static void wait_change(struct tarball_pipe *pipe)
{
    struct timespec until = {0};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 200000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int waited = pthread_cond_timedwait(&pipe->changed, &pipe->lock, &until);
    if (waited == ETIMEDOUT && stop_pending() != 0)
        pthread_kill(pipe->thread, stop_pending());
}

static void join(struct tarball_pipe *pipe)
{
    if (!pipe->running)
        return;
    pthread_mutex_lock(&pipe->lock);
    while (!pipe->done)
        wait_change(pipe);
    pthread_mutex_unlock(&pipe->lock);
    pthread_join(pipe->thread, NULL);
    pipe->running = false;
}

int tarball_pipe_start(struct tarball_pipe **out, bool gzip, bool digests, archive_sink *sink,
                       void *context, struct fail *fail)
{
    own_tarball_pipe struct tarball_pipe *pipe = mem_new(1, sizeof *pipe);
    pipe->gzip = gzip;
    pipe->digests = digests;
    pipe->sink = sink;
    pipe->context = context;
    pthread_mutex_init(&pipe->lock, NULL);
    pthread_cond_init(&pipe->changed, NULL);
    for (size_t i = 0; i < SLOT_COUNT; i++)
        pipe->slots[i].data = mem_new(SLOT_LEN, 1);
    if (digests) {
        digest_start(&pipe->tar_digest, DIGEST_SHA256);
        digest_start(&pipe->gz_digest, DIGEST_SHA256);
    }
    if (gzip && pack_open(&pipe->pack, put_compressed, pipe, fail) < 0)
        return -1;
    int error = pthread_create(&pipe->thread, NULL, run, pipe);
    if (error != 0)
        return fail_set(fail, FAIL_SYSTEM, "cannot start a thread: %s", strerror(error));
    pipe->running = true;
    *out = pipe;
    pipe = NULL;
    return 0;
}

/* The thread has ended by itself, or is told to: takes its failure. */
static int take_failure(struct tarball_pipe *pipe, struct fail *fail)
{
    join(pipe);
    if (fail->code == FAIL_NONE) {
        *fail = pipe->failure;
        pipe->failure = (struct fail){0};
    }
    return -1;
}

/* Hands the slot that is being filled to the thread and waits until the next one is free. */
static int hand_over(struct tarball_pipe *pipe, struct fail *fail)
{
    pthread_mutex_lock(&pipe->lock);
    pipe->filled++;
    pthread_cond_signal(&pipe->changed);
    while (pipe->filled - pipe->emptied == SLOT_COUNT && !pipe->failed)
        wait_change(pipe);
    bool failed = pipe->failed;
    pthread_mutex_unlock(&pipe->lock);
    pipe->slots[pipe->filled % SLOT_COUNT].len = 0;
    return failed ? take_failure(pipe, fail) : 0;
}

int tarball_pipe_write(void *context, const void *data, size_t len, struct fail *fail)
{
    struct tarball_pipe *pipe = context;
    const uint8_t *bytes = data;
    while (len > 0) {
        struct slot *slot = &pipe->slots[pipe->filled % SLOT_COUNT];
        size_t part = SLOT_LEN - slot->len < len ? SLOT_LEN - slot->len : len;
        memcpy(slot->data + slot->len, bytes, part);
        slot->len += part;
        bytes += part;
        len -= part;
        if (slot->len == SLOT_LEN && hand_over(pipe, fail) < 0)
            return -1;
    }
    return 0;
}

int tarball_pipe_finish(struct tarball_pipe *pipe, struct archive_result *result, struct fail *fail)
{
    pthread_mutex_lock(&pipe->lock);
    pipe->filled += pipe->slots[pipe->filled % SLOT_COUNT].len > 0;
    pipe->ended = true;
    pthread_cond_signal(&pipe->changed);
    pthread_mutex_unlock(&pipe->lock);
    join(pipe);
    if (pipe->failed)
        return take_failure(pipe, fail);
    *result = pipe->result;
    return 0;
}

void tarball_pipe_release(struct tarball_pipe **owner)
{
    struct tarball_pipe *pipe = *owner;
    if (pipe == NULL)
        return;
    if (pipe->running) {
        pthread_mutex_lock(&pipe->lock);
        pipe->aborted = true;
        pthread_cond_signal(&pipe->changed);
        pthread_mutex_unlock(&pipe->lock);
        join(pipe);
    }
    pack_release(&pipe->pack);
    digest_release(&pipe->tar_digest);
    digest_release(&pipe->gz_digest);
    fail_release(&pipe->failure);
    for (size_t i = 0; i < SLOT_COUNT; i++)
        free(pipe->slots[i].data);
    pthread_mutex_destroy(&pipe->lock);
    pthread_cond_destroy(&pipe->changed);
    free(pipe);
    *owner = NULL;
}
