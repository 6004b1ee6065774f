#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"
#include "port/odb_store.h"

#define HEADER_MAX 32u /* "commit " and twenty digits and the NUL */

void loose_release(struct loose *loose)
{
    if (loose->fd >= 0)
        (void)close(loose->fd);
    free(loose->buffer);
    inflater_release(&loose->inflater);
    *loose = (struct loose)LOOSE_INIT;
}

static int source(void *context, uint64_t offset, const uint8_t **data, size_t *len,
                  struct fail *fail)
{
    struct loose *loose = context;
    ssize_t got = 0;
    *len = 0;
    do
        got = pread(loose->fd, loose->buffer, STORE_BLOCK, (off_t)offset);
    while (got < 0 && errno == EINTR && stop_pending() == 0);
    if (got < 0)
        return fail_errno(fail, "cannot read a loose object");
    *data = loose->buffer;
    *len = (size_t)got;
    return 0;
}

/* Parses "KIND LENGTH\0" at the beginning of head[]. */
static bool parse_header(struct loose *loose)
{
    const char *text = (const char *)loose->head;
    const char *end = memchr(text, '\0', loose->head_len);
    if (end == NULL)
        return false;
    loose->kind = 0;
    for (enum odb_kind kind = ODB_COMMIT; kind <= ODB_TAG; kind++) {
        const char *name = odb_kind_name(kind);
        size_t len = strlen(name);
        if (strncmp(text, name, len) == 0 && text[len] == ' ') {
            loose->kind = kind;
            text += len + 1;
            break;
        }
    }
    if (loose->kind == 0 || text == end || (*text == '0' && text + 1 != end))
        return false;
    loose->len = 0;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9' || loose->len > INT64_MAX / 10 - 1)
            return false;
        loose->len = loose->len * 10 + (uint64_t)(*text - '0');
    }
    loose->head_used = (size_t)(end - (const char *)loose->head) + 1;
    return true;
}

static int read_header(struct loose *loose, struct fail *fail)
{
    struct stat info;
    if (fstat(loose->fd, &info) < 0)
        return fail_errno(fail, "cannot look at a loose object");
    if (!S_ISREG(info.st_mode))
        return fail_set(fail, FAIL_INPUT, "it is not a regular file");
    if (info.st_size == 0)
        return fail_set(fail, FAIL_INPUT, "its file is empty");
    if (loose->buffer == NULL)
        loose->buffer = mem_new(STORE_BLOCK, 1);
    inflater_start(&loose->inflater, source, loose, 0);
    if (inflater_read(&loose->inflater, loose->head, HEADER_MAX, &loose->head_len, fail) < 0)
        return -1;
    return parse_header(loose) ? 0 : fail_set(fail, FAIL_INPUT, "its header is damaged");
}

int loose_open(struct loose *loose, int objects_fd, const struct odb_id *id, struct fail *fail)
{
    char hex[ODB_ID_HEX];
    char name[ODB_ID_HEX + 1];
    if (loose->fd >= 0)
        (void)close(loose->fd);
    odb_id_hex(hex, id);
    memcpy(name, hex, 2);
    name[2] = '/';
    memcpy(name + 3, hex + 2, ODB_ID_HEX - 2);
    /* O_NONBLOCK: opening a named pipe must not wait for a writer. */
    loose->fd = openat(objects_fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (loose->fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return 0;
    if (loose->fd < 0)
        return fail_errno(fail, "cannot open loose object '%s'", name);
    return read_header(loose, fail) < 0 ? -1 : 1;
}

int loose_stream(struct loose *loose, odb_sink *sink, void *context, struct fail *fail)
{
    size_t part = loose->head_len - loose->head_used;
    if (part > loose->len)
        return fail_set(fail, FAIL_INPUT, "it is longer than it says");
    if (part > 0 && sink(context, loose->head + loose->head_used, part, fail) < 0)
        return -1;
    return inflater_to_sink(&loose->inflater, loose->len - part, sink, context, fail);
}
