#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/stop.h"
#include "macho/codesig.h"
#include "macho/pagehash.h"

#define CODE_LEN (3u * 1048576 + 1234)

static uint8_t *code;

static int make_code(void **state)
{
    (void)state;
    uint32_t value = 1;
    code = mem_new(CODE_LEN, 1);
    for (size_t i = 0; i < CODE_LEN; i++) {
        value = value * 1664525 + 1013904223;
        code[i] = (uint8_t)(value >> 24);
    }
    return 0;
}

static int free_code(void **state)
{
    (void)state;
    free(code);
    return 0;
}

/* The hashes of all pages, one after the other, without any of what is tested. */
static uint8_t *plain_hashes(uint8_t hash_type, uint64_t len, uint64_t page_len)
{
    size_t hash_len = codesig_hash_len(hash_type);
    uint64_t count = len / page_len + (len % page_len != 0);
    uint8_t *out = mem_new((size_t)count + 1, hash_len);
    for (uint64_t page = 0; page < count; page++) {
        uint64_t start = page * page_len;
        uint64_t some = len - start < page_len ? len - start : page_len;
        codesig_hash_bytes(out + page * hash_len, hash_type, (struct view){code + start, some});
    }
    return out;
}

static void assert_hashes(uint8_t hash_type, uint64_t len, uint64_t page_len, unsigned threads)
{
    own_fail struct fail fail = {0};
    uint64_t count = pagehash_count(len, page_len);
    size_t bytes = (size_t)count * codesig_hash_len(hash_type);
    own_mem uint8_t *expected = plain_hashes(hash_type, len, page_len);
    own_mem uint8_t *out = mem_new(bytes + 1, 1);
    struct pagehash set = {
        .hash_type = hash_type, .page_len = page_len, .limit = len, .count = count, .out = out};
    out[bytes] = 0x5a;
    assert_works(pagehash_run(&set, 1, (struct view){code, len}, threads, &fail), &fail);
    assert_memory_equal(out, expected, bytes);
    assert_int_equal(out[bytes], 0x5a);

    set.out = NULL;
    set.expected = expected;
    assert_works(pagehash_run(&set, 1, (struct view){code, len}, threads, &fail), &fail);
    assert_int_equal(set.bad_count, 0);
}

static void pagehash_run__every_type_size_and_number_of_threads(void **state)
{
    (void)state;
    static const uint64_t lens[] = {0, 1, 4095, 4096, 4097, 262144, 262145, 1048576 + 1, CODE_LEN};
    static const uint64_t page_lens[] = {4096, 16384, 1048576, UINT64_MAX};
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
        for (size_t k = 0; k < sizeof page_lens / sizeof page_lens[0]; k++)
            for (unsigned threads = 0; threads < 4; threads++)
                assert_hashes(CODESIG_HASH_SHA256, lens[i], page_lens[k], threads);
    assert_hashes(CODESIG_HASH_SHA1, CODE_LEN, 4096, 0);
    assert_hashes(CODESIG_HASH_SHA256_TRUNCATED, CODE_LEN, 4096, 0);
    assert_hashes(CODESIG_HASH_SHA384, CODE_LEN, 4096, 0);
    assert_hashes(CODESIG_HASH_SHA256, 5000, 2, 0);
    assert_hashes(CODESIG_HASH_SHA256, CODE_LEN, 4096, 1000);
}

/* Two directories of one signature, which need not even have the same pages. */
static void pagehash_run__several_sets_in_one_pass(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    uint64_t limit = CODE_LEN - 100000;
    own_mem uint8_t *sha1 = plain_hashes(CODESIG_HASH_SHA1, limit, 4096);
    own_mem uint8_t *sha256 = plain_hashes(CODESIG_HASH_SHA256, CODE_LEN, 16384);
    own_mem uint8_t *out = mem_new((size_t)pagehash_count(limit, 4096), SHA1_LEN);
    struct pagehash sets[] = {
        {.hash_type = CODESIG_HASH_SHA1,
         .page_len = 4096,
         .limit = limit,
         .count = pagehash_count(limit, 4096),
         .out = out},
        {.hash_type = CODESIG_HASH_SHA256,
         .page_len = 16384,
         .limit = CODE_LEN,
         .count = pagehash_count(CODE_LEN, 16384),
         .expected = sha256},
    };
    sha256[7 * SHA256_LEN] ^= 1;
    assert_works(pagehash_run(sets, 2, (struct view){code, CODE_LEN}, 0, &fail), &fail);
    assert_memory_equal(out, sha1, sets[0].count * SHA1_LEN);
    assert_int_equal(sets[1].bad_count, 1);
    assert_int_equal(sets[1].bad[0], 7);
}

static void pagehash_run__names_the_first_bad_pages_whatever_the_threads(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_mem uint8_t *hashes = plain_hashes(CODESIG_HASH_SHA256, CODE_LEN, 4096);
    uint64_t count = pagehash_count(CODE_LEN, 4096);
    for (uint64_t page = 1; page < count; page += 3)
        hashes[page * SHA256_LEN + page % SHA256_LEN] ^= 0x80;
    for (unsigned threads = 1; threads < 9; threads++) {
        struct pagehash set = {.hash_type = CODESIG_HASH_SHA256,
                               .page_len = 4096,
                               .limit = CODE_LEN,
                               .count = count,
                               .expected = hashes,
                               .bad_count = 77};
        assert_works(pagehash_run(&set, 1, (struct view){code, CODE_LEN}, threads, &fail), &fail);
        assert_int_equal(set.bad_count, (count + 1) / 3);
        assert_true(set.bad_count > PAGEHASH_LISTED);
        for (uint64_t i = 0; i < PAGEHASH_LISTED; i++)
            assert_int_equal(set.bad[i], 1 + 3 * i);
    }
}

/* A directory may state more pages than there are, and a limit that the file does not have. */
static void pagehash_run__pages_without_a_byte_are_bad(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_mem uint8_t *hashes = mem_new(5, SHA256_LEN);
    for (size_t page = 0; page < 5; page++)
        codesig_hash_bytes(hashes + page * SHA256_LEN, CODESIG_HASH_SHA256,
                           (struct view){code + page * 4096, page < 2 ? 4096 : page == 2});
    struct pagehash set = {.hash_type = CODESIG_HASH_SHA256,
                           .page_len = 4096,
                           .limit = UINT64_MAX,
                           .count = 5,
                           .expected = hashes};
    struct view some = {code, 8193};
    assert_works(pagehash_run(&set, 1, some, 0, &fail), &fail);
    assert_int_equal(set.bad_count, 2);
    assert_int_equal(set.bad[0], 3);
    assert_int_equal(set.bad[1], 4);
    assert_int_equal(pagehash_page(&set, some, 2).len, 1);
    assert_int_equal(pagehash_page(&set, some, 3).len, 0);
    assert_int_equal(pagehash_page(&set, some, UINT64_MAX).len, 0);

    set.count = UINT32_MAX; /* of which nothing is read, and no time is spent */
    set.limit = 4096;
    assert_works(pagehash_run(&set, 1, some, 0, &fail), &fail);
    assert_true(set.bad_count == UINT32_MAX - 1);
    assert_int_equal(set.bad[PAGEHASH_LISTED - 1], PAGEHASH_LISTED);
}

/* The bytes of a mapped file, at an offset as in a universal file, hashed twice: what was given
 * back after the first time is there again. */
static void pagehash_run__a_mapped_file(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_fs_map struct fs_map map = {0};
    own_mem uint8_t *hashes = plain_hashes(CODESIG_HASH_SHA256, CODE_LEN, 4096);
    unit_enter_directory();
    own_buf struct buf file = {0};
    buf_zeros(&file, 100);
    buf_append(&file, code, CODE_LEN);
    assert_works(fs_write_new("file", file.data, file.len, 0644, FS_NO_REPLACE, &fail), &fail);
    assert_works(fs_map_open(&map, "file", &fail), &fail);
    for (int i = 0; i < 2; i++) {
        struct view slice = {map.view.data + 100, CODE_LEN};
        struct pagehash set = {.hash_type = CODESIG_HASH_SHA256,
                               .page_len = 4096,
                               .limit = CODE_LEN,
                               .count = pagehash_count(CODE_LEN, 4096),
                               .expected = hashes};
        assert_works(pagehash_run(&set, 1, slice, 0, &fail), &fail);
        assert_int_equal(set.bad_count, 0);
    }
    assert_memory_equal(map.view.data, file.data, file.len);
    fs_map_release(&map);
    unit_leave_directory();
}

#ifdef __GLIBC__
/* No thread can have a stack as large as the address space. */
static void pagehash_run__does_without_threads(void **state)
{
    (void)state;
    pthread_attr_t before, huge;
    assert_int_equal(pthread_getattr_default_np(&before), 0);
    assert_int_equal(pthread_getattr_default_np(&huge), 0);
    assert_int_equal(pthread_attr_setstacksize(&huge, (size_t)1 << 60), 0);
    assert_int_equal(pthread_setattr_default_np(&huge), 0);
    assert_hashes(CODESIG_HASH_SHA256, CODE_LEN, 4096, 4);
    assert_int_equal(pthread_setattr_default_np(&before), 0);
    pthread_attr_destroy(&huge);
    pthread_attr_destroy(&before);
}
#endif

static void pagehash_run__stops(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct fail fail = {0};
        uint8_t hash[SHA256_LEN];
        struct pagehash set = {.hash_type = CODESIG_HASH_SHA256,
                               .page_len = UINT64_MAX,
                               .limit = CODE_LEN,
                               .count = 1,
                               .out = hash};
        stop_install();
        raise(SIGTERM);
        int result = pagehash_run(&set, 1, (struct view){code, CODE_LEN}, 2, &fail);
        _exit(result == -1 && fail.code == FAIL_SIGNAL ? 42 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pagehash_run__every_type_size_and_number_of_threads),
        cmocka_unit_test(pagehash_run__several_sets_in_one_pass),
        cmocka_unit_test(pagehash_run__names_the_first_bad_pages_whatever_the_threads),
        cmocka_unit_test(pagehash_run__pages_without_a_byte_are_bad),
        cmocka_unit_test(pagehash_run__a_mapped_file),
#ifdef __GLIBC__
        cmocka_unit_test(pagehash_run__does_without_threads),
#endif
        cmocka_unit_test(pagehash_run__stops),
    };
    return cmocka_run_group_tests(tests, make_code, free_code);
}
