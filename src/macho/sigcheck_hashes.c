#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "macho/sigcheck_parts.h"

#define THREADED_MIN (1u << 20)   /* bytes; below, starting threads costs more than it saves */
#define CHUNK_LEN    (256u << 10) /* bytes that a thread takes at a time */
#define THREADS_MAX  64u

/* Bytes [page * page_len, ...) up to the code limit or the end of the file. */
static struct view page_bytes(const struct sigcheck *check, const struct codesig_directory *cd,
                              uint64_t page)
{
    struct view bytes = {0};
    uint64_t limit = codesig_code_limit(cd);
    uint64_t page_len = codesig_page_len(cd);
    if (limit > check->image->file.len)
        limit = check->image->file.len;
    if (page > limit / page_len)
        return bytes;
    uint64_t start = page * page_len;
    uint64_t len = limit - start < page_len ? limit - start : page_len;
    (void)view_slice(&bytes, check->image->file, start, len);
    return bytes;
}

struct page_job {
    const struct sigcheck *check;
    const struct codesig_directory *cd;
    uint8_t *bad; /* one for each page */
    uint64_t pages;
    uint64_t chunk; /* pages that a thread takes at a time */
    atomic_uint_fast64_t next;
};

static void *hash_pages(void *context)
{
    struct page_job *job = context;
    for (;;) {
        uint64_t page = atomic_fetch_add(&job->next, job->chunk);
        if (page >= job->pages)
            return NULL;
        uint64_t end = job->pages - page > job->chunk ? page + job->chunk : job->pages;
        for (; page < end; page++) {
            uint8_t actual[DIGEST_MAX] = {0};
            struct view expected = {0};
            codesig_hash_bytes(actual, job->cd->hash_type, page_bytes(job->check, job->cd, page));
            job->bad[page] = !codesig_page_hash(&expected, job->cd, page) ||
                             memcmp(expected.data, actual, expected.len) != 0;
        }
    }
}

static unsigned thread_count(const struct sigcheck *check, uint64_t bytes)
{
    if (bytes <= THREADED_MIN || check->options->threads == 1)
        return 1;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t count = online > 1 ? (uint64_t)online : 1;
    if (check->options->threads != 0)
        count = check->options->threads;
    if (count > bytes / CHUNK_LEN)
        count = bytes / CHUNK_LEN;
    return count > THREADS_MAX ? THREADS_MAX : (unsigned)count;
}

/* The calling thread works too; a thread that cannot be made is done without. */
static void run_job(struct page_job *job, unsigned count)
{
    pthread_t threads[THREADS_MAX];
    unsigned running = 0;
    while (running + 1 < count && pthread_create(&threads[running], NULL, hash_pages, job) == 0)
        running++;
    hash_pages(job);
    for (unsigned i = 0; i < running; i++)
        pthread_join(threads[i], NULL);
}

static void report_page(const struct sigcheck *check, const struct codesig_directory *cd,
                        uint64_t page)
{
    struct view bytes = page_bytes(check, cd, page);
    struct view expected = {0};
    uint8_t actual[DIGEST_MAX] = {0};
    char place[IMAGE_PLACE_MAX] = "";
    char hex[2 * DIGEST_MAX + 1] = "";
    uint64_t offset = page == 0 ? 0 : page * codesig_page_len(cd);
    image_locate_offset(place, check->image, offset);
    struct finding *finding = sigcheck_add(check, FINDING_ERROR, "sig.page-hash",
                                           "page %" PRIu64 " at offset %" PRIu64 " (%s), %s", page,
                                           offset, place, codesig_hash_name(cd->hash_type));
    codesig_hash_bytes(actual, cd->hash_type, bytes);
    if (codesig_page_hash(&expected, cd, page)) {
        text_hex(hex, expected.data, expected.len);
        finding_expected(finding, "%s", hex);
    }
    text_hex(hex, actual, cd->hash_size);
    finding_actual(finding, "%s", hex);
    finding_remedy(finding, "the file was changed after it was signed; sign it again if that was "
                            "meant");
}

void sigcheck_pages(const struct sigcheck *check, const struct codesig_directory *cd)
{
    /* code_count was checked against the size of the blob, so that this is bounded. */
    own_mem uint8_t *bad = mem_new(cd->code_count, 1);
    uint64_t page_len = codesig_page_len(cd);
    struct page_job job = {.check = check,
                           .cd = cd,
                           .bad = bad,
                           .pages = cd->code_count,
                           .chunk = page_len < CHUNK_LEN ? CHUNK_LEN / page_len : 1};
    run_job(&job, thread_count(check, check->image->file.len));
    for (uint64_t page = 0; page < cd->code_count; page++)
        if (bad[page])
            report_page(check, cd, page);
}
