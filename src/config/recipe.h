/*
 * Purpose: the recipe, hallmark.yaml: what a release is made of. Reading it, and every rule
 *     about its contents, so that the stages above can use each field as it stands.
 *
 * Layer: config.
 *
 * Calling sequence:
 *         own_recipe struct recipe recipe = {0};
 *         recipe_parse(&recipe, bytes, "shim/hallmark.yaml", "shim", &fail)
 *     The third argument names the file in messages; the fourth is the directory in the tree
 *     that its paths start from: the one that holds the recipe, "" for the root of the tree
 *     (and for a recipe from outside the revision).
 *
 * Ownership: the struct owns everything in it; recipe_release() frees. The bytes are only read.
 *
 * Errors: FAIL_INPUT. The message names the file and the line, the hint lists what is known.
 *
 * Determinism: pure function of the bytes and the base directory. Lists keep the order in which
 *     they were written.
 *
 * YAML: one document of plain mappings, sequences and scalars; anchors, aliases, tags, several
 *     documents, duplicate keys, tabs, bytes that are not UTF-8 and files over 1 MiB are refused
 *     (doc.h). A scalar is its text: `version: 1.0` and `version: "1.0"` are the same.
 */
#ifndef HALLMARK_CONFIG_RECIPE_H
#define HALLMARK_CONFIG_RECIPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/fail.h"

#define RECIPE_NAME_MAX      128u
#define RECIPE_ARTIFACTS_MAX 64u
#define RECIPE_LIST_MAX      1024u /* sources, frameworks, flags, paths */

/* Values start at 1, so that a field that was never set is none of them. */
enum recipe_kind { RECIPE_DYLIB = 1, RECIPE_BUNDLE, RECIPE_EXECUTABLE, RECIPE_UNIVERSAL };
enum recipe_arch { RECIPE_ARM64 = 1, RECIPE_ARM64E };
enum recipe_style { RECIPE_STYLE_CODESIGN = 1, RECIPE_STYLE_LINKER };

/* The signature profile; defaults are filled in. */
struct recipe_sign {
    enum recipe_style style; /* codesign */
    char *identifier;        /* the artifact's name without ".dylib" or ".bundle" */
    uint32_t page_size;      /* 4096; or 16384 */
};

struct recipe_artifact {
    char *name; /* of the published file */
    enum recipe_kind kind;
    enum recipe_arch arch; /* arm64e: no executable, min_macos from 13.0 on */
    char *min_macos;       /* "13.0" */
    char **sources;        /* as written, at least one */
    size_t sources_count;
    char *install_name; /* dylib: always there; else NULL */
    char **frameworks;  /* names without ".framework" */
    size_t frameworks_count;
    char **cflags; /* as written; each on the list of allowed flags (cflags.h) */
    size_t cflags_count;
    struct recipe_sign sign;
    char **of; /* universal, which has only a name besides: the artifacts that it joins */
    size_t of_count;
    /* What follows is derived. */
    uint32_t min_macos_packed; /* 0xMMMMmmpp, as load commands have it */
    char **source_paths;       /* sources_count paths from the root of the tree */
    char **rooted_cflags; /* cflags_count flags; the directory of -I from the root of the tree */
    char *
        *include_paths; /* the directories of the -I flags, from the root of the tree, "" for it */
    size_t include_paths_count;
};

struct recipe_archive {
    char *prefix; /* ends as written; default "<name>-<version>/"; may be "" when written so */
    char **paths; /* from the root of the tree; none: everything */
    size_t paths_count;
};

struct recipe {
    char *name;
    char *version;
    char *repository; /* NULL when not said */
    char *toolchain;  /* the name of a pin */
    char *policy;     /* as written, NULL when there is none */
    char *trials;     /* a folder, as written; NULL when there are none */
    struct recipe_archive archive;
    struct recipe_artifact *artifacts; /* thin ones, at least one */
    size_t artifacts_count;
    struct recipe_artifact *universals; /* those that follow in the list, which join thin ones */
    size_t universals_count;
    /* Derived, from the root of the tree; NULL when there is none. */
    char *policy_path;
    char *trials_path; /* "" for the root itself */
};

#define own_recipe __attribute__((cleanup(recipe_release)))

/* Reads and checks a whole recipe. On failure `out` is empty. */
int recipe_parse(struct recipe *out, struct view text, const char *name, const char *base,
                 struct fail *fail) must_check;
void recipe_release(struct recipe *recipe);

/* The words that the recipe uses: "dylib", "arm64", "codesign"; "?" for none of the values. */
const char *recipe_kind_text(enum recipe_kind kind);
const char *recipe_arch_text(enum recipe_arch arch);
const char *recipe_style_text(enum recipe_style style);

#endif
