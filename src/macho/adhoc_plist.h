/*
 * Purpose: XML property lists as far as signing needs them: read entitlements and an embedded
 *     Info.plist, and encode entitlements as DER the way codesign does.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_plist struct plist list = {0};
 *         if (plist_parse(&list, xml, &fail) < 0) ...
 *         plist_encode_der(&der, &list, &fail)
 *
 * Ownership: the list owns its nodes and their texts.
 *
 * Errors: FAIL_INPUT with the line number. Limits: 1 MiB of text, 16384 nodes, 32 levels. Binary
 *     property lists, CDATA sections and internal DTD subsets are refused.
 *
 * Determinism: pure functions. DER has the keys of each dictionary sorted by bytes.
 */
#ifndef HALLMARK_MACHO_ADHOC_PLIST_H
#define HALLMARK_MACHO_ADHOC_PLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"

#define PLIST_LEN_MAX   (1u << 20)
#define PLIST_NODES_MAX 16384u
#define PLIST_DEPTH_MAX 32u

enum plist_type {
    PLIST_DICT,
    PLIST_ARRAY,
    PLIST_STRING,
    PLIST_INTEGER,
    PLIST_BOOL,
    PLIST_OTHER, /* data, date or real: its text is kept as it stands */
};

#define PLIST_NONE SIZE_MAX

struct plist_node {
    enum plist_type type;
    char *key;      /* in a dictionary; else NULL */
    char *text;     /* of PLIST_STRING and PLIST_OTHER */
    int64_t number; /* of PLIST_INTEGER and PLIST_BOOL */
    size_t first;   /* first child of PLIST_DICT and PLIST_ARRAY, or PLIST_NONE */
    size_t next;    /* next sibling, or PLIST_NONE */
};

struct plist {
    struct plist_node *nodes; /* nodes[0] is the root */
    size_t count;
    size_t capacity;
};

#define own_plist __attribute__((cleanup(plist_release)))

int plist_parse(struct plist *out, struct view xml, struct fail *fail) must_check;
void plist_release(struct plist *list);

/* The value of a key of the root dictionary; NULL when there is none. */
const struct plist_node *plist_get(const struct plist *list, const char *key);

/*
 * Appends the DER form of entitlements: [APPLICATION 16] { INTEGER 1, [16] { SEQUENCE { key,
 * value } ... } }. FAIL_INPUT when the root is no dictionary, or for a value that entitlements
 * cannot hold (data, date, real), or for a key that occurs twice.
 */
int plist_encode_der(struct buf *out, const struct plist *list, struct fail *fail) must_check;

#endif
