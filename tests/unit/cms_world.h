/*
 * Purpose: the certificates of the tests of src/port/cms*.c, and the signature that most of them
 *     begin with.
 *
 * Layer: tests.
 *
 * Calling sequence: cmocka_run_group_tests(tests, cms_world_make, cms_world_end).
 *
 * Errors: what must not fail, fails the test.
 */
#ifndef HALLMARK_TESTS_CMS_WORLD_H
#define HALLMARK_TESTS_CMS_WORLD_H

#include "port/cms.h"
#include "unit/cms_make.h"

#define TIMESTAMP_TYPE "1.2.840.113549.1.9.16.1.4"

extern struct cms_world {
    struct identity *root, *intermediate, *leaf, *rsa, *stranger;
    struct identity *authority; /* of timestamps */
} cms_world;

int cms_world_make(void **state);
int cms_world_end(void **state);

/* What the signature is of, and a shorter text. */
extern const struct view cms_content, cms_changed;

/* 2025-01-02 03:04:05 UTC, when it was signed. */
#define SIGNED_AT INT64_C(1735787045)

/* By the leaf, with all certificates. */
struct cms_spec cms_plain(void);

void cms_open_works(struct cms *out, const struct buf *der);

#endif
