/*
 * Purpose: JSON documents by jansson, with the checks that every caller needs.
 *
 * Layer: port. The layers above use jansson's own accessors (json_*) through
 *     this header, and js_* where jansson would leave a check to the caller.
 *
 * Calling sequence:
 *         json_t *doc = js_object();
 *         js_set(doc, "name", js_text(name));      // takes the value
 *         js_print(&out, doc); json_decref(doc);
 *
 * Ownership: js_set() and js_push() take their value. own_json releases.
 *
 * Errors: out of memory stops the process. js_parse(): FAIL_INPUT with line
 *     and column; duplicate keys and nesting over jansson's limit are refused.
 *
 * Determinism: keys are printed in the order in which they were set, two
 *     spaces of indentation, one newline at the end.
 */
#ifndef HALLMARK_PORT_JSON_H
#define HALLMARK_PORT_JSON_H

#include <jansson.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/fail.h"
#include "base/finding.h"

#define own_json __attribute__((cleanup(js_release)))
void js_release(json_t **value);

json_t *js_object(void);
json_t *js_array(void);

/* A string; bytes that are not UTF-8 become "\xNN" text. NULL gives JSON null. */
json_t *js_text(const char *text);
json_t *js_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *js_uint(uint64_t value);
json_t *js_bool(int value);

void js_set(json_t *object, const char *key, json_t *value);
void js_push(json_t *array, json_t *value);

/* An array of {"level","id","slice","place","expected","actual","remedy"}; what is not said is
 * left out. */
json_t *js_findings(const struct findings *findings);

/* Appends the document and a newline. */
void js_print(struct buf *out, const json_t *value);

/* Parses a whole document; `name` is for messages. */
int js_parse(json_t **out, struct view text, const char *name, struct fail *fail) must_check;

/* The string member, or NULL when absent or not a string. */
const char *js_get_text(const json_t *object, const char *key);

#endif
