#include "stage/compile_plan.h"

#include <stdlib.h>
#include <string.h>

#include "stage/arm64e_build.h"
#include "stage/scratch.h"

void commands_release(struct commands *commands)
{
    for (size_t i = 0; i < commands->count; i++) {
        prov_list_release(&commands->list[i].real);
        prov_list_release(&commands->list[i].recorded);
        free(commands->list[i].made);
        free(commands->list[i].deps);
    }
    free(commands->list);
}

static struct command *add_command(struct commands *commands, const char *artifact,
                                   const char *step)
{
    commands->list = mem_resize(commands->list, commands->count + 1, sizeof *commands->list);
    struct command *command = &commands->list[commands->count++];
    *command = (struct command){.artifact = artifact, .step = step};
    return command;
}

static void word(struct command *command, const char *text)
{
    prov_list_add(&command->real, text);
    prov_list_add(&command->recorded, text);
}

static void word_as(struct command *command, const char *real, const char *recorded)
{
    prov_list_add(&command->real, real);
    prov_list_add(&command->recorded, recorded);
}

/* A file below the scratch directory, named from tree/ where the commands run. */
static void word_in_work(struct command *command, const char *below)
{
    own_mem char *real = text_printf("../%s", below);
    own_mem char *recorded = text_printf("$WORK/%s", below);
    word_as(command, real, recorded);
}

/* `path`: NULL when the toolchain is not here. */
static void word_program(struct command *command, const char *path, const char *name)
{
    own_mem char *recorded = text_printf("$TOOLCHAIN/%s", name);
    word_as(command, path == NULL ? name : path, recorded);
}

/* An option and the SDK: a copy in scratch space, or Apple's where it is installed. */
static void word_sdk(struct command *command, const struct release *release, const char *option)
{
    const char *apple = release->pin.apple.sdk_dir;
    word(command, option);
    word_as(command, apple == NULL ? WORK_SDK_FROM_TREE : apple, "$SDK");
}

static bool is_objective_c(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".m") == 0;
}

char *compile_object(const struct recipe_artifact *artifact, size_t source, const char *suffix)
{
    return text_printf(WORK_OBJ "/%s/%zu.%s", artifact->name, source, suffix);
}

/* Compiler, target and flags: what is the same for object file and assembly. */
static struct command *begin_compile(struct commands *commands, const struct release *release,
                                     const struct recipe_artifact *artifact, size_t source,
                                     const char *step)
{
    struct command *command = add_command(commands, artifact->name, step);
    own_mem char *target =
        text_printf("%s-apple-macos%s", recipe_arch_text(artifact->arch), artifact->min_macos);
    word_program(command, release->pin.compiler.path, release->toolchain.compiler.program);
    word(command, "--no-default-config");
    word(command, "-target");
    word(command, target);
    word_sdk(command, release, "-isysroot");
    for (size_t i = 0; i < artifact->cflags_count; i++)
        word(command, artifact->rooted_cflags[i]);
    if (arm64e_is_passed(&release->toolchain, artifact)) {
        for (size_t i = 0; arm64e_flags[i] != NULL; i++)
            word(command, arm64e_flags[i]);
    }
    command->source = artifact->source_paths[source];
    return command;
}

static void end_compile(struct command *command, const char *how)
{
    word(command, how);
    word(command, command->source);
    word(command, "-o");
    word_in_work(command, command->made);
}

static void plan_compile(struct commands *commands, const struct release *release,
                         const struct recipe_artifact *artifact, size_t source)
{
    struct command *command = begin_compile(commands, release, artifact, source, "compile");
    command->made = compile_object(artifact, source, "o");
    command->deps = compile_object(artifact, source, "d");
    word(command, "-MD");
    word(command, "-MF");
    word_in_work(command, command->deps);
    end_compile(command, "-c");
}

/* The same source as assembly: what the object file does not say (arm64e_build.h). */
static void plan_assembly(struct commands *commands, const struct release *release,
                          const struct recipe_artifact *artifact, size_t source)
{
    struct command *command = begin_compile(commands, release, artifact, source, "assembly");
    command->made = compile_object(artifact, source, "s");
    end_compile(command, "-S");
}

/* What kind of image: the same words for lld and Apple's ld. */
static void link_kind(struct command *command, const struct recipe_artifact *artifact)
{
    switch (artifact->kind) {
    case RECIPE_DYLIB:
        word(command, "-dylib");
        word(command, "-install_name");
        word(command, artifact->install_name);
        break;
    case RECIPE_BUNDLE:
        word(command, "-bundle");
        break;
    case RECIPE_EXECUTABLE:
    case RECIPE_UNIVERSAL: /* is not linked but joined */
        break;
    }
}

static void link_libraries(struct command *command, const struct recipe_artifact *artifact)
{
    bool objective_c = false;
    for (size_t i = 0; i < artifact->frameworks_count; i++) {
        word(command, "-framework");
        word(command, artifact->frameworks[i]);
    }
    for (size_t i = 0; i < artifact->sources_count; i++)
        objective_c = objective_c || is_objective_c(artifact->source_paths[i]);
    if (objective_c)
        word(command, "-lobjc");
    word(command, "-lSystem");
}

/* Chained fix-ups and init offsets need a system that reads them: macOS 13 surely does. */
#define CHAINS_SINCE 0x000d0000u

static void plan_link(struct commands *commands, const struct release *release,
                      const struct recipe_artifact *artifact)
{
    struct command *command = add_command(commands, artifact->name, "link");
    bool apple = release->toolchain.family == TOOLCHAIN_APPLE;
    word_program(command, release->pin.linker.path, release->toolchain.linker.program);
    word(command, "-arch"); /* lld knows but one: arm64e_build.h */
    word(command, recipe_arch_text(apple ? artifact->arch : RECIPE_ARM64));
    link_kind(command, artifact);
    word(command, "-platform_version");
    word(command, "macos");
    word(command, artifact->min_macos);
    word(command, release->toolchain.sdk.version);
    word_sdk(command, release, "-syslibroot");
    if (apple) {
        word(command, "-reproducible");
    } else if (artifact->min_macos_packed >= CHAINS_SINCE) {
        word(command, "-fixup_chains");
        word(command, "-init_offsets");
    }
    link_libraries(command, artifact);
    for (size_t i = 0; i < artifact->sources_count; i++) {
        own_mem char *object = compile_object(artifact, i, "o");
        word_in_work(command, object);
    }
    command->made = text_printf(WORK_OUT "/%s", artifact->name);
    word(command, "-o");
    word_in_work(command, command->made);
}

void compile_plan(struct commands *compiles, struct commands *links, const struct release *release)
{
    const struct recipe *recipe = &release->recipe;
    for (size_t i = 0; i < recipe->artifacts_count; i++) {
        const struct recipe_artifact *artifact = &recipe->artifacts[i];
        for (size_t k = 0; k < artifact->sources_count; k++)
            plan_compile(compiles, release, artifact, k);
        bool passed = arm64e_is_passed(&release->toolchain, artifact);
        for (size_t k = 0; passed && k < artifact->sources_count; k++)
            plan_assembly(compiles, release, artifact, k);
        plan_link(links, release, artifact);
    }
}
