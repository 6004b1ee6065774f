/*
 * Purpose: names of Mach-O numbers: architectures, file types, load commands, platforms,
 *     tools, versions, header flags.
 *
 * Layer: macho.
 *
 * Calling sequence: pure functions. Those with an `out` buffer always fill it; the others
 *     return a constant, or NULL for a number that has no name.
 *
 * Ownership: constants, or the caller's buffer.
 *
 * Errors: none.
 *
 * Determinism: pure.
 */
#ifndef HALLMARK_MACHO_ARCH_H
#define HALLMARK_MACHO_ARCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The name as lipo writes it: arm64, arm64e, x86_64, x86_64h, i386, armv7, ppc, ppc64, ...
 * Capability bits are ignored. A number without a name gives "unknown": use
 * macho_arch_text() for reports.
 */
const char *macho_arch_name(uint32_t cputype, uint32_t cpusubtype);

/* The same, but "cputype 0x1000099 cpusubtype 0x3" for what has no name. */
#define MACHO_ARCH_MAX 48
void macho_arch_text(char out[MACHO_ARCH_MAX], uint32_t cputype, uint32_t cpusubtype);

/* What the capability bits say: "", "LIB64", "PAC00" (arm64e, versioned userspace ABI 0),
 * "PAK00" (kernel ABI), or "0x20" for others. */
#define MACHO_CAPS_MAX 16
void macho_caps_text(char out[MACHO_CAPS_MAX], uint32_t cputype, uint32_t cpusubtype);

/* The numbers of an architecture name, cpusubtype without capability bits (for arm64e
 * compare macho_arch_name() instead); false when the name is not known. */
bool macho_arch_parse(uint32_t *cputype, uint32_t *cpusubtype, const char *name);

const char *macho_filetype_name(uint32_t filetype); /* "dylib", "execute", "dsym", ... */
const char *macho_command_name(uint32_t cmd);       /* "LC_UUID", ... */
const char *macho_platform_name(uint32_t platform); /* "macOS", "iOS simulator", ... */
const char *macho_tool_name(uint32_t tool);         /* "clang", "swift", "ld", "lld" */
const char *macho_chained_format_name(uint32_t pointer_format);

/* "13.0" or "13.0.1": sixteen bits, eight and eight; the last part only when not 0. */
#define MACHO_VERSION_MAX 16
void macho_version_text(char out[MACHO_VERSION_MAX], uint32_t version);

/* LC_SOURCE_VERSION: a 24-bit number and four of ten bits, trailing zeros left out. */
#define MACHO_SOURCE_VERSION_MAX 40
void macho_source_version_text(char out[MACHO_SOURCE_VERSION_MAX], uint64_t version);

/* The names of the flag bits in `flags`, separated by one blank, unknown bits as 0x…. */
#define MACHO_FLAGS_MAX 640
void macho_flags_text(char out[MACHO_FLAGS_MAX], uint32_t flags);

/* "r-x" */
void macho_protection_text(char out[4], uint32_t protection);

#endif
