/*
 * Purpose: the forms that names, versions and paths in configuration files may have.
 *
 * Layer: config.
 *
 * Calling sequence: rule_*() return NULL when the text is good, else what is wrong with it, to
 *     be put behind the subject: "artifact name '.x' begins with a dot".
 *
 * Errors: none; the caller makes the failure, since it knows the place.
 *
 * Determinism: pure; ASCII only, no locale.
 */
#ifndef HALLMARK_CONFIG_RULE_H
#define HALLMARK_CONFIG_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* 1 to `max` of [A-Za-z0-9._+-], not beginning with a dot or a dash. */
const char *rule_name(const char *text, size_t max);

/* An artifact's file name: rule_name(), and none of the names that a release uses itself. */
const char *rule_artifact(const char *text);

/* One to `max_parts` decimal numbers without leading zeros, separated by dots. */
const char *rule_version(const char *text, size_t min_parts, size_t max_parts);

/* A contained relative path of which no component begins with "-" or "@", so that no program
 * takes it for an option or a response file. */
const char *rule_path(const char *path);

/*
 * The same, but it may begin with "../" and is relative to `base`: sets *out (free it) to the
 * path from the root of the tree. `directory`: "." and "../.." are good too, and the root of
 * the tree is ".".
 */
const char *rule_path_from(char **out, const char *base, const char *path, bool directory);

/* Whether two names are one when case is folded (ASCII; rule_name() allows no other). */
bool rule_same_folded(const char *a, const char *b);

/* Whether all of `text` matches `pattern`, where "*" stands for any characters. */
bool rule_glob(const char *pattern, const char *text);

#endif
