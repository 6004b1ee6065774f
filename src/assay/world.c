#include "assay/world.h"

#include <stdlib.h>
#include <string.h>

#define OBJC_CLASS_PREFIX "_OBJC_CLASS_$_"

void world_start(struct world *world, struct process *process, struct findings *findings)
{
    *world = (struct world){.process = process, .findings = findings, .program = "process"};
    world_add_class(world, "NSObject", NULL);
    world_libc_start(world);
    world_foundation_start(world);
}

static void release_class(struct world_class *class_)
{
    for (size_t i = 0; i < class_->method_count; i++) {
        free(class_->methods[i]->selector);
        free(class_->methods[i]);
    }
    free(class_->methods);
    free(class_->name);
    free(class_);
}

static void release_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

void world_release(struct world *world)
{
    for (size_t i = 0; i < world->class_count; i++)
        release_class(world->classes[i]);
    for (size_t i = 0; i < world->object_count; i++) {
        free(world->objects[i]->text);
        free(world->objects[i]->items);
        free(world->objects[i]);
    }
    free(world->objects);
    free(world->locks);
    for (size_t i = 0; i < world->selector_count; i++)
        free(world->selectors[i].name);
    free(world->selectors);
    free(world->devices);
    for (size_t i = 0; i < world->kept_count; i++)
        free(world->kept[i]);
    free(world->kept);
    release_texts(world->environment, world->environment_count);
    release_texts(world->log, world->log_count);
    buf_release(&world->output);
    buf_release(&world->errors);
    *world = (struct world){0};
}

void *world_keep(struct world *world, size_t len)
{
    world->kept =
        mem_grow(world->kept, world->kept_count, &world->kept_capacity, sizeof *world->kept);
    world->kept[world->kept_count] = mem_new(1, len);
    return world->kept[world->kept_count++];
}

void world_set_environment(struct world *world, const char *setting)
{
    size_t name_len = strcspn(setting, "=");
    for (size_t i = 0; i < world->environment_count; i++) {
        char **old = &world->environment[i];
        if (strncmp(*old, setting, name_len) != 0 || (*old)[name_len] != '=')
            continue;
        free(*old);
        *old = text_copy(setting);
        return;
    }
    world->environment = mem_grow(world->environment, world->environment_count,
                                  &world->environment_capacity, sizeof *world->environment);
    world->environment[world->environment_count++] = text_copy(setting);
}

static uint64_t resolve_data(const struct world *world, const char *name)
{
    const struct {
        const char *name;
        uint64_t address;
    } data[] = {
        {"___CFConstantStringClassReference", world->constant_string_class},
        {"___stdoutp", world->stdout_pointer},
        {"___stderrp", world->stderr_pointer},
        {"___stack_chk_guard", world->stack_guard},
    };
    for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
        if (strcmp(data[i].name, name) == 0)
            return data[i].address;
    }
    if (strncmp(name, OBJC_CLASS_PREFIX, strlen(OBJC_CLASS_PREFIX)) == 0) {
        const struct world_class *class_ =
            world_find_class(world, name + strlen(OBJC_CLASS_PREFIX));
        return class_ == NULL ? 0 : class_->address;
    }
    return 0;
}

stand_in world_look_up(const struct world_function *functions, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].call;
    }
    return NULL;
}

uint64_t world_resolve(void *context, const char *name)
{
    static stand_in (*const lookups[])(const char *name) = {
        world_libc_function, world_text_function, world_objc_function, world_foundation_function,
        metal_function};
    struct world *world = (struct world *)context;
    uint64_t data = resolve_data(world, name);
    if (data != 0)
        return data;
    for (size_t i = 0; i < sizeof lookups / sizeof lookups[0]; i++) {
        stand_in call = lookups[i](name);
        if (call != NULL)
            return process_stand_in(world->process, name, call, world);
    }
    return 0;
}
