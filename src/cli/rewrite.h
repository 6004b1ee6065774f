/*
 * Purpose: what commands have in common that give a Mach-O file another signature: the file
 *     mapped, and the new one written beside it and put in its place, or under a new name.
 *
 * Layer: cli.
 *
 * Calling sequence:
 *         own_rewrite struct rewrite job = {0};
 *         if (rewrite_open(&job, env, file, output, &fail) < 0) ...
 *         adhoc_sign_file(&pieces, job.map.view, ...)
 *         own_rewritten struct rewritten slices = {0};
 *         if (rewrite_finish(&slices, &job, &pieces, &fail) < 0) ...
 *
 * Ownership: the job owns the mapping, which the pieces borrow from: release it after them. Texts
 *     of the answer are its own.
 *
 * Errors: FAIL_INPUT for a file that is not there; FAIL_REFUSED when OUT is there; FAIL_SYSTEM.
 *
 * Determinism: the new file has the mode of the old one; nothing else is carried over.
 */
#ifndef HALLMARK_CLI_REWRITE_H
#define HALLMARK_CLI_REWRITE_H

#include <stdint.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "base/pieces.h"
#include "cli/opt.h"

struct rewrite {
    const struct opt_env *env;
    const char *file;   /* as the user named it */
    const char *output; /* NULL: the file itself is replaced */
    char *target;       /* what is written: a symbolic link stays one */
    struct stat status; /* of the file */
    struct fs_map map;
};
#define own_rewrite __attribute__((cleanup(rewrite_release)))

/* A signature that was written, read again from the new file. */
struct rewritten_slice {
    char *arch;
    const char *kind; /* codesig_kind_name(); "none" when it has none */
    char *identifier; /* NULL: no signature; with the next two */
    char *cdhash;
    uint64_t page_size;
};

struct rewritten {
    bool is_fat;
    struct rewritten_slice *list;
    size_t count;
};
#define own_rewritten __attribute__((cleanup(rewritten_release)))

int rewrite_open(struct rewrite *out, const struct opt_env *env, const char *file,
                 const char *output, struct fail *fail) must_check;

/* Writes, reads what was written, and only then gives it its name. */
int rewrite_finish(struct rewritten *out, const struct rewrite *job, const struct pieces *pieces,
                   struct fail *fail) must_check;

/* The name of the file that was written, as the user gave it. */
const char *rewrite_name(const struct rewrite *job);

void rewrite_release(struct rewrite *job);
void rewritten_release(struct rewritten *slices);

#endif
