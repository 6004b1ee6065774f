/*
 * Purpose: the record of a release that is a pure function of revision, recipe
 *     and toolchain pin; its two documents, and the reader of the first:
 *     provenance.intoto.json (in-toto Statement v1 with a SLSA provenance v1
 *     predicate, for machines: audit and verify start from it) and
 *     PROVENANCE.md (for people). Both say the same, and nothing that is not
 *     in this struct.
 *
 * Layer: format.
 *
 * Calling sequence: the stages fill a zeroed `struct provenance`;
 *     intoto_print() and provmd_print() append the documents; intoto_parse()
 *     reads one back.
 *
 * Ownership: the struct owns every string and array in it.
 *
 * Errors: intoto_parse(): FAIL_INPUT for a document that is not JSON, has
 *     another type, another format number, or lacks something. It is bounded by
 *     the size of its input, and trusts nothing: names and paths in the
 *     result are as the document says, and must be checked before use.
 *
 * Determinism: the bytes depend on the struct and on `format` only. No clock,
 *     host, user, path of a machine, or version of hallmark is in it: an
 *     auditor with another hallmark must get the same bytes. Every format number
 *     that was ever released stays writable, and a release that needs nothing of
 *     a newer one keeps the older:
 *         1   the first
 *         2   artifacts that a pass of hallmark's own made (arm64e); universal
 *             files; trials
 *
 * Sources: in-toto Attestation Framework, Statement v1; SLSA v1.0 provenance.
 */
#ifndef HALLMARK_FORMAT_PROVENANCE_H
#define HALLMARK_FORMAT_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

#define PROVENANCE_FORMAT    2u /* the newest; 1 is the first */
#define PROVENANCE_JSON_NAME "provenance.intoto.json"
#define PROVENANCE_MD_NAME   "PROVENANCE.md"
#define PROVENANCE_MAX       (16u << 20) /* bytes that the reader accepts */

/* A list of strings. */
struct prov_list {
    char **list;
    size_t count;
};

/* A file by digest. */
struct prov_file {
    char *path;
    uint64_t len;
    char *sha256;
};
struct prov_files {
    struct prov_file *list;
    size_t count;
};

/* Recipe, policy and pin are carried whole: verify needs no repository to apply them. */
struct prov_text {
    char *path; /* in the tree, or the name of the installed file; NULL: there is none */
    char *sha256;
    char *text;
    bool outside; /* not from the revision */
};

struct prov_command {
    char *artifact;
    char *step; /* "compile", "link" */
    struct prov_list argv;
};

struct prov_rule {
    char *id;
    char *reason;
    struct prov_list artifacts; /* that it was applied to */
    uint64_t checks;            /* how many single things were looked for */
    bool passed;
};

/* What the bytes of an artifact say of themselves. */
struct prov_artifact {
    char *name;
    char *kind; /* "dylib", "bundle", "executable" */
    uint64_t len;
    char *sha256;
    char *arch;       /* "arm64" */
    char *cpusubtype; /* "0x00000000" */
    char *min_macos;  /* "13.0" */
    char *sdk;
    char *linker; /* "lld 19.1.7" */
    char *uuid;   /* NULL: none */
    char *install_name;
    struct prov_list libraries;
    char *signature; /* "adhoc", "linker" */
    char *identifier;
    char *sign_flags; /* "0x2" */
    uint64_t page_size;
    char *cdhash;
    /* Format 2. */
    char *pass;                   /* over what the linker made: "arm64e"; NULL: none */
    struct prov_list auth_fixups; /* arm64e: each signed pointer, in words */
};

/* Format 2: a file that joins artifacts. */
struct prov_slice {
    char *artifact;
    char *arch;
    char *cpusubtype; /* as in struct prov_artifact */
    uint64_t offset;
    uint64_t align_log2;
};

struct prov_universal {
    char *name;
    uint64_t len;
    char *sha256;
    struct prov_slice *slices;
    size_t slice_count;
};

/* Format 2: what came of a trial with one artifact. */
struct prov_trial_result {
    char *artifact;
    char *main;      /* the executable that was started; NULL: none */
    uint64_t runs;   /* one for each setting */
    uint64_t checks; /* how many single things were held against what was expected */
    bool passed;
    struct prov_list transcript; /* what was answered, logged and printed */
};

struct prov_trial {
    struct prov_text file;
    char *reason;
    struct prov_trial_result *results;
    size_t result_count;
};

struct provenance {
    unsigned format;
    char *name;
    char *version;
    char *repository; /* NULL: the recipe does not say */
    char *commit;     /* 40 hexadecimal digits */
    char *tree;
    char *commit_time; /* "2026-01-31T12:00:00Z" */
    int64_t epoch;     /* the same in seconds */
    struct prov_text recipe;
    struct prov_text policy;
    struct prov_text pin;
    char *toolchain; /* the pin's name */
    char *family;
    char *compiler; /* "clang" */
    char *compiler_version;
    char *linker; /* "ld64.lld" */
    char *linker_version;
    char *sdk_path;
    char *sdk_version;
    char *sdk_tree; /* git tree id; NULL when the SDK is not from the revision */
    char *sdk_sha256;
    struct prov_list environment; /* "K=V", machine directories as $WORK ... */
    struct prov_command *commands;
    size_t command_count;
    struct prov_files sources; /* every file of the revision that the compiler opened */
    struct prov_artifact *artifacts;
    size_t artifact_count;
    struct prov_rule *rules;
    size_t rule_count;
    struct prov_universal *universals; /* format 2 */
    size_t universal_count;
    struct prov_trial *trials; /* format 2 */
    size_t trial_count;
    char *archive_name;
    char *archive_prefix;
    struct prov_list archive_paths;
    uint64_t archive_len;
    char *archive_sha256; /* of the tar.gz */
    uint64_t tar_len;
    char *tar_sha256;
};

#define own_provenance __attribute__((cleanup(provenance_release)))
void provenance_release(struct provenance *record);

/* Append a copy; add a zeroed element. */
void prov_list_add(struct prov_list *list, const char *text);
void prov_files_add(struct prov_files *files, const char *path, uint64_t len, const char *sha256);
struct prov_command *provenance_add_command(struct provenance *record);
struct prov_artifact *provenance_add_artifact(struct provenance *record);
struct prov_rule *provenance_add_rule(struct provenance *record);
struct prov_universal *provenance_add_universal(struct provenance *record);
struct prov_slice *prov_universal_add_slice(struct prov_universal *universal);
void prov_universal_release(struct prov_universal *universal);
struct prov_trial *provenance_add_trial(struct provenance *record);
struct prov_trial_result *prov_trial_add_result(struct prov_trial *trial);
#define own_trial_record __attribute__((cleanup(prov_trial_release)))
void prov_trial_release(struct prov_trial *trial);
void prov_artifact_release(struct prov_artifact *artifact);

#define own_prov_list __attribute__((cleanup(prov_list_release)))
void prov_list_release(struct prov_list *list);

/* A list of the words as one line that a POSIX shell reads back as the same words. */
void prov_shell_line(struct buf *out, const struct prov_list *words);

void intoto_print(struct buf *out, const struct provenance *record);
int intoto_parse(struct provenance *out, struct view text, const char *name,
                 struct fail *fail) must_check;
void provmd_print(struct buf *out, const struct provenance *record);

#endif
