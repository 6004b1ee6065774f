/*
 * Purpose: libgit2's functions, from a library that is loaded when the first repository is opened.
 *
 * Layer: port; private to src/port/odb*.c.
 *
 * Calling sequence: include this instead of git2.h, call odb_library_open() first, and then
 *     functions as git2.h declares them. Below is every one that hallmark calls: the compiler
 *     takes the types from git2.h, and a function that is not on the list does not link.
 *
 * Ownership: the library stays until the process ends.
 *
 * Errors: FAIL_SYSTEM when the version of libgit2 that hallmark was compiled with is not there.
 *
 * Determinism: no output.
 */
#ifndef HALLMARK_PORT_ODB_LIBRARY_H
#define HALLMARK_PORT_ODB_LIBRARY_H

#include <git2.h>

#include "base/fail.h"

int odb_library_open(struct fail *fail) must_check;

#ifdef HALLMARK_LAZY

#    define ODB_LIBRARY_FUNCTIONS(X)     \
        X(git_buf_dispose)               \
        X(git_config_add_file_ondisk)    \
        X(git_config_entry_free)         \
        X(git_config_free)               \
        X(git_config_get_entry)          \
        X(git_config_iterator_free)      \
        X(git_config_iterator_new)       \
        X(git_config_new)                \
        X(git_config_next)               \
        X(git_config_parse_bool)         \
        X(git_config_snapshot)           \
        X(git_error_clear)               \
        X(git_error_last)                \
        X(git_libgit2_init)              \
        X(git_libgit2_opts)              \
        X(git_libgit2_shutdown)          \
        X(git_object_free)               \
        X(git_object_id)                 \
        X(git_reference_foreach_glob)    \
        X(git_reference_free)            \
        X(git_reference_lookup)          \
        X(git_reference_resolve)         \
        X(git_reference_symbolic_target) \
        X(git_reference_target)          \
        X(git_repository_commondir)      \
        X(git_repository_discover)       \
        X(git_repository_free)           \
        X(git_repository_item_path)      \
        X(git_repository_open_ext)       \
        X(git_repository_path)           \
        X(git_revparse_single)

#    define ODB_LIBRARY_POINTER(name) __typeof__(name) *lazy_##name;
struct odb_library {
    ODB_LIBRARY_FUNCTIONS(ODB_LIBRARY_POINTER)
};
extern struct odb_library odb_library; /* filled in by odb_library_open() */

#    define git_buf_dispose               odb_library.lazy_git_buf_dispose
#    define git_config_add_file_ondisk    odb_library.lazy_git_config_add_file_ondisk
#    define git_config_entry_free         odb_library.lazy_git_config_entry_free
#    define git_config_free               odb_library.lazy_git_config_free
#    define git_config_get_entry          odb_library.lazy_git_config_get_entry
#    define git_config_iterator_free      odb_library.lazy_git_config_iterator_free
#    define git_config_iterator_new       odb_library.lazy_git_config_iterator_new
#    define git_config_new                odb_library.lazy_git_config_new
#    define git_config_next               odb_library.lazy_git_config_next
#    define git_config_parse_bool         odb_library.lazy_git_config_parse_bool
#    define git_config_snapshot           odb_library.lazy_git_config_snapshot
#    define git_error_clear               odb_library.lazy_git_error_clear
#    define git_error_last                odb_library.lazy_git_error_last
#    define git_libgit2_init              odb_library.lazy_git_libgit2_init
#    define git_libgit2_opts              odb_library.lazy_git_libgit2_opts
#    define git_libgit2_shutdown          odb_library.lazy_git_libgit2_shutdown
#    define git_object_free               odb_library.lazy_git_object_free
#    define git_object_id                 odb_library.lazy_git_object_id
#    define git_reference_foreach_glob    odb_library.lazy_git_reference_foreach_glob
#    define git_reference_free            odb_library.lazy_git_reference_free
#    define git_reference_lookup          odb_library.lazy_git_reference_lookup
#    define git_reference_resolve         odb_library.lazy_git_reference_resolve
#    define git_reference_symbolic_target odb_library.lazy_git_reference_symbolic_target
#    define git_reference_target          odb_library.lazy_git_reference_target
#    define git_repository_commondir      odb_library.lazy_git_repository_commondir
#    define git_repository_discover       odb_library.lazy_git_repository_discover
#    define git_repository_free           odb_library.lazy_git_repository_free
#    define git_repository_item_path      odb_library.lazy_git_repository_item_path
#    define git_repository_open_ext       odb_library.lazy_git_repository_open_ext
#    define git_repository_path           odb_library.lazy_git_repository_path
#    define git_revparse_single           odb_library.lazy_git_revparse_single

#endif

#endif
