#include "assay/metal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *selector;
    const char *types;
} QUESTIONS[] = {
    [METAL_FAMILY] = {"supportsFamily:", "B24@0:8q16"},
    [METAL_THREADGROUP] = {"maxThreadgroupMemoryLength", "Q16@0:8"},
    [METAL_WORKING_SET] = {"recommendedMaxWorkingSetSize", "Q16@0:8"},
    [METAL_START] = {"initGPUFamilySupport", "v16@0:8"},
};

const char *metal_selector(enum metal_question question)
{
    return QUESTIONS[question].selector;
}

/* ---- the methods of device classes ---------------------------------------------------------- */

/* What a stock method knows: the class that defines it. */
struct stock_method {
    struct world *world;
    const struct world_class *owner;
    enum metal_question question;
};

static uint64_t own_answer(const struct metal_class *class_, enum metal_question question,
                           int64_t family)
{
    switch (question) {
    case METAL_FAMILY:
        for (size_t i = 0; i < class_->family_count; i++) {
            if (family >= class_->families[i].first && family <= class_->families[i].last)
                return 1;
        }
        return 0;
    case METAL_THREADGROUP:
        return class_->threadgroup_len;
    case METAL_WORKING_SET:
        return class_->working_set_len;
    case METAL_START:
    case METAL_QUESTIONS:
        break;
    }
    return 0;
}

/* The answer of the superclass's method, as [super ...] gives it. */
static bool ask_super(struct process *process, const struct stock_method *stock, uint64_t *answer)
{
    const char *selector = QUESTIONS[stock->question].selector;
    const struct world_method *method = world_find_method(stock->owner->super, selector);
    if (method == NULL)
        return process_complain(process, "a superclass with the method", "none has %s", selector);
    const uint64_t arguments[] = {process_argument(process, 0), process_argument(process, 1),
                                  process_argument(process, 2)};
    return process_call(process, method->implementation, arguments, 3, answer) == 0;
}

static bool answer_stock(struct process *process, void *context)
{
    const struct stock_method *stock = (const struct stock_method *)context;
    const struct metal_class *class_ = (const struct metal_class *)stock->owner->details;
    uint64_t own = own_answer(class_, stock->question, (int64_t)process_argument(process, 2));
    uint64_t above = 0;
    if (class_->asks_super[stock->question] && !ask_super(process, stock, &above))
        return false;
    return process_return(process, above > own ? above : own);
}

static bool is_fixed(const struct world_class *class_, const char *selector)
{
    const struct metal_class *description = (const struct metal_class *)class_->details;
    for (enum metal_question q = METAL_FAMILY; q < METAL_QUESTIONS; q++) {
        if (description->is_fixed[q] && strcmp(QUESTIONS[q].selector, selector) == 0)
            return true;
    }
    return false;
}

bool metal_add_class(struct world *world, const struct metal_class *description)
{
    const char *super_name = description->super == NULL ? TRIAL_ROOT_CLASS : description->super;
    struct world_class *super = world_find_class(world, super_name);
    if (super == NULL)
        return process_complain(world->process, "a superclass that comes first", "%s", super_name);
    struct world_class *class_ = world_add_class(world, description->name, super);
    if (class_ == NULL)
        return false;
    class_->details = (void *)description;
    class_->is_fixed = is_fixed;
    for (enum metal_question q = METAL_FAMILY; q < METAL_QUESTIONS; q++) {
        if (!description->defines[q])
            continue;
        struct stock_method *stock = world_keep(world, sizeof *stock);
        *stock = (struct stock_method){world, class_, q};
        world_add_method(world, class_, QUESTIONS[q].selector, QUESTIONS[q].types, answer_stock,
                         stock);
    }
    return true;
}

/* ---- what every device answers -------------------------------------------------------------- */

enum attribute { NAME, REGISTRY_ID, HEADLESS, LOW_POWER, UNIFIED_MEMORY, ATTRIBUTES };

struct attribute_method {
    struct world *world;
    enum attribute attribute;
};

static bool answer_attribute(struct process *process, void *context)
{
    const struct attribute_method *method = (const struct attribute_method *)context;
    const struct world_object *object =
        world_find_object(method->world, process_argument(process, 0));
    const struct metal_device *device =
        object == NULL ? NULL : (const struct metal_device *)object->details;
    if (device == NULL)
        return process_complain(process, "a device", "another object");
    uint64_t name = 0;
    switch (method->attribute) {
    case NAME:
        name = world_add_string(method->world, device->name);
        return name != 0 && process_return(process, name);
    case REGISTRY_ID:
        return process_return(process, device->registry_id);
    case HEADLESS:
        return process_return(process, device->headless);
    case LOW_POWER:
        return process_return(process, device->low_power);
    case UNIFIED_MEMORY:
        return process_return(process, device->unified_memory);
    case ATTRIBUTES:
        break;
    }
    return false;
}

/* The attributes are methods of the root class, so that a trial need not list them. */
static void add_attributes(struct world *world)
{
    static const struct {
        const char *selector;
        const char *types;
    } attributes[] = {
        [NAME] = {"name", "@16@0:8"},
        [REGISTRY_ID] = {"registryID", "Q16@0:8"},
        [HEADLESS] = {"isHeadless", "B16@0:8"},
        [LOW_POWER] = {"isLowPower", "B16@0:8"},
        [UNIFIED_MEMORY] = {"hasUnifiedMemory", "B16@0:8"},
    };
    struct world_class *root = world_find_class(world, "NSObject");
    if (world_find_method(root, attributes[NAME].selector) != NULL)
        return;
    for (enum attribute a = NAME; a < ATTRIBUTES; a++) {
        struct attribute_method *method = world_keep(world, sizeof *method);
        *method = (struct attribute_method){world, a};
        world_add_method(world, root, attributes[a].selector, attributes[a].types, answer_attribute,
                         method);
    }
}

/* ---- devices -------------------------------------------------------------------------------- */

int metal_add_device(struct world *world, const struct metal_device *description)
{
    add_attributes(world);
    struct world_class *class_ = world_find_class(world, description->class_name);
    if (class_ == NULL) {
        process_complain(world->process, "a class of the trial", "%s", description->class_name);
        return -1;
    }
    uint64_t device = world_add_object(world, class_, WORLD_PLAIN);
    if (device == 0)
        return -1;
    world_find_object(world, device)->details = (void *)description;
    world->devices = mem_grow(world->devices, world->device_count, &world->device_capacity,
                              sizeof *world->devices);
    world->devices[world->device_count++] = device;
    return metal_start_again(world, world->device_count - 1);
}

int metal_start_again(struct world *world, size_t device)
{
    const struct world_object *object = world_find_object(world, world->devices[device]);
    const char *selector = QUESTIONS[METAL_START].selector;
    if (world_find_method(object->class_, selector) == NULL)
        return 0; /* a Metal without the method does not send it */
    return world_send(world, object->address, selector, 0, NULL);
}

int metal_ask(uint64_t *answer, struct world *world, size_t device, enum metal_question question,
              int64_t family)
{
    if (world_send(world, world->devices[device], QUESTIONS[question].selector, (uint64_t)family,
                   answer) < 0)
        return -1;
    if (question != METAL_FAMILY)
        return 0;
    *answer &= UINT32_MAX; /* BOOL: the callee extends it to 32 bits, the rest is not defined */
    if (*answer <= 1)
        return 0;
    process_complain(world->process, "YES (1) or NO (0) of supportsFamily:", "0x%" PRIx64, *answer);
    return -1;
}

static bool default_device(struct process *process, void *context)
{
    const struct world *world = (const struct world *)context;
    return process_return(process, world->device_count == 0 ? 0 : world->devices[0]);
}

static bool all_devices(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    uint64_t address = world_add_object(world, world_find_class(world, "NSArray"), WORLD_ARRAY);
    if (address == 0)
        return false;
    struct world_object *array = world_find_object(world, address);
    array->item_count = world->device_count;
    array->items = mem_copy(world->devices, world->device_count * sizeof *world->devices);
    return process_return(process, address);
}

stand_in metal_function(const char *name)
{
    static const struct world_function functions[] = {
        {"_MTLCreateSystemDefaultDevice", default_device},
        {"_MTLCopyAllDevices", all_devices},
    };
    return world_look_up(functions, sizeof functions / sizeof functions[0], name);
}
