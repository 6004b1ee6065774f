#include <inttypes.h>

#include "macho/image_parts.h"

static int check_range(const struct image_reading *r, const char *what, uint64_t offset,
                       uint64_t size, struct fail *fail)
{
    uint64_t len = r->image->file.len;
    if (range_fits(offset, size, len))
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "%s: the %s is outside of the file (needs %" PRIu64 " bytes at offset %" PRIu64
                    ", %" PRIu64 " left)",
                    r->name, what, size, offset, offset < len ? len - offset : 0);
}

/* Fills a range that the current command states. A stub's tables are not there. */
static int set_range(struct image_reading *r, struct image_range *range, const char *what,
                     uint64_t offset, uint64_t size, struct fail *fail)
{
    if (size == 0 || r->image->filetype == MH_DYLIB_STUB) {
        *range = (struct image_range){.command = r->command};
        return 0;
    }
    if (check_range(r, what, offset, size, fail) < 0)
        return -1;
    *range = (struct image_range){.command = r->command, .offset = offset, .size = size};
    return 0;
}

static int read_symtab(struct image_reading *r, struct fail *fail)
{
    struct image_symtab *symtab = &r->image->symtab;
    if (image_check_single(r, symtab->command, fail) < 0)
        return -1;
    uint64_t symbols = cursor_u32(&r->cursor);
    uint64_t count = cursor_u32(&r->cursor);
    uint64_t strings = cursor_u32(&r->cursor);
    uint64_t strings_size = cursor_u32(&r->cursor);
    uint64_t size = count * (r->image->is64 ? 16 : 12);
    if (image_check_fields(r, fail) < 0)
        return -1;
    symtab->command = r->command;
    if (r->image->filetype == MH_DYLIB_STUB)
        return 0;
    if ((size != 0 && check_range(r, "symbol table", symbols, size, fail) < 0) ||
        (strings_size != 0 && check_range(r, "string table", strings, strings_size, fail) < 0))
        return -1;
    symtab->symbols_offset = size == 0 ? 0 : symbols;
    symtab->symbols_size = size;
    symtab->count = (uint32_t)count;
    symtab->strings_offset = strings_size == 0 ? 0 : strings;
    symtab->strings_size = strings_size;
    return 0;
}

static int read_dysymtab(struct image_reading *r, struct fail *fail)
{
    struct image_dysymtab *table = &r->image->dysymtab;
    if (image_check_single(r, table->command, fail) < 0)
        return -1;
    table->command = r->command;
    table->local_first = cursor_u32(&r->cursor);
    table->local_count = cursor_u32(&r->cursor);
    table->external_first = cursor_u32(&r->cursor);
    table->external_count = cursor_u32(&r->cursor);
    table->undefined_first = cursor_u32(&r->cursor);
    table->undefined_count = cursor_u32(&r->cursor);
    cursor_skip(&r->cursor, 24); /* table of contents, modules, references */
    uint64_t offset = cursor_u32(&r->cursor);
    uint64_t count = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0)
        return -1;
    return set_range(r, &table->indirect, "indirect symbol table", offset, count * 4, fail);
}

/* The ranges of the dynamic symbol table, once the symbol table is known. */
int image_check_dysymtab(const struct image *image, struct fail *fail)
{
    const struct image_dysymtab *t = &image->dysymtab;
    const struct image_symtab *symtab = &image->symtab;
    if (t->command == IMAGE_NO_COMMAND || image->filetype == MH_DYLIB_STUB)
        return 0;
    /* Empty ranges may begin anywhere. */
    if ((t->local_count == 0 || range_fits(t->local_first, t->local_count, symtab->count)) &&
        (t->external_count == 0 ||
         range_fits(t->external_first, t->external_count, symtab->count)) &&
        (t->undefined_count == 0 ||
         range_fits(t->undefined_first, t->undefined_count, symtab->count)))
        return 0;
    return fail_set(fail, FAIL_INPUT,
                    "load command %" PRIu32 " (LC_DYSYMTAB) counts symbols that the symbol table "
                    "of %" PRIu32 " does not have",
                    t->command, symtab->count);
}

static int read_dyld_info(struct image_reading *r, struct fail *fail)
{
    struct image_dyld_info *info = &r->image->dyld_info;
    struct image_range *ranges[] = {&info->rebase, &info->bind, &info->weak_bind, &info->lazy_bind,
                                    &info->exports};
    static const char *const names[] = {"rebase table", "bind table", "weak bind table",
                                        "lazy bind table", "export trie"};
    if (image_check_single(r, info->rebase.command, fail) < 0)
        return -1;
    for (size_t i = 0; i < 5; i++) {
        uint64_t offset = cursor_u32(&r->cursor);
        uint64_t size = cursor_u32(&r->cursor);
        if (image_check_fields(r, fail) < 0 ||
            set_range(r, ranges[i], names[i], offset, size, fail) < 0)
            return -1;
    }
    return 0;
}

static int read_linkedit_data(struct image_reading *r, struct image_range *range, const char *what,
                              struct fail *fail)
{
    if (image_check_single(r, range->command, fail) < 0)
        return -1;
    uint64_t offset = cursor_u32(&r->cursor);
    uint64_t size = cursor_u32(&r->cursor);
    if (image_check_fields(r, fail) < 0)
        return -1;
    return set_range(r, range, what, offset, size, fail);
}

static int read_encryption(struct image_reading *r, struct fail *fail)
{
    struct image_encryption *encryption = &r->image->encryption;
    if (read_linkedit_data(r, &encryption->range, "encrypted range", fail) < 0)
        return -1;
    encryption->crypt_id = cursor_u32(&r->cursor);
    return image_check_fields(r, fail);
}

int image_read_table(struct image_reading *r, uint32_t cmd, struct fail *fail)
{
    struct image *image = r->image;
    switch (cmd) {
    case LC_CODE_SIGNATURE:
        return read_linkedit_data(r, &image->code_signature, "code signature", fail);
    case LC_SEGMENT_SPLIT_INFO:
        return read_linkedit_data(r, &image->segment_split_info, "split info", fail);
    case LC_FUNCTION_STARTS:
        return read_linkedit_data(r, &image->function_starts, "table of functions", fail);
    case LC_DATA_IN_CODE:
        return read_linkedit_data(r, &image->data_in_code, "table of data in code", fail);
    case LC_DYLIB_CODE_SIGN_DRS:
        return read_linkedit_data(r, &image->code_sign_drs, "table of requirements", fail);
    case LC_DYLD_EXPORTS_TRIE:
        return read_linkedit_data(r, &image->exports_trie, "export trie", fail);
    case LC_DYLD_CHAINED_FIXUPS:
        return read_linkedit_data(r, &image->chained_fixups, "table of chained fix-ups", fail);
    case LC_ENCRYPTION_INFO:
    case LC_ENCRYPTION_INFO_64:
        return read_encryption(r, fail);
    case LC_DYLD_INFO:
    case LC_DYLD_INFO_ONLY:
        return read_dyld_info(r, fail);
    case LC_SYMTAB:
        return read_symtab(r, fail);
    case LC_DYSYMTAB:
        return read_dysymtab(r, fail);
    default:
        return 1;
    }
}
