/*
 * Purpose: property lists as signatures and signed files hold them: read from XML, from the
 *     binary form and from DER (entitlements, launch constraints); written as DER the way codesign
 *     does; compared; shown as text and JSON.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_plist struct plist list = {0};
 *         if (plist_parse(&list, bytes, &fail) < 0) ...
 *         const struct plist_node *id = plist_get(&list, "CFBundleIdentifier");
 *     or plist_parse_xml(), plist_parse_der() where only that form is right.
 *
 * Ownership: the list owns its nodes, their keys and their bytes. Pointers to nodes are valid
 *     until the list is released.
 *
 * Errors: FAIL_INPUT with the offset of what is malformed. Whatever the bytes are, they are read
 *     as Apple's readers do, or refused. Limits: 1 MiB of input, 16384 values, 32 levels, 4 MiB of
 *     keys, texts and data together (objects of a binary list can be used many times).
 *     Refused though others may read it: keys that occur twice in a dictionary; texts with NUL;
 *     XML with an internal DTD subset, an encoding other than UTF-8, or attributes on anything but
 *     <plist>; integers outside of int64_t; null, UID and set objects.
 *
 * Determinism: pure functions.
 */
#ifndef HALLMARK_MACHO_PLIST_H
#define HALLMARK_MACHO_PLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"
#include "port/json.h"

#define PLIST_LEN_MAX   (1u << 20)
#define PLIST_BYTES_MAX (4u << 20)
#define PLIST_NODES_MAX 16384u
#define PLIST_DEPTH_MAX 32u

enum plist_type {
    PLIST_DICT,
    PLIST_ARRAY,
    PLIST_STRING,
    PLIST_INTEGER,
    PLIST_BOOL,
    PLIST_DATA,
    PLIST_DATE,
    PLIST_REAL,
};

enum plist_form {
    PLIST_FORM_XML,
    PLIST_FORM_BINARY,  /* bplist00 */
    PLIST_FORM_DER,     /* [APPLICATION 16] { INTEGER 1, [16] { pair ... } } */
    PLIST_FORM_DER_SET, /* the older SET { pair ... }, whose truth may be 01 */
};

#define PLIST_NONE SIZE_MAX

struct plist_node {
    enum plist_type type;
    char *key;      /* in a dictionary, UTF-8; else NULL */
    char *bytes;    /* of PLIST_STRING (UTF-8 without NUL) and PLIST_DATA; a NUL follows */
    size_t len;     /* of these bytes */
    int64_t number; /* of PLIST_INTEGER, PLIST_BOOL (0, 1), PLIST_DATE (seconds since 1970, UTC) */
    double real;    /* of PLIST_REAL */
    size_t first;   /* first child of PLIST_DICT and PLIST_ARRAY, or PLIST_NONE */
    size_t next;    /* next sibling, or PLIST_NONE */
};

struct plist {
    enum plist_form form;
    struct plist_node *nodes; /* nodes[0] is the root */
    size_t count;
    size_t capacity;
    size_t byte_count; /* in all keys and bytes */
    /* Why readers may understand these bytes differently; NULL: they do not. Also where reading
     * failed. */
    const char *ambiguous;
    /* What is behind the document, where Apple's readers stop reading; NULL: nothing. */
    const char *loose;
};

#define own_plist __attribute__((cleanup(plist_release)))

/* A property list in XML, or in the binary form when it begins with "bplist". */
int plist_parse(struct plist *out, struct view bytes, struct fail *fail) must_check;

/* XML alone: what entitlements must be. */
int plist_parse_xml(struct plist *out, struct view xml, struct fail *fail) must_check;

/* The payload (without the blob's header) of DER entitlements or of a launch constraint, in both
 * forms. The root is a dictionary. Lengths must be minimal; the order of keys does not matter. */
int plist_parse_der(struct plist *out, struct view der, struct fail *fail) must_check;

void plist_release(struct plist *list);

/* The value of a key of the root dictionary; NULL when there is none. */
const struct plist_node *plist_get(const struct plist *list, const char *key);

/*
 * Appends the DER form: [APPLICATION 16] { INTEGER 1, [16] { SEQUENCE { key, value } ... } } with
 * the keys of each dictionary sorted by bytes. FAIL_INPUT when the root is no dictionary, or for
 * a value that entitlements cannot hold (date, real).
 */
int plist_encode_der(struct buf *out, const struct plist *list, struct fail *fail) must_check;

/* Where two lists begin to differ. */
struct plist_difference {
    char *path;  /* "key", "key[2] > inner"; "" for the root itself */
    char *first; /* what each list holds there, in one line; NULL: nothing */
    char *second;
};

#define own_plist_difference __attribute__((cleanup(plist_difference_release)))
void plist_difference_release(struct plist_difference *difference);

/* True when both have the same values; the order of keys and the form do not matter. Else the
 * first difference, by the order of keys, is in `out` (which is empty after true). */
bool plist_equal(struct plist_difference *out, const struct plist *a, const struct plist *b);

/* "true", "-5", "\"text\"", "an array of 3 values", ...: one value in one line that is safe on a
 * terminal; long texts are shortened. */
void plist_value_text(struct buf *out, const struct plist *list, const struct plist_node *node);

/*
 * The whole tree for people, one value a line, safe on a terminal, each line behind `indent`
 * spaces; in the order of the document:
 *     com.apple.security.app-sandbox = true
 *     groups =
 *       - "group.one"
 */
void plist_text(struct buf *out, const struct plist *list, unsigned indent);

/* The tree as JSON: data as hexadecimal text, dates as "2024-01-31T23:59:59Z". */
json_t *plist_json(const struct plist *list);

#endif
