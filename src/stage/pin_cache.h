/*
 * Purpose: remember digests of files and answers of programs between runs. Part of pin.c; pin.h
 *     says why it may be trusted.
 *
 * Layer: stage.
 *
 * Calling sequence:
 *         own_pin_cache struct pin_cache cache = {0};
 *         pin_cache_open(&cache, fresh);
 *         pin_cache_file(sha256, &cache, path, &stat) ...; pin_cache_add_file(...);
 *         pin_cache_save(&cache);
 *
 * Ownership: the struct owns its entries and path.
 *
 * Errors: none: without a usable file there are no entries, and what cannot be written is not.
 *
 * Determinism: an answer is the same with and without the cache.
 *
 * Format, one entry a line after "hallmark-digests 1":
 *     file <device> <inode> <size> <mtime ns> <ctime ns> <sha256> <path>
 *     answer <question> <digest of the program> <path of the program>\t<answer>
 */
#ifndef HALLMARK_STAGE_PIN_CACHE_H
#define HALLMARK_STAGE_PIN_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/own.h"
#include "port/digest.h"

#define PIN_CACHE_LINES_MAX 512u
#define PIN_CACHE_LEN_MAX   (1u << 20)

struct pin_cache {
    char *path; /* NULL: no cache */
    char **lines;
    size_t count;
    size_t capacity;
    bool fresh; /* entries are replaced, never used */
    bool changed;
};

#define own_pin_cache __attribute__((cleanup(pin_cache_release)))

/* Reads $XDG_CACHE_HOME/hallmark/digests or $HOME/.cache/hallmark/digests. */
void pin_cache_open(struct pin_cache *cache, bool fresh);

/* Whether the digest of that very file is known. */
bool pin_cache_file(char sha256[SHA256_HEX], const struct pin_cache *cache, const char *path,
                    const struct stat *status);
void pin_cache_add_file(struct pin_cache *cache, const char *path, const struct stat *status,
                        const char *sha256);

/* What a program with that digest, started by that path, answers; NULL when not known. */
char *pin_cache_answer(const struct pin_cache *cache, const char *question, const char *digest,
                       const char *path);
void pin_cache_add_answer(struct pin_cache *cache, const char *question, const char *digest,
                          const char *path, const char *answer);

/* Writes what was added. */
void pin_cache_save(struct pin_cache *cache);

void pin_cache_release(struct pin_cache *cache);

#endif
