/*
 * Purpose: the tar dialect of `git archive`: ustar headers with NUL-terminated octal fields,
 *     paths split at a "/" into prefix and name, and pax extended headers for what does not fit.
 *
 * Layer: format.
 *
 * Calling sequence:
 *         struct gtar tar = {.sink = write_bytes, .context = &target};
 *         gtar_begin(&tar, commit_hex, commit_time, &fail)
 *         for each entry: gtar_entry(...), then for a file of entry.size bytes gtar_data(...)
 *             as often as needed
 *         gtar_end(&tar, &fail)
 *
 * Ownership: nothing is kept but the sink and its context.
 *
 * Errors: what the sink reports; FAIL_BUG when a file got more or fewer bytes than its header
 *     promised, or a link target is too long for one header (GTAR_TARGET_MAX).
 *
 * Determinism: the bytes depend on the arguments alone.
 */
#ifndef HALLMARK_FORMAT_GTAR_H
#define HALLMARK_FORMAT_GTAR_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

#define GTAR_BLOCK      512u
#define GTAR_RECORD     10240u        /* the whole archive is a multiple of this */
#define GTAR_SIZE_MAX   077777777777u /* the largest number in 11 octal digits: 8 GiB - 1 */
#define GTAR_TARGET_MAX 1048576u      /* of a symbolic link or a path */

/* Takes all `len` bytes or sets the failure. */
typedef int (*gtar_sink)(void *context, const void *data, size_t len, struct fail *fail);

struct gtar {
    gtar_sink sink;
    void *context;
    uint64_t time;    /* mtime of every entry, at most GTAR_SIZE_MAX */
    uint64_t written; /* bytes so far */
    uint64_t due;     /* bytes of the current file that are still to come */
    size_t padding;   /* zeros behind them */
};

enum gtar_kind { GTAR_FILE, GTAR_EXECUTABLE, GTAR_DIRECTORY, GTAR_SYMLINK };

struct gtar_entry {
    enum gtar_kind kind;
    const char *path; /* any bytes but NUL; of a directory with its trailing "/" */
    size_t path_len;
    const char *id;     /* object id in hexadecimal: names the extended header */
    const char *target; /* of a symbolic link */
    size_t target_len;
    uint64_t size; /* of a file */
};

/*
 * The global header: `comment=` with the commit's id, and `mtime=` for a time of more than 11
 * octal digits (the entries then carry the largest that fits).
 */
int gtar_begin(struct gtar *tar, const char *commit, uint64_t time, struct fail *fail) must_check;

int gtar_entry(struct gtar *tar, const struct gtar_entry *entry, struct fail *fail) must_check;

/* The next bytes of the file whose header was written last. */
int gtar_data(struct gtar *tar, const void *data, size_t len, struct fail *fail) must_check;

/* The end mark: zeros up to a multiple of GTAR_RECORD, at least two blocks. */
int gtar_end(struct gtar *tar, struct fail *fail) must_check;

#endif
