/*
 * Purpose: derive a release again from its record and compare byte for byte.
 *
 * Layer: stage.
 *
 * Calling sequence:
 *         own_audit struct audit audit = {0};
 *         if (audit_run(&audit, &request, &fail) < 0) ...
 *     audit.entries tells of each file: identical, differs, missing,
 *     unexpected, not-derivable; audit.findings has the details. Good is:
 *     `derived`, and no finding of level error.
 *
 * Where the toolchain is not (Apple's, on another system), all is checked that does not need it,
 *     and `missing` says what that toolchain is, with code FAIL_PIN:
 *       - the source archive is derived and compared;
 *       - revision, recipe, policy, pin, trials, digests of sources, environment and command lines
 *         of the record are derived and compared;
 *       - artifacts are held against recipe, pin, policy and record (SDK, linker, minimum, UUID,
 *         sizes, linkage, signature), trials are run, documents printed again.
 *     An answer without findings is then neither good nor bad: artifacts and what carries their
 *     digests are "not-derivable" here.
 *
 * Ownership: audit_release() frees. The request is borrowed.
 *
 * Errors: FAIL_INPUT when the directory is no release; what the stages of a release say. When the
 *     directory's own sums are wrong already, a derivation that fails is a
 *     finding (audit.not-derived) beside those, since a damaged record is likely
 *     its cause. Findings:
 *       audit.differs      a file, or a line of the record, is not what was derived; the first
 *                          difference is named
 *       audit.missing      derived, but not there
 *       audit.unexpected   there, but not derived
 *       audit.not-derived  see above
 *     and those of release_dir.h.
 *
 * Determinism: entries and findings are in the order of the names.
 */
#ifndef HALLMARK_STAGE_AUDIT_H
#define HALLMARK_STAGE_AUDIT_H

#include <stdbool.h>

#include "base/fail.h"
#include "base/finding.h"
#include "base/progress.h"

struct audit_request {
    const char *directory;
    const char *repository;
    bool manifest; /* the directory holds sums and documents only: compare digests */
    bool keep;     /* keep what was derived; audit.kept says where */
    unsigned limit_sec;
    struct progress *progress;
};

enum audit_status {
    AUDIT_IDENTICAL,
    AUDIT_DIFFERS,
    AUDIT_MISSING,
    AUDIT_UNEXPECTED,
    AUDIT_NOT_DERIVABLE, /* its toolchain is not here */
};

struct audit_entry {
    char *name;
    enum audit_status status;
    char expected[65]; /* SHA-256 of what was derived; "" when nothing was */
    char actual[65];   /* of what is there; "" for missing */
};

struct audit {
    struct audit_entry *entries;
    size_t count;
    struct findings findings;
    bool derived;
    struct fail missing; /* why the toolchain could not be used; FAIL_NONE: it was */
    char *name;          /* of the release, as its record says; NULL: unreadable */
    char *version;
    char *commit;
    char *toolchain;
    char *build_id; /* of the toolchain here; NULL: not one that the pin lists */
    char *kept;
};

#define own_audit __attribute__((cleanup(audit_release)))
void audit_release(struct audit *audit);

int audit_run(struct audit *out, const struct audit_request *request, struct fail *fail) must_check;

/* "identical", "differs", "missing", "unexpected", "not-derivable" */
const char *audit_status_text(enum audit_status status);

#endif
