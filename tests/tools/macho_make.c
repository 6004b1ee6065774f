/*
 * Writes a Mach-O file of a named kind to stdout, for the scripts.
 * usage: macho_make KIND
 * Kinds: see the table at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/macho_builder.h"

/* Changes one 32-bit word of the small dylib: byte `offset` of the first command `cmd`. */
static void patch(struct macho_builder *b, uint32_t cmd, size_t offset, uint32_t value)
{
    for (size_t at = 0; at + 8 <= b->commands.len;) {
        uint32_t word[2] = {0};
        memcpy(word, b->commands.data + at, 8);
        if (word[0] == cmd) {
            macho_set_u32(b, at + offset, value);
            macho_finish(b, MACHO_SMALL_SIZE);
            return;
        }
        at += word[1];
    }
    abort();
}

static void old_dylib(struct macho_builder *b, bool is64, enum byte_order order, uint32_t cputype,
                      uint32_t cpusubtype)
{
    const uint32_t symtab[] = {0x300, 1, 0x340, 16};
    macho_begin(b);
    b->is64 = is64;
    b->order = order;
    b->cputype = cputype;
    b->cpusubtype = cpusubtype;
    macho_segment(b, "__TEXT", 0, 0x300, 5);
    macho_section(b, "__TEXT", "__text", 0x280, 16, 0);
    macho_segment(b, "__LINKEDIT", 0x300, 0x100, 1);
    macho_library(b, LC_ID_DYLIB, "/usr/lib/libold.dylib", 1u << 16, 1u << 16);
    macho_library(b, LC_LOAD_DYLIB, "/usr/lib/libSystem.B.dylib", 88u << 16, 1u << 16);
    macho_command_words(b, LC_SYMTAB, symtab, 4);
    /* one undefined symbol of the first library */
    macho_put_u32(b, 0x300, 1);
    macho_put(b, 0x304, (const uint8_t[]){1, 0}, 2);
    macho_put(b, 0x306, order == BIG_ENDIAN_BYTES ? "\1" : "\0\1", 2);
    macho_put(b, 0x340, "\0_malloc", 9);
    macho_finish(b, 0x400);
}

static void make_small(struct macho_builder *b)
{
    macho_small_dylib(b);
}

/* As from the App Store: cipher text where the names of methods would be. */
static void make_encrypted(struct macho_builder *b)
{
    const uint32_t range[] = {0x600, 0x200, 1, 0};
    macho_small_dylib(b);
    macho_command_words(b, LC_ENCRYPTION_INFO_64, range, 4);
    macho_put(b, 0x660, "\xc3\x1f\x8e\x55", 4);
    macho_put(b, 0x660 + 36, "\xc3", 1);
    macho_finish(b, MACHO_SMALL_SIZE);
}

static void make_i386(struct macho_builder *b)
{
    old_dylib(b, false, LITTLE_ENDIAN_BYTES, CPU_TYPE_X86, 3);
}

static void make_ppc(struct macho_builder *b)
{
    old_dylib(b, false, BIG_ENDIAN_BYTES, CPU_TYPE_POWERPC, 10);
}

static void make_ppc64(struct macho_builder *b)
{
    old_dylib(b, true, BIG_ENDIAN_BYTES, CPU_TYPE_POWERPC64, 0);
}

static void make_fat_of(struct macho_builder *b, bool is64)
{
    struct macho_builder old;
    struct buf fat = {0};
    macho_small_dylib(b);
    old_dylib(&old, false, BIG_ENDIAN_BYTES, CPU_TYPE_POWERPC, 10);
    const struct macho_fat_slice slices[] = {
        {CPU_TYPE_POWERPC, 10, macho_view(&old)},
        {CPU_TYPE_ARM64, 0, macho_view(b)},
    };
    macho_fat(&fat, slices, 2, is64, 12);
    macho_release(&old);
    buf_release(&b->out);
    b->out = fat;
}

static void make_fat(struct macho_builder *b)
{
    make_fat_of(b, false);
}

static void make_fat64(struct macho_builder *b)
{
    make_fat_of(b, true);
}

static void make_fat_overlap(struct macho_builder *b)
{
    make_fat_of(b, false);
    b->out.data[8 + 20 + 8 + 2] = 0x10; /* the second slice at 4096, like the first */
}

static void make_fat_count(struct macho_builder *b)
{
    make_fat_of(b, false);
    memcpy(b->out.data + 4, "\xff\xff\xff\xff", 4);
}

static void make_fat_lie(struct macho_builder *b)
{
    make_fat_of(b, false);
    b->out.data[8 + 20 + 3] = 7; /* the table says x86_64 */
}

static void make_fat_broken(struct macho_builder *b)
{
    make_fat_of(b, false);
    memcpy(b->out.data + 8192 + 20, "\xf0\xff\xff\xff", 4); /* sizeofcmds of the second slice */
}

static void make_bundle(struct macho_builder *b)
{
    b->out.data[12] = MH_BUNDLE;
}

static void make_dsym(struct macho_builder *b)
{
    b->out.data[12] = MH_DSYM;
}

static void make_kext(struct macho_builder *b)
{
    b->out.data[12] = MH_KEXT_BUNDLE;
}

static void make_core(struct macho_builder *b)
{
    b->out.data[12] = MH_CORE;
}

/* A library of the newer form: flags behind the versions, the name behind them. */
static void use_library(struct macho_builder *b, const char *path, uint32_t flags)
{
    const uint32_t words[] = {0, DYLIB_USE_MARKER, 0x10000, 0x10000, flags};
    macho_command_text(b, LC_LOAD_DYLIB, words, 5, path);
}

static void make_libraries(struct macho_builder *b)
{
    macho_library(b, LC_LOAD_WEAK_DYLIB, "weak", 0x10000, 0x10000);
    macho_library(b, LC_REEXPORT_DYLIB, "reexported", 0x10000, 0x10000);
    macho_library(b, LC_LOAD_UPWARD_DYLIB, "upward", 0x10000, 0x10000);
    macho_library(b, LC_LAZY_LOAD_DYLIB, "lazy", 0x10000, 0x10000);
    use_library(b, "delayed", DYLIB_USE_DELAYED_INIT);
    use_library(b, "weak-delayed", DYLIB_USE_WEAK_LINK | DYLIB_USE_DELAYED_INIT);
    macho_finish(b, MACHO_SMALL_SIZE);
}

static void make_many_commands(struct macho_builder *b)
{
    b->command_count = 0xffffffffu;
    macho_finish(b, MACHO_SMALL_SIZE);
}

static void make_commands_size(struct macho_builder *b)
{
    memcpy(b->out.data + 20, "\xf0\xff\xff\xff", 4);
}

static void make_command_size(struct macho_builder *b)
{
    patch(b, LC_UUID, 4, 4096);
}

static void make_command_zero(struct macho_builder *b)
{
    patch(b, LC_UUID, 4, 0);
}

static void make_command_odd(struct macho_builder *b)
{
    patch(b, LC_UUID, 4, 20);
}

static void make_sections(struct macho_builder *b)
{
    patch(b, LC_SEGMENT_64, 64, 0x10000000u);
}

static void make_segment_size(struct macho_builder *b)
{
    patch(b, LC_SEGMENT_64, 52, 0x7fffffffu); /* the high half of filesize */
}

static void make_section_offset(struct macho_builder *b)
{
    patch(b, LC_SEGMENT_64, 72 + 48, 0x661);
}

static void make_symbols(struct macho_builder *b)
{
    patch(b, LC_SYMTAB, 12, 0xfffffff0u);
}

static void make_text(struct macho_builder *b)
{
    patch(b, LC_ID_DYLIB, 8, 0x7fff);
}

static void make_uuid_twice(struct macho_builder *b)
{
    macho_command(b, LC_UUID, "0123456789abcdef", 16);
    macho_finish(b, MACHO_SMALL_SIZE);
}

static void make_trie_cycle(struct macho_builder *b)
{
    b->out.data[0xa80 + 12] = 0;
}

static void make_import_name(struct macho_builder *b)
{
    memcpy(b->out.data + 0xa50, "\1\0\xff\xff", 4);
}

static void make_chain_loop(struct macho_builder *b)
{
    b->out.data[0x806] = 0xf8; /* the bind's next: far behind the page's last byte */
    b->out.data[0x807] = 0xff;
}

static void make_control_bytes(struct macho_builder *b)
{
    patch(b, LC_RPATH, 12, 0x415b1b0au); /* newline, escape, [A */
}

static void make_bad_utf8(struct macho_builder *b)
{
    patch(b, LC_RPATH, 12, 0x419bff80u); /* no character begins so */
}

struct kind {
    const char *name;
    void (*make)(struct macho_builder *b);
    bool from_small; /* made by breaking the small dylib */
};

static const struct kind kinds[] = {
    {"small", make_small, false},
    {"encrypted", make_encrypted, false},
    {"i386", make_i386, false},
    {"ppc", make_ppc, false},
    {"ppc64", make_ppc64, false},
    {"fat", make_fat, false},
    {"fat64", make_fat64, false},
    {"fat-overlap", make_fat_overlap, false},
    {"fat-count", make_fat_count, false},
    {"fat-lie", make_fat_lie, false},
    {"fat-broken", make_fat_broken, false},
    {"libraries", make_libraries, true},
    {"bundle", make_bundle, true},
    {"dsym", make_dsym, true},
    {"kext", make_kext, true},
    {"core", make_core, true},
    {"many-commands", make_many_commands, true},
    {"commands-size", make_commands_size, true},
    {"command-size", make_command_size, true},
    {"command-zero", make_command_zero, true},
    {"command-odd", make_command_odd, true},
    {"sections", make_sections, true},
    {"segment-size", make_segment_size, true},
    {"section-offset", make_section_offset, true},
    {"symbols", make_symbols, true},
    {"text", make_text, true},
    {"uuid-twice", make_uuid_twice, true},
    {"trie-cycle", make_trie_cycle, true},
    {"import-name", make_import_name, true},
    {"chain-loop", make_chain_loop, true},
    {"control-bytes", make_control_bytes, true},
    {"bad-utf8", make_bad_utf8, true},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof kinds / sizeof *kinds; i++) {
        struct macho_builder b;
        if (strcmp(argv[1], kinds[i].name) != 0)
            continue;
        if (kinds[i].from_small)
            macho_small_dylib(&b);
        kinds[i].make(&b);
        size_t written = fwrite(b.out.data, 1, b.out.len, stdout);
        bool good = written == b.out.len && fflush(stdout) == 0;
        macho_release(&b);
        return good ? 0 : 1;
    }
    fputs("usage: macho_make KIND\n", stderr);
    return 2;
}
