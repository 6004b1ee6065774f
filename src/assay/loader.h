/*
 * Purpose: puts a thin arm64 or arm64e image into an emulated process as dyld would: maps its
 *     segments, writes its fix-ups (signed, where the image says so and the process
 *     authenticates), protects the segments, and runs its initialisers.
 *
 * Layer: assay.
 *
 * Calling sequence:
 *         own_loader struct loader loader = {.process = process, .resolve = world_resolve, ...};
 *         loader_start(&loader);
 *         if (loader_load(&loader, "lib.dylib", bytes, &fail) < 0 || ...)
 *         if (!process_ended(process)) loader_initialise(&loader, 0);
 *
 * Ownership: the bytes of the images are borrowed and must outlive the loader.
 *
 * Errors: loader_load(): FAIL_INPUT for what is no dylib, bundle or executable of arm64 or arm64e,
 *     for malformed tables, for fix-ups of another kind than chained ones, and for segments that
 *     overlap or are larger than the limits. What is sound but cannot work is a finding:
 *       assay.import          the world has no such symbol
 *       assay.initialiser     an initialiser is not in code
 *
 * Determinism: the n-th image is always at the same address.
 *
 * Source of the facts: mach-o/fixup-chains.h, mach-o/loader.h; the blend of address and diversity:
 *     ptrauth.h (ptrauth_blend_discriminator).
 */
#ifndef HALLMARK_ASSAY_LOADER_H
#define HALLMARK_ASSAY_LOADER_H

#include "assay/process.h"
#include "macho/fixups.h"
#include "macho/image.h"
#include "macho/symbols.h"

#define LOADER_IMAGES_MAX 4u

struct loader_image {
    char *name;
    struct image image;
    struct fixup_list fixups;
    struct symbol_list exports;
    uint64_t slide; /* is added to every address of the image; wraps around */
};

struct loader {
    struct process *process;
    struct findings *findings;
    /* The address of a symbol of the world; 0 when it has none. */
    uint64_t (*resolve)(void *context, const char *name);
    void *context;
    struct loader_image images[LOADER_IMAGES_MAX];
    unsigned image_count;
};

#define own_loader __attribute__((cleanup(loader_release)))

/* Lets the process name places and fix-ups of the images. */
void loader_start(struct loader *loader);

int loader_load(struct loader *loader, const char *name, struct view bytes,
                struct fail *fail) must_check;

/* Runs the initialisers of an image, in order; stops when the process ends. */
void loader_initialise(struct loader *loader, unsigned image);

/* The address that LC_MAIN names; 0 when the image has none. */
uint64_t loader_entry(const struct loader *loader, unsigned image);

void loader_release(struct loader *loader);

#endif
