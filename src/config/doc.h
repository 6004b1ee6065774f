/*
 * Purpose: read one YAML document of untrusted bytes into a C structure by a libcyaml schema,
 *     and say in which line and column something is wrong.
 *
 * Layer: config. The only user of libcyaml and libyaml.
 *
 * Calling sequence:
 *         own_doc struct doc doc = {0};
 *         doc_load(&doc, &raw, sizeof(raw), text, name, &schema, &fail)
 *         if (is_bad(raw.list[i].name))
 *             return doc_fail(&doc, &fail, "list[0].name", "name '%s' is bad", ...);
 *     The schema is that of a pointer to the structure (CYAML_FLAG_POINTER).
 *
 * Ownership: what the schema allocates belongs to the caller's structure and is freed with
 *     doc_free(); `struct doc` keeps the places of the nodes and borrows `name`.
 *
 * Errors: FAIL_INPUT: "PROBLEM in 'NAME' line L column C".
 *
 * Determinism: pure.
 *
 * The file is walked twice: first here, by libyaml's events against the schema, to refuse
 *     everything that is not a plain document (and to remember the places, which libcyaml does
 *     not hand out), then by libcyaml, to fill the structure. Refused: more than 1 MiB, NUL and
 *     control bytes, tabs, a byte order mark, bytes that are not UTF-8, no document, several
 *     documents, anchors, aliases, tags, duplicate keys, keys that are not plain text, unknown
 *     keys, missing keys, values of another shape than the schema's, texts and lists longer than
 *     the schema allows, values that are not in an enumeration, and (in texts) control characters
 *     and the characters that change the direction of writing, line ends included.
 *     Nesting ends where the schema ends.
 */
#ifndef HALLMARK_CONFIG_DOC_H
#define HALLMARK_CONFIG_DOC_H

#include <cyaml/cyaml.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/cursor.h"
#include "base/fail.h"

#define DOC_LEN_MAX (1u << 20)

struct doc_place {
    char *path; /* "artifacts[0].cflags[2]"; "" for the document */
    size_t line;
    size_t column;
};

struct doc {
    const char *name;
    struct doc_place *places;
    size_t count;
    size_t capacity;
};

#define own_doc __attribute__((cleanup(doc_release)))

/* Fills data[0, data_len) by the schema; on failure data stays as it was. */
int doc_load(struct doc *out, void *data, size_t data_len, struct view text, const char *name,
             const cyaml_schema_value_t *schema, struct fail *fail) must_check;

/* Frees what the schema allocated inside of `data` and zeroes it. */
void doc_free(void *data, size_t data_len, const cyaml_schema_value_t *schema);

/* Whether the document has a node of that path. */
bool doc_has(const struct doc *doc, const char *path);

/* FAIL_INPUT with the place of `path` (the nearest node above it, when there is none). */
int doc_fail(const struct doc *doc, struct fail *fail, const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

void doc_release(struct doc *doc);

#endif
