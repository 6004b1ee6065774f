/*
 * Purpose: the command lines that compile and link the artifacts of a release.
 *
 * Layer: stage; private to the compile stage.
 *
 * Calling sequence:
 *         own_commands struct commands compiles = {0}, links = {0};
 *         compile_plan(&compiles, &links, release);
 *     tool_terminate() the words of each before it runs.
 *
 * Ownership: commands own their words; names and sources are the recipe's.
 *
 * Errors: none.
 *
 * Determinism: what is recorded is a function of recipe and pin alone, whether the toolchain is
 *     there or not: an audit without it plans the same lines.
 *
 * Apple's line: clang is given target, SDK and the recipe's flags, and knows by itself what
 *     arm64e needs. The linker is started directly, as lld is, not through clang: the pin proves
 *     one linker, and clang would look for another one first (-fuse-ld, -B, its own folder) and
 *     add words of its own (-lto_library, the runtime library of the compiler), which no pin and
 *     no record would show. Of what ld has to be told for equal bytes:
 *       -reproducible   times of inputs and the order of loading have no influence, nor on LC_UUID,
 *                       which is a digest then; -no_uuid would do too, but the dyld of macOS 26 is
 *                       reported to refuse images without a UUID
 *       ZERO_AR_DATE    in the environment: no time in debug symbols
 *     It picks chained fix-ups by the deployment target. That it signs what it links does not
 *     matter: the sign stage replaces that signature.
 */
#ifndef HALLMARK_STAGE_COMPILE_PLAN_H
#define HALLMARK_STAGE_COMPILE_PLAN_H

#include "stage/release.h"

/* A command line as it runs, and as it is recorded. */
struct command {
    struct prov_list real;
    struct prov_list recorded;
    const char *artifact;
    const char *step;
    const char *source; /* NULL: a linker's */
    char *made;         /* the file that it writes, below the scratch directory */
    char *deps;         /* its dependency file; NULL: none */
};

struct commands {
    struct command *list;
    size_t count;
};

#define own_commands __attribute__((cleanup(commands_release)))
void commands_release(struct commands *commands);

/* `links` has one for each artifact, in the order of the recipe. */
void compile_plan(struct commands *compiles, struct commands *links, const struct release *release);

/* The file that a source becomes: obj/<artifact>/<number of the source>.<suffix> */
char *compile_object(const struct recipe_artifact *artifact, size_t source, const char *suffix);

#endif
