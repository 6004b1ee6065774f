/*
 * The content of regular files: as it is, or as a checkout would convert it. The size stands in
 * the tar header before the content, so a file that is too large for memory is read twice.
 */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/stop.h"
#include "format/gitconv.h"
#include "stage/archive_parts.h"

#define WHOLE_MAX     ((uint64_t)8 * 1024 * 1024)   /* read whole when nothing is converted */
#define CONVERT_MAX   ((uint64_t)8 * 1024 * 1024)   /* converted in memory */
#define CONVERTED_MAX ((size_t)16 * 1024 * 1024)    /* the longest result of that */
#define GIT_BIG_FILE  ((uint64_t)512 * 1024 * 1024) /* git never converts more, except for subst */

/* What the attributes ask for. */
struct work {
    enum gitconv_eol eol;
    bool ident;
    bool subst;
};

struct scan {
    struct gitconv_stats stats;
    bool count; /* fill stats */
    bool keyword;
    uint8_t tail[8]; /* the end of the piece before */
    size_t tail_len;
};

struct stream {
    struct tarball *tarball;
    bool crlf;
    uint8_t last;
    struct buf out;
};

static int put_header(struct tarball *tarball, const struct odb_entry *entry, uint64_t len,
                      struct fail *fail)
{
    char id[ODB_ID_HEX] = {0};
    odb_id_hex(id, &entry->id);
    struct gtar_entry header = {
        .kind = entry->mode == ODB_MODE_EXECUTABLE ? GTAR_EXECUTABLE : GTAR_FILE,
        .path = buf_text(&tarball->path),
        .path_len = tarball->path.len,
        .id = id,
        .size = len,
    };
    return gtar_entry(&tarball->tar, &header, fail);
}

static int put_whole(struct tarball *tarball, const struct odb_entry *entry, const void *data,
                     size_t len, struct fail *fail)
{
    if (put_header(tarball, entry, len, fail) < 0)
        return -1;
    return gtar_data(&tarball->tar, data, len, fail);
}

static int put_piece(void *context, const void *data, size_t len, struct fail *fail)
{
    struct stream *stream = context;
    if (stop_check(fail) < 0)
        return -1;
    if (!stream->crlf)
        return gtar_data(&stream->tarball->tar, data, len, fail);
    buf_truncate(&stream->out, 0);
    gitconv_crlf_piece(&stream->out, &stream->last, data, len);
    return gtar_data(&stream->tarball->tar, stream->out.data, stream->out.len, fail);
}

static int put_stream(struct tarball *tarball, const struct odb_entry *entry, uint64_t len,
                      bool crlf, struct fail *fail)
{
    if (put_header(tarball, entry, len, fail) < 0)
        return -1;
    struct stream stream = {.tarball = tarball, .crlf = crlf};
    int result = odb_blob_stream(tarball->odb, &entry->id, put_piece, &stream, fail);
    buf_release(&stream.out);
    return result;
}

static int put_plain(struct tarball *tarball, const struct odb_entry *entry, struct fail *fail)
{
    struct buf *content = &tarball->content;
    uint64_t len = 0;
    buf_truncate(content, 0);
    if (odb_blob_read_small(content, &len, tarball->odb, &entry->id, WHOLE_MAX, fail) < 0)
        return -1;
    if (len > WHOLE_MAX)
        return put_stream(tarball, entry, len, false, fail);
    return put_whole(tarball, entry, content->data, content->len, fail);
}

/* ---- conversion in memory ---- */

static int check_result(const struct buf *result, struct fail *fail)
{
    if (result->len <= CONVERTED_MAX)
        return 0;
    return fail_set(fail, FAIL_INPUT, "the converted file has more than %zu bytes", CONVERTED_MAX);
}

static void replace(struct buf *content, struct buf *converted)
{
    buf_release(content);
    *content = *converted;
    *converted = (struct buf){0};
}

static int convert(struct buf *content, const struct tarball *tarball, struct work work,
                   const char *id, struct fail *fail)
{
    own_buf struct buf converted = {0};
    if (work.ident && gitconv_add_ident(&converted, content->data, content->len, id)) {
        if (check_result(&converted, fail) < 0)
            return -1;
        replace(content, &converted);
    }
    if (gitconv_add_crlf(&converted, content->data, content->len, work.eol)) {
        if (check_result(&converted, fail) < 0)
            return -1;
        replace(content, &converted);
    }
    if (work.subst && gitsubst_needed(content->data, content->len)) {
        if (gitsubst_expand(&converted, content->data, content->len, &tarball->subst, CONVERTED_MAX,
                            fail) < 0)
            return -1;
        replace(content, &converted);
    }
    return 0;
}

static int put_converted(struct tarball *tarball, const struct odb_entry *entry, struct work work,
                         struct fail *fail)
{
    own_buf struct buf content = {0};
    char id[ODB_ID_HEX] = {0};
    odb_id_hex(id, &entry->id);
    if (odb_blob_read(&content, tarball->odb, &entry->id, CONVERT_MAX, fail) < 0 ||
        convert(&content, tarball, work, id, fail) < 0)
        return -1;
    return put_whole(tarball, entry, content.data, content.len, fail);
}

/* ---- large files ---- */

static bool has_keyword(const void *data, size_t len)
{
    return memmem(data, len, "$Id", 3) != NULL || memmem(data, len, "$Format:", 8) != NULL;
}

static int scan_piece(void *context, const void *data, size_t len, struct fail *fail)
{
    struct scan *scan = context;
    if (stop_check(fail) < 0)
        return -1;
    if (scan->count)
        gitconv_count(&scan->stats, data, len);
    /* A keyword may lie across the border of two pieces. */
    uint8_t border[16] = {0};
    size_t head = len < 8 ? len : 8;
    memcpy(border, scan->tail, scan->tail_len);
    memcpy(border + scan->tail_len, data, head);
    size_t border_len = scan->tail_len + head;
    scan->keyword |= has_keyword(border, border_len) || has_keyword(data, len);
    if (len >= 8) {
        memcpy(scan->tail, (const uint8_t *)data + len - 8, 8);
        scan->tail_len = 8;
    } else {
        scan->tail_len = border_len < 8 ? border_len : 8;
        memcpy(scan->tail, border + border_len - scan->tail_len, scan->tail_len);
    }
    return 0;
}

static int put_large(struct tarball *tarball, const struct odb_entry *entry, uint64_t len,
                     struct work work, struct fail *fail)
{
    struct scan scan = {.count = work.eol != GITCONV_EOL_KEEP};
    if (odb_blob_stream(tarball->odb, &entry->id, scan_piece, &scan, fail) < 0)
        return -1;
    if (scan.keyword && (work.ident || work.subst))
        return fail_set(fail, FAIL_INPUT,
                        "%s in a file of %" PRIu64 " bytes is not supported (at most %" PRIu64 ")",
                        work.ident ? "ident" : "export-subst", len, CONVERT_MAX);
    bool crlf = gitconv_wants_crlf(&scan.stats, work.eol);
    return put_stream(tarball, entry, crlf ? len + scan.stats.lone_lf : len, crlf, fail);
}

/* ---- what is asked for ---- */

static int refuse_outside(const struct gitattr_value values[GITATTR_COUNT], struct fail *fail)
{
    const struct gitattr_value *filter = &values[GITATTR_FILTER];
    const struct gitattr_value *encoding = &values[GITATTR_ENCODING];
    if (filter->state == GITATTR_TEXTUAL) {
        fail_set(fail, FAIL_INPUT, "attribute filter=%s is not supported", filter->text);
        return fail_hint(fail, "what git writes depends on a program that this machine may have; "
                               "'-filter' or export-ignore in .gitattributes avoids it");
    }
    bool odd = encoding->state == GITATTR_TRUE || encoding->state == GITATTR_FALSE;
    bool other = encoding->state == GITATTR_TEXTUAL && *encoding->text != '\0' &&
                 strcasecmp(encoding->text, "UTF-8") != 0 &&
                 strcasecmp(encoding->text, "UTF8") != 0;
    if (odd || other)
        return fail_set(fail, FAIL_INPUT, "attribute working-tree-encoding%s%s is not supported",
                        other ? "=" : "", other ? encoding->text : "");
    return 0;
}

static int refuse_settings(const struct tarball *tarball, struct work work,
                           const struct gitattr_value values[GITATTR_COUNT], struct fail *fail)
{
    if (tarball->settings.eol && gitconv_eol_by_config(values)) {
        fail_set(fail, FAIL_INPUT,
                 "core.autocrlf or core.eol in the repository's config would "
                 "change line endings");
        return fail_hint(fail, "run 'git config --unset core.autocrlf' and "
                               "'git config --unset core.eol'");
    }
    if (tarball->settings.big_file && (work.ident || work.eol != GITCONV_EOL_KEEP)) {
        fail_set(fail, FAIL_INPUT,
                 "core.bigFileThreshold in the repository's config decides "
                 "whether the file is converted");
        return fail_hint(fail, "run 'git config --unset core.bigFileThreshold'");
    }
    return 0;
}

static int put_file(struct tarball *tarball, const struct odb_entry *entry,
                    const struct gitattr_value values[GITATTR_COUNT], struct fail *fail)
{
    struct work work = {.eol = gitconv_eol(values),
                        .ident = gitconv_ident(values),
                        .subst = values[GITATTR_EXPORT_SUBST].state == GITATTR_TRUE};
    bool converted = work.ident || work.subst || work.eol != GITCONV_EOL_KEEP;
    if (refuse_settings(tarball, work, values, fail) < 0 || refuse_outside(values, fail) < 0)
        return -1;
    if (!converted)
        return put_plain(tarball, entry, fail);
    uint64_t len = 0;
    if (odb_blob_len(&len, tarball->odb, &entry->id, fail) < 0)
        return -1;
    if (len > GIT_BIG_FILE && !work.subst)
        return put_plain(tarball, entry, fail);
    if (len > CONVERT_MAX)
        return put_large(tarball, entry, len, work, fail);
    return put_converted(tarball, entry, work, fail);
}

int tarball_file(struct tarball *tarball, const struct odb_entry *entry,
                 const struct gitattr_value values[GITATTR_COUNT], struct fail *fail)
{
    if (put_file(tarball, entry, values, fail) < 0)
        return fail_while(fail, "archiving '%s'", tarball_shown(tarball));
    return 0;
}
