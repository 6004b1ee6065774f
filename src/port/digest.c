#include "port/digest.h"

#include <errno.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/own.h"
#include "base/stop.h"

#define PIECE_LEN (1u << 20)

static _Noreturn void broken(void)
{
    own_stop("libcrypto cannot compute a digest");
}

/* Fetched once: looking an algorithm up by its old name costs more than hashing a small blob. */
static const EVP_MD *algorithms[3];
static pthread_once_t fetched = PTHREAD_ONCE_INIT;

static void fetch_algorithms(void)
{
    static const char *const names[] = {
        [DIGEST_SHA1] = "SHA1", [DIGEST_SHA256] = "SHA256", [DIGEST_SHA384] = "SHA384"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        algorithms[i] = EVP_MD_fetch(NULL, names[i], NULL);
        if (algorithms[i] == NULL)
            broken();
    }
}

static const EVP_MD *algorithm(enum digest_kind kind)
{
    pthread_once(&fetched, fetch_algorithms);
    return algorithms[kind];
}

size_t digest_len(enum digest_kind kind)
{
    switch (kind) {
    case DIGEST_SHA1:
        return 20;
    case DIGEST_SHA256:
        return 32;
    case DIGEST_SHA384:
        return 48;
    }
    abort();
}

void digest_start(struct digest *digest, enum digest_kind kind)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL || EVP_DigestInit_ex(context, algorithm(kind), NULL) != 1)
        broken();
    *digest = (struct digest){.context = context, .kind = kind};
}

void digest_update(struct digest *digest, const void *data, size_t len)
{
    if (EVP_DigestUpdate(digest->context, data, len) != 1)
        broken();
}

void digest_finish(uint8_t *out, struct digest *digest)
{
    if (EVP_DigestFinal_ex(digest->context, out, NULL) != 1)
        broken();
    digest_release(digest);
}

void digest_next(uint8_t *out, struct digest *digest)
{
    if (EVP_DigestFinal_ex(digest->context, out, NULL) != 1 ||
        EVP_DigestInit_ex2(digest->context, NULL, NULL) != 1)
        broken();
}

void digest_release(struct digest *digest)
{
    EVP_MD_CTX_free(digest->context);
    digest->context = NULL;
}

void digest_once(uint8_t *out, enum digest_kind kind, const void *data, size_t len)
{
    own_digest struct digest digest = {0};
    digest_start(&digest, kind);
    for (size_t at = 0; at < len; at += PIECE_LEN) {
        size_t some = len - at < PIECE_LEN ? len - at : PIECE_LEN;
        struct view piece = {(const uint8_t *)data + at, some};
        digest_update(&digest, piece.data, some);
        if (len > PIECE_LEN) /* a whole file, perhaps a mapped one, that is gone through once */
            fs_map_forget(piece);
    }
    digest_finish(out, &digest);
}

void digest_sha256_hex(char out[SHA256_HEX], const void *data, size_t len)
{
    uint8_t bytes[SHA256_LEN];
    digest_once(bytes, DIGEST_SHA256, data, len);
    text_hex(out, bytes, sizeof bytes);
}

int digest_fd(char out[SHA256_HEX], int fd, const char *name, struct fail *fail)
{
    enum { CHUNK = 1 << 18 };
    own_mem uint8_t *chunk = mem_new(CHUNK, 1);
    own_digest struct digest digest = {0};
    digest_start(&digest, DIGEST_SHA256);
    for (;;) {
        if (stop_check(fail) < 0)
            return -1;
        ssize_t got = read(fd, chunk, CHUNK);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_errno(fail, "cannot read '%s'", name);
        if (got == 0)
            break;
        digest_update(&digest, chunk, (size_t)got);
    }
    uint8_t bytes[SHA256_LEN];
    digest_finish(bytes, &digest);
    text_hex(out, bytes, sizeof bytes);
    return 0;
}
