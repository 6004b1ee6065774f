/* The Objective-C runtime: classes, methods, selectors, messages. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/world.h"

#define CLASS_LEN   40u /* isa, superclass, cache, cache, data: as the runtime's objects */
#define OBJECT_LEN  64u
#define METHOD_LEN  24u
#define POINTER_LEN 8u

/* ---- classes and methods -------------------------------------------------------------------- */

struct world_class *world_add_class(struct world *world, const char *name,
                                    struct world_class *super)
{
    if (world->class_count == WORLD_CLASSES_MAX) {
        process_complain(world->process, "fewer classes", "more than %u", WORLD_CLASSES_MAX);
        return NULL;
    }
    uint64_t address = process_alloc(world->process, CLASS_LEN);
    if (address == 0)
        return NULL;
    struct world_class *class_ = mem_new(1, sizeof *class_);
    class_->address = address;
    class_->name = text_copy(name);
    class_->super = super;
    world->classes[world->class_count++] = class_;
    return class_;
}

struct world_class *world_find_class(const struct world *world, const char *name)
{
    for (size_t i = 0; i < world->class_count; i++) {
        if (strcmp(world->classes[i]->name, name) == 0)
            return world->classes[i];
    }
    return NULL;
}

static struct world_class *class_at(const struct world *world, uint64_t address)
{
    for (size_t i = 0; i < world->class_count; i++) {
        if (world->classes[i]->address == address)
            return world->classes[i];
    }
    return NULL;
}

static struct world_method *own_method(const struct world_class *class_, const char *selector)
{
    for (size_t i = 0; i < class_->method_count; i++) {
        if (strcmp(class_->methods[i]->selector, selector) == 0)
            return class_->methods[i];
    }
    return NULL;
}

struct world_method *world_find_method(const struct world_class *class_, const char *selector)
{
    for (; class_ != NULL; class_ = class_->super) {
        struct world_method *method = own_method(class_, selector);
        if (method != NULL)
            return method;
    }
    return NULL;
}

static struct world_method *method_at(const struct world *world, uint64_t address)
{
    for (size_t c = 0; c < world->class_count; c++) {
        const struct world_class *class_ = world->classes[c];
        for (size_t i = 0; i < class_->method_count; i++) {
            if (class_->methods[i]->address == address)
                return class_->methods[i];
        }
    }
    return NULL;
}

static struct world_method *add_method(struct world *world, struct world_class *class_,
                                       const char *selector, uint64_t types,
                                       uint64_t implementation)
{
    struct world_method *method = own_method(class_, selector);
    if (method == NULL) {
        if (class_->method_count == WORLD_METHODS_MAX) {
            process_complain(world->process, "fewer methods", "more than %u", WORLD_METHODS_MAX);
            return NULL;
        }
        uint64_t address = process_alloc(world->process, METHOD_LEN);
        if (address == 0)
            return NULL;
        class_->methods = mem_grow(class_->methods, class_->method_count, &class_->method_capacity,
                                   sizeof(struct world_method *));
        method = mem_new(1, sizeof *method);
        *method = (struct world_method){
            .address = address, .selector = text_copy(selector), .owner = class_};
        class_->methods[class_->method_count++] = method;
    }
    method->types = types;
    method->implementation = implementation;
    return method;
}

void world_add_method(struct world *world, struct world_class *class_, const char *selector,
                      const char *types, stand_in call, void *context)
{
    own_mem char *name = text_printf("-[%s %s]", class_->name, selector);
    uint64_t implementation = process_stand_in(world->process, name, call, context);
    uint64_t encoding = process_alloc_text(world->process, types);
    if (encoding != 0)
        add_method(world, class_, selector, encoding, implementation);
}

/* ---- objects -------------------------------------------------------------------------------- */

uint64_t world_add_object(struct world *world, struct world_class *class_, enum world_kind kind)
{
    if (world->object_count == WORLD_OBJECTS_MAX) {
        process_complain(world->process, "fewer objects", "more than %u", WORLD_OBJECTS_MAX);
        return 0;
    }
    uint64_t address = process_alloc(world->process, OBJECT_LEN);
    if (address == 0)
        return 0;
    world->objects = mem_grow(world->objects, world->object_count, &world->object_capacity,
                              sizeof(struct world_object *));
    struct world_object *object = mem_new(1, sizeof *object);
    *object = (struct world_object){.address = address, .class_ = class_, .kind = kind};
    world->objects[world->object_count++] = object;
    return address;
}

struct world_object *world_find_object(const struct world *world, uint64_t address)
{
    size_t low = 0;
    size_t high = world->object_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (world->objects[middle]->address < address)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < world->object_count && world->objects[low]->address == address;
    return found ? world->objects[low] : NULL;
}

/* ---- selectors ------------------------------------------------------------------------------ */

/* Where a name is among the selectors, or would be. */
static size_t selector_place(const struct world *world, const char *name)
{
    size_t low = 0;
    size_t high = world->selector_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(world->selectors[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_selector_at(const struct world *world, size_t at, const char *name)
{
    return at < world->selector_count && strcmp(world->selectors[at].name, name) == 0;
}

/* The one address that stands for a name: that of its first text. 0 with a finding. */
static uint64_t add_selector(struct world *world, const char *name, uint64_t address)
{
    size_t at = selector_place(world, name);
    if (has_selector_at(world, at, name))
        return world->selectors[at].address;
    if (address == 0 && (address = process_alloc_text(world->process, name)) == 0)
        return 0;
    if (!process_work(world->process, world->selector_count - at))
        return 0;
    world->selectors = mem_grow(world->selectors, world->selector_count, &world->selector_capacity,
                                sizeof *world->selectors);
    memmove(world->selectors + at + 1, world->selectors + at,
            (world->selector_count - at) * sizeof *world->selectors);
    world->selectors[at] = (struct world_selector){text_copy(name), address};
    world->selector_count++;
    return address;
}

static uint64_t unique_selector(struct world *world, uint64_t address)
{
    own_mem char *name = process_text(world->process, address);
    return name == NULL ? 0 : add_selector(world, name, address);
}

/* The name of a selector; NULL with a finding when it is none: a mere text is not. */
static char *selector_text(struct world *world, uint64_t address)
{
    own_mem char *name = process_text(world->process, address);
    if (name == NULL)
        return NULL;
    size_t at = selector_place(world, name);
    if (has_selector_at(world, at, name) && world->selectors[at].address == address)
        return steal_mem(&name);
    own_mem char *clean = text_clean(name);
    process_complain(world->process, "a selector that the runtime knows",
                     "the text '%s' at 0x%" PRIx64, clean, address);
    return NULL;
}

/* As the runtime does before it runs anything, whatever the segment allows the image itself. */
static void adopt_selectors(struct world *world, const struct loader_image *entry,
                            const struct image_section *section)
{
    for (uint64_t off = 0; off + POINTER_LEN <= section->size; off += POINTER_LEN) {
        uint64_t slot = section->address + entry->slide + off;
        uint64_t selector = 0;
        if (!process_read_u64(world->process, &selector, slot) ||
            (selector = unique_selector(world, selector)) == 0 ||
            !emu_write(process_emu(world->process), slot, &selector, sizeof selector))
            return;
    }
}

void world_adopt_image(struct world *world, const struct loader *loader, unsigned image)
{
    static const char *const foreign[] = {"__objc_classlist", "__objc_catlist", "__objc_nlclslist",
                                          "__objc_protolist", "__objc_superrefs"};
    const struct loader_image *entry = &loader->images[image];
    for (uint32_t i = 0; i < entry->image.section_count; i++) {
        const struct image_section *section = &entry->image.sections[i];
        if (strcmp(section->name, "__objc_selrefs") == 0)
            adopt_selectors(world, entry, section);
        for (size_t k = 0; k < sizeof foreign / sizeof foreign[0]; k++) {
            if (section->size == 0 || strcmp(section->name, foreign[k]) != 0)
                continue;
            finding_error(world->findings, "assay.image", entry->name,
                          "an image without classes, categories and protocols of its own",
                          foreign[k]);
            process_end(world->process);
        }
    }
}

/* ---- messages ------------------------------------------------------------------------------- */

/* What a message to an object finds; NULL with a finding. Strings of the image have no object. */
static struct world_method *find_target(struct world *world, uint64_t receiver,
                                        const char *selector)
{
    const struct world_object *object = world_find_object(world, receiver);
    const struct world_class *class_ = NULL;
    if (object != NULL) {
        class_ = object->class_;
    } else {
        own_mem char *text = world_string_text(world, receiver);
        if (text == NULL)
            return NULL;
        class_ = world_find_class(world, "NSString");
    }
    struct world_method *method = world_find_method(class_, selector);
    if (method == NULL)
        process_complain(world->process, "a selector that the class responds to", "-[%s %s]",
                         class_->name, selector);
    return method;
}

static bool objc_msg_send(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    uint64_t receiver = process_argument(process, 0);
    if (receiver == 0)
        return process_return(process, 0);
    own_mem char *selector = selector_text(world, process_argument(process, 1));
    if (selector == NULL)
        return false;
    const struct world_method *method = find_target(world, receiver, selector);
    return method != NULL && process_jump(process, method->implementation);
}

int world_send(struct world *world, uint64_t receiver, const char *selector, uint64_t argument,
               uint64_t *result)
{
    const struct world_method *method = find_target(world, receiver, selector);
    uint64_t name = method == NULL ? 0 : add_selector(world, selector, 0);
    if (name == 0)
        return -1;
    const uint64_t arguments[] = {receiver, name, argument};
    return process_call(world->process, method->implementation, arguments, 3, result);
}

/* ---- the functions of objc/runtime.h -------------------------------------------------------- */

/* Argument 0 as a class, NULL for nil; false with a finding. */
static bool take_class(struct world *world, struct world_class **class_)
{
    uint64_t address = process_argument(world->process, 0);
    *class_ = class_at(world, address);
    if (*class_ == NULL && address != 0)
        return process_complain(world->process, "a class", "0x%" PRIx64, address);
    return true;
}

/* Argument 1 is a selector. */
static bool take_class_and_selector(struct world *world, struct world_class **class_,
                                    char **selector)
{
    if (!take_class(world, class_))
        return false;
    *selector = selector_text(world, process_argument(world->process, 1));
    return *selector != NULL;
}

/* Argument 2 is code, what the selector is to do. */
static bool take_new_method(struct world *world, struct world_class **class_, char **selector,
                            uint64_t *implementation)
{
    return take_class_and_selector(world, class_, selector) &&
           process_code_pointer(world->process, implementation,
                                process_argument(world->process, 2));
}

static bool class_get_instance_method(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    struct world_class *class_ = NULL;
    own_mem char *selector = NULL;
    if (!take_class_and_selector(world, &class_, &selector))
        return false;
    const struct world_method *method = world_find_method(class_, selector);
    return process_return(process, method == NULL ? 0 : method->address);
}

static bool is_fixed(const struct world_class *class_, const char *selector)
{
    return class_->is_fixed != NULL && class_->is_fixed(class_, selector);
}

static bool class_add_method(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    struct world_class *class_ = NULL;
    own_mem char *selector = NULL;
    uint64_t implementation = 0;
    if (!take_new_method(world, &class_, &selector, &implementation))
        return false;
    if (class_ == NULL || own_method(class_, selector) != NULL || is_fixed(class_, selector))
        return process_return(process, 0);
    return add_method(world, class_, selector, process_argument(process, 3), implementation) !=
               NULL &&
           process_return(process, 1);
}

static bool class_replace_method(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    struct world_class *class_ = NULL;
    own_mem char *selector = NULL;
    uint64_t implementation = 0;
    if (!take_new_method(world, &class_, &selector, &implementation))
        return false;
    if (class_ == NULL)
        return process_return(process, 0);
    struct world_method *method = own_method(class_, selector);
    uint64_t before = method == NULL ? 0 : method->implementation;
    if (method != NULL && !is_fixed(class_, selector))
        method->implementation = implementation; /* keeps the types that it has */
    else if (!is_fixed(class_, selector) &&
             add_method(world, class_, selector, process_argument(process, 3), implementation) ==
                 NULL)
        return false;
    return process_return(process, process_sign_code(process, before));
}

/* Argument 0 as a method, NULL for none; false with a finding. */
static bool take_method(struct world *world, struct world_method **method)
{
    uint64_t address = process_argument(world->process, 0);
    *method = method_at(world, address);
    if (*method == NULL && address != 0)
        return process_complain(world->process, "a method", "0x%" PRIx64, address);
    return true;
}

static bool method_get_implementation(struct process *process, void *context)
{
    struct world_method *method = NULL;
    if (!take_method((struct world *)context, &method))
        return false;
    uint64_t implementation = method == NULL ? 0 : method->implementation;
    return process_return(process, process_sign_code(process, implementation));
}

static bool method_set_implementation(struct process *process, void *context)
{
    struct world_method *method = NULL;
    uint64_t implementation = 0;
    if (!take_method((struct world *)context, &method) ||
        !process_code_pointer(process, &implementation, process_argument(process, 1)))
        return false;
    if (method == NULL || implementation == 0)
        return process_return(process, 0); /* nothing is set either */
    uint64_t before = method->implementation;
    if (!is_fixed(method->owner, method->selector))
        method->implementation = implementation;
    return process_return(process, process_sign_code(process, before));
}

static bool method_get_type_encoding(struct process *process, void *context)
{
    struct world_method *method = NULL;
    if (!take_method((struct world *)context, &method))
        return false;
    return process_return(process, method == NULL ? 0 : method->types);
}

static bool objc_get_class(struct process *process, void *context)
{
    own_mem char *name = process_text_argument(process, 0);
    if (name == NULL)
        return false;
    const struct world_class *class_ = world_find_class((struct world *)context, name);
    return process_return(process, class_ == NULL ? 0 : class_->address);
}

static bool object_get_class(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    uint64_t address = process_argument(process, 0);
    if (address == 0)
        return process_return(process, 0);
    const struct world_object *object = world_find_object(world, address);
    if (object == NULL)
        return process_complain(process, "an object", "0x%" PRIx64, address);
    return process_return(process, object->class_->address);
}

static bool class_get_name(struct process *process, void *context)
{
    struct world_class *class_ = NULL;
    if (!take_class((struct world *)context, &class_))
        return false;
    return process_return_text(process, class_ == NULL ? "nil" : class_->name);
}

static bool class_get_superclass(struct process *process, void *context)
{
    struct world_class *class_ = NULL;
    if (!take_class((struct world *)context, &class_))
        return false;
    bool has_super = class_ != NULL && class_->super != NULL;
    return process_return(process, has_super ? class_->super->address : 0);
}

static bool sel_get_name(struct process *process, void *context)
{
    uint64_t selector = process_argument(process, 0);
    if (selector == 0)
        return process_return_text(process, "<null selector>");
    own_mem char *name = selector_text((struct world *)context, selector);
    return name != NULL && process_return(process, selector);
}

static bool sel_register_name(struct process *process, void *context)
{
    uint64_t selector = unique_selector((struct world *)context, process_argument(process, 0));
    return selector != 0 && process_return(process, selector);
}

/* Objects live as long as the world: nothing is counted. */
static bool keep_object(struct process *process, void *context)
{
    (void)process;
    (void)context;
    return true;
}

static bool pool_push(struct process *process, void *context)
{
    (void)context;
    return process_return(process, 1);
}

stand_in world_objc_function(const char *name)
{
    static const struct world_function functions[] = {
        {"_objc_msgSend", objc_msg_send},
        {"_class_addMethod", class_add_method},
        {"_class_getInstanceMethod", class_get_instance_method},
        {"_class_getName", class_get_name},
        {"_class_getSuperclass", class_get_superclass},
        {"_class_replaceMethod", class_replace_method},
        {"_method_getImplementation", method_get_implementation},
        {"_method_getTypeEncoding", method_get_type_encoding},
        {"_method_setImplementation", method_set_implementation},
        {"_object_getClass", object_get_class},
        {"_objc_getClass", objc_get_class},
        {"_objc_lookUpClass", objc_get_class},
        {"_sel_getName", sel_get_name},
        {"_sel_registerName", sel_register_name},
        {"_objc_retain", keep_object},
        {"_objc_release", keep_object},
        {"_objc_autorelease", keep_object},
        {"_objc_autoreleaseReturnValue", keep_object},
        {"_objc_retainAutorelease", keep_object},
        {"_objc_retainAutoreleaseReturnValue", keep_object},
        {"_objc_retainAutoreleasedReturnValue", keep_object},
        {"_objc_unsafeClaimAutoreleasedReturnValue", keep_object},
        {"_objc_autoreleasePoolPush", pool_push},
        {"_objc_autoreleasePoolPop", keep_object},
        {"_objc_opt_self", keep_object},
    };
    return world_look_up(functions, sizeof functions / sizeof functions[0], name);
}
