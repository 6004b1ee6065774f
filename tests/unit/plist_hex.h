/*
 * Purpose: property lists given in hexadecimal, and shown as text.
 *
 * Layer: tests.
 *
 * Calling sequence: plist_hex_parse(&list, "70 05 020101 b0 00", true, &fail); blanks anywhere.
 *
 * Ownership: the list is the caller's; texts are freed by the caller.
 *
 * Errors: those of plist.h.
 */
#ifndef HALLMARK_TESTS_PLIST_HEX_H
#define HALLMARK_TESTS_PLIST_HEX_H

#include "base/buf.h"
#include "macho/plist.h"

void plist_hex_put(struct buf *out, const char *hex);

/* From memory of exactly that size, so that a read behind it is seen. */
int plist_hex_parse(struct plist *out, const char *hex, bool der, struct fail *fail);

/* plist_text() without indentation. */
char *plist_hex_text(const struct plist *list);

#endif
