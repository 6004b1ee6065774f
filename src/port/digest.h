/*
 * Purpose: SHA-256, SHA-1 and SHA-384 by libcrypto.
 *
 * Layer: port.
 *
 * Calling sequence: digest_once() for bytes in memory; digest_start(),
 *     digest_update(), digest_finish() for streams; digest_fd() for a file.
 *
 * Ownership: `struct digest` owns a libcrypto context; digest_release() frees
 *     it (also after digest_finish()).
 *
 * Errors: libcrypto can only fail for lack of memory or a broken
 *     installation; both stop the process (exit 7). digest_fd(): FAIL_SYSTEM.
 *
 * Determinism: pure functions of the bytes.
 */
#ifndef HALLMARK_PORT_DIGEST_H
#define HALLMARK_PORT_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum digest_kind { DIGEST_SHA1, DIGEST_SHA256, DIGEST_SHA384 };

#define DIGEST_MAX 48u
#define SHA256_LEN 32u
#define SHA1_LEN   20u
#define SHA256_HEX 65u /* 64 digits and a NUL */

size_t digest_len(enum digest_kind kind);

/* out[digest_len(kind)] */
void digest_once(uint8_t *out, enum digest_kind kind, const void *data, size_t len);

/* SHA-256 as lower-case hexadecimal. */
void digest_sha256_hex(char out[SHA256_HEX], const void *data, size_t len);

struct digest {
    void *context;
    enum digest_kind kind;
};
#define own_digest __attribute__((cleanup(digest_release)))
void digest_start(struct digest *digest, enum digest_kind kind);
void digest_update(struct digest *digest, const void *data, size_t len);
void digest_finish(uint8_t *out, struct digest *digest);
void digest_release(struct digest *digest);

/* Finishes and begins anew with the same kind: for many small pieces, without looking anything up
 * or allocating again. */
void digest_next(uint8_t *out, struct digest *digest);

/* SHA-256 of the rest of an open file, in hexadecimal; `name` is for messages. */
int digest_fd(char out[SHA256_HEX], int fd, const char *name, struct fail *fail) must_check;

#endif
