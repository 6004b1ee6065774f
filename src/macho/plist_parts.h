/*
 * Purpose: what the readers and writers of plist.h share: building the tree within its limits,
 *     dictionaries in the order of their keys, text, dates.
 *
 * Layer: macho; for plist*.c alone.
 *
 * Calling sequence: a reader adds a node, fills it, adds its children and links each:
 *         size_t last = PLIST_NONE;
 *         if (plist_add(list, PLIST_STRING, &child)) plist_link(list, parent, &last, child);
 *
 * Ownership: what is added belongs to the list.
 *
 * Errors: false / NULL; the reader makes the failure, since it knows the offset.
 *
 * Determinism: pure functions.
 */
#ifndef HALLMARK_MACHO_PLIST_PARTS_H
#define HALLMARK_MACHO_PLIST_PARTS_H

#include "macho/plist.h"

#define PLIST_TOO_MANY  "it has too many values"
#define PLIST_TOO_DEEP  "it is nested too deeply"
#define PLIST_TOO_LARGE "its texts are too long together"

/* A new value, not yet linked; false when there are PLIST_NODES_MAX already. */
bool plist_add(struct plist *list, enum plist_type type, size_t *index) must_check;

/* Makes `child` the last child of `parent`; *last is the one before it, PLIST_NONE at first. */
void plist_link(struct plist *list, size_t parent, size_t *last, size_t child);

/* Copies key or bytes into a node; false when the list would have more than PLIST_BYTES_MAX. */
bool plist_set_key(struct plist *list, size_t index, const void *key, size_t len) must_check;
bool plist_set_bytes(struct plist *list, size_t index, const void *bytes, size_t len) must_check;

struct plist_entry {
    const char *key;
    size_t index;
};

/* The children of a dictionary by key, as bytes; sets `count`. Free it. */
struct plist_entry *plist_sorted(const struct plist *list, size_t dict, size_t *count);

/* True when a key of the dictionary occurs twice. */
bool plist_repeats_key(const struct plist *list, size_t dict);

/* True for UTF-8 without NUL. */
bool plist_is_text(const void *data, size_t len);

#define PLIST_DATE_LEN 20u /* "2024-01-31T23:59:59Z" */

/* Years 0 to 9999. */
bool plist_parse_date(int64_t *out, const char *text) must_check;
bool plist_date_fits(int64_t seconds);
void plist_put_date(struct buf *out, int64_t seconds);

/* The binary form; `bytes` begins with "bplist" and is at most PLIST_LEN_MAX long. */
int plist_parse_binary(struct plist *out, struct view bytes, struct fail *fail) must_check;

#endif
