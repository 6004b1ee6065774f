/*
 * The cache of digests: what is an entry of the same file, and which cache files are ignored.
 */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "base/system.h"
#include "stage/pin_cache.h"

static char cache_dir[PATH_MAX];
static char cache_file[PATH_MAX + 32];

static const char digest_a[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
static const char digest_b[] = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

static int set_up(void **state)
{
    (void)state;
    own_mem char *work = text_printf("%s/pin-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (mkdtemp(work) == NULL || realpath(work, cache_dir) == NULL)
        return -1;
    snprintf(cache_file, sizeof(cache_file), "%s/hallmark/digests", cache_dir);
    return setenv("XDG_CACHE_HOME", cache_dir, 1);
}

static int tear_down(void **state)
{
    (void)state;
    return fs_remove_tree_at(AT_FDCWD, cache_dir);
}

/* A file of an hour ago. */
static struct stat old_file(void)
{
    struct stat status = {.st_dev = 5, .st_ino = 6, .st_size = 7};
    time_t then = time(NULL) - 3600;
    status.SYSTEM_MTIME = (struct timespec){then, 8};
    status.SYSTEM_CTIME = (struct timespec){then, 9};
    return status;
}

/* Stores one entry of each kind. */
static void store(const struct stat *status)
{
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, false);
    assert_string_equal(cache.path, cache_file);
    pin_cache_add_file(&cache, "/a b/c", status, digest_a);
    pin_cache_add_answer(&cache, "version", "sha256:x", "/a b/c", "1.2 3");
    pin_cache_save(&cache);
}

static bool knows(const struct stat *status, const char *path)
{
    char sha256[SHA256_HEX] = "";
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, false);
    if (!pin_cache_file(sha256, &cache, path, status))
        return false;
    assert_string_equal(sha256, digest_a);
    return true;
}

static void file__the_same_only(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    assert_true(knows(&status, "/a b/c"));
    assert_false(knows(&status, "/a b/d"));
    assert_false(knows(&status, "/a b/c "));
    struct stat other = status;
    other.st_dev++;
    assert_false(knows(&other, "/a b/c"));
    other = status;
    other.st_ino++;
    assert_false(knows(&other, "/a b/c"));
    other = status;
    other.st_size++;
    assert_false(knows(&other, "/a b/c"));
    other = status;
    other.SYSTEM_MTIME.tv_nsec++;
    assert_false(knows(&other, "/a b/c"));
    other = status;
    other.SYSTEM_CTIME.tv_nsec++;
    assert_false(knows(&other, "/a b/c"));
}

static void file__newer_entry_replaces(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, false);
    size_t before = cache.count;
    pin_cache_add_file(&cache, "/a b/c", &status, digest_b);
    assert_int_equal(cache.count, before);
    char sha256[SHA256_HEX];
    assert_true(pin_cache_file(sha256, &cache, "/a b/c", &status));
    assert_string_equal(sha256, digest_b);
}

/* A file that changed just now may change again within the same tick of the clock. */
static void file__young_is_not_entered(void **state)
{
    (void)state;
    struct stat status = old_file();
    status.SYSTEM_CTIME.tv_sec = time(NULL);
    store(&status);
    assert_false(knows(&status, "/a b/c"));
}

static void answer__the_same_only(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, false);
    own_mem char *answer = pin_cache_answer(&cache, "version", "sha256:x", "/a b/c");
    assert_string_equal(answer, "1.2 3");
    assert_null(pin_cache_answer(&cache, "version", "sha256:y", "/a b/c"));
    assert_null(pin_cache_answer(&cache, "resources", "sha256:x", "/a b/c"));
    assert_null(pin_cache_answer(&cache, "version", "sha256:x", "/a b"));
}

static void open__fresh_reads_nothing(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, true);
    char sha256[SHA256_HEX];
    assert_false(pin_cache_file(sha256, &cache, "/a b/c", &status));
    assert_null(pin_cache_answer(&cache, "version", "sha256:x", "/a b/c"));
}

static void open__mode_is_private(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    struct stat file;
    assert_int_equal(stat(cache_file, &file), 0);
    assert_int_equal(file.st_mode & 07777, 0600);
}

/* Whatever others could have written is ignored. */
static void open__writable_by_others(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    assert_int_equal(chmod(cache_file, 0620), 0);
    assert_false(knows(&status, "/a b/c"));
    assert_int_equal(chmod(cache_file, 0602), 0);
    assert_false(knows(&status, "/a b/c"));
    assert_int_equal(chmod(cache_file, 0644), 0);
    assert_true(knows(&status, "/a b/c"));
    assert_int_equal(chmod(cache_dir, 0777), 0);
    assert_false(knows(&status, "/a b/c"));
    assert_int_equal(chmod(cache_dir, 0700), 0);
}

static void open__owned_by_others(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    struct stat status = old_file();
    store(&status);
    assert_int_equal(chown(cache_file, 12345, (gid_t)-1), 0);
    assert_false(knows(&status, "/a b/c"));
}

static void open__symbolic_link(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    own_mem char *elsewhere = text_printf("%s/elsewhere", cache_dir);
    assert_int_equal(rename(cache_file, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, cache_file), 0);
    assert_false(knows(&status, "/a b/c"));
}

static void write_cache(const char *text, size_t len)
{
    (void)unlink(cache_file);
    own_fd int fd = open(cache_file, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, len), (ssize_t)len);
}

static void open__malformed(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    own_fail struct fail fail = {0};
    own_buf struct buf good = {0};
    assert_int_equal(fs_read(&good, cache_file, 1 << 20, &fail), 0);
    static const char *const bad[] = {
        "",
        "\n",
        "hallmark-digests 2\n",
        "hallmark-digests 1",
        "garbage",
        "hallmark-digests 1\nfile 5 6 7\n",
        "hallmark-digests 1\n\n\nfile\nanswer\nanswer x\n",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        write_cache(bad[i], strlen(bad[i]));
        assert_false(knows(&status, "/a b/c"));
    }
    /* cut anywhere, no entry is taken for whole */
    for (size_t len = 0; len < good.len; len++) {
        write_cache(buf_text(&good), len);
        (void)knows(&status, "/a b/c"); /* false, or the right digest */
    }
    write_cache("hallmark-digests 1\nfile\0x\n", 26);
    assert_false(knows(&status, "/a b/c"));
    /* and the next run writes a good one again */
    store(&status);
    assert_true(knows(&status, "/a b/c"));
}

/* A digest that is no digest is not taken. */
static void open__bad_digest(void **state)
{
    (void)state;
    struct stat status = old_file();
    store(&status);
    own_fail struct fail fail = {0};
    own_buf struct buf text = {0};
    assert_int_equal(fs_read(&text, cache_file, 1 << 20, &fail), 0);
    char *digest = strstr((char *)text.data, digest_a);
    assert_non_null(digest);
    digest[10] = 'x';
    write_cache(buf_text(&text), text.len);
    assert_false(knows(&status, "/a b/c"));
}

static void save__is_bounded(void **state)
{
    (void)state;
    struct stat status = old_file();
    own_pin_cache struct pin_cache cache = {0};
    pin_cache_open(&cache, false);
    for (unsigned i = 0; i < PIN_CACHE_LINES_MAX + 100; i++) {
        status.st_ino = 1000 + i;
        pin_cache_add_file(&cache, "/a b/c", &status, digest_a);
    }
    assert_int_equal(cache.count, PIN_CACHE_LINES_MAX);
    pin_cache_save(&cache);
    assert_true(knows(&status, "/a b/c")); /* the newest stay */
    status.st_ino = 1000;
    assert_false(knows(&status, "/a b/c"));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(file__the_same_only),        CASE(file__newer_entry_replaces),
        CASE(file__young_is_not_entered), CASE(answer__the_same_only),
        CASE(open__fresh_reads_nothing),  CASE(open__mode_is_private),
        CASE(open__writable_by_others),   CASE(open__owned_by_others),
        CASE(open__symbolic_link),        CASE(open__malformed),
        CASE(open__bad_digest),           CASE(save__is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
