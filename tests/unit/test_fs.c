#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"

#define DIRECTORY_TEST(function) \
    cmocka_unit_test_setup_teardown(function, unit_setup_directory, unit_teardown_directory)

static void put(const char *path, const char *text)
{
    own_fail struct fail fail = {0};
    assert_works(fs_write_new(path, text, strlen(text), 0644, FS_REPLACE, &fail), &fail);
}

static size_t entries_here(void)
{
    own_fail struct fail fail = {0};
    own_fs_listing struct fs_listing listing = {0};
    assert_works(fs_list(&listing, AT_FDCWD, 100, &fail), &fail);
    return listing.count;
}

static void fs_path_contained__refuses_what_leads_out(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "a/b", ".gitignore", "...", "a..b", "git", ".gitx"};
    static const char *const bad[] = {
        "",
        "/a",
        "a//b",
        "a/",
        ".",
        "..",
        "a/../b",
        "a/./b",
        ".git",
        ".GIT/x",
        "a/.Git",
        ".git.",
        ".git ",
        "git~1",
        "GIT~1/a",
        "a\\b",
        "c:d",
        "a\nb",
        "\x7f",
        ".g\xe2\x80\x8cit",
        ".git\xef\xbb\xbf",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!fs_path_contained(good[i]))
            fail_msg("refused: %s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (fs_path_contained(bad[i]))
            fail_msg("accepted: %s", bad[i]);
    }
    char *long_name = mem_new(4200, 1);
    memset(long_name, 'a', 256);
    assert_false(fs_path_contained(long_name));
    free(long_name);
}

static void check_join(const char *base, const char *relative, const char *expected)
{
    own_mem char *joined = fs_path_join(base, relative);
    if (expected == NULL) {
        assert_null(joined);
    } else {
        assert_non_null(joined);
        assert_string_equal(joined, expected);
    }
}

static void fs_path_join__stays_in_the_root(void **state)
{
    (void)state;
    check_join("a/b", "c", "a/b/c");
    check_join("a/b", "../c", "a/c");
    check_join("a", "../../c", NULL);
    check_join("", "..", NULL);
    check_join("", "./x//y/.", "x/y");
    check_join("a", "/etc", NULL);
    check_join("a", "..", "");
}

static void fs_write_new__appears_whole_and_replaces_nothing(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct stat info;
    umask(077);
    assert_works(fs_write_new("f", "abc", 3, 0644, FS_NO_REPLACE, &fail), &fail);
    umask(022);
    assert_int_equal(stat("f", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
    assert_fails(fs_write_new("f", "x", 1, 0644, FS_NO_REPLACE, &fail), &fail, FAIL_REFUSED, "'f'");
    own_buf struct buf text = {0};
    own_fail struct fail fail2 = {0};
    assert_works(fs_read(&text, "f", 100, &fail2), &fail2);
    assert_string_equal(buf_text(&text), "abc");
    assert_int_equal(entries_here(), 1);
}

static void fs_new__refuses_a_target_that_appeared_meanwhile(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    {
        own_fs_new struct fs_new file = FS_NEW_INIT;
        assert_works(fs_new_open(&file, "late", 0644, &fail), &fail);
        put("late", "theirs");
        assert_fails(fs_new_publish(&file, FS_NO_REPLACE, &fail), &fail, FAIL_REFUSED, "late");
    }
    assert_int_equal(entries_here(), 1);
}

static void fs_read__limits_and_kinds(void **state)
{
    (void)state;
    put("f", "12345");
    own_buf struct buf text = {0};
    own_fail struct fail f1 = {0}, f2 = {0}, f3 = {0}, f4 = {0};
    assert_fails(fs_read(&text, "f", 4, &f1), &f1, FAIL_INPUT, "has 5 bytes, expected at most 4");
    assert_int_equal(mkdir("d", 0755), 0);
    assert_fails(fs_read(&text, "d", 4, &f2), &f2, FAIL_INPUT, "is a directory");
    assert_int_equal(mkfifo("p", 0644), 0);
    assert_fails(fs_read(&text, "p", 4, &f3), &f3, FAIL_INPUT, "not a regular file");
    assert_int_equal(symlink("f", "l"), 0);
    assert_fails(fs_read_at(&text, AT_FDCWD, "l", 9, &f4), &f4, FAIL_INPUT, "symbolic link");
}

static void fs_map__empty_and_missing(void **state)
{
    (void)state;
    put("empty", "");
    own_fail struct fail fail = {0};
    own_fs_map struct fs_map map = {0};
    assert_works(fs_map_open(&map, "empty", &fail), &fail);
    assert_int_equal(map.view.len, 0);
    assert_fails(fs_map_open(&map, "none", &fail), &fail, FAIL_INPUT, "cannot open 'none'");
}

static void fs_stage__publishes_once(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_fs_stage struct fs_stage stage = FS_STAGE_INIT;
    assert_works(fs_stage_open(&stage, "out/", &fail), &fail);
    assert_works(fs_make_parents_at(stage.fd, "a/b/f", &fail), &fail);
    assert_works(fs_create_at(stage.fd, "a/b/f", "x", 1, 0600, &fail), &fail);
    assert_int_equal(access("out", F_OK), -1);
    assert_works(fs_stage_publish(&stage, &fail), &fail);
    assert_int_equal(access("out/a/b/f", F_OK), 0);
    fs_stage_release(&stage);
    assert_int_equal(access("out/a/b/f", F_OK), 0);
    assert_fails(fs_stage_open(&stage, "out", &fail), &fail, FAIL_REFUSED, "'out' is there");
}

static void fs_stage__leaves_nothing_and_refuses_what_appeared(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    {
        own_fs_stage struct fs_stage stage = FS_STAGE_INIT;
        assert_works(fs_stage_open(&stage, "out", &fail), &fail);
        assert_works(fs_create_at(stage.fd, "f", "x", 1, 0000, &fail), &fail);
        assert_int_equal(mkdir("out", 0755), 0);
        assert_fails(fs_stage_publish(&stage, &fail), &fail, FAIL_REFUSED, "'out'");
    }
    assert_int_equal(entries_here(), 1);
}

static void fs_stage__names_that_are_none(void **state)
{
    (void)state;
    static const char *const names[] = {".", "..", "/", "a/.."};
    assert_int_equal(mkdir("a", 0755), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        own_fail struct fail fail = {0};
        own_fs_stage struct fs_stage stage = FS_STAGE_INIT;
        assert_fails(fs_stage_open(&stage, names[i], &fail), &fail, FAIL_USAGE, "does not name");
    }
    own_fail struct fail fail = {0};
    own_fs_stage struct fs_stage stage = FS_STAGE_INIT;
    assert_fails(fs_stage_open(&stage, "none/x", &fail), &fail, FAIL_INPUT, "'none'");
}

static void fs_make_parents__follows_no_link(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    assert_int_equal(mkdir("real", 0755), 0);
    assert_int_equal(symlink("real", "link"), 0);
    assert_fails(fs_make_parents_at(AT_FDCWD, "link/x/y", &fail), &fail, FAIL_SYSTEM, "link");
}

static void fs_remove_tree__follows_no_link(void **state)
{
    (void)state;
    assert_int_equal(mkdir("keep", 0755), 0);
    put("keep/f", "x");
    assert_int_equal(mkdir("gone", 0755), 0);
    assert_int_equal(symlink("../keep", "gone/link"), 0);
    assert_int_equal(mkdir("gone/locked", 0000), 0);
    assert_int_equal(fs_remove_tree_at(AT_FDCWD, "gone"), 0);
    assert_int_equal(access("gone", F_OK), -1);
    assert_int_equal(access("keep/f", F_OK), 0);
    assert_int_equal(fs_remove_tree_at(AT_FDCWD, "never"), 0);
}

static void fs_list__sorted_bounded_and_typed(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    assert_int_equal(mkdir("b", 0755), 0);
    put("b/z", "12");
    put("B", "");
    assert_int_equal(symlink("nowhere", "a"), 0);
    own_fs_listing struct fs_listing listing = {0};
    assert_works(fs_list(&listing, AT_FDCWD, 10, &fail), &fail);
    assert_int_equal(listing.count, 4);
    assert_string_equal(listing.list[0].path, "B");
    assert_int_equal(listing.list[1].kind, FS_SYMLINK);
    assert_int_equal(listing.list[2].kind, FS_DIRECTORY);
    assert_string_equal(listing.list[3].path, "b/z");
    assert_int_equal(listing.list[3].len, 2);
    own_fs_listing struct fs_listing small = {0};
    assert_fails(fs_list(&small, AT_FDCWD, 3, &fail), &fail, FAIL_INPUT, "more than 3");
}

static void fs_scratch__is_removed_unless_kept(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_fs_scratch struct fs_scratch scratch = FS_SCRATCH_INIT;
    assert_works(fs_scratch_open(&scratch, &fail), &fail);
    own_mem char *path = text_copy(scratch.path);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_works(fs_create_at(scratch.fd, "f", "x", 1, 0600, &fail), &fail);
    fs_scratch_release(&scratch);
    assert_int_equal(stat(path, &info), -1);
}

static void own_stop__leaves_no_temporaries(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        own_fail struct fail fail = {0};
        struct fs_new file = FS_NEW_INIT;
        struct fs_stage stage = FS_STAGE_INIT;
        struct fs_scratch scratch = FS_SCRATCH_INIT;
        setenv("TMPDIR", getcwd(NULL, 0), 1);
        close(STDERR_FILENO);
        if (fs_new_open(&file, "f", 0644, &fail) == 0 && fs_stage_open(&stage, "d", &fail) == 0 &&
            fs_create_at(stage.fd, "x", "x", 1, 0644, &fail) == 0 &&
            fs_scratch_open(&scratch, &fail) == 0)
            own_stop("a reason");
        _exit(1);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_int_equal(entries_here(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fs_path_contained__refuses_what_leads_out),
        cmocka_unit_test(fs_path_join__stays_in_the_root),
        DIRECTORY_TEST(fs_write_new__appears_whole_and_replaces_nothing),
        DIRECTORY_TEST(fs_new__refuses_a_target_that_appeared_meanwhile),
        DIRECTORY_TEST(fs_read__limits_and_kinds),
        DIRECTORY_TEST(fs_map__empty_and_missing),
        DIRECTORY_TEST(fs_stage__publishes_once),
        DIRECTORY_TEST(fs_stage__leaves_nothing_and_refuses_what_appeared),
        DIRECTORY_TEST(fs_stage__names_that_are_none),
        DIRECTORY_TEST(fs_make_parents__follows_no_link),
        DIRECTORY_TEST(fs_remove_tree__follows_no_link),
        DIRECTORY_TEST(fs_list__sorted_bounded_and_typed),
        DIRECTORY_TEST(fs_scratch__is_removed_unless_kept),
        DIRECTORY_TEST(own_stop__leaves_no_temporaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
