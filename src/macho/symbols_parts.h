/*
 * Purpose: the tables that symbols.c puts together: bind opcodes and export tries.
 *
 * Layer: macho; for symbols*.c alone.
 *
 * Calling sequence: each reader appends to the list; symbols.c sorts and merges.
 *
 * Ownership: as in symbols.h.
 *
 * Errors: FAIL_INPUT.
 *
 * Determinism: a pure function of the bytes.
 */
#ifndef HALLMARK_MACHO_SYMBOLS_PARTS_H
#define HALLMARK_MACHO_SYMBOLS_PARTS_H

#include "macho/symbols.h"

/* A new zeroed entry with that name. */
struct symbol *symbols_add(struct symbol_list *list, const char *name, unsigned source);

/* Sets ordinal and library path. */
void symbols_set_ordinal(struct symbol *symbol, const struct image *image, int ordinal);

/* The bind, weak bind and lazy bind tables of LC_DYLD_INFO. */
int symbols_read_opcodes(struct symbol_list *list, const struct image *image,
                         struct fail *fail) must_check;

/* One export trie. */
int symbols_read_trie(struct symbol_list *list, const struct image *image, struct view trie,
                      struct fail *fail) must_check;

#endif
