/*
 * Purpose: the Metal of an emulated world: device classes below _MTLDevice with the methods that a
 *     trial gives them, devices, and the questions that a process asks a device.
 *
 * Layer: assay.
 *
 * Calling sequence: world_start(), metal_add_class() for each class (a superclass first), load and
 *     initialise images, metal_add_device() for each device, then metal_ask().
 *
 * Ownership: what is described is borrowed for the life of the world.
 *
 * Errors: findings of process.h, and -1 or false.
 *
 * Determinism: pure.
 *
 * Source of the facts: Metal/MTLDevice.h; public class dumps show initGPUFamilySupport as a method
 *     of _MTLDevice that devices send themselves while they initialise.
 */
#ifndef HALLMARK_ASSAY_METAL_H
#define HALLMARK_ASSAY_METAL_H

#include "assay/world.h"
#include "config/trial.h"

enum metal_question {
    METAL_FAMILY,      /* supportsFamily: */
    METAL_THREADGROUP, /* maxThreadgroupMemoryLength */
    METAL_WORKING_SET, /* recommendedMaxWorkingSetSize */
    METAL_START,       /* initGPUFamilySupport */
    METAL_QUESTIONS,
};

/* A class defines the methods that are listed; all others are inherited. */
struct metal_class {
    const char *name;
    const char *super; /* NULL: NSObject */
    bool defines[METAL_QUESTIONS];
    /* The method asks super as well: yes when either says yes, the larger of both numbers; for
     * METAL_START: super is started too. */
    bool asks_super[METAL_QUESTIONS];
    bool is_fixed[METAL_QUESTIONS];     /* the runtime puts no other method in its place */
    const struct trial_range *families; /* that it answers yes for */
    size_t family_count;
    uint64_t threadgroup_len;
    uint64_t working_set_len;
};

struct metal_device {
    const char *class_name;
    const char *name;
    uint64_t registry_id;
    bool headless, low_power, unified_memory;
};

const char *metal_selector(enum metal_question question);

bool metal_add_class(struct world *world, const struct metal_class *description);

/* Makes a device and starts it; from then on MTLCopyAllDevices lists it, and the first one is the
 * system default. 0, or -1: the process ended. */
int metal_add_device(struct world *world, const struct metal_device *description) must_check;

/* Starts a device again, as a second device of its class would. */
int metal_start_again(struct world *world, size_t device) must_check;

/* Asks a device; `family` counts for METAL_FAMILY only. 0, or -1: the process ended. */
int metal_ask(uint64_t *answer, struct world *world, size_t device, enum metal_question question,
              int64_t family) must_check;

#endif
