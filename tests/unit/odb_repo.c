#include "odb_repo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#if SANITIZED
/* libgit2 1.5 does not free what PCRE matches with (revisions by message, and each open of a
 * repository whose format version is 1). */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libpcre2\n";
}
#endif

int repo_environment(void **state)
{
    static const char *const set[][2] = {
        {"GIT_CONFIG_GLOBAL", "/dev/null"},
        {"GIT_CONFIG_NOSYSTEM", "1"},
        {"GIT_AUTHOR_NAME", "A U Thor"},
        {"GIT_AUTHOR_EMAIL", "author@example.com"},
        {"GIT_AUTHOR_DATE", "1600000000 -0330"},
        {"GIT_COMMITTER_NAME", "C O Mitter"},
        {"GIT_COMMITTER_EMAIL", "committer@example.com"},
        {"GIT_COMMITTER_DATE", "1700000000 +0200"},
        {"GIT_CONFIG_COUNT", "4"},
        {"GIT_CONFIG_KEY_0", "init.defaultBranch"},
        {"GIT_CONFIG_VALUE_0", "main"},
        {"GIT_CONFIG_KEY_1", "gc.auto"},
        {"GIT_CONFIG_VALUE_1", "0"},
        {"GIT_CONFIG_KEY_2", "protocol.file.allow"},
        {"GIT_CONFIG_VALUE_2", "always"},
        {"GIT_CONFIG_KEY_3", "pack.threads"},
        {"GIT_CONFIG_VALUE_3", "1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        if (setenv(set[i][0], set[i][1], 1) != 0)
            return -1;
    }
    return 0;
}

__attribute__((format(printf, 1, 0))) static char *script(const char *format, va_list args)
{
    own_mem char *body = text_vprintf(format, args);
    return text_printf("set -e\n%s", body);
}

void sh(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *text = script(format, args);
    va_end(args);
    if (system(text) != 0)
        fail_msg("this failed: %s", text);
}

char *sh_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *text = script(format, args);
    va_end(args);
    own_buf struct buf out = {0};
    char piece[4096];
    FILE *pipe = popen(text, "r");
    assert_non_null(pipe);
    for (size_t got = 0; (got = fread(piece, 1, sizeof piece, pipe)) > 0;)
        buf_append(&out, piece, got);
    if (pclose(pipe) != 0)
        fail_msg("this failed: %s", text);
    if (out.len > 0 && out.data[out.len - 1] == '\n')
        buf_truncate(&out, out.len - 1);
    buf_puts(&out, "");
    return text_copy(buf_text(&out));
}

void file_read(struct buf *out, const char *path)
{
    char piece[65536];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("cannot open %s", path);
    for (size_t got = 0; (got = fread(piece, 1, sizeof piece, file)) > 0;)
        buf_append(out, piece, got);
    assert_int_equal(fclose(file), 0);
}

void file_write(const char *path, const void *data, size_t len)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        fail_msg("cannot create %s", path);
    if (len > 0)
        assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

struct odb *repo_open(const char *path)
{
    own_fail struct fail fail = {0};
    struct odb *odb = NULL;
    if (odb_open(&odb, path, &fail) < 0)
        fail_msg("%s: %s", path, fail.message);
    return odb;
}

void expect_failure(struct fail *fail, const char *message, const char *hint)
{
    if (fail->message == NULL || strstr(fail->message, message) == NULL)
        fail_msg("message is '%s', not '%s'", fail->message ? fail->message : "", message);
    if (hint != NULL && (fail->hint == NULL || strstr(fail->hint, hint) == NULL))
        fail_msg("hint is '%s', not '%s'", fail->hint ? fail->hint : "", hint);
    assert_int_equal(fail->code, FAIL_INPUT);
    fail_release(fail);
}

static int collect(void *context, const void *data, size_t len, struct fail *fail)
{
    (void)fail;
    assert_true(len > 0 && len <= 262144);
    buf_append(context, data, len);
    return 0;
}

static void same(const struct buf *got, const char *expected, size_t len, const char *hex)
{
    if (got->len != len || (len > 0 && memcmp(got->data, expected, len) != 0))
        fail_msg("blob %s: %zu bytes, not the %zu that git reads", hex, got->len, len);
}

static void check_blob(struct odb *odb, const char *hex, const char *expected, size_t len)
{
    own_fail struct fail fail = {0};
    own_buf struct buf streamed = {0};
    own_buf struct buf whole = {0};
    own_buf struct buf small = {0};
    struct odb_id id;
    uint64_t said = 0;
    assert_int_equal(odb_id_parse(&id, hex), 0);
    if (odb_blob_stream(odb, &id, collect, &streamed, &fail) < 0 ||
        odb_blob_len(&said, odb, &id, &fail) < 0)
        fail_msg("blob %s: %s", hex, fail.message);
    same(&streamed, expected, len, hex);
    assert_int_equal(said, len);
    assert_int_equal(odb_blob_read(&whole, odb, &id, len, &fail), 0);
    same(&whole, expected, len, hex);
    assert_int_equal(odb_blob_read_small(&small, &said, odb, &id, 1000, &fail), 0);
    same(&small, expected, len <= 1000 ? len : 0, hex);
    assert_int_equal(said, len);
}

/* Walks over the output of `git cat-file --batch`: "ID blob LEN\nCONTENT\n" for each. */
size_t expect_same_blobs(const char *path)
{
    own_buf struct buf all = {0};
    struct odb *odb = repo_open(path);
    size_t count = 0;
    sh("git -C %s cat-file --batch-all-objects --batch-check='%%(objecttype) %%(objectname)' |"
       " sed -n 's/^blob //p' | git -C %s cat-file --batch >all-blobs",
       path, path);
    file_read(&all, "all-blobs");
    for (const char *at = buf_text(&all), *end = at + all.len; at < end; count++) {
        char hex[ODB_ID_HEX];
        unsigned long len = 0;
        int header = 0;
        assert_int_equal(sscanf(at, "%40[0-9a-f] blob %lu%n", hex, &len, &header), 2);
        at += header + 1;
        check_blob(odb, hex, at, len);
        at += len + 1;
    }
    odb_free(odb);
    return count;
}
