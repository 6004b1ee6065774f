/*
 * Purpose: an image that a test builds, opens and asks, with what belongs to that.
 *
 * Layer: tests.
 *
 * Calling sequence:
 *         own_reading struct reading r = {0};
 *         macho_begin(&r.b);                        // and more, or macho_small_dylib(&r.b)
 *         macho_finish(&r.b, 0x600);
 *         reading_open(&r);                         // again after changes of r.b.out
 *         assert_fails(symbols_imports(&list, &r.image, &r.fail), &r.fail, FAIL_INPUT, "...");
 *
 * Ownership: own_reading releases everything; the image borrows r.b.out.
 *
 * Errors: a file that cannot be opened fails the test.
 */
#ifndef HALLMARK_TESTS_READING_H
#define HALLMARK_TESTS_READING_H

#include "macho/image.h"
#include "unit/macho_builder.h"
#include "unit/unit.h"

struct reading {
    struct macho_builder b;
    struct image image;
    struct fail fail;
};

void reading_open(struct reading *r);

#define own_reading __attribute__((cleanup(reading_release)))
void reading_release(struct reading *r);

#endif
