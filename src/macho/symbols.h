/*
 * Purpose: what an image imports and exports, and its local symbols. Each list is the union
 *     of all tables that can bring a symbol in or out, so that a closed world cannot be
 *     evaded by naming something in one table only.
 *
 * Layer: macho.
 *
 * Calling sequence:
 *         own_symbols struct symbol_list imports = {0};
 *         if (symbols_imports(&imports, &image, &fail) < 0) ...
 *
 * Ownership: names point into the image's bytes or into the list: neither the image's view
 *     nor the list may go first. symbols_release() frees.
 *
 * Errors: FAIL_INPUT when a table is malformed: an export trie with a cycle, an opcode
 *     stream that ends early, a name outside of the strings.
 *
 * Determinism: a pure function of the bytes; lists are sorted by name (bytes), then by
 *     ordinal, without duplicates.
 */
#ifndef HALLMARK_MACHO_SYMBOLS_H
#define HALLMARK_MACHO_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/own.h"
#include "macho/image.h"

/* Which tables name a symbol. */
#define SYMBOL_FROM_SYMTAB  1u /* LC_SYMTAB */
#define SYMBOL_FROM_CHAINS  2u /* the imports of LC_DYLD_CHAINED_FIXUPS */
#define SYMBOL_FROM_OPCODES 4u /* the bind opcodes of LC_DYLD_INFO */
#define SYMBOL_FROM_TRIE    8u /* an export trie */

struct symbol {
    const char *name;
    unsigned sources;    /* SYMBOL_FROM_*, or'ed */
    int ordinal;         /* imports and re-exports: library, or ORDINAL_*; else 0 */
    const char *library; /* path of that library; NULL when the ordinal names none */
    bool weak;           /* weak import, or weak definition */
    bool reexport;       /* exports: it comes from `library`, under the name `import_name` */
    bool absolute;
    bool thread_local_symbol;
    const char *import_name;
    uint64_t address; /* exports and locals: unslid address; 0 for imports and re-exports */
};

struct symbol_list {
    struct symbol *list;
    size_t count;
    size_t capacity;
    char **owned; /* blocks of names that are nowhere in the file as one string */
    size_t owned_count;
    size_t owned_capacity;
    char *room; /* in the last block */
    size_t room_left;
};

#define own_symbols __attribute__((cleanup(symbols_release)))

/* All that the image takes from elsewhere: chained imports, bind opcodes (lazy and weak ones
 * included) and undefined symbols of the symbol table. */
int symbols_imports(struct symbol_list *out, const struct image *image,
                    struct fail *fail) must_check;

/* All that it offers: export tries and external defined symbols of the symbol table. */
int symbols_exports(struct symbol_list *out, const struct image *image,
                    struct fail *fail) must_check;

/* How many symbols_exports() would list; sorts nothing. */
int symbols_count_exports(size_t *out, const struct image *image, struct fail *fail) must_check;

/* Defined symbols that are not exported (private external ones included); no debug entries. */
int symbols_locals(struct symbol_list *out, const struct image *image,
                   struct fail *fail) must_check;

/* How many symbols_locals() would list; reads no name. */
size_t symbols_count_locals(const struct image *image);

/* The symbol of that name, or NULL. */
const struct symbol *symbols_find(const struct symbol_list *list, const char *name);

/* "libSystem.B.dylib" style: the last component of `library`, or "self",
 * "main executable", "flat lookup", "weak lookup", "ordinal 7". */
#define SYMBOL_ORIGIN_MAX 128
void symbols_origin(char out[SYMBOL_ORIGIN_MAX], const struct symbol *symbol);

void symbols_release(struct symbol_list *list);

#endif
