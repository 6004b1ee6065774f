/*
 * Purpose: a git repository as a read-only object database: revisions,
 *     commits, trees, blobs of any size, and the repository's own settings.
 *     libgit2 finds the repository, its references and its configuration;
 *     objects are read by hallmark's own bounded reader (odb_store.h), which
 *     streams where libgit2 would need the whole object in memory.
 *
 * Layer: port.
 *
 * Calling sequence:
 *         own_odb struct odb *odb = NULL;
 *         own_odb_commit struct odb_commit commit = {0};
 *         odb_open(&odb, ".", &fail);
 *         odb_resolve_commit(&commit, odb, "v1.0", &fail);
 *         odb_tree_find(&entry, odb, &commit.tree, "shim/x.m", &fail);
 *         odb_blob_stream(odb, &entry.id, sink, context, &fail);
 *     One struct odb is used by one thread at a time.
 *
 * Ownership: odb_free(), odb_commit_release(), odb_treeish_release(),
 *     odb_tree_release() free; every release works on a zeroed struct too.
 *     What a function fills must be zeroed before (or released).
 *
 * Errors: FAIL_INPUT: no repository, no such revision, ambiguous, of another
 *     kind, missing, corrupt or replaced object, a format that is not
 *     supported. FAIL_SYSTEM: reading failed, or no room for temporary files.
 *     FAIL_SIGNAL: asked to stop while streaming.
 *
 * Determinism: objects depend on their id alone: the SHA-1 of every object is
 *     checked. Names of revisions depend on the repository's references, and
 *     settings on its own config file; user, system and XDG configuration and
 *     the variables GIT_DIR, GIT_CONFIG_*, GIT_OBJECT_DIRECTORY ... have no
 *     influence. Files that the repository's config includes do (with
 *     include.path); "~/" in such a path is not followed.
 *
 * Not checked: who owns the repository (git's safe.directory). That check
 *     keeps git from running programs that a stranger's config names; here
 *     nothing of the repository is ever run.
 *
 * Replacements: an object that refs/replace gives another content for is
 *     refused (unless core.useReplaceRefs is off): a revision must mean its
 *     own bytes, and git would show others.
 */
#ifndef HALLMARK_PORT_ODB_H
#define HALLMARK_PORT_ODB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/fail.h"

struct odb;

#define ODB_ID_LEN 20u
#define ODB_ID_HEX 41u /* 40 digits and a NUL */

struct odb_id {
    uint8_t bytes[ODB_ID_LEN];
};

enum odb_kind { ODB_COMMIT = 1, ODB_TREE = 2, ODB_BLOB = 3, ODB_TAG = 4 };

/* ---- repositories ---- */

#define own_odb __attribute__((cleanup(odb_release)))

/*
 * Opens the repository that holds `path` (a directory): a working tree or any
 * directory below it, a bare repository, a .git directory, a linked worktree, a
 * submodule; as `git -C path` would find it.
 */
int odb_open(struct odb **out, const char *path, struct fail *fail) must_check;
void odb_free(struct odb *odb);
void odb_release(struct odb **odb);

/* The path that odb_open() was given, for messages. */
const char *odb_repository_path(const struct odb *odb);

/* Absolute paths that end in "/": this worktree's own git directory, and the one that
 * all worktrees share, where info/attributes and objects/ are. */
const char *odb_git_dir(const struct odb *odb);
const char *odb_common_dir(const struct odb *odb);
bool odb_is_bare(const struct odb *odb);

/* ---- settings ---- */

/*
 * The last value of a repository-level setting, e.g. "core.autocrlf", as text; NULL when it
 * is not set. A key without a value is "true". Free the result.
 */
int odb_config_text(char **out, struct odb *odb, const char *key, struct fail *fail) must_check;

/* As git reads booleans (true/yes/on/1, false/no/off/0/empty, other numbers); `fallback`
 * when not set; FAIL_INPUT for anything else. */
int odb_config_bool(bool *out, struct odb *odb, const char *key, bool fallback,
                    struct fail *fail) must_check;

/*
 * Calls back for each setting whose normalised key (section and name in lower case,
 * subsection as written) begins with `prefix`, e.g. "filter."; in the order of the file.
 * The callback returns 0, or -1 with a failure to end.
 */
typedef int odb_config_callback(void *context, const char *key, const char *value,
                                struct fail *fail);
int odb_config_each(struct odb *odb, const char *prefix, odb_config_callback *callback,
                    void *context, struct fail *fail) must_check;

/* ---- ids ---- */

void odb_id_hex(char out[ODB_ID_HEX], const struct odb_id *id);

/* 40 hexadecimal digits of either case, nothing else; 0 or -1. */
int odb_id_parse(struct odb_id *out, const char *hex) must_check;

bool odb_id_equal(const struct odb_id *a, const struct odb_id *b);

/* "commit", "tree", "blob", "tag". */
const char *odb_kind_name(enum odb_kind kind);

/* ---- commits ---- */

/*
 * An author or committer line: "NAME <EMAIL> TIME OFFSET". The texts are raw bytes without
 * NUL, in the commit's encoding, blanks around the name removed, never NULL.
 */
struct odb_ident {
    bool valid; /* the line is exactly of that form; else only `line` is set */
    char *line; /* all of it, without the keyword and its blank */
    char *name;
    char *email;
    int64_t time;   /* seconds since 1970 */
    int offset_min; /* minutes east of UTC */
    char *zone;     /* the offset as written, e.g. "+0100" */
};

struct odb_commit {
    struct odb_id id;
    struct odb_id tree;
    struct odb_id *parents; /* as the commit says */
    size_t parent_count;
    /*
     * git shows other parents than the commit's own: it is the boundary of a shallow clone, or
     * info/grafts names it. What is printed of parents would then differ from git's.
     */
    bool parents_altered;
    struct odb_ident author;
    struct odb_ident committer; /* always valid */
    int64_t committer_time;     /* = committer.time, .offset_min */
    int committer_offset_min;
    int64_t author_time; /* = author.time, .offset_min; 0 when not valid */
    int author_offset_min;
    char *encoding; /* the encoding header; NULL when there is none (UTF-8) */
    char *message;  /* raw, everything behind the header, NUL-terminated */
    size_t message_len;
    struct buf raw; /* the whole object */
};

#define own_odb_commit __attribute__((cleanup(odb_commit_release)))
void odb_commit_release(struct odb_commit *commit);

/*
 * The commit that a revision names: an id or a unique prefix of one (4 digits or more), a
 * reference, or git's syntax on top of these (v1^{commit}, HEAD~2, main@{1}, ...);
 * annotated tags are followed.
 */
int odb_resolve_commit(struct odb_commit *out, struct odb *odb, const char *revision,
                       struct fail *fail) must_check;

/* The commit with that id (no tag is followed). */
int odb_commit_read(struct odb_commit *out, struct odb *odb, const struct odb_id *id,
                    struct fail *fail) must_check;

/* What `git archive` takes: a commit, a tree, or tags that lead to either. */
struct odb_treeish {
    bool has_commit; /* false: a bare tree, or a tag of one; `commit` is empty then */
    struct odb_commit commit;
    struct odb_id tree;
};

#define own_odb_treeish __attribute__((cleanup(odb_treeish_release)))
void odb_treeish_release(struct odb_treeish *treeish);
int odb_resolve_treeish(struct odb_treeish *out, struct odb *odb, const char *revision,
                        struct fail *fail) must_check;

/* ---- trees ---- */

#define ODB_MODE_TREE       0040000u
#define ODB_MODE_FILE       0100644u
#define ODB_MODE_EXECUTABLE 0100755u
#define ODB_MODE_LINK       0120000u
#define ODB_MODE_SUBMODULE  0160000u /* the id is a commit of another repository */

struct odb_entry {
    const char *name; /* raw bytes: not empty, no "/"; may be "..", ".git" or anything else */
    uint32_t mode;    /* one of ODB_MODE_* (0100664 of old repositories is ODB_MODE_FILE) */
    struct odb_id id;
};

struct odb_tree {
    struct odb_entry *list; /* in the order of the object; names point into raw */
    size_t count;
    struct buf raw;
};

#define own_odb_tree __attribute__((cleanup(odb_tree_release)))
void odb_tree_release(struct odb_tree *tree);

/* The empty tree is there even when the repository does not hold it. */
int odb_tree_read(struct odb_tree *out, struct odb *odb, const struct odb_id *id,
                  struct fail *fail) must_check;

/*
 * Looks up "a/b/c" below a tree: 1 found, 0 not there, -1 failure. out->name points to the
 * last component inside `path`, which must have no empty component and no "/" at its ends.
 */
int odb_tree_find(struct odb_entry *out, struct odb *odb, const struct odb_id *tree,
                  const char *path, struct fail *fail) must_check;

/* ---- blobs ---- */

/* Length in bytes; cheap, and it makes the read of the same blob that follows cheaper. */
int odb_blob_len(uint64_t *out, struct odb *odb, const struct odb_id *id,
                 struct fail *fail) must_check;

/* Appends the whole blob; longer than max_len: FAIL_INPUT. */
int odb_blob_read(struct buf *out, struct odb *odb, const struct odb_id *id, uint64_t max_len,
                  struct fail *fail) must_check;

/*
 * One look-up for both: sets *len, and appends the blob when it has at most max_len bytes.
 * A longer one appends nothing and is no failure: stream it.
 */
int odb_blob_read_small(struct buf *out, uint64_t *len, struct odb *odb, const struct odb_id *id,
                        uint64_t max_len, struct fail *fail) must_check;

/*
 * Hands the blob to `sink` in pieces of at most 256 KiB, in order. Memory stays within a few
 * MiB whatever the blob; large deltas use unlinked files in $TMPDIR or /tmp. The sink
 * returns 0, or -1 with a failure, which ends the stream. The SHA-1 is known only after
 * the last piece: what the sink did counts only when this returns 0.
 */
typedef int odb_sink(void *context, const void *data, size_t len, struct fail *fail);
int odb_blob_stream(struct odb *odb, const struct odb_id *id, odb_sink *sink, void *context,
                    struct fail *fail) must_check;

#endif
