/*
 * mach-o/fat.h: universal files; every number in them is big-endian.
 * Facts: apple-oss-distributions xnu, EXTERNAL_HEADERS/mach-o/fat.h; LLVM,
 * BinaryFormat/MachO.h.
 */
#ifndef _MACH_O_FAT_H_
#define _MACH_O_FAT_H_

#include <mach/machine.h>
#include <stdint.h>

#define FAT_MAGIC 0xcafebabe
#define FAT_CIGAM 0xbebafeca
#define FAT_MAGIC_64 0xcafebabf
#define FAT_CIGAM_64 0xbfbafeca

struct fat_header {
    uint32_t magic;
    uint32_t nfat_arch;
};

struct fat_arch {
    cpu_type_t cputype;
    cpu_subtype_t cpusubtype;
    uint32_t offset;
    uint32_t size;
    uint32_t align;
};

struct fat_arch_64 {
    cpu_type_t cputype;
    cpu_subtype_t cpusubtype;
    uint64_t offset;
    uint64_t size;
    uint32_t align;
    uint32_t reserved;
};

#endif
