/* stage/witness.h: the side that no stand-in can show: a witness that accepts what hallmark does
 * not. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stage/scratch.h"
#include "stage/witness.h"
#include "unit.h"

struct court {
    struct release_request request;
    struct release release;
};

static void put_script(char **path, const char *name, const char *commands)
{
    own_fail struct fail fail = {0};
    own_mem char *text = text_printf("#!/bin/sh\n%s\n", commands);
    *path = realpath(".", NULL);
    char *whole = text_printf("%s/%s", *path, name);
    free(*path);
    *path = whole;
    assert_int_equal(fs_write_new(whole, text, strlen(text), 0755, FS_REPLACE, &fail), 0);
}

/* A release on Apple's line whose witnesses run these commands. */
static void court_open(struct court *court, const char *codesign, const char *lipo)
{
    own_fail struct fail fail = {0};
    *court = (struct court){.request = {.limit_sec = 20}, .release = RELEASE_INIT};
    struct release *release = &court->release;
    release->request = &court->request;
    release->toolchain.family = TOOLCHAIN_APPLE;
    release->toolchain.name = text_copy("standin");
    release->toolchain.developer_dir = text_copy("/nowhere");
    release->pin.compiler.path = text_copy("/nowhere/clang");
    release->pin.linker.path = text_copy("/nowhere/ld");
    release->pin.resource_dir = text_copy("/nowhere/lib");
    if (codesign != NULL)
        put_script(&release->pin.apple.codesign.path, "codesign", codesign);
    if (lipo != NULL)
        put_script(&release->pin.apple.lipo.path, "lipo", lipo);
    assert_int_equal(fs_scratch_open(&release->scratch, &fail), 0);
    assert_int_equal(mkdirat(release->scratch.fd, WORK_TREE, 0700), 0);
}

static int verdict(struct court *court, struct fail *fail)
{
    static const uint8_t bytes[] = "image";
    static const char *const archs[] = {"arm64"};
    return witness_verdict(&court->release, "a.dylib", (struct view){bytes, sizeof bytes}, archs, 1,
                           fail);
}

static void expect_finding(const struct court *court, size_t index, const char *id,
                           const char *expected, const char *actual)
{
    const struct finding *finding = &court->release.findings.list[index];
    assert_true(index < court->release.findings.count);
    assert_string_equal(finding->id, id);
    assert_string_equal(finding->place, "a.dylib");
    assert_string_equal(finding->expected, expected);
    assert_string_equal(finding->actual, actual);
}

static void verdict__both_accept(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, "exit 0", "exit 0");
    assert_int_equal(verdict(&court, &fail), 0);
    assert_int_equal(court.release.findings.count, 0);
    release_free(&court.release);
}

static void verdict__both_reject(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, "exit 1", "exit 1");
    finding_error(&court.release.findings, "sig.page-hash", "a.dylib: page 1", "a", "b");
    finding_error(&court.release.findings, "arch.mismatch", "a.dylib", "a", "b");
    assert_int_equal(verdict(&court, &fail), 0);
    assert_int_equal(court.release.findings.count, 2);
    release_free(&court.release);
}

static void verdict__witnesses_accept_what_hallmark_does_not(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, "exit 0", "exit 0");
    finding_error(&court.release.findings, "sig.page-hash", "a.dylib: page 1", "a", "b");
    finding_error(&court.release.findings, "arch.mismatch", "a.dylib", "a", "b");
    assert_int_equal(verdict(&court, &fail), 0);
    assert_int_equal(court.release.findings.count, 4);
    expect_finding(&court, 2, "witness.lipo", "hallmark: arch.mismatch: a.dylib",
                   "lipo accepts it");
    expect_finding(&court, 3, "witness.codesign", "hallmark: sig.page-hash: a.dylib: page 1",
                   "codesign accepts it");
    release_free(&court.release);
}

/* A warning, another file's finding, and one about something else say nothing against it. */
static void verdict__other_findings_do_not_count(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, "exit 0", "exit 0");
    finding_error(&court.release.findings, "sig.page-hash", "a.dylib2: page 1", "a", "b");
    finding_error(&court.release.findings, "build.sdk", "a.dylib: LC_BUILD_VERSION", "a", "b");
    finding_place(finding_add(&court.release.findings, FINDING_WARNING, "sig.flags"), "a.dylib");
    assert_int_equal(verdict(&court, &fail), 0);
    assert_int_equal(court.release.findings.count, 3);
    release_free(&court.release);
}

/* The path of the copy is of this machine: the name is shown in its place, line ends as "; ". */
static void verdict__words_are_shown_in_one_line(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, "echo \"$3: no\"; echo \"In architecture: arm64\"; exit 1", "exit 0");
    assert_int_equal(verdict(&court, &fail), 0);
    assert_int_equal(court.release.findings.count, 1);
    expect_finding(&court, 0, "witness.codesign",
                   "hallmark: it is what the recipe asks for, and holds",
                   "codesign: a.dylib: no; In architecture: arm64");
    release_free(&court.release);
}

static void verdict__a_witness_that_is_not_there_is_a_failure(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, NULL, "exit 0");
    court.release.pin.apple.codesign.problem = text_copy("it was removed");
    assert_int_equal(verdict(&court, &fail), -1);
    assert_int_equal(fail.code, FAIL_PIN);
    assert_string_equal(fail.message, "toolchain 'standin' has no 'codesign' here, which is to "
                                      "witness the release: it was removed");
    release_free(&court.release);
}

/* It was there when the pin was proven. */
static void verdict__a_witness_that_cannot_be_started_is_a_failure(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, NULL, "exit 0");
    court.release.pin.apple.codesign.path = text_copy("/nowhere/codesign");
    assert_int_equal(verdict(&court, &fail), -1);
    assert_true(fail.code == FAIL_CHILD || fail.code == FAIL_SYSTEM);
    release_free(&court.release);
}

static void verdict__llvm_has_no_witnesses(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct court court;
    court_open(&court, NULL, NULL);
    court.release.toolchain.family = TOOLCHAIN_LLVM;
    assert_int_equal(verdict(&court, &fail), 0);
    assert_int_equal(court.release.findings.count, 0);
    release_free(&court.release);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdict__both_accept),
        cmocka_unit_test(verdict__both_reject),
        cmocka_unit_test(verdict__witnesses_accept_what_hallmark_does_not),
        cmocka_unit_test(verdict__other_findings_do_not_count),
        cmocka_unit_test(verdict__words_are_shown_in_one_line),
        cmocka_unit_test(verdict__a_witness_that_is_not_there_is_a_failure),
        cmocka_unit_test(verdict__a_witness_that_cannot_be_started_is_a_failure),
        cmocka_unit_test(verdict__llvm_has_no_witnesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
