/*
 * Purpose: what the two ways of an audit share: with the toolchain, and without it.
 *
 * Layer: stage; private to audit.
 *
 * Calling sequence, ownership, errors: audit.h.
 *
 * Determinism: entries are added in the order of the names.
 */
#ifndef HALLMARK_STAGE_AUDIT_PARTS_H
#define HALLMARK_STAGE_AUDIT_PARTS_H

#include "stage/audit.h"
#include "stage/release.h"
#include "stage/release_dir.h"

struct audit_entry *audit_add_entry(struct audit *audit, const char *name,
                                    enum audit_status status);

/* An error with a place; never NULL. */
struct finding *audit_complain(struct audit *audit, const char *id, const char *place);

/* Compares one derived file with what the directory has under that name. */
int audit_compare_file(struct audit *audit, struct release_dir *dir, struct release *release,
                       const char *name, struct fail *fail) must_check;

/* Entries and findings for what is in the directory and not on the list. */
void audit_find_unexpected(struct audit *audit, const struct release_dir *dir,
                           const struct prov_list *expected);

/* A derivation that failed: a finding when the directory was found bad before, else a failure. */
int audit_not_derived(struct audit *audit, struct fail *why, struct fail *fail) must_check;

/* All that needs no toolchain. `request` is the one that failed; `why`: its failure, which is
 * taken. */
int audit_without_toolchain(struct audit *audit, struct release_dir *dir,
                            const struct release_request *request, struct fail *why,
                            struct fail *fail) must_check;

#endif
