/*
 * Purpose: what the files of odb.h share.
 *
 * Layer: port; private to src/port/odb*.c.
 *
 * Calling sequence: odb.c fills struct odb, odb_rev.c resolves names to ids,
 *     odb_object.c reads objects by id.
 *
 * Ownership: struct odb owns everything in it.
 *
 * Errors: as in odb.h.
 *
 * Determinism: as in odb.h.
 */
#ifndef HALLMARK_PORT_ODB_IMPL_H
#define HALLMARK_PORT_ODB_IMPL_H

#include "port/odb.h"
#include "port/odb_library.h"
#include "port/odb_store.h"

/* A sorted set of ids. */
struct id_set {
    struct odb_id *list;
    size_t count;
    size_t capacity;
};
void id_set_add(struct id_set *set, const struct odb_id *id);
void id_set_sort(struct id_set *set);
bool id_set_has(const struct id_set *set, const struct odb_id *id);

struct odb {
    char *path; /* as the caller named it */
    git_repository *repo;
    git_config *config; /* a snapshot */
    struct store *store;
    struct id_set replaced; /* refs/replace/ID */
    struct id_set altered;  /* commits with other parents: shallow, info/grafts */
    bool has_grafts;
    bool is_shallow;
    bool is_partial; /* objects may be missing that a remote promises */
    bool is_bare;
};

/* Makes a failure of libgit2's last error: "WHAT: libgit2's message". Returns -1. */
int odb_library_fail(struct fail *fail, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Opens the format and the settings (odb_config.c). */
int odb_config_open(struct odb *odb, const char *git_dir, struct fail *fail) must_check;

/* FAIL_INPUT when a file that libgit2 would open is a pipe or a device (odb_special.c): of a git
 * directory as such, and of what a revision may name there. */
int odb_refuse_special_files(const char *git_dir, struct fail *fail) must_check;
int odb_refuse_special_reference(struct odb *odb, const char *revision,
                                 struct fail *fail) must_check;

/* The failure of an object that is not there. Returns -1. */
int odb_missing(struct fail *fail, const struct odb *odb, const struct odb_id *id);

/* Kind and length of an object that must be there and not be replaced. */
int odb_object_open(enum odb_kind *kind, uint64_t *len, struct odb *odb, const struct odb_id *id,
                    struct fail *fail) must_check;

/* Appends the bytes of a commit, tree or tag. */
int odb_object_read(struct buf *out, struct odb *odb, const struct odb_id *id, enum odb_kind kind,
                    struct fail *fail) must_check;

/* What an annotated tag points to. */
int odb_tag_target(struct odb_id *out, struct odb *odb, const struct odb_id *tag,
                   struct fail *fail) must_check;

#endif
