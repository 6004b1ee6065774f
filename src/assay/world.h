/*
 * Purpose: what an emulated process finds around it: a C library, an Objective-C runtime with
 *     classes, methods and selectors, Foundation's strings and log, and a Metal with the device
 *     classes and devices that a trial describes. All of it answers as macOS does in what the
 *     images can see, and refuses what it does not know.
 *
 * Layer: assay.
 *
 * Calling sequence:
 *         struct world world;
 *         world_start(&world, process, findings);
 *         world_set_environment(&world, "NAME=value"); world.program = "python3.12";
 *         struct world_class *base = world_class(&world, "_MTLDevice", root);
 *         metal_class(...) for each device class
 *         loader.resolve = world_resolve; loader.context = &world; loader_load(...);
 *         world_adopt_image(&world, &loader, 0); loader_initialise(&loader, 0);
 *
 * Ownership: the world owns classes, objects, what was logged and printed; world_release() frees.
 *
 * Errors: findings of process.h; no failures.
 *
 * Determinism: a pure function of the trial; nothing of the host is seen.
 *
 * Source of the facts: objc/runtime.h, objc/message.h, Metal/MTLDevice.h; the layout of constant
 *     strings: CFString (isa, flags, pointer, length), measured in clang's output.
 */
#ifndef HALLMARK_ASSAY_WORLD_H
#define HALLMARK_ASSAY_WORLD_H

#include "assay/loader.h"
#include "assay/process.h"
#include "base/buf.h"
#include "config/trial.h"

#define WORLD_CLASSES_MAX (TRIAL_LIST_MAX + 8u) /* those of the trial, and the world's own */
#define WORLD_METHODS_MAX 256u                  /* in one class */
#define WORLD_OBJECTS_MAX 65536u
#define WORLD_LOCKS_MAX   4096u
#define WORLD_COPY_MAX    (16u << 20) /* bytes that one call may be given */

struct world_class;

struct world_method {
    uint64_t address; /* the Method that the images see */
    char *selector;
    uint64_t types;          /* the encoding, in the process */
    uint64_t implementation; /* not signed */
    const struct world_class *owner;
};

struct world_class {
    uint64_t address; /* the Class that the images see */
    char *name;
    struct world_class *super; /* NULL: a root */
    struct world_method **methods;
    size_t method_count;
    size_t method_capacity;
    void *details; /* of the module that made the class; borrowed */
    /* Its too; NULL: none. Whether the runtime refuses to put a method in this class. */
    bool (*is_fixed)(const struct world_class *class_, const char *selector);
};

enum world_kind { WORLD_PLAIN, WORLD_STRING, WORLD_ARRAY };

struct world_object {
    uint64_t address;
    struct world_class *class_;
    enum world_kind kind;
    char *text;      /* WORLD_STRING */
    uint64_t *items; /* WORLD_ARRAY */
    size_t item_count;
    void *details; /* borrowed */
};

/* A selector that the runtime knows: a name, and the one address that stands for it. */
struct world_selector {
    char *name;
    uint64_t address;
};

/* A lock of the C library, by its address. */
struct world_lock {
    uint64_t address;
    bool held;
};

struct world {
    struct process *process;
    struct findings *findings;
    const char *program; /* getprogname(); borrowed */
    char **environment;  /* "NAME=value" */
    size_t environment_count;
    size_t environment_capacity;

    struct world_class *classes[WORLD_CLASSES_MAX];
    size_t class_count;
    struct world_object **objects; /* by address */
    size_t object_count;
    size_t object_capacity;
    struct world_lock *locks;
    size_t lock_count;
    size_t lock_capacity;
    struct world_selector *selectors; /* by name */
    size_t selector_count;
    size_t selector_capacity;
    uint64_t *devices; /* of metal.c, in the order of their making */
    size_t device_count;
    size_t device_capacity;

    char **log; /* what NSLog was given, a line each */
    size_t log_count;
    size_t log_capacity;
    void **kept; /* world_keep() */
    size_t kept_count;
    size_t kept_capacity;
    struct buf output; /* what was printed to stdout and stderr */
    struct buf errors;
    bool exited;
    uint64_t exit_code;

    /* Objects of the C library and of Foundation that images refer to by name. */
    uint64_t constant_string_class;
    uint64_t stdout_pointer, stderr_pointer, stack_guard, errno_address;
};

#define own_world __attribute__((cleanup(world_release)))

void world_start(struct world *world, struct process *process, struct findings *findings);
void world_release(struct world *world);

/* Zeroed memory that lives as long as the world: contexts of stand-ins. */
void *world_keep(struct world *world, size_t len);

/* Later settings of the same name count. */
void world_set_environment(struct world *world, const char *setting);

/* The address of a symbol, for loader.resolve; 0 when the world has none. `context`: the world. */
uint64_t world_resolve(void *context, const char *name);

/* Makes the selectors of an image unique, as the runtime does before it runs anything, and looks
 * for what this runtime cannot do (classes and categories of the image's own: "assay.image"). */
void world_adopt_image(struct world *world, const struct loader *loader, unsigned image);

/* ---- Objective-C ---- */

/* A new class; NULL with a finding when there are too many. */
struct world_class *world_add_class(struct world *world, const char *name,
                                    struct world_class *super);
struct world_class *world_find_class(const struct world *world, const char *name);

/* Adds or replaces a method of the class itself that a stand-in answers. */
void world_add_method(struct world *world, struct world_class *class_, const char *selector,
                      const char *types, stand_in call, void *context);

/* The method that a message to an object of the class finds; NULL: none. */
struct world_method *world_find_method(const struct world_class *class_, const char *selector);

/* A new object; 0 with a finding when there is no more memory. */
uint64_t world_add_object(struct world *world, struct world_class *class_, enum world_kind kind);
struct world_object *world_find_object(const struct world *world, uint64_t address);

/* Sends a message; gives x0. -1: the process ended. */
int world_send(struct world *world, uint64_t receiver, const char *selector, uint64_t argument,
               uint64_t *result) must_check;

/* ---- Foundation ---- */

uint64_t world_add_string(struct world *world, const char *text);

/* The text of a string object, constant or of the world's; NULL with a finding. Free it. */
char *world_string_text(struct world *world, uint64_t address);

/*
 * Formats as printf and NSLog do, with the variadic arguments of the running stand-in from
 * `index` on; false with a finding for a conversion that is not known.
 */
bool world_format(struct world *world, struct buf *out, const char *format, unsigned index);

/* The functions of each part by their symbols; NULL: it has no such function. */
struct world_function {
    const char *name;
    stand_in call;
};
stand_in world_look_up(const struct world_function *functions, size_t count, const char *name);
stand_in world_libc_function(const char *name);
stand_in world_text_function(const char *name);
stand_in world_objc_function(const char *name);
stand_in world_foundation_function(const char *name);
stand_in metal_function(const char *name);

/* Called by world_start(). */
void world_foundation_start(struct world *world);
void world_libc_start(struct world *world);

#endif
