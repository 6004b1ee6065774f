/*
 * Purpose: libarchive's functions, from a library that is loaded when the first stream is packed:
 *     see port/odb_library.h, which does the same with libgit2.
 *
 * Layer: port; private to src/port/pack*.c.
 *
 * Calling sequence: include this instead of archive.h, and call pack_library_open() first.
 *
 * Ownership: the library stays until the process ends.
 *
 * Errors: FAIL_SYSTEM when the version of libarchive that hallmark was compiled with is not there.
 *
 * Determinism: no output.
 */
#ifndef HALLMARK_PORT_PACK_LIBRARY_H
#define HALLMARK_PORT_PACK_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

#include "base/fail.h"

int pack_library_open(struct fail *fail) must_check;

#ifdef HALLMARK_LAZY

#    define PACK_LIBRARY_FUNCTIONS(X)            \
        X(archive_entry_free)                    \
        X(archive_entry_new)                     \
        X(archive_entry_set_filetype)            \
        X(archive_error_string)                  \
        X(archive_set_error)                     \
        X(archive_write_add_filter_gzip)         \
        X(archive_write_close)                   \
        X(archive_write_data)                    \
        X(archive_write_free)                    \
        X(archive_write_header)                  \
        X(archive_write_new)                     \
        X(archive_write_open)                    \
        X(archive_write_set_bytes_in_last_block) \
        X(archive_write_set_bytes_per_block)     \
        X(archive_write_set_format_raw)          \
        X(archive_write_set_options)

#    define PACK_LIBRARY_POINTER(name) __typeof__(name) *lazy_##name;
struct pack_library {
    PACK_LIBRARY_FUNCTIONS(PACK_LIBRARY_POINTER)
};
extern struct pack_library pack_library; /* filled in by pack_library_open() */

#    define archive_entry_free            pack_library.lazy_archive_entry_free
#    define archive_entry_new             pack_library.lazy_archive_entry_new
#    define archive_entry_set_filetype    pack_library.lazy_archive_entry_set_filetype
#    define archive_error_string          pack_library.lazy_archive_error_string
#    define archive_set_error             pack_library.lazy_archive_set_error
#    define archive_write_add_filter_gzip pack_library.lazy_archive_write_add_filter_gzip
#    define archive_write_close           pack_library.lazy_archive_write_close
#    define archive_write_data            pack_library.lazy_archive_write_data
#    define archive_write_free            pack_library.lazy_archive_write_free
#    define archive_write_header          pack_library.lazy_archive_write_header
#    define archive_write_new             pack_library.lazy_archive_write_new
#    define archive_write_open            pack_library.lazy_archive_write_open
#    define archive_write_set_bytes_in_last_block \
        pack_library.lazy_archive_write_set_bytes_in_last_block
#    define archive_write_set_bytes_per_block pack_library.lazy_archive_write_set_bytes_per_block
#    define archive_write_set_format_raw      pack_library.lazy_archive_write_set_format_raw
#    define archive_write_set_options         pack_library.lazy_archive_write_set_options

#endif

#endif
