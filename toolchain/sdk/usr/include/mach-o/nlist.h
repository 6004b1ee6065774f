/*
 * mach-o/nlist.h: entries of the symbol table.
 * Facts: apple-oss-distributions xnu, EXTERNAL_HEADERS/mach-o/nlist.h; LLVM,
 * BinaryFormat/MachO.h.
 */
#ifndef _MACHO_NLIST_H_
#define _MACHO_NLIST_H_

#include <stdint.h>

struct nlist {
    union {
        uint32_t n_strx;
    } n_un;
    uint8_t n_type;
    uint8_t n_sect;
    int16_t n_desc;
    uint32_t n_value;
};

struct nlist_64 {
    union {
        uint32_t n_strx;
    } n_un;
    uint8_t n_type;
    uint8_t n_sect;
    uint16_t n_desc;
    uint64_t n_value;
};

/* n_type */
#define N_STAB 0xe0
#define N_PEXT 0x10
#define N_TYPE 0x0e
#define N_EXT 0x01
#define N_UNDF 0x0
#define N_ABS 0x2
#define N_SECT 0xe
#define N_PBUD 0xc
#define N_INDR 0xa

#define NO_SECT 0
#define MAX_SECT 255

/* n_desc */
#define N_WEAK_REF 0x0040
#define N_WEAK_DEF 0x0080
#define GET_LIBRARY_ORDINAL(n_desc) (((n_desc) >> 8) & 0xff)
#define SELF_LIBRARY_ORDINAL 0x0
#define MAX_LIBRARY_ORDINAL 0xfd
#define DYNAMIC_LOOKUP_ORDINAL 0xfe
#define EXECUTABLE_ORDINAL 0xff

#endif
