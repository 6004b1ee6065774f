/*
 * What every system has under another name: what its callers build on.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/system.h"

#define DIRECTORY_TEST(function) \
    cmocka_unit_test_setup_teardown(function, unit_setup_directory, unit_teardown_directory)

static void system_find_last__last_or_none(void **state)
{
    (void)state;
    static const char text[] = "/a/b\0c/d";
    assert_ptr_equal(system_find_last(text, '/', sizeof text), text + 6);
    assert_ptr_equal(system_find_last(text, '/', 6), text + 2);
    assert_ptr_equal(system_find_last(text, '/', 1), text);
    assert_ptr_equal(system_find_last(text, '\0', 6), text + 4);
    assert_null(system_find_last(text, '/', 0));
    assert_null(system_find_last(text, 'x', sizeof text));
    static const char high[] = {'a', (char)0xff, 'b'};
    assert_ptr_equal(system_find_last(high, (char)0xff, sizeof high), high + 1);
}

static void system_random__differs(void **state)
{
    (void)state;
    unsigned char one[32] = {0}, two[32] = {0}, zero[32] = {0};
    system_random(one, sizeof one);
    system_random(two, sizeof two);
    assert_memory_not_equal(one, two, sizeof one);
    assert_memory_not_equal(one + 16, zero, 16);
}

static void system_pipe__both_ends_are_closed_on_exec(void **state)
{
    (void)state;
    int ends[2] = {-1, -1};
    assert_int_equal(system_pipe(ends), 0);
    own_fd int reading = ends[0], writing = ends[1];
    assert_int_equal(fcntl(reading, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(fcntl(writing, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    char got = 0;
    assert_int_equal(write(writing, "x", 1), 1);
    assert_int_equal(read(reading, &got, 1), 1);
    assert_int_equal(got, 'x');
}

static void system_sync__files_directories_and_what_cannot(void **state)
{
    (void)state;
    own_fd int file = open("file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    own_fd int directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(file >= 0 && directory >= 0);
    assert_int_equal(system_sync(file), 0);
    assert_int_equal(system_sync(directory), 0);
    int ends[2] = {-1, -1};
    assert_int_equal(system_pipe(ends), 0);
    own_fd int reading = ends[0], writing = ends[1];
    assert_int_equal(system_sync(writing), 0); /* EINVAL: nothing to lose */
    (void)reading;
    assert_int_equal(system_sync(-1), -1);
    assert_int_equal(errno, EBADF);
}

static void system_rename_new__replaces_nothing(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    assert_works(fs_write_new("one", "1", 1, 0600, FS_REPLACE, &fail), &fail);
    assert_works(fs_write_new("two", "2", 1, 0600, FS_REPLACE, &fail), &fail);
    own_fd int directory = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool able = false;
    int result = system_rename_new(&able, directory, "one", "two");
    if (!able)
        skip();
    assert_int_equal(result, -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(access("one", F_OK), 0);
    assert_int_equal(system_rename_new(&able, directory, "missing", "three"), -1);
    assert_true(able);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(system_rename_new(&able, directory, "one", "three"), 0);
    assert_true(able);
    assert_int_equal(access("one", F_OK), -1);
    assert_int_equal(access("three", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(system_find_last__last_or_none),
        cmocka_unit_test(system_random__differs),
        cmocka_unit_test(system_pipe__both_ends_are_closed_on_exec),
        DIRECTORY_TEST(system_sync__files_directories_and_what_cannot),
        DIRECTORY_TEST(system_rename_new__replaces_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
