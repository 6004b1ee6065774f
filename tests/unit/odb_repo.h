/*
 * Purpose: git repositories for the tests of src/port/odb*.c, made by git in the current
 *     directory (which the runner makes fresh for each program).
 */
#ifndef HALLMARK_TESTS_ODB_REPO_H
#define HALLMARK_TESTS_ODB_REPO_H

#include "base/buf.h"
#include "port/odb.h"

/* Whether this is a build with the address sanitizer. */
#if defined(__SANITIZE_ADDRESS__)
#    define SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define SANITIZED 1
#    endif
#endif
#ifndef SANITIZED
#    define SANITIZED 0
#endif

/* cmocka group set-up: an environment in which git answers the same everywhere. */
int repo_environment(void **state);

/* Runs a shell script (with -e); the test fails when it does. */
void sh(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; returns what it printed, without the last newline. Free it. */
char *sh_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads a file whole; writes one. */
void file_read(struct buf *out, const char *path);
void file_write(const char *path, const void *data, size_t len);

/* Opens, or fails the test with the message. */
struct odb *repo_open(const char *path);

/* Asserts code FAIL_INPUT, that the message contains `message`, and that the hint contains
 * `hint` (NULL: any); releases the failure. */
void expect_failure(struct fail *fail, const char *message, const char *hint);

/*
 * Reads every blob of the repository in three ways and compares with `git cat-file --batch`.
 * Returns how many there were.
 */
size_t expect_same_blobs(const char *path);

#endif
