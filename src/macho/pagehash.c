#include "macho/pagehash.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/stop.h"
#include "macho/codesig.h"

#define BLOCK_LEN   (256u << 10) /* bytes that a thread takes at a time */
#define BLOCK_GROUP 64u          /* blocks after which the hashes of those before are done with */
#define THREADS_MAX 64u

struct run {
    struct pagehash *sets;
    size_t set_count;
    struct view code;
    uint64_t end; /* of the bytes that some set covers */
    atomic_uint_fast64_t next_block;
    pthread_mutex_t lock; /* of bad_count and bad */
};

/* Without the sum that rounding up usually makes: it could overflow. */
static uint64_t divide_up(uint64_t value, uint64_t by)
{
    return value / by + (value % by != 0);
}

uint64_t pagehash_count(uint64_t len, uint64_t page_len)
{
    return divide_up(len, page_len);
}

/* The bytes that the pages of a set have. */
static uint64_t covered(const struct pagehash *set, struct view code)
{
    return set->limit < code.len ? set->limit : code.len;
}

struct view pagehash_page(const struct pagehash *set, struct view code, uint64_t page)
{
    struct view bytes = {0};
    uint64_t end = covered(set, code);
    if (page >= divide_up(end, set->page_len))
        return bytes;
    uint64_t start = page * set->page_len;
    uint64_t len = end - start < set->page_len ? end - start : set->page_len;
    (void)view_slice(&bytes, code, start, len);
    return bytes;
}

/* Keeps the smallest numbers, in order, whichever thread comes first. */
static void note_bad(struct run *run, struct pagehash *set, uint64_t page)
{
    pthread_mutex_lock(&run->lock);
    uint64_t kept = set->bad_count < PAGEHASH_LISTED ? set->bad_count : PAGEHASH_LISTED;
    uint64_t at = kept;
    while (at > 0 && set->bad[at - 1] > page)
        at--;
    if (at < PAGEHASH_LISTED) {
        uint64_t moved = (kept < PAGEHASH_LISTED ? kept : PAGEHASH_LISTED - 1) - at;
        memmove(&set->bad[at + 1], &set->bad[at], (size_t)moved * sizeof(set->bad[0]));
        set->bad[at] = page;
    }
    set->bad_count++;
    pthread_mutex_unlock(&run->lock);
}

/* A page may be as large as the file: no more than a block of it at once. */
static void hash_page(uint8_t *out, struct digest *digest, struct view bytes)
{
    struct view piece = {0};
    for (uint64_t at = 0; at < bytes.len && !stop_pending(); at += piece.len) {
        uint64_t len = bytes.len - at < BLOCK_LEN ? bytes.len - at : BLOCK_LEN;
        (void)view_slice(&piece, bytes, at, len);
        digest_update(digest, piece.data, (size_t)piece.len);
        if (bytes.len > BLOCK_LEN)
            fs_map_forget(piece);
    }
    digest_next(out, digest);
}

/* The pages of one set that begin in [start, end). */
static void hash_range(struct run *run, struct pagehash *set, struct digest *digest, uint64_t start,
                       uint64_t end)
{
    size_t hash_len = codesig_hash_len(set->hash_type);
    uint64_t count = divide_up(covered(set, run->code), set->page_len);
    uint64_t last = divide_up(end, set->page_len);
    if (count > set->count)
        count = set->count;
    if (last > count)
        last = count;
    for (uint64_t page = divide_up(start, set->page_len); page < last; page++) {
        uint8_t hash[DIGEST_MAX];
        hash_page(hash, digest, pagehash_page(set, run->code, page));
        if (set->out != NULL)
            memcpy(set->out + page * hash_len, hash, hash_len);
        else if (memcmp(set->expected + page * hash_len, hash, hash_len) != 0)
            note_bad(run, set, page);
    }
}

/* What was read is not needed any more: of the code one block; of the hashes, which are less than a
 * hundredth of it, those of the group of blocks before this one's, which no thread is busy with by
 * now. (The system may map two megabytes at once: who comes late maps them again.) */
static void forget_block(const struct run *run, uint64_t block, struct view bytes)
{
    fs_map_forget(bytes);
    if (block % BLOCK_GROUP != BLOCK_GROUP - 1 || block < BLOCK_GROUP)
        return;
    uint64_t end = (block + 1 - BLOCK_GROUP) * BLOCK_LEN;
    uint64_t start = end - BLOCK_GROUP * (uint64_t)BLOCK_LEN;
    for (size_t i = 0; i < run->set_count; i++) {
        const struct pagehash *set = &run->sets[i];
        uint64_t first = divide_up(start, set->page_len);
        uint64_t last = divide_up(end, set->page_len);
        size_t hash_len = codesig_hash_len(set->hash_type);
        if (set->expected != NULL && last <= set->count && first < last)
            fs_map_forget(
                (struct view){set->expected + first * hash_len, (last - first) * hash_len});
    }
}

static void *hash_blocks(void *context)
{
    struct run *run = context;
    own_mem struct digest *digests = mem_new(run->set_count, sizeof(digests[0]));
    for (size_t i = 0; i < run->set_count; i++)
        digest_start(&digests[i], codesig_hash_kind(run->sets[i].hash_type));
    while (!stop_pending()) {
        uint64_t block = atomic_fetch_add(&run->next_block, 1);
        if (block >= divide_up(run->end, BLOCK_LEN))
            break;
        uint64_t start = block * BLOCK_LEN;
        uint64_t len = run->end - start < BLOCK_LEN ? run->end - start : BLOCK_LEN;
        struct view bytes = {0};
        for (size_t i = 0; i < run->set_count; i++)
            hash_range(run, &run->sets[i], &digests[i], start, start + len);
        if (view_slice(&bytes, run->code, start, len))
            forget_block(run, block, bytes);
    }
    for (size_t i = 0; i < run->set_count; i++)
        digest_release(&digests[i]);
    return NULL;
}

/* As many as there are blocks, so that a small file is hashed by the caller alone. */
static unsigned thread_count(uint64_t len, unsigned threads)
{
    uint64_t count = threads;
    if (threads == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        count = online > 1 ? (uint64_t)online : 1;
    }
    if (count > len / BLOCK_LEN)
        count = len / BLOCK_LEN;
    return count > THREADS_MAX ? THREADS_MAX : (unsigned)count;
}

/* Signals that ask to stop are for the caller's thread; those of a fault must reach this one. */
static int start_thread(pthread_t *thread, struct run *run)
{
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    int result = pthread_create(thread, NULL, hash_blocks, run);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

/* The calling thread works too; a thread that cannot be made is done without. */
static void run_threads(struct run *run, unsigned count)
{
    pthread_t threads[THREADS_MAX];
    unsigned running = 0;
    while (running + 1 < count && start_thread(&threads[running], run) == 0)
        running++;
    hash_blocks(run);
    for (unsigned i = 0; i < running; i++)
        pthread_join(threads[i], NULL);
}

/* Pages without a byte come behind all others: they are counted, not looked at. */
static void note_missing(struct pagehash *set, struct view code)
{
    uint64_t count = divide_up(covered(set, code), set->page_len);
    if (set->out != NULL || set->count <= count)
        return;
    uint64_t missing = set->count - count;
    for (uint64_t i = 0; i < missing && set->bad_count + i < PAGEHASH_LISTED; i++)
        set->bad[set->bad_count + i] = count + i;
    set->bad_count += missing;
}

int pagehash_run(struct pagehash *sets, size_t set_count, struct view code, unsigned threads,
                 struct fail *fail)
{
    struct run run = {.sets = sets, .set_count = set_count, .code = code};
    for (size_t i = 0; i < set_count; i++) {
        sets[i].bad_count = 0;
        if (covered(&sets[i], code) > run.end)
            run.end = covered(&sets[i], code);
    }
    pthread_mutex_init(&run.lock, NULL);
    run_threads(&run, thread_count(run.end, threads));
    pthread_mutex_destroy(&run.lock);
    for (size_t i = 0; i < set_count; i++)
        note_missing(&sets[i], code);
    return stop_check(fail);
}
