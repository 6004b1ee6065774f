/*
 * Purpose: the Objective-C names in an image: selectors that it refers to or implements, and
 *     classes.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_texts struct text_list selectors = {0};
 *         if (objcmeta_selectors(&selectors, &image, &fail) < 0) ...
 *
 * Ownership: the texts point into the image's bytes; text_list_release() frees the array.
 *
 * Errors: FAIL_INPUT when a names section does not end with a NUL, a selector reference leads
 *     outside of the file, or the names are encrypted.
 *
 * Determinism: a pure function of the bytes; sorted by bytes, without duplicates.
 */
#ifndef HALLMARK_MACHO_OBJCMETA_H
#define HALLMARK_MACHO_OBJCMETA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "base/own.h"
#include "macho/image.h"

struct text_list {
    const char **list;
    size_t count;
    size_t capacity;
};

#define own_texts __attribute__((cleanup(text_list_release)))

/* Whether there are names, but encrypted ones, as in a program from the App Store: what lies in
 * the file in their place says nothing. */
bool objcmeta_encrypted(const struct image *image);

/* The strings of every __objc_methname section, and those that __objc_selrefs leads to
 * wherever they lie. */
int objcmeta_selectors(struct text_list *out, const struct image *image,
                       struct fail *fail) must_check;

/* The strings of every __objc_classname section (categories and protocols included). */
int objcmeta_classes(struct text_list *out, const struct image *image,
                     struct fail *fail) must_check;

void text_list_release(struct text_list *list);

#endif
