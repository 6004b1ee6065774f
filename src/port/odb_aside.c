#include "port/odb_aside.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/own.h"
#include "port/digest.h"

enum { SLOT_LEN = 262144, SLOT_COUNT = 4 };

struct aside {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t filled;
    uint64_t emptied;
    bool ended;
    struct digest digest; /* the thread's, until it is joined */
    size_t lens[SLOT_COUNT];
    uint8_t slots[SLOT_COUNT][SLOT_LEN];
};

static void *run(void *argument)
{
    struct aside *aside = argument;
    pthread_mutex_lock(&aside->lock);
    for (;;) {
        while (aside->filled == aside->emptied && !aside->ended)
            pthread_cond_wait(&aside->changed, &aside->lock);
        if (aside->filled == aside->emptied)
            break;
        size_t slot = aside->emptied % SLOT_COUNT;
        pthread_mutex_unlock(&aside->lock);
        digest_update(&aside->digest, aside->slots[slot], aside->lens[slot]);
        pthread_mutex_lock(&aside->lock);
        aside->emptied++;
        pthread_cond_broadcast(&aside->changed);
    }
    pthread_mutex_unlock(&aside->lock);
    return NULL;
}

/* Signals are for the threads that wait for something. */
static int start_thread(struct aside *aside)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int result = pthread_create(&aside->thread, NULL, run, aside);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

static void aside_free(struct aside *aside)
{
    digest_release(&aside->digest);
    pthread_cond_destroy(&aside->changed);
    pthread_mutex_destroy(&aside->lock);
    free(aside);
}

struct aside *aside_start(const void *header, size_t header_len)
{
    struct aside *aside = mem_new(1, sizeof *aside);
    pthread_mutex_init(&aside->lock, NULL);
    pthread_cond_init(&aside->changed, NULL);
    digest_start(&aside->digest, DIGEST_SHA1);
    digest_update(&aside->digest, header, header_len);
    if (start_thread(aside) == 0)
        return aside;
    aside_free(aside);
    return NULL;
}

static void put_slot(struct aside *aside, const void *data, size_t len)
{
    pthread_mutex_lock(&aside->lock);
    while (aside->filled - aside->emptied == SLOT_COUNT)
        pthread_cond_wait(&aside->changed, &aside->lock);
    size_t slot = aside->filled % SLOT_COUNT;
    pthread_mutex_unlock(&aside->lock);
    memcpy(aside->slots[slot], data, len); /* free: nobody else looks at it */
    aside->lens[slot] = len;
    pthread_mutex_lock(&aside->lock);
    aside->filled++;
    pthread_cond_broadcast(&aside->changed);
    pthread_mutex_unlock(&aside->lock);
}

void aside_update(struct aside *aside, const void *data, size_t len)
{
    const uint8_t *rest = data;
    while (len > 0) {
        size_t part = len < SLOT_LEN ? len : SLOT_LEN;
        put_slot(aside, rest, part);
        rest += part;
        len -= part;
    }
}

void aside_finish(uint8_t *sum, struct aside *aside)
{
    pthread_mutex_lock(&aside->lock);
    aside->ended = true;
    pthread_cond_broadcast(&aside->changed);
    pthread_mutex_unlock(&aside->lock);
    pthread_join(aside->thread, NULL);
    if (sum != NULL)
        digest_finish(sum, &aside->digest);
    aside_free(aside);
}
