#include "macho/arch.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "macho/constants.h"

#define SUBTYPE(value) ((value) & ~CPU_SUBTYPE_MASK)
#define COUNT(array)   (sizeof(array) / sizeof *(array))

struct arch {
    const char *name;
    uint32_t cputype;
    uint32_t cpusubtype;
};

static const struct arch archs[] = {
    {"arm64", CPU_TYPE_ARM64, 0},
    {"arm64v8", CPU_TYPE_ARM64, 1},
    {"arm64e", CPU_TYPE_ARM64, CPU_SUBTYPE_ARM64E},
    {"arm64_32", CPU_TYPE_ARM64_32, 1},
    {"arm64_32", CPU_TYPE_ARM64_32, 0},
    {"x86_64", CPU_TYPE_X86_64, 3},
    {"x86_64", CPU_TYPE_X86_64, 4},
    {"x86_64h", CPU_TYPE_X86_64, CPU_SUBTYPE_X86_64_H},
    {"i386", CPU_TYPE_X86, 3},
    {"i486", CPU_TYPE_X86, 4},
    {"i486SX", CPU_TYPE_X86, 0x84},
    {"i586", CPU_TYPE_X86, 5},
    {"i686", CPU_TYPE_X86, 0x16},
    {"armv4t", CPU_TYPE_ARM, 5},
    {"armv5", CPU_TYPE_ARM, 7},
    {"armv6", CPU_TYPE_ARM, 6},
    {"armv6m", CPU_TYPE_ARM, 14},
    {"armv7", CPU_TYPE_ARM, 9},
    {"armv7f", CPU_TYPE_ARM, 10},
    {"armv7s", CPU_TYPE_ARM, 11},
    {"armv7k", CPU_TYPE_ARM, 12},
    {"armv7m", CPU_TYPE_ARM, 15},
    {"armv7em", CPU_TYPE_ARM, 16},
    {"armv8", CPU_TYPE_ARM, 13},
    {"armv8m.main", CPU_TYPE_ARM, 17},
    {"armv8m.base", CPU_TYPE_ARM, 18},
    {"armv8.1m.main", CPU_TYPE_ARM, 19},
    {"xscale", CPU_TYPE_ARM, 8},
    {"arm", CPU_TYPE_ARM, 0},
    {"ppc", CPU_TYPE_POWERPC, 0},
    {"ppc64", CPU_TYPE_POWERPC64, 0},
    {"m68k", CPU_TYPE_M68K, 1},
    {"m68030", CPU_TYPE_M68K, 3},
    {"m68040", CPU_TYPE_M68K, 2},
    {"hppa", CPU_TYPE_HPPA, 0},
    {"m88k", CPU_TYPE_M88K, 0},
    {"sparc", CPU_TYPE_SPARC, 0},
    {"i860", CPU_TYPE_I860, 0},
};

const char *macho_arch_name(uint32_t cputype, uint32_t cpusubtype)
{
    /* The models of PowerPC run each other's code: tools call them by their family. */
    if (cputype == CPU_TYPE_POWERPC || cputype == CPU_TYPE_POWERPC64)
        return cputype == CPU_TYPE_POWERPC ? "ppc" : "ppc64";
    for (size_t i = 0; i < COUNT(archs); i++) {
        if (archs[i].cputype == cputype && archs[i].cpusubtype == SUBTYPE(cpusubtype))
            return archs[i].name;
    }
    return "unknown";
}

void macho_arch_text(char out[MACHO_ARCH_MAX], uint32_t cputype, uint32_t cpusubtype)
{
    const char *name = macho_arch_name(cputype, cpusubtype);
    if (strcmp(name, "unknown") != 0)
        (void)snprintf(out, MACHO_ARCH_MAX, "%s", name);
    else
        (void)snprintf(out, MACHO_ARCH_MAX, "cputype 0x%" PRIx32 " cpusubtype 0x%" PRIx32, cputype,
                       cpusubtype);
}

void macho_caps_text(char out[MACHO_CAPS_MAX], uint32_t cputype, uint32_t cpusubtype)
{
    uint32_t caps = cpusubtype & CPU_SUBTYPE_MASK;
    out[0] = '\0';
    if (caps == 0)
        return;
    if (cputype == CPU_TYPE_ARM64 && SUBTYPE(cpusubtype) == CPU_SUBTYPE_ARM64E &&
        (caps & ARM64E_VERSIONED_ABI) != 0)
        (void)snprintf(out, MACHO_CAPS_MAX, "%s%02" PRIu32,
                       (caps & ARM64E_KERNEL_ABI) != 0 ? "PAK" : "PAC",
                       (caps & ARM64E_ABI_VERSION) >> 24);
    else if ((cputype & CPU_ARCH_ABI64) != 0 && cputype != CPU_TYPE_ARM64 &&
             caps == CPU_SUBTYPE_LIB64)
        (void)snprintf(out, MACHO_CAPS_MAX, "LIB64");
    else
        (void)snprintf(out, MACHO_CAPS_MAX, "0x%02" PRIx32, caps >> 24);
}

bool macho_arch_parse(uint32_t *cputype, uint32_t *cpusubtype, const char *name)
{
    for (size_t i = 0; i < COUNT(archs); i++) {
        if (strcmp(archs[i].name, name) != 0)
            continue;
        *cputype = archs[i].cputype;
        *cpusubtype = archs[i].cpusubtype;
        return true;
    }
    return false;
}

const char *macho_filetype_name(uint32_t filetype)
{
    static const char *const names[] = {
        NULL,       "object", "execute",    "fvmlib", "core", "preload", "dylib",
        "dylinker", "bundle", "dylib-stub", "dsym",   "kext", "fileset",
    };
    return filetype < COUNT(names) ? names[filetype] : NULL;
}

struct numbered {
    uint32_t number;
    const char *name;
};

static const char *name_of(const struct numbered *names, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i].number == number)
            return names[i].name;
    }
    return NULL;
}

static const struct numbered command_names[] = {
    {LC_SEGMENT, "LC_SEGMENT"},
    {LC_SYMTAB, "LC_SYMTAB"},
    {0x03, "LC_SYMSEG"},
    {0x04, "LC_THREAD"},
    {0x05, "LC_UNIXTHREAD"},
    {0x06, "LC_LOADFVMLIB"},
    {0x07, "LC_IDFVMLIB"},
    {0x08, "LC_IDENT"},
    {0x09, "LC_FVMFILE"},
    {0x0a, "LC_PREPAGE"},
    {LC_DYSYMTAB, "LC_DYSYMTAB"},
    {LC_LOAD_DYLIB, "LC_LOAD_DYLIB"},
    {LC_ID_DYLIB, "LC_ID_DYLIB"},
    {LC_LOAD_DYLINKER, "LC_LOAD_DYLINKER"},
    {LC_ID_DYLINKER, "LC_ID_DYLINKER"},
    {0x10, "LC_PREBOUND_DYLIB"},
    {0x11, "LC_ROUTINES"},
    {0x12, "LC_SUB_FRAMEWORK"},
    {0x13, "LC_SUB_UMBRELLA"},
    {0x14, "LC_SUB_CLIENT"},
    {0x15, "LC_SUB_LIBRARY"},
    {LC_TWOLEVEL_HINTS, "LC_TWOLEVEL_HINTS"},
    {0x17, "LC_PREBIND_CKSUM"},
    {LC_LOAD_WEAK_DYLIB, "LC_LOAD_WEAK_DYLIB"},
    {LC_SEGMENT_64, "LC_SEGMENT_64"},
    {0x1a, "LC_ROUTINES_64"},
    {LC_UUID, "LC_UUID"},
    {LC_RPATH, "LC_RPATH"},
    {LC_CODE_SIGNATURE, "LC_CODE_SIGNATURE"},
    {LC_SEGMENT_SPLIT_INFO, "LC_SEGMENT_SPLIT_INFO"},
    {LC_REEXPORT_DYLIB, "LC_REEXPORT_DYLIB"},
    {LC_LAZY_LOAD_DYLIB, "LC_LAZY_LOAD_DYLIB"},
    {LC_ENCRYPTION_INFO, "LC_ENCRYPTION_INFO"},
    {LC_DYLD_INFO, "LC_DYLD_INFO"},
    {LC_DYLD_INFO_ONLY, "LC_DYLD_INFO_ONLY"},
    {LC_LOAD_UPWARD_DYLIB, "LC_LOAD_UPWARD_DYLIB"},
    {LC_VERSION_MIN_MACOSX, "LC_VERSION_MIN_MACOSX"},
    {LC_VERSION_MIN_IPHONEOS, "LC_VERSION_MIN_IPHONEOS"},
    {LC_FUNCTION_STARTS, "LC_FUNCTION_STARTS"},
    {LC_DYLD_ENVIRONMENT, "LC_DYLD_ENVIRONMENT"},
    {LC_MAIN, "LC_MAIN"},
    {LC_DATA_IN_CODE, "LC_DATA_IN_CODE"},
    {LC_SOURCE_VERSION, "LC_SOURCE_VERSION"},
    {LC_DYLIB_CODE_SIGN_DRS, "LC_DYLIB_CODE_SIGN_DRS"},
    {LC_ENCRYPTION_INFO_64, "LC_ENCRYPTION_INFO_64"},
    {0x2d, "LC_LINKER_OPTION"},
    {LC_LINKER_OPTIMIZATION_HINT, "LC_LINKER_OPTIMIZATION_HINT"},
    {LC_VERSION_MIN_TVOS, "LC_VERSION_MIN_TVOS"},
    {LC_VERSION_MIN_WATCHOS, "LC_VERSION_MIN_WATCHOS"},
    {LC_NOTE, "LC_NOTE"},
    {LC_BUILD_VERSION, "LC_BUILD_VERSION"},
    {LC_DYLD_EXPORTS_TRIE, "LC_DYLD_EXPORTS_TRIE"},
    {LC_DYLD_CHAINED_FIXUPS, "LC_DYLD_CHAINED_FIXUPS"},
    {0x35 | LC_REQ_DYLD, "LC_FILESET_ENTRY"},
    {LC_ATOM_INFO, "LC_ATOM_INFO"},
    {LC_FUNCTION_VARIANTS, "LC_FUNCTION_VARIANTS"},
    {LC_FUNCTION_VARIANT_FIXUPS, "LC_FUNCTION_VARIANT_FIXUPS"},
    {0x39, "LC_TARGET_TRIPLE"},
};

const char *macho_command_name(uint32_t cmd)
{
    return name_of(command_names, COUNT(command_names), cmd);
}

const char *macho_platform_name(uint32_t platform)
{
    static const char *const names[] = {
        NULL,
        "macOS",
        "iOS",
        "tvOS",
        "watchOS",
        "bridgeOS",
        "Mac Catalyst",
        "iOS simulator",
        "tvOS simulator",
        "watchOS simulator",
        "DriverKit",
        "visionOS",
        "visionOS simulator",
        "firmware",
        "sepOS",
        "macOS exclave core",
        "macOS exclave kit",
        "iOS exclave core",
        "iOS exclave kit",
        "tvOS exclave core",
        "tvOS exclave kit",
        "watchOS exclave core",
        "watchOS exclave kit",
        "visionOS exclave core",
        "visionOS exclave kit",
    };
    return platform < COUNT(names) ? names[platform] : NULL;
}

const char *macho_tool_name(uint32_t tool)
{
    static const struct numbered names[] = {
        {1, "clang"},
        {2, "swift"},
        {3, "ld"},
        {4, "lld"},
        {1024, "metal"},
        {1025, "airlld"},
        {1026, "airnt"},
        {1027, "airnt plugin"},
        {1028, "airpack"},
        {1031, "gpuarchiver"},
        {1032, "metal framework"},
    };
    return name_of(names, COUNT(names), tool);
}

const char *macho_chained_format_name(uint32_t pointer_format)
{
    static const char *const names[] = {
        NULL,
        "arm64e",
        "64",
        "32",
        "32-cache",
        "32-firmware",
        "64-offset",
        "arm64e-kernel",
        "64-kernel-cache",
        "arm64e-userland",
        "arm64e-firmware",
        "x86_64-kernel-cache",
        "arm64e-userland24",
        "arm64e-shared-cache",
        "arm64e-segmented",
    };
    return pointer_format < COUNT(names) ? names[pointer_format] : NULL;
}

void macho_version_text(char out[MACHO_VERSION_MAX], uint32_t version)
{
    uint32_t patch = version & 0xff;
    int used = snprintf(out, MACHO_VERSION_MAX, "%" PRIu32 ".%" PRIu32, version >> 16,
                        version >> 8 & 0xff);
    if (patch != 0)
        (void)snprintf(out + used, (size_t)(MACHO_VERSION_MAX - used), ".%" PRIu32, patch);
}

void macho_source_version_text(char out[MACHO_SOURCE_VERSION_MAX], uint64_t version)
{
    unsigned parts[5] = {(unsigned)(version >> 40), (unsigned)(version >> 30 & 0x3ff),
                         (unsigned)(version >> 20 & 0x3ff), (unsigned)(version >> 10 & 0x3ff),
                         (unsigned)(version & 0x3ff)};
    size_t count = 5;
    size_t used = 0;
    while (count > 2 && parts[count - 1] == 0)
        count--;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(out + used, MACHO_SOURCE_VERSION_MAX - used, "%s%u",
                                 i == 0 ? "" : ".", parts[i]);
}

void macho_flags_text(char out[MACHO_FLAGS_MAX], uint32_t flags)
{
    static const char *const names[32] = {
        "NOUNDEFS",
        "INCRLINK",
        "DYLDLINK",
        "BINDATLOAD",
        "PREBOUND",
        "SPLIT_SEGS",
        "LAZY_INIT",
        "TWOLEVEL",
        "FORCE_FLAT",
        "NOMULTIDEFS",
        "NOFIXPREBINDING",
        "PREBINDABLE",
        "ALLMODSBOUND",
        "SUBSECTIONS_VIA_SYMBOLS",
        "CANONICAL",
        "WEAK_DEFINES",
        "BINDS_TO_WEAK",
        "ALLOW_STACK_EXECUTION",
        "ROOT_SAFE",
        "SETUID_SAFE",
        "NO_REEXPORTED_DYLIBS",
        "PIE",
        "DEAD_STRIPPABLE_DYLIB",
        "HAS_TLV_DESCRIPTORS",
        "NO_HEAP_EXECUTION",
        "APP_EXTENSION_SAFE",
        "NLIST_OUTOFSYNC_WITH_DYLDINFO",
        "SIM_SUPPORT",
        "IMPLICIT_PAGEZERO",
        NULL,
        NULL,
        "DYLIB_IN_CACHE",
    };
    size_t used = 0;
    out[0] = '\0';
    for (unsigned bit = 0; bit < 32; bit++) {
        char number[16];
        const char *name = names[bit];
        if ((flags & UINT32_C(1) << bit) == 0)
            continue;
        (void)snprintf(number, sizeof number, "0x%" PRIx32, UINT32_C(1) << bit);
        used += (size_t)snprintf(out + used, MACHO_FLAGS_MAX - used, "%s%s", used == 0 ? "" : " ",
                                 name != NULL ? name : number);
    }
}

void macho_protection_text(char out[4], uint32_t protection)
{
    out[0] = (protection & 1) != 0 ? 'r' : '-';
    out[1] = (protection & 2) != 0 ? 'w' : '-';
    out[2] = (protection & 4) != 0 ? 'x' : '-';
    out[3] = '\0';
}
