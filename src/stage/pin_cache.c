#include "stage/pin_cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fail.h"
#include "base/fs.h"
#include "base/system.h"

#define HEAD "hallmark-digests 1"

/* Younger files are not entered: they might change again without a change of ctime. */
#define SETTLED_SEC 2

/* A directory of ours that nobody else can write to. */
static bool is_private(const struct stat *status)
{
    return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool use_directory(const char *path)
{
    struct stat status;
    if (mkdir(path, 0700) < 0 && stat(path, &status) < 0)
        return false;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && is_private(&status);
}

/* The cache's file in a directory that can be used; NULL: none. */
static char *cache_path(void)
{
    const char *base = getenv("XDG_CACHE_HOME");
    own_mem char *parent = NULL;
    if (base != NULL && base[0] == '/') {
        parent = text_copy(base);
    } else {
        const char *home = getenv("HOME");
        struct stat status;
        /* Never make a home directory. */
        if (home == NULL || home[0] != '/' || stat(home, &status) < 0)
            return NULL;
        parent = text_printf("%s/.cache", home);
    }
    own_mem char *directory = text_printf("%s/hallmark", parent);
    if (!use_directory(parent) || !use_directory(directory))
        return NULL;
    return text_printf("%s/digests", directory);
}

static void add_line(struct pin_cache *cache, char *line)
{
    cache->lines = mem_grow(cache->lines, cache->count, &cache->capacity, sizeof(char *));
    cache->lines[cache->count++] = line;
}

static void read_lines(struct pin_cache *cache, const char *text)
{
    size_t head_len = strlen(HEAD);
    if (strncmp(text, HEAD "\n", head_len + 1) != 0)
        return;
    text += head_len + 1;
    for (const char *end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
        if (cache->count < PIN_CACHE_LINES_MAX)
            add_line(cache, mem_copy(text, (size_t)(end - text)));
        text = end + 1;
    }
}

void pin_cache_open(struct pin_cache *cache, bool fresh)
{
    cache->fresh = fresh;
    cache->path = cache_path();
    if (cache->path == NULL)
        return;
    own_fd int fd = open(cache->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || !is_private(&status) ||
        status.st_size > (off_t)PIN_CACHE_LEN_MAX)
        return;
    own_mem char *text = mem_new((size_t)status.st_size + 1, 1);
    size_t len = 0;
    while (len < (size_t)status.st_size) {
        ssize_t got = read(fd, text + len, (size_t)status.st_size - len);
        if (got <= 0)
            return;
        len += (size_t)got;
    }
    if (memchr(text, '\0', len) == NULL)
        read_lines(cache, text);
}

static int64_t nanoseconds(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* "file <identity> ", up to the digest. */
static char *file_key(const struct stat *status)
{
    return text_printf("file %ju %ju %jd %" PRId64 " %" PRId64 " ", (uintmax_t)status->st_dev,
                       (uintmax_t)status->st_ino, (intmax_t)status->st_size,
                       nanoseconds(status->SYSTEM_MTIME), nanoseconds(status->SYSTEM_CTIME));
}

static char *answer_key(const char *question, const char *digest, const char *path)
{
    return text_printf("answer %s %s %s\t", question, digest, path);
}

/* What follows the key in the newest entry; NULL when there is none. */
static const char *look_up(const struct pin_cache *cache, const char *key)
{
    size_t len = strlen(key);
    for (size_t i = cache->count; i-- > 0;)
        if (strncmp(cache->lines[i], key, len) == 0)
            return cache->lines[i] + len;
    return NULL;
}

static void replace(struct pin_cache *cache, const char *key, char *line)
{
    size_t len = strlen(key);
    size_t kept = 0;
    size_t surplus =
        cache->count >= PIN_CACHE_LINES_MAX ? cache->count - PIN_CACHE_LINES_MAX + 1 : 0;
    for (size_t i = 0; i < cache->count; i++) {
        if (i < surplus || strncmp(cache->lines[i], key, len) == 0)
            free(cache->lines[i]);
        else
            cache->lines[kept++] = cache->lines[i];
    }
    cache->count = kept;
    add_line(cache, line);
    cache->changed = true;
}

bool pin_cache_file(char sha256[SHA256_HEX], const struct pin_cache *cache, const char *path,
                    const struct stat *status)
{
    if (cache->fresh)
        return false;
    own_mem char *key = file_key(status);
    const char *rest = look_up(cache, key);
    if (rest == NULL || strspn(rest, "0123456789abcdef") != SHA256_HEX - 1 ||
        rest[SHA256_HEX - 1] != ' ' || strcmp(rest + SHA256_HEX, path) != 0)
        return false;
    memcpy(sha256, rest, SHA256_HEX - 1);
    sha256[SHA256_HEX - 1] = '\0';
    return true;
}

void pin_cache_add_file(struct pin_cache *cache, const char *path, const struct stat *status,
                        const char *sha256)
{
    struct timespec now;
    if (cache->path == NULL || strpbrk(path, "\t\n") != NULL ||
        clock_gettime(CLOCK_REALTIME, &now) < 0 ||
        now.tv_sec - status->SYSTEM_CTIME.tv_sec < SETTLED_SEC)
        return;
    own_mem char *key = file_key(status);
    replace(cache, key, text_printf("%s%s %s", key, sha256, path));
}

char *pin_cache_answer(const struct pin_cache *cache, const char *question, const char *digest,
                       const char *path)
{
    if (cache->fresh)
        return NULL;
    own_mem char *key = answer_key(question, digest, path);
    const char *rest = look_up(cache, key);
    return rest == NULL || rest[0] == '\0' ? NULL : text_copy(rest);
}

void pin_cache_add_answer(struct pin_cache *cache, const char *question, const char *digest,
                          const char *path, const char *answer)
{
    if (cache->path == NULL || strpbrk(path, "\t\n") != NULL || strpbrk(answer, "\t\n") != NULL)
        return;
    own_mem char *key = answer_key(question, digest, path);
    replace(cache, key, text_printf("%s%s", key, answer));
}

void pin_cache_save(struct pin_cache *cache)
{
    if (cache->path == NULL || !cache->changed)
        return;
    own_buf struct buf text = {0};
    buf_puts(&text, HEAD "\n");
    for (size_t i = 0; i < cache->count; i++)
        buf_printf(&text, "%s\n", cache->lines[i]);
    own_fail struct fail ignored = {0};
    if (text.len <= PIN_CACHE_LEN_MAX &&
        fs_write_new(cache->path, text.data, text.len, 0600, FS_REPLACE, &ignored) == 0)
        cache->changed = false;
}

void pin_cache_release(struct pin_cache *cache)
{
    for (size_t i = 0; i < cache->count; i++)
        free(cache->lines[i]);
    free(cache->lines);
    free(cache->path);
    *cache = (struct pin_cache){0};
}
