/*
 * Purpose: universal files of a release: joining the thin artifacts, what the record says of the
 *     result, and holding such a file against its parts.
 *
 * Layer: stage.
 *
 * Calling sequence:
 *         struct universal_part parts[] = {{name, bytes}, ...}; in the order of the recipe
 *         universal_join(&bytes, &record_entry, artifact, parts, &fail)
 *         universal_check(&findings, artifact, file, parts, &stated)
 *
 * Ownership: everything is borrowed for the call.
 *
 * Errors: universal_join(): those of macho/fat_write.h. universal_check(): findings
 *     "universal.file" (malformed, or not laid out as joining does), "universal.part" (not the bytes of its part), those of
 *     sigcheck_universal(), and "provenance.claim" where the record says otherwise.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_STAGE_UNIVERSAL_H
#define HALLMARK_STAGE_UNIVERSAL_H

#include "base/buf.h"
#include "base/finding.h"
#include "config/recipe.h"
#include "format/provenance.h"

struct universal_part {
    const char *name;
    struct view bytes;
};

/* `parts` has as many entries as artifact->of. */
int universal_join(struct buf *out, struct prov_universal *record,
                   const struct recipe_artifact *artifact, const struct universal_part *parts,
                   struct fail *fail) must_check;

/* `stated`: what the record says; NULL: it says nothing of this file, which is a finding. */
void universal_check(struct findings *findings, const struct recipe_artifact *artifact,
                     struct view file, const struct universal_part *parts,
                     const struct prov_universal *stated);

#endif
