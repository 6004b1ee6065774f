#include "port/pack.h"

#include <errno.h>
#include <sys/stat.h>

#include "port/pack_library.h"

#define OPTIONS "gzip:!timestamp,gzip:compression-level=6"

static int translate(struct pack *pack, struct fail *fail)
{
    if (pack->sink_failed)
        return -1;
    const char *text = archive_error_string(pack->writer);
    return fail_set(fail, FAIL_SYSTEM, "libarchive: %s", text != NULL ? text : "unknown error");
}

static la_ssize_t forward(struct archive *writer, void *context, const void *data, size_t len)
{
    struct pack *pack = context;
    /* A writer that is freed half-way flushes; that output is not wanted. */
    if (pack->sink_failed || pack->fail == NULL)
        return (la_ssize_t)len;
    if (pack->sink(pack->context, data, len, pack->fail) < 0) {
        pack->sink_failed = 1;
        archive_set_error(writer, EIO, "the output was refused");
        return -1;
    }
    return (la_ssize_t)len;
}

static int start(struct archive *writer, struct pack *pack)
{
    if (archive_write_set_format_raw(writer) != ARCHIVE_OK ||
        archive_write_add_filter_gzip(writer) != ARCHIVE_OK ||
        archive_write_set_options(writer, OPTIONS) != ARCHIVE_OK ||
        archive_write_set_bytes_per_block(writer, 64 * 1024) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(writer, 1) != ARCHIVE_OK ||
        archive_write_open(writer, pack, NULL, forward, NULL) != ARCHIVE_OK)
        return -1;
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        return -1;
    archive_entry_set_filetype(entry, S_IFREG);
    int written = archive_write_header(writer, entry);
    archive_entry_free(entry);
    return written == ARCHIVE_OK ? 0 : -1;
}

int pack_open(struct pack *pack, pack_sink *sink, void *context, struct fail *fail)
{
    if (pack_library_open(fail) < 0)
        return -1;
    *pack = (struct pack){.sink = sink, .context = context, .fail = fail};
    pack->writer = archive_write_new();
    if (pack->writer == NULL)
        return fail_set(fail, FAIL_SYSTEM, "libarchive cannot start");
    int started = start(pack->writer, pack);
    if (started < 0)
        translate(pack, fail);
    pack->fail = NULL;
    return started;
}

int pack_write(struct pack *pack, const void *data, size_t len, struct fail *fail)
{
    pack->fail = fail;
    la_ssize_t written = archive_write_data(pack->writer, data, len);
    int result = written == (la_ssize_t)len ? 0 : translate(pack, fail);
    pack->fail = NULL;
    return result;
}

int pack_close(struct pack *pack, struct fail *fail)
{
    pack->fail = fail;
    int result = archive_write_close(pack->writer) == ARCHIVE_OK ? 0 : translate(pack, fail);
    pack->fail = NULL;
    return result;
}

void pack_release(struct pack *pack)
{
    if (pack->writer != NULL)
        archive_write_free(pack->writer);
    pack->writer = NULL;
}
