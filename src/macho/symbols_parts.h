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

/* A copy of `len` bytes and a NUL that lives as long as the list. */
const char *symbols_own_name(struct symbol_list *list, const char *name, size_t len);

/* Appends what each table says is exported, tries first, and neither sorts nor merges it. */
int symbols_read_exports(struct symbol_list *list, const struct image *image,
                         struct fail *fail) must_check;

/*
 * Sorts the list. Of the entries with one name, drops those that tell nothing more: a symbol
 * table's when the loader has its own entry, a weak lookup's when the symbol is also bound
 * directly, and exact duplicates. What was dropped is still seen in `sources`.
 */
void symbols_merge(struct symbol_list *list);

/* Sets ordinal and library path. */
void symbols_set_ordinal(struct symbol *symbol, const struct image *image, int ordinal);

/* The bind, weak bind and lazy bind tables of LC_DYLD_INFO. */
int symbols_read_opcodes(struct symbol_list *list, const struct image *image,
                         struct fail *fail) must_check;

/* One export trie. */
int symbols_read_trie(struct symbol_list *list, const struct image *image, struct view trie,
                      struct fail *fail) must_check;

#endif
