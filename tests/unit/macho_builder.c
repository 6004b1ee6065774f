#include "macho_builder.h"

#include <stdlib.h>
#include <string.h>

static void put_word(struct buf *buf, uint64_t value, size_t bytes, enum byte_order order)
{
    for (size_t i = 0; i < bytes; i++) {
        size_t shift = 8 * (order == BIG_ENDIAN_BYTES ? bytes - 1 - i : i);
        buf_putc(buf, (char)(value >> shift & 0xff));
    }
}

static void put_u32(struct macho_builder *b, struct buf *buf, uint32_t value)
{
    put_word(buf, value, 4, b->order);
}

/* A field of the size of an address. */
static void put_address(struct macho_builder *b, struct buf *buf, uint64_t value)
{
    put_word(buf, value, b->is64 ? 8 : 4, b->order);
}

static void put_name(struct buf *buf, const char *name)
{
    char fixed[16] = {0};
    size_t len = strlen(name);
    memcpy(fixed, name, len < 16 ? len : 16);
    buf_append(buf, fixed, 16);
}

void macho_begin(struct macho_builder *b)
{
    *b = (struct macho_builder){.is64 = true,
                                .order = LITTLE_ENDIAN_BYTES,
                                .cputype = CPU_TYPE_ARM64,
                                .cpusubtype = 0,
                                .filetype = MH_DYLIB,
                                .flags = 0x85};
}

void macho_set_u32(struct macho_builder *b, size_t offset, uint32_t value)
{
    if (offset > b->commands.len || b->commands.len - offset < 4)
        abort();
    for (size_t i = 0; i < 4; i++) {
        size_t shift = 8 * (b->order == BIG_ENDIAN_BYTES ? 3 - i : i);
        b->commands.data[offset + i] = (uint8_t)(value >> shift);
    }
}

/* Pads the command that began at `start` and states its size. */
static void end_command(struct macho_builder *b, size_t start)
{
    size_t word = b->is64 ? 8 : 4;
    while ((b->commands.len - start) % word != 0)
        buf_putc(&b->commands, 0);
    macho_set_u32(b, start + 4, (uint32_t)(b->commands.len - start));
}

static size_t begin_command(struct macho_builder *b, uint32_t cmd)
{
    size_t start = b->commands.len;
    put_u32(b, &b->commands, cmd);
    put_u32(b, &b->commands, 0);
    b->command_count++;
    return start;
}

size_t macho_command(struct macho_builder *b, uint32_t cmd, const void *payload, size_t len)
{
    size_t start = begin_command(b, cmd);
    buf_append(&b->commands, payload, len);
    end_command(b, start);
    return start;
}

size_t macho_command_words(struct macho_builder *b, uint32_t cmd, const uint32_t *words,
                           size_t count)
{
    size_t start = begin_command(b, cmd);
    for (size_t i = 0; i < count; i++)
        put_u32(b, &b->commands, words[i]);
    end_command(b, start);
    return start;
}

size_t macho_command_text(struct macho_builder *b, uint32_t cmd, const uint32_t *words,
                          size_t count, const char *text)
{
    size_t start = begin_command(b, cmd);
    for (size_t i = 0; i < count; i++)
        put_u32(b, &b->commands, i == 0 ? (uint32_t)(8 + 4 * count) : words[i]);
    buf_append(&b->commands, text, strlen(text) + 1);
    end_command(b, start);
    return start;
}

size_t macho_library(struct macho_builder *b, uint32_t cmd, const char *path, uint32_t current,
                     uint32_t compatibility)
{
    const uint32_t words[] = {0, 2, current, compatibility};
    return macho_command_text(b, cmd, words, 4, path);
}

size_t macho_segment(struct macho_builder *b, const char *name, uint64_t offset, uint64_t size,
                     uint32_t protection)
{
    size_t start = begin_command(b, b->is64 ? LC_SEGMENT_64 : LC_SEGMENT);
    put_name(&b->commands, name);
    put_address(b, &b->commands, b->base_address + offset);
    put_address(b, &b->commands, size);
    put_address(b, &b->commands, offset);
    put_address(b, &b->commands, size);
    put_u32(b, &b->commands, protection);
    put_u32(b, &b->commands, protection);
    put_u32(b, &b->commands, 0);
    put_u32(b, &b->commands, 0);
    end_command(b, start);
    b->last_segment = start;
    b->section_count = 0;
    return start;
}

size_t macho_section(struct macho_builder *b, const char *segment, const char *name,
                     uint64_t offset, uint64_t size, uint32_t flags)
{
    size_t start = b->commands.len;
    put_name(&b->commands, name);
    put_name(&b->commands, segment);
    put_address(b, &b->commands, b->base_address + offset);
    put_address(b, &b->commands, size);
    put_u32(b, &b->commands, (uint32_t)offset);
    for (size_t i = 0; i < 3; i++) /* alignment, relocations */
        put_u32(b, &b->commands, 0);
    put_u32(b, &b->commands, flags);
    for (size_t i = 0; i < (b->is64 ? 3u : 2u); i++)
        put_u32(b, &b->commands, 0);
    b->section_count++;
    macho_set_u32(b, b->last_segment + (b->is64 ? 64 : 48), b->section_count);
    end_command(b, b->last_segment);
    return start;
}

void macho_put(struct macho_builder *b, uint64_t offset, const void *data, size_t len)
{
    if (b->body.len < offset + len)
        buf_zeros(&b->body, (size_t)offset + len - b->body.len);
    if (len != 0) /* memcpy() takes no NULL, not even for nothing */
        memcpy(b->body.data + offset, data, len);
}

void macho_put_u32(struct macho_builder *b, uint64_t offset, uint32_t value)
{
    own_buf struct buf bytes = {0};
    put_u32(b, &bytes, value);
    macho_put(b, offset, bytes.data, bytes.len);
}

void macho_put_u64(struct macho_builder *b, uint64_t offset, uint64_t value)
{
    own_buf struct buf bytes = {0};
    put_word(&bytes, value, 8, b->order);
    macho_put(b, offset, bytes.data, bytes.len);
}

void macho_finish(struct macho_builder *b, uint64_t size)
{
    struct buf *out = &b->out;
    buf_truncate(out, 0);
    put_u32(b, out, b->is64 ? MH_MAGIC_64 : MH_MAGIC);
    put_u32(b, out, b->cputype);
    put_u32(b, out, b->cpusubtype);
    put_u32(b, out, b->filetype);
    put_u32(b, out, b->command_count);
    put_u32(b, out, (uint32_t)b->commands.len);
    put_u32(b, out, b->flags);
    if (b->is64)
        put_u32(b, out, 0);
    if (b->commands.len != 0)
        buf_append(out, b->commands.data, b->commands.len);
    if (out->len < b->body.len)
        buf_append(out, b->body.data + out->len, b->body.len - out->len);
    if (out->len < size)
        buf_zeros(out, (size_t)size - out->len);
}

struct view macho_view(const struct macho_builder *b)
{
    return (struct view){.data = b->out.data, .len = b->out.len};
}

void macho_release(struct macho_builder *b)
{
    buf_release(&b->commands);
    buf_release(&b->body);
    buf_release(&b->out);
}

/* One nlist_64. */
static void put_symbol(struct macho_builder *b, uint64_t offset, uint32_t name, uint8_t type,
                       uint8_t section, uint16_t description, uint64_t value)
{
    uint8_t bytes[4] = {type, section, (uint8_t)description, (uint8_t)(description >> 8)};
    macho_put_u32(b, offset, name);
    macho_put(b, offset + 4, bytes, 4);
    macho_put_u64(b, offset + 8, value);
}

/* Offsets of the parts of the small dylib. */
enum {
    TEXT_AT = 0x600,
    CSTRING_AT = 0x620,
    METHNAME_AT = 0x660,
    CLASSNAME_AT = 0x690,
    DATA_AT = 0x800,
    LINKEDIT_AT = 0xa00,
    CHAINS_AT = 0xa00,
    TRIE_AT = 0xa80,
    SYMBOLS_AT = 0xac0,
    STRINGS_AT = 0xb00,
};

static void small_chains(struct macho_builder *b)
{
    /* header: version, starts, imports, symbols, imports_count, imports_format, symbols_format */
    const uint32_t header[] = {0, 0x20, 0x50, 0x54, 1, 1, 0};
    for (uint32_t i = 0; i < 7; i++)
        macho_put_u32(b, CHAINS_AT + 4 * i, header[i]);
    /* starts in image: three segments, only __DATA has any */
    macho_put_u32(b, CHAINS_AT + 0x20, 3);
    macho_put_u32(b, CHAINS_AT + 0x28, 0x10);
    /* starts in segment: size 24, page size 0x4000, format 2, offset 0x800, one page, start 0 */
    macho_put_u32(b, CHAINS_AT + 0x30, 24);
    macho_put_u32(b, CHAINS_AT + 0x34, CHAINED_64 << 16 | 0x4000);
    macho_put_u64(b, CHAINS_AT + 0x38, DATA_AT);
    macho_put_u32(b, CHAINS_AT + 0x44, 1);
    /* import: ordinal 1, name at 1 */
    macho_put_u32(b, CHAINS_AT + 0x50, 1u | 1u << 9);
    macho_put(b, CHAINS_AT + 0x54, "\0_getenv", 9);
    /* __DATA: a bind of import 0, next 2 * 4 bytes on; a rebase to the first selector */
    macho_put_u64(b, DATA_AT, UINT64_C(1) << 63 | UINT64_C(2) << 51);
    macho_put_u64(b, DATA_AT + 8, METHNAME_AT);
}

static void small_contents(struct macho_builder *b)
{
    static const uint8_t code[] = {0xc0, 0x03, 0x5f, 0xd6, 0xc0, 0x03, 0x5f, 0xd6}; /* ret; ret */
    /* root: no value, one edge "_exported" to node 13; node: flags 0, address 0x604 */
    static const uint8_t trie[] = {0,   1,   '_', 'e', 'x', 'p', 'o',  'r',  't',
                                   'e', 'd', 0,   13,  3,   0,   0x84, 0x0c, 0};
    static const char strings[] = "\0_local\0_exported\0_getenv";
    macho_put(b, TEXT_AT, code, sizeof code);
    macho_put(b, CSTRING_AT, "hello, world\0HALLMARK_VARIABLE", 31);
    macho_put(b, METHNAME_AT, "supportsFamily:\0initGPUFamilySupport", 37);
    macho_put(b, CLASSNAME_AT, "SmallClass", 11);
    small_chains(b);
    macho_put(b, TRIE_AT, trie, sizeof trie);
    put_symbol(b, SYMBOLS_AT, 1, N_SECT, 1, 0, TEXT_AT);
    put_symbol(b, SYMBOLS_AT + 16, 8, N_SECT | N_EXT, 1, 0, TEXT_AT + 4);
    put_symbol(b, SYMBOLS_AT + 32, 18, N_UNDF | N_EXT, 0, 0x100, 0);
    macho_put(b, STRINGS_AT, strings, sizeof strings);
}

static void small_segments(struct macho_builder *b)
{
    macho_segment(b, "__TEXT", 0, DATA_AT, 5);
    macho_section(b, "__TEXT", "__text", TEXT_AT, 8, 0x80000400u);
    macho_section(b, "__TEXT", "__cstring", CSTRING_AT, 31, S_CSTRING_LITERALS);
    macho_section(b, "__TEXT", "__objc_methname", METHNAME_AT, 37, S_CSTRING_LITERALS);
    macho_section(b, "__TEXT", "__objc_classname", CLASSNAME_AT, 11, S_CSTRING_LITERALS);
    macho_segment(b, "__DATA", DATA_AT, LINKEDIT_AT - DATA_AT, 3);
    macho_section(b, "__DATA", "__got", DATA_AT, 8, 6);
    macho_section(b, "__DATA", "__objc_selrefs", DATA_AT + 8, 8, 5);
    macho_segment(b, "__LINKEDIT", LINKEDIT_AT, MACHO_SMALL_SIZE - LINKEDIT_AT, 1);
}

void macho_small_dylib(struct macho_builder *b)
{
    static const uint8_t uuid[16] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x46, 0x17,
                                     0x98, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f};
    const uint32_t build[] = {PLATFORM_MACOS, 13u << 16, 14u << 16, 1, 4, 19u << 16 | 1u << 8 | 7u};
    const uint32_t chains[] = {CHAINS_AT, TRIE_AT - CHAINS_AT};
    const uint32_t trie[] = {TRIE_AT, 24};
    const uint32_t symtab[] = {SYMBOLS_AT, 3, STRINGS_AT, 32};
    const uint32_t dysymtab[18] = {0, 1, 1, 1, 2, 1};
    const uint32_t rpath[] = {0};
    macho_begin(b);
    small_segments(b);
    macho_library(b, LC_ID_DYLIB, "@rpath/small.dylib", 1u << 16, 1u << 16);
    macho_command_words(b, LC_DYLD_CHAINED_FIXUPS, chains, 2);
    macho_command_words(b, LC_DYLD_EXPORTS_TRIE, trie, 2);
    macho_command_words(b, LC_SYMTAB, symtab, 4);
    macho_command_words(b, LC_DYSYMTAB, dysymtab, 18);
    macho_command(b, LC_UUID, uuid, sizeof uuid);
    macho_command_words(b, LC_BUILD_VERSION, build, 6);
    macho_library(b, LC_LOAD_DYLIB, "/usr/lib/libSystem.B.dylib", 1319u << 16, 1u << 16);
    macho_command_text(b, LC_RPATH, rpath, 1, "@loader_path/lib");
    small_contents(b);
    macho_finish(b, MACHO_SMALL_SIZE);
}

void macho_fat(struct buf *out, const struct macho_fat_slice *slices, uint32_t count, bool is64,
               uint32_t align_log2)
{
    uint64_t alignment = UINT64_C(1) << align_log2;
    uint64_t offset = 8 + (uint64_t)count * (is64 ? 32 : 20);
    buf_u32be(out, is64 ? FAT_MAGIC_64 : FAT_MAGIC);
    buf_u32be(out, count);
    for (uint32_t i = 0; i < count; i++) {
        offset = (offset + alignment - 1) / alignment * alignment;
        buf_u32be(out, slices[i].cputype);
        buf_u32be(out, slices[i].cpusubtype);
        put_word(out, offset, is64 ? 8 : 4, BIG_ENDIAN_BYTES);
        put_word(out, slices[i].data.len, is64 ? 8 : 4, BIG_ENDIAN_BYTES);
        buf_u32be(out, align_log2);
        if (is64)
            buf_u32be(out, 0);
        offset += slices[i].data.len;
    }
    for (uint32_t i = 0; i < count; i++) {
        buf_align(out, (size_t)alignment);
        buf_append(out, slices[i].data.data, (size_t)slices[i].data.len);
    }
}
