#include "macho/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macho/fixups.h"
#include "macho/names.h"
#include "macho/symbols_parts.h"

#define OWNED_BLOCK (64u << 10)

/* One entry of the symbol table, of either word size. */
struct entry {
    uint32_t name;
    uint8_t type;
    uint16_t description;
    uint64_t value;
};

enum wanted { WANT_UNDEFINED, WANT_EXPORTED, WANT_LOCAL };

struct symbol *symbols_add(struct symbol_list *list, const char *name, unsigned source)
{
    list->list = mem_grow(list->list, list->count, &list->capacity, sizeof *list->list);
    struct symbol *symbol = &list->list[list->count++];
    *symbol = (struct symbol){.name = name, .sources = source};
    return symbol;
}

const char *symbols_own_name(struct symbol_list *list, const char *name, size_t len)
{
    if (len >= list->room_left) {
        list->room_left = len < OWNED_BLOCK ? OWNED_BLOCK : len + 1;
        list->room = mem_new(list->room_left, 1);
        list->owned =
            mem_grow(list->owned, list->owned_count, &list->owned_capacity, sizeof *list->owned);
        list->owned[list->owned_count++] = list->room;
    }
    char *copy = list->room;
    memcpy(copy, name, len);
    copy[len] = '\0';
    list->room += len + 1;
    list->room_left -= len + 1;
    return copy;
}

void symbols_set_ordinal(struct symbol *symbol, const struct image *image, int ordinal)
{
    symbol->ordinal = ordinal;
    symbol->library = NULL;
    if (ordinal > 0 && (uint32_t)ordinal <= image->library_count)
        symbol->library = image->libraries[ordinal - 1].path;
}

/* What the type alone says: most entries of most tables are not wanted. */
static bool may_be_wanted(uint8_t type, enum wanted wanted)
{
    bool exported = (type & N_EXT) != 0 && (type & N_PEXT) == 0;
    bool defined = (type & N_TYPE) == N_SECT || (type & N_TYPE) == N_ABS;
    if ((type & N_STAB) != 0)
        return false;
    if (wanted == WANT_UNDEFINED)
        return !defined;
    return exported == (wanted == WANT_EXPORTED);
}

/* False when the entry cannot be wanted; then nothing but its type was looked at. */
static inline bool read_entry(struct entry *out, const struct image *image, struct view table,
                              uint32_t index, enum wanted wanted)
{
    uint64_t at = (image->is64 ? UINT64_C(16) : UINT64_C(12)) * index;
    uint32_t narrow = 0;
    if (at + 4 >= table.len || !may_be_wanted(table.data[at + 4], wanted))
        return false;
    *out = (struct entry){.type = table.data[at + 4]};
    (void)view_u32(&out->name, table, at, image->order);
    (void)view_u16(&out->description, table, at + 6, image->order);
    if (image->is64) {
        (void)view_u64(&out->value, table, at + 8, image->order);
    } else {
        (void)view_u32(&narrow, table, at + 8, image->order);
        out->value = narrow;
    }
    return true;
}

static bool is_undefined(const struct image *image, const struct entry *entry)
{
    uint8_t type = entry->type & N_TYPE;
    /* In an object file, one with a value is a common symbol: it is defined there after all. */
    bool common = image->filetype == MH_OBJECT && entry->value != 0;
    return type == N_PBUD || (type == N_UNDF && !common);
}

static bool is_wanted(const struct image *image, const struct entry *entry, enum wanted wanted)
{
    bool indirect = (entry->type & N_TYPE) == N_INDR;
    bool exported = (entry->type & N_EXT) != 0 && (entry->type & N_PEXT) == 0;
    switch (wanted) {
    case WANT_UNDEFINED:
        return is_undefined(image, entry) || indirect;
    case WANT_EXPORTED:
        return !is_undefined(image, entry) && exported;
    case WANT_LOCAL:
        break;
    }
    return !is_undefined(image, entry) && !exported;
}

/* The library that an undefined symbol is bound to, from its description. */
static int entry_ordinal(const struct image *image, const struct entry *entry)
{
    int ordinal = entry->description >> 8;
    if (image->filetype == MH_OBJECT || (image->flags & MH_TWOLEVEL) == 0)
        return ORDINAL_FLAT_LOOKUP;
    if (ordinal == 0xff)
        return ORDINAL_MAIN_EXECUTABLE;
    return ordinal == 0xfe ? ORDINAL_FLAT_LOOKUP : ordinal;
}

static int take_entry(struct symbol_list *list, const struct image *image,
                      const struct entry *entry, uint32_t index, struct names *names,
                      enum wanted wanted, struct fail *fail)
{
    bool indirect = (entry->type & N_TYPE) == N_INDR;
    /* Of an indirect symbol the value is the offset of the name that it stands for. */
    uint64_t offset = wanted == WANT_UNDEFINED && indirect ? entry->value : entry->name;
    const char *name = names_at(names, offset);
    if (name == NULL)
        return names_fail(names, "symbol", index, offset, fail);
    struct symbol *symbol = symbols_add(list, name, SYMBOL_FROM_SYMTAB);
    if (wanted == WANT_UNDEFINED) {
        symbol->weak = (entry->description & N_WEAK_REF) != 0;
        symbols_set_ordinal(symbol, image,
                            indirect ? ORDINAL_FLAT_LOOKUP : entry_ordinal(image, entry));
        return 0;
    }
    symbol->weak = (entry->description & N_WEAK_DEF) != 0;
    symbol->absolute = (entry->type & N_TYPE) == N_ABS;
    symbol->reexport = indirect;
    symbol->address = indirect ? 0 : entry->value;
    if (indirect) {
        symbol->import_name = names_at(names, entry->value);
        if (symbol->import_name == NULL)
            return names_fail(names, "symbol", index, entry->value, fail);
    }
    return 0;
}

static int read_symtab(struct symbol_list *list, const struct image *image, enum wanted wanted,
                       struct fail *fail)
{
    const struct image_symtab *symtab = &image->symtab;
    struct view table = {0};
    struct view strings = {0};
    (void)view_slice(&table, image->file, symtab->symbols_offset, symtab->symbols_size);
    (void)view_slice(&strings, image->file, symtab->strings_offset, symtab->strings_size);
    struct names names = names_start(strings);
    for (uint32_t i = 0; i < symtab->count; i++) {
        struct entry entry;
        if (read_entry(&entry, image, table, i, wanted) && is_wanted(image, &entry, wanted) &&
            take_entry(list, image, &entry, i, &names, wanted, fail) < 0)
            return -1;
    }
    return 0;
}

static int read_chained_imports(struct symbol_list *list, const struct image *image,
                                struct fail *fail)
{
    own_fixups struct fixup_list fixups = {0};
    if (fixups_read_imports(&fixups, image, fail) < 0)
        return -1;
    for (uint32_t i = 0; i < fixups.import_count; i++) {
        const struct fixup_import *import = &fixups.imports[i];
        struct symbol *symbol = symbols_add(list, import->name, SYMBOL_FROM_CHAINS);
        symbol->weak = import->weak;
        symbols_set_ordinal(symbol, image, import->ordinal);
    }
    return 0;
}

/* How much an entry tells: what the loader acts on first, the symbol table last. */
static int rank(const struct symbol *symbol)
{
    if (symbol->sources == SYMBOL_FROM_SYMTAB)
        return 2;
    return symbol->sources == SYMBOL_FROM_OPCODES && symbol->ordinal == ORDINAL_WEAK_LOOKUP;
}

static int order(const void *a, const void *b)
{
    const struct symbol *x = a;
    const struct symbol *y = b;
    int names = x->name == y->name ? 0 : strcmp(x->name, y->name);
    if (names != 0)
        return names;
    if (rank(x) != rank(y))
        return rank(x) - rank(y);
    if (x->ordinal != y->ordinal)
        return x->ordinal < y->ordinal ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (int)y->weak - (int)x->weak;
}

static void sort(struct symbol_list *list)
{
    if (list->count != 0)
        qsort(list->list, list->count, sizeof *list->list, order);
}

void symbols_merge(struct symbol_list *list)
{
    size_t kept = 0;
    size_t group = 0; /* the first kept entry of the present name */
    sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const struct symbol *symbol = &list->list[i];
        bool same_name = kept != 0 && strcmp(list->list[group].name, symbol->name) == 0;
        if (!same_name)
            group = kept;
        if (same_name && (rank(symbol) != 0 || list->list[kept - 1].ordinal == symbol->ordinal)) {
            list->list[group].sources |= symbol->sources;
            continue;
        }
        list->list[kept++] = *symbol;
    }
    list->count = kept;
}

static int finish(struct symbol_list *out, struct symbol_list *list)
{
    *out = *list;
    *list = (struct symbol_list){0};
    return 0;
}

int symbols_imports(struct symbol_list *out, const struct image *image, struct fail *fail)
{
    own_symbols struct symbol_list list = {0};
    if (read_chained_imports(&list, image, fail) < 0 ||
        symbols_read_opcodes(&list, image, fail) < 0 ||
        read_symtab(&list, image, WANT_UNDEFINED, fail) < 0)
        return -1;
    symbols_merge(&list);
    return finish(out, &list);
}

int symbols_read_exports(struct symbol_list *list, const struct image *image, struct fail *fail)
{
    struct view info = image_range_data(image, &image->dyld_info.exports);
    struct view trie = image_range_data(image, &image->exports_trie);
    if (symbols_read_trie(list, image, info, fail) < 0 ||
        symbols_read_trie(list, image, trie, fail) < 0)
        return -1;
    return read_symtab(list, image, WANT_EXPORTED, fail);
}

int symbols_exports(struct symbol_list *out, const struct image *image, struct fail *fail)
{
    own_symbols struct symbol_list list = {0};
    if (symbols_read_exports(&list, image, fail) < 0)
        return -1;
    symbols_merge(&list);
    return finish(out, &list);
}

int symbols_locals(struct symbol_list *out, const struct image *image, struct fail *fail)
{
    own_symbols struct symbol_list list = {0};
    if (read_symtab(&list, image, WANT_LOCAL, fail) < 0)
        return -1;
    sort(&list);
    return finish(out, &list);
}

size_t symbols_count_locals(const struct image *image)
{
    const struct image_symtab *symtab = &image->symtab;
    struct view table = {0};
    size_t count = 0;
    (void)view_slice(&table, image->file, symtab->symbols_offset, symtab->symbols_size);
    for (uint32_t i = 0; i < symtab->count; i++) {
        struct entry entry;
        count +=
            read_entry(&entry, image, table, i, WANT_LOCAL) && is_wanted(image, &entry, WANT_LOCAL);
    }
    return count;
}

static int by_name(const void *name, const void *symbol)
{
    return strcmp(name, ((const struct symbol *)symbol)->name);
}

const struct symbol *symbols_find(const struct symbol_list *list, const char *name)
{
    if (list->count == 0)
        return NULL;
    return bsearch(name, list->list, list->count, sizeof *list->list, by_name);
}

void symbols_origin(char out[SYMBOL_ORIGIN_MAX], const struct symbol *symbol)
{
    const char *name = symbol->library;
    if (name != NULL) {
        const char *slash = strrchr(name, '/');
        (void)snprintf(out, SYMBOL_ORIGIN_MAX, "%s", slash != NULL ? slash + 1 : name);
        return;
    }
    switch (symbol->ordinal) {
    case ORDINAL_SELF:
        (void)snprintf(out, SYMBOL_ORIGIN_MAX, "self");
        return;
    case ORDINAL_MAIN_EXECUTABLE:
        (void)snprintf(out, SYMBOL_ORIGIN_MAX, "main executable");
        return;
    case ORDINAL_FLAT_LOOKUP:
        (void)snprintf(out, SYMBOL_ORIGIN_MAX, "flat lookup");
        return;
    case ORDINAL_WEAK_LOOKUP:
        (void)snprintf(out, SYMBOL_ORIGIN_MAX, "weak lookup");
        return;
    default:
        (void)snprintf(out, SYMBOL_ORIGIN_MAX, "ordinal %d", symbol->ordinal);
        return;
    }
}

void symbols_release(struct symbol_list *list)
{
    for (size_t i = 0; i < list->owned_count; i++)
        free(list->owned[i]);
    free(list->owned);
    free(list->list);
    *list = (struct symbol_list){0};
}
