/*
 * Purpose: what is pinned beside what was found, field by field.
 *
 * Layer: stage.
 *
 * Calling sequence: pin_fields_add() for each; pin_fields_judge() makes the text of all that
 *     differ.
 *
 * Ownership: fields own their texts; names are constants.
 *
 * Errors: none.
 *
 * Determinism: the order of the calls.
 */
#ifndef HALLMARK_STAGE_PIN_FIELDS_H
#define HALLMARK_STAGE_PIN_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define PIN_FIELDS_MAX 20u

struct pin_field {
    const char *name;
    char *pinned;  /* NULL: the pin leaves it open */
    char *found;   /* NULL: not found */
    char *problem; /* why what was found cannot be used, or nothing was; NULL: nothing to say */
    bool ok;
};

struct pin_fields {
    struct pin_field list[PIN_FIELDS_MAX];
    size_t count;
};

#define own_pin_fields __attribute__((cleanup(pin_fields_release)))
void pin_fields_release(struct pin_fields *fields);

/* Copies the texts. Without `problem` the field is ok when it was found and is as pinned. */
void pin_fields_add(struct pin_fields *fields, const char *name, const char *pinned,
                    const char *found, const char *problem);

/* The same for what is only there or not: what is pinned is a name, what is found a place. */
void pin_fields_add_place(struct pin_fields *fields, const char *name, const char *pinned,
                          const char *found, const char *problem);

/* "compiler version: expected 21.0.0, found 21.0.1; ..." of those that are not ok. */
void pin_fields_judge(struct buf *out, const struct pin_fields *fields);

#endif
