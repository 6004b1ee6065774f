/*
 * Purpose: what every unit test includes: cmocka, which wants four headers before it, and
 *     helpers for failures, findings and scratch space.
 */
#ifndef HALLMARK_TESTS_UNIT_H
#define HALLMARK_TESTS_UNIT_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on

#include <string.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"
#include "base/finding.h"
#include "macho/sigcheck.h"

/* All bytes of a buffer, until it changes; a text without its NUL. */
static inline struct view unit_view(const struct buf *buf)
{
    return (struct view){buf->data, buf->len};
}

static inline struct view unit_text(const char *text)
{
    return (struct view){(const uint8_t *)text, strlen(text)};
}

/* The call failed with that code, and its message contains the text. */
#define assert_fails(call, fail, expected_code, text)                      \
    do {                                                                   \
        assert_int_equal((call), -1);                                      \
        assert_int_equal((fail)->code, (expected_code));                   \
        unit_assert_contains((fail)->message, (text), __FILE__, __LINE__); \
    } while (0)

/* The call succeeded; else its message is shown. */
#define assert_works(call, fail)                                                              \
    do {                                                                                      \
        if ((call) != 0)                                                                      \
            fail_msg("%s",                                                                    \
                     (fail)->message != NULL ? (fail)->message : "failed without a message"); \
    } while (0)

void unit_assert_contains(const char *text, const char *part, const char *file, int line);

/* What sigcheck_verify() finds in a thin file, which can be read. */
void unit_verify(struct findings *out, const struct buf *file,
                 const struct sigcheck_options *options);

/* How many findings of that id there are. */
size_t unit_count_findings(const struct findings *findings, const char *id);

/* The finding of that level and id whose place, expectation or fact has the text, or NULL; the
 * second fails the test when there is none, and shows what there is. */
const struct finding *unit_find_finding(const struct findings *findings, enum finding_level level,
                                        const char *id, const char *text);
void unit_expect_finding(const struct findings *findings, enum finding_level level, const char *id,
                         const char *text);

/* For loops over every byte of a file, at += stride: 1, but `under_asan` under a sanitizer, which
 * is ten times slower; they begin at *start then, which the printed HALLMARK_SEED tells. */
size_t unit_stride(size_t *start, size_t under_asan);

/* Makes an empty directory below $TMPDIR, changes to it; unit_leave() removes it. */
void unit_enter_directory(void);
void unit_leave_directory(void);
int unit_setup_directory(void **state);
int unit_teardown_directory(void **state);

#endif
