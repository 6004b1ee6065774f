#include "unit/arm64e_sample.h"

#include <string.h>

#define LINKEDIT  0xc000u
#define FUNCTIONS 0xc300u
#define DATA_CODE 0xc310u
#define END       0xc400u

#define BIND(import, next)   (UINT64_C(1) << 63 | (uint64_t)(next) << 51 | (import))
#define REBASE(target, next) ((uint64_t)(next) << 51 | (target))

struct arm64e_sample arm64e_sample(void)
{
    return (struct arm64e_sample){
        .code =
            {
                0xf0000010, /* 1000 adrp x16, 0x4000 */
                0xf9400610, /* 1004 ldr x16, [x16, #8]      _strcmp */
                0xdac123f0, /* 1008 paciza x16 */
                0xf0000008, /* 100c adrp x8, 0x4000 */
                0xf9400d08, /* 1010 ldr x8, [x8, #24]       ___stderrp */
                0xf9400100, /* 1014 ldr x0, [x8] */
                0xd65f03c0, /* 1018 ret */
                0xd503201f, /* 101c nop */
                0x90000010, /* 1020 adrp x16, 0x1000 */
                0x91000210, /* 1024 add x16, x16, #0        the function at 0x1000 */
                0xdac123f0, /* 1028 paciza x16 */
                0xaa1003e0, /* 102c mov x0, x16 */
                0xd503201f, /* 1030 nop */
                0xd65f03c0, /* 1034 ret */
                0xd4200020, /* 1038 brk #1 */
                0xd503201f, /* 103c nop */
            },
        .stub =
            {
                0xf0000010, 0xf9400210, 0xd61f0200, /* adrp x16; ldr x16, [x16]; br x16 */
                0xf0000010, 0xf9400610, 0xd61f0200, /* the same with [x16, #8] */
            },
        .stub_size = 12,
        .got = {BIND(0, 2), BIND(1, 2), BIND(2, 2), BIND(4, 2)},
        .string = {BIND(3, 4), 0x7c8, REBASE(0x1300, 4), 2},
        .constant = REBASE(0x1000, 0),
        .data = REBASE(0x8008, 0),
        .first_import = "_puts",
        .first_initialiser = 0x1020,
        .personality_form = 0x9b,
        .augmentation = "zPR",
        .import_format = 1,
        .pointer_format = CHAINED_64_OFFSET,
        .filetype = MH_DYLIB,
    };
}

static void put_words(struct macho_builder *b, uint64_t offset, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        macho_put_u32(b, offset + 4 * i, words[i]);
}

static void put_data(struct macho_builder *b, const struct arm64e_sample *s)
{
    put_words(b, 0x1000, s->code, SAMPLE_CODE_MAX);
    put_words(b, 0x1100, s->stub, 6);
    macho_put_u32(b, 0x1200, s->first_initialiser);
    macho_put(b, 0x1300, "hi", 3);
    for (size_t i = 0; i < 4; i++) {
        macho_put_u64(b, 0x4000 + 8 * i, s->got[i]);
        macho_put_u64(b, 0x4020 + 8 * i, s->string[i]);
    }
    macho_put_u64(b, 0x4040, s->constant);
    macho_put_u64(b, 0x8000, s->data);
    if (s->own_name != NULL)
        macho_put_u64(b, 0x8020, s->own);
}

/* One CIE whose personality routine is the slot at 0x4010, and the end. */
static void put_unwind(struct macho_builder *b, const struct arm64e_sample *s)
{
    static const uint8_t alignments[] = {1, 0x78, 30, 6};
    size_t letters = strlen(s->augmentation) + 1;
    uint64_t at = 0x1409 + letters;
    macho_put_u32(b, 0x1400, 0x1c);
    macho_put_u32(b, 0x1404, 0);
    macho_put(b, 0x1408, "\1", 1);
    macho_put(b, 0x1409, s->augmentation, letters);
    macho_put(b, at, alignments, 4);
    macho_put(b, at + 4, &s->personality_form, 1);
    macho_put_u32(b, at + 5, (uint32_t)(0x4010 - (at + 5)));
    macho_put(b, at + 9, "\x10", 1);
    macho_put_u32(b, 0x1420, 0);
    macho_put_u32(b, 0x150c, 0x1c);
    macho_put_u32(b, 0x1510, s->unwind_personality != 0 ? 1 : 0);
    macho_put_u32(b, 0x151c, s->unwind_personality);
}

static void put_starts(struct macho_builder *b, uint64_t at, uint64_t segment, uint16_t format)
{
    macho_put_u32(b, at, 24);
    macho_put_u32(b, at + 4, (uint32_t)format << 16 | 0x4000);
    macho_put_u64(b, at + 8, segment);
    macho_put_u32(b, at + 16, 0);
    macho_put_u32(b, at + 20, 1); /* one page, which starts at 0 */
}

static void put_linkedit(struct macho_builder *b, const struct arm64e_sample *s)
{
    const char *const names[] = {s->first_import, "_strcmp", "___objc_personality_v0",
                                 "___CFConstantStringClassReference", "___stderrp"};
    const uint32_t header[] = {0, 0x20, 0x80, 0xc0, 5, s->import_format, 0};
    const uint32_t starts[] = {4, 0, 0x14, 0x30, 0};
    uint32_t name_at = 1;
    put_words(b, LINKEDIT, header, 7);
    put_words(b, LINKEDIT + 0x20, starts, 5);
    put_starts(b, LINKEDIT + 0x34, 0x4000, s->pointer_format);
    put_starts(b, LINKEDIT + 0x50, 0x8000, s->pointer_format);
    for (uint32_t i = 0; i < 5; i++) {
        macho_put_u32(b, LINKEDIT + 0x80 + 4 * (uint64_t)i, name_at << 9 | 1);
        macho_put(b, LINKEDIT + 0xc0 + name_at, names[i], strlen(names[i]) + 1);
        name_at += (uint32_t)strlen(names[i]) + 1;
    }
    macho_put(b, FUNCTIONS, "\x80\x20\x20\0", 4);
}

static void put_commands(struct macho_builder *b, const struct arm64e_sample *s)
{
    const uint32_t chains[] = {LINKEDIT, 0x300};
    const uint32_t functions[] = {FUNCTIONS, 8};
    const uint32_t in_code[] = {DATA_CODE, s->data_in_code ? 8 : 0};
    const uint32_t build[] = {PLATFORM_MACOS, 0x000d0000, 0x000e0000, 0};
    const uint32_t own[] = {0, 0, 0, 0};
    const uint8_t uuid[16] = {1, 2, 3};
    if (!s->no_chains)
        macho_command_words(b, LC_DYLD_CHAINED_FIXUPS, chains, 2);
    if (!s->no_functions)
        macho_command_words(b, LC_FUNCTION_STARTS, functions, 2);
    macho_command_words(b, LC_DATA_IN_CODE, in_code, 2);
    macho_command_words(b, LC_BUILD_VERSION, build, 4);
    if (!s->no_uuid)
        macho_command(b, LC_UUID, uuid, sizeof uuid);
    if (s->filetype == MH_DYLIB)
        macho_library(b, LC_ID_DYLIB, "@rpath/libsample.dylib", 0x10000, 0x10000);
    macho_library(b, LC_LOAD_DYLIB, "/usr/lib/libSystem.B.dylib", 0x10000, 0x10000);
    if (s->own_command != 0)
        macho_command_words(b, s->own_command, own, 4);
}

void arm64e_sample_build(struct macho_builder *b, const struct arm64e_sample *s)
{
    const uint32_t instructions = 0x80000400u;
    macho_begin(b);
    b->cpusubtype = s->cpusubtype;
    b->filetype = s->filetype;
    macho_segment(b, "__TEXT", 0, 0x4000, 5);
    macho_section(b, "__TEXT", "__text", 0x1000, 4 * (uint64_t)SAMPLE_CODE_MAX, instructions);
    size_t stubs = macho_section(b, "__TEXT", "__stubs", 0x1100, 24, instructions | 8);
    macho_set_u32(b, stubs + 72, s->stub_size);
    macho_section(b, "__TEXT", "__init_offsets", 0x1200, 4, 0x16);
    macho_section(b, "__TEXT", "__cstring", 0x1300, 3, S_CSTRING_LITERALS);
    macho_section(b, "__TEXT", "__eh_frame", 0x1400, 0x24, 0x6800000b);
    macho_section(b, "__TEXT", "__unwind_info", 0x1500, 0x20, 0);
    macho_segment(b, "__DATA_CONST", 0x4000, 0x4000, 3);
    macho_section(b, "__DATA_CONST", "__got", 0x4000, 0x20, 6);
    macho_section(b, "__DATA_CONST", "__cfstring", 0x4020, 0x20, 0);
    macho_section(b, "__DATA_CONST", "__const", 0x4040, 8, 0);
    macho_segment(b, "__DATA", 0x8000, 0x4000, 3);
    macho_section(b, "__DATA", "__data", 0x8000, 16, 0);
    if (s->own_name != NULL)
        macho_section(b, s->own_segment == NULL ? "__DATA" : s->own_segment, s->own_name, 0x8020, 8,
                      s->own_flags);
    macho_segment(b, "__LINKEDIT", LINKEDIT, END - LINKEDIT, 1);
    put_commands(b, s);
    put_data(b, s);
    put_unwind(b, s);
    put_linkedit(b, s);
    macho_finish(b, END);
}
