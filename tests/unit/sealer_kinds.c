#include "macho/constants.h"
#include "unit/sealer.h"

static const uint8_t no_requirements[] = {0, 0, 0, 0};

/* designated => identifier a */
static const uint8_t requirements[] = {
    0,    0,    0,    1,    0, 0, 0, 3,  0,   0, 0, 20, /* one, designated, at 20 */
    0xfa, 0xde, 0x0c, 0x00, 0, 0, 0, 24, 0,   0, 0, 1,  /* an expression */
    0,    0,    0,    2,    0, 0, 0, 1,  'a', 0, 0, 0,  /* identifier, one byte */
};

static const char xml[] =
    "<plist version=\"1.0\"><dict><key>com.example.a</key><true/></dict></plist>";

/* the same: [APPLICATION 16] { 1, [16] { { "com.example.a", true } } } */
static const uint8_t der[] = {0x70, 0x19, 0x02, 0x01, 0x01, 0xb0, 0x14, 0x30, 0x12,
                              0x0c, 0x0d, 'c',  'o',  'm',  '.',  'e',  'x',  'a',
                              'm',  'p',  'l',  'e',  '.',  'a',  0x01, 0x01, 0xff};

#define INFO_PLIST "<plist version=\"1.0\"><dict/></plist>"
static const char resources[] =
    "<plist version=\"1.0\"><dict><key>files</key><dict/></dict></plist>";

#define BLOB(slot, bytes)       \
    {                           \
        slot,                   \
        {                       \
            bytes, sizeof bytes \
        }                       \
    }
#define TEXT(slot, text)                              \
    {                                                 \
        slot,                                         \
        {                                             \
            (const uint8_t *)(text), sizeof(text) - 1 \
        }                                             \
    }
#define NO_REQUIREMENTS BLOB(CODESIG_SLOT_REQUIREMENTS, no_requirements)
#define REQUIREMENTS    BLOB(CODESIG_SLOT_REQUIREMENTS, requirements)
#define XML             TEXT(CODESIG_SLOT_ENTITLEMENTS, xml)
#define DER             BLOB(CODESIG_SLOT_ENTITLEMENTS_DER, der)
#define CONSTRAINT      BLOB(CODESIG_SLOT_CONSTRAINT_PARENT, der)
#define NO_CMS            \
    {                     \
        CODESIG_SLOT_CMS, \
        {                 \
            0             \
        }                 \
    }

const struct sealer_kind sealer_kinds[] = {
    {"arm64 dylib, linker-signed",
     {.cputype = CPU_TYPE_ARM64},
     {.flags = CODESIG_FLAG_ADHOC | CODESIG_FLAG_LINKER_SIGNED}},
    {"arm64e dylib, as codesign writes it, with reserved space",
     {.cputype = CPU_TYPE_ARM64, .cpusubtype = ARM64E_VERSIONED_ABI | CPU_SUBTYPE_ARM64E},
     {.blobs = {NO_REQUIREMENTS, NO_CMS}, .reserved = 64}},
    {"x86_64 executable, hardened runtime, pre-encryption hashes, requirements",
     {.cputype = CPU_TYPE_X86_64,
      .cpusubtype = CPU_SUBTYPE_LIB64 | 3,
      .filetype = MH_EXECUTE,
      .code_len = 0x1400,
      .sdk = 14u << 16},
     {.version = 0x20500,
      .flags = CODESIG_FLAG_ADHOC | CODESIG_FLAG_RUNTIME,
      .runtime = 14u << 16,
      .exec_flags = CODESIG_EXEC_MAIN_BINARY,
      .pre_encrypt = true,
      .blobs = {REQUIREMENTS, NO_CMS}}},
    {"i386 executable, sha1 and sha256",
     {.is32 = true, .cputype = CPU_TYPE_X86, .cpusubtype = 3, .filetype = MH_EXECUTE},
     {.version = 0x20200,
      .hash_types = {CODESIG_HASH_SHA1, CODESIG_HASH_SHA256},
      .blobs = {NO_REQUIREMENTS, NO_CMS}}},
    {"ppc dylib, sha1 with a scatter table",
     {.is32 = true, .big_endian = true, .cputype = CPU_TYPE_POWERPC, .code_len = 0x1400},
     {.version = 0x20100,
      .hash_types = {CODESIG_HASH_SHA1},
      .scatter = true,
      .blobs = {NO_REQUIREMENTS, NO_CMS}}},
    {"ppc64 bundle, the oldest version",
     {.big_endian = true, .cputype = CPU_TYPE_POWERPC64, .filetype = MH_BUNDLE},
     {.version = 0x20001,
      .hash_types = {CODESIG_HASH_SHA1, CODESIG_HASH_SHA256},
      .blobs = {NO_REQUIREMENTS}}},
    {"armv7 executable, pages of 16 KiB",
     {.is32 = true,
      .cputype = CPU_TYPE_ARM,
      .cpusubtype = 9,
      .filetype = MH_EXECUTE,
      .code_len = 0x4100},
     {.page_shift = 14, .exec_flags = CODESIG_EXEC_MAIN_BINARY, .blobs = {NO_REQUIREMENTS}}},
    {"arm64_32 executable, entitlements in both forms and a launch constraint",
     {.is32 = true, .cputype = CPU_TYPE_ARM64_32, .cpusubtype = 1, .filetype = MH_EXECUTE},
     {.exec_flags = CODESIG_EXEC_MAIN_BINARY,
      .blobs = {NO_REQUIREMENTS, XML, DER, CONSTRAINT, NO_CMS}}},
    {"x86_64 dylib, Info.plist in a section, three hash types",
     {.cputype = CPU_TYPE_X86_64, .cpusubtype = 3, .info_plist = INFO_PLIST},
     {.hash_types = {CODESIG_HASH_SHA256_TRUNCATED, CODESIG_HASH_SHA384, CODESIG_HASH_SHA256},
      .blobs = {NO_REQUIREMENTS}}},
    {"i386 object file",
     {.is32 = true, .cputype = CPU_TYPE_X86, .cpusubtype = 3, .filetype = MH_OBJECT},
     {.version = 0x20300, .blobs = {NO_REQUIREMENTS}}},
    {"x86_64 kext in its bundle",
     {.cputype = CPU_TYPE_X86_64, .cpusubtype = 3, .filetype = MH_KEXT_BUNDLE},
     {.version = 0x20200,
      .hash_types = {CODESIG_HASH_SHA1, CODESIG_HASH_SHA256},
      .info_plist = {(const uint8_t *)INFO_PLIST, sizeof INFO_PLIST - 1},
      .resources = {(const uint8_t *)resources, sizeof resources - 1},
      .blobs = {REQUIREMENTS, NO_CMS}}},
    {"arm64 dylib, linkage data",
     {.cputype = CPU_TYPE_ARM64},
     {.version = 0x20600, .linkage = true, .blobs = {NO_REQUIREMENTS}}},
    {"arm64 dylib, the newest version without linkage data",
     {.cputype = CPU_TYPE_ARM64},
     {.version = 0x20600, .blobs = {NO_REQUIREMENTS}}},
    {"arm64 executable, as .NET writes it",
     {.cputype = CPU_TYPE_ARM64, .filetype = MH_EXECUTE, .code_len = 0x13f0, .data_len = 0x3d0},
     {.exec_flags = CODESIG_EXEC_MAIN_BINARY,
      .exec_limit = SEALER_LIMIT_SIGNATURE,
      .blobs = {NO_REQUIREMENTS, NO_CMS}}},
    {"x86_64 executable, as another .NET writes it",
     {.cputype = CPU_TYPE_X86_64,
      .cpusubtype = 3,
      .filetype = MH_EXECUTE,
      .code_len = 0x13f0,
      .data_len = 0x3d0},
     {.exec_flags = CODESIG_EXEC_MAIN_BINARY,
      .exec_limit = SEALER_LIMIT_LINKEDIT,
      .blobs = {NO_REQUIREMENTS, NO_CMS}}},
};

const size_t sealer_kind_count = sizeof sealer_kinds / sizeof sealer_kinds[0];
