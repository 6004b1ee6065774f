#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "port/child.h"

static const char *const empty[] = {NULL};

static void shell(struct child *child, const char *const *argv)
{
    *child = (struct child){.program = "/bin/sh", .argv = argv, .envp = empty, .limit_sec = 20};
}

static void child_run__output_status_and_closed_environment(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    const char *const argv[] = {"sh", "-c", "echo out; echo err >&2; env | grep -c HOME; exit 3",
                                NULL};
    struct child child;
    shell(&child, argv);
    assert_works(child_run(&child, &fail), &fail);
    assert_int_equal(child.exit_code, 3);
    assert_false(child_succeeded(&child));
    assert_string_equal(buf_text(&child.output), "out\n0\n");
    assert_string_equal(buf_text(&child.errors), "err\n");
    assert_fails(child_fail(&child, &fail), &fail, FAIL_CHILD, "'sh' exited with status 3");
    assert_string_equal(fail.output, "out\n0\nerr\n");
    child_release(&child);
}

static void child_run__reads_nothing_from_us(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    const char *const argv[] = {"sh", "-c", "wc -c; pwd", NULL};
    struct child child;
    shell(&child, argv);
    child.directory = "/";
    assert_works(child_run(&child, &fail), &fail);
    assert_non_null(strstr(buf_text(&child.output), "0\n/\n"));
    child_release(&child);
}

static void child_run__is_killed_at_its_limit_with_its_children(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    const char *const argv[] = {"sh", "-c", "sleep 300 & echo $!; wait", NULL};
    struct child child;
    shell(&child, argv);
    child.limit_sec = 1;
    assert_works(child_run(&child, &fail), &fail);
    assert_true(child.timed_out);
    assert_fails(child_fail(&child, &fail), &fail, FAIL_CHILD, "ran longer than 1 s");
    pid_t grandchild = (pid_t)strtol(buf_text(&child.output), NULL, 10);
    assert_true(grandchild > 0);
    struct timespec pause = {.tv_nsec = 100000000};
    for (int i = 0; i < 50 && kill(grandchild, 0) == 0; i++)
        nanosleep(&pause, NULL);
    assert_int_equal(kill(grandchild, 0), -1);
    child_release(&child);
}

static void child_run__tells_the_signal(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    const char *const argv[] = {"sh", "-c", "kill -SEGV $$", NULL};
    struct child child;
    shell(&child, argv);
    assert_works(child_run(&child, &fail), &fail);
    assert_int_equal(child.signal, SIGSEGV);
    assert_fails(child_fail(&child, &fail), &fail, FAIL_CHILD, "killed by signal");
    child_release(&child);
}

static void child_run__keeps_a_bounded_part_of_the_output(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    const char *const argv[] = {"sh", "-c", "head -c 5000000 /dev/zero; echo end >&2", NULL};
    struct child child;
    shell(&child, argv);
    assert_works(child_run(&child, &fail), &fail);
    assert_true(child_succeeded(&child));
    assert_int_equal(child.output.len, CHILD_OUTPUT_MAX);
    assert_string_equal(buf_text(&child.errors), "end\n");
    child_release(&child);
}

static void child_run_all__results_in_the_order_of_the_specs(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    const char *const slow[] = {"sh", "-c", "sleep 0.2; echo slow", NULL};
    const char *const quick[] = {"sh", "-c", "echo quick", NULL};
    struct child children[5];
    for (size_t i = 0; i < 5; i++)
        shell(&children[i], i % 2 == 0 ? slow : quick);
    assert_works(child_run_all(children, 5, 2, &fail), &fail);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(buf_text(&children[i].output), i % 2 == 0 ? "slow\n" : "quick\n");
        child_release(&children[i]);
    }
}

static void child_run__a_missing_program_is_a_failure(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct child child = {.program = "/nowhere/cc", .argv = empty, .envp = empty};
    assert_fails(child_run(&child, &fail), &fail, FAIL_SYSTEM, "cannot run '/nowhere/cc'");
}

static void child_run__confined_to_its_directories(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_mem char *directory =
        text_printf("%s/confined-XXXXXX", getenv("TMPDIR") == NULL ? "/tmp" : getenv("TMPDIR"));
    assert_non_null(mkdtemp(directory));
    own_mem char *script =
        text_printf("echo x >%s/in; echo y >%s.out; cat /etc/passwd; true", directory, directory);
    const char *const argv[] = {"sh", "-c", script, NULL};
    const char *const writable[] = {directory, NULL};
    const char *const readable[] = {"/bin", "/usr", "/lib", "/lib64", NULL};
    struct child child;
    shell(&child, argv);
    child.writable = writable;
    child.readable = readable;
    assert_works(child_run(&child, &fail), &fail);
    own_mem char *inside = text_printf("%s/in", directory);
    own_mem char *outside = text_printf("%s.out", directory);
    assert_int_equal(unlink(inside), 0);
    int escaped = unlink(outside);
    bool was_read = strstr(buf_text(&child.output), "root:") != NULL;
    bool confined = child.confined;
    assert_int_equal(rmdir(directory), 0);
    child_release(&child);
    if (!confined)
        skip(); /* no Landlock in this kernel */
    assert_int_equal(escaped, -1);
    assert_false(was_read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(child_run__output_status_and_closed_environment),
        cmocka_unit_test(child_run__reads_nothing_from_us),
        cmocka_unit_test(child_run__is_killed_at_its_limit_with_its_children),
        cmocka_unit_test(child_run__tells_the_signal),
        cmocka_unit_test(child_run__keeps_a_bounded_part_of_the_output),
        cmocka_unit_test(child_run_all__results_in_the_order_of_the_specs),
        cmocka_unit_test(child_run__a_missing_program_is_a_failure),
        cmocka_unit_test(child_run__confined_to_its_directories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
