/*
 * Purpose: read the dependency files that compilers write for make (-MD).
 *
 * Layer: format.
 *
 * Errors: -1 when there is no rule in the text.
 *
 * Source of the facts: GNU make manual, "Rule Syntax"; measured on clang 19:
 *     blanks and '#' are escaped with a backslash, '$' is doubled, lines go on
 *     after a backslash.
 */
#ifndef HALLMARK_FORMAT_DEPFILE_H
#define HALLMARK_FORMAT_DEPFILE_H

#include <stddef.h>

#include "format/provenance.h"

/* Appends the prerequisites of the first rule. */
int depfile_parse(struct prov_list *out, const char *text, size_t len) must_check;

#endif
