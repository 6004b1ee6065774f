/*
 * Purpose: numbers of the Mach-O format that more than one reader needs. Only those that
 *     are used; the names are the format's own, so that they can be looked up.
 *
 * Layer: macho. Includes nothing.
 *
 * Calling sequence: none; constants only. Facts: the public descriptions of mach-o/loader.h,
 *     mach-o/nlist.h, mach-o/fat.h and mach-o/fixup-chains.h.
 *
 * Ownership, Errors, Determinism: none.
 */
#ifndef HALLMARK_MACHO_CONSTANTS_H
#define HALLMARK_MACHO_CONSTANTS_H

/* Magic numbers, as read in the file's own byte order. */
#define MH_MAGIC     0xfeedfaceu
#define MH_MAGIC_64  0xfeedfacfu
#define FAT_MAGIC    0xcafebabeu /* always big-endian in the file */
#define FAT_MAGIC_64 0xcafebabfu

/* cputype: two bits of ABI, the rest a family. */
#define CPU_ARCH_ABI64       0x01000000u
#define CPU_ARCH_ABI64_32    0x02000000u
#define CPU_TYPE_M68K        6u
#define CPU_TYPE_X86         7u
#define CPU_TYPE_X86_64      (CPU_TYPE_X86 | CPU_ARCH_ABI64)
#define CPU_TYPE_ARM         12u
#define CPU_TYPE_ARM64       (CPU_TYPE_ARM | CPU_ARCH_ABI64)
#define CPU_TYPE_ARM64_32    (CPU_TYPE_ARM | CPU_ARCH_ABI64_32)
#define CPU_TYPE_HPPA        11u
#define CPU_TYPE_M88K        13u
#define CPU_TYPE_SPARC       14u
#define CPU_TYPE_I860        15u
#define CPU_TYPE_POWERPC     18u
#define CPU_TYPE_POWERPC64   (CPU_TYPE_POWERPC | CPU_ARCH_ABI64)
#define CPU_SUBTYPE_MASK     0xff000000u /* capability bits */
#define CPU_SUBTYPE_LIB64    0x80000000u /* of x86_64 and ppc64 executables */
#define CPU_SUBTYPE_ARM64E   2u
#define CPU_SUBTYPE_X86_64_H 8u
/* arm64e: the capability byte holds the version of the pointer authentication ABI. */
#define ARM64E_VERSIONED_ABI 0x80000000u
#define ARM64E_KERNEL_ABI    0x40000000u
#define ARM64E_ABI_VERSION   0x0f000000u

/* filetype */
#define MH_OBJECT      1u
#define MH_EXECUTE     2u
#define MH_FVMLIB      3u
#define MH_CORE        4u
#define MH_PRELOAD     5u
#define MH_DYLIB       6u
#define MH_DYLINKER    7u
#define MH_BUNDLE      8u
#define MH_DYLIB_STUB  9u
#define MH_DSYM        10u
#define MH_KEXT_BUNDLE 11u
#define MH_FILESET     12u

/* header flags that decide something here */
#define MH_SPLIT_SEGS 0x20u
#define MH_TWOLEVEL   0x80u

/* protections of segments */
#define VM_PROT_READ    0x1u
#define VM_PROT_WRITE   0x2u
#define VM_PROT_EXECUTE 0x4u

/* load commands */
#define LC_REQ_DYLD                 0x80000000u
#define LC_SEGMENT                  0x01u
#define LC_SYMTAB                   0x02u
#define LC_DYSYMTAB                 0x0bu
#define LC_LOAD_DYLIB               0x0cu
#define LC_ID_DYLIB                 0x0du
#define LC_LOAD_DYLINKER            0x0eu
#define LC_ID_DYLINKER              0x0fu
#define LC_TWOLEVEL_HINTS           0x16u
#define LC_LOAD_WEAK_DYLIB          (0x18u | LC_REQ_DYLD)
#define LC_SEGMENT_64               0x19u
#define LC_UUID                     0x1bu
#define LC_RPATH                    (0x1cu | LC_REQ_DYLD)
#define LC_CODE_SIGNATURE           0x1du
#define LC_SEGMENT_SPLIT_INFO       0x1eu
#define LC_REEXPORT_DYLIB           (0x1fu | LC_REQ_DYLD)
#define LC_LAZY_LOAD_DYLIB          0x20u
#define LC_ENCRYPTION_INFO          0x21u
#define LC_DYLD_INFO                0x22u
#define LC_DYLD_INFO_ONLY           (0x22u | LC_REQ_DYLD)
#define LC_LOAD_UPWARD_DYLIB        (0x23u | LC_REQ_DYLD)
#define LC_VERSION_MIN_MACOSX       0x24u
#define LC_VERSION_MIN_IPHONEOS     0x25u
#define LC_FUNCTION_STARTS          0x26u
#define LC_DYLD_ENVIRONMENT         0x27u
#define LC_MAIN                     (0x28u | LC_REQ_DYLD)
#define LC_DATA_IN_CODE             0x29u
#define LC_SOURCE_VERSION           0x2au
#define LC_DYLIB_CODE_SIGN_DRS      0x2bu
#define LC_ENCRYPTION_INFO_64       0x2cu
#define LC_LINKER_OPTIMIZATION_HINT 0x2eu
#define LC_VERSION_MIN_TVOS         0x2fu
#define LC_VERSION_MIN_WATCHOS      0x30u
#define LC_NOTE                     0x31u
#define LC_BUILD_VERSION            0x32u
#define LC_DYLD_EXPORTS_TRIE        (0x33u | LC_REQ_DYLD)
#define LC_DYLD_CHAINED_FIXUPS      (0x34u | LC_REQ_DYLD)
#define LC_ATOM_INFO                0x36u
#define LC_FUNCTION_VARIANTS        0x37u
#define LC_FUNCTION_VARIANT_FIXUPS  0x38u

/* A library's command may have this where the timestamp was; flags then follow the versions. */
#define DYLIB_USE_MARKER       0x1a741800u
#define DYLIB_USE_WEAK_LINK    0x1u
#define DYLIB_USE_REEXPORT     0x2u
#define DYLIB_USE_UPWARD       0x4u
#define DYLIB_USE_DELAYED_INIT 0x8u

/* segment flags */
#define SG_NORELOC             0x4u
#define SG_PROTECTED_VERSION_1 0x8u
#define SG_READ_ONLY           0x10u /* not writable after its fix-ups */

/* section types, the low byte of a section's flags */
#define SECTION_TYPE             0xffu
#define S_ZEROFILL               0x01u
#define S_CSTRING_LITERALS       0x02u
#define S_MOD_INIT_FUNC_POINTERS 0x09u
#define S_GB_ZEROFILL            0x0cu
#define S_THREAD_LOCAL_ZEROFILL  0x12u
#define S_INIT_FUNC_OFFSETS      0x16u

/* platforms */
#define PLATFORM_MACOS   1u
#define PLATFORM_IOS     2u
#define PLATFORM_TVOS    3u
#define PLATFORM_WATCHOS 4u

/* symbol table entries */
#define N_STAB     0xe0u
#define N_PEXT     0x10u
#define N_TYPE     0x0eu
#define N_EXT      0x01u
#define N_UNDF     0x0u
#define N_ABS      0x2u
#define N_INDR     0xau
#define N_PBUD     0xcu
#define N_SECT     0xeu
#define N_WEAK_REF 0x40u
#define N_WEAK_DEF 0x80u

/* library ordinals that are no index */
#define ORDINAL_SELF            0
#define ORDINAL_MAIN_EXECUTABLE (-1)
#define ORDINAL_FLAT_LOOKUP     (-2)
#define ORDINAL_WEAK_LOOKUP     (-3)

/* chained fix-up pointer formats */
#define CHAINED_ARM64E            1u
#define CHAINED_64                2u
#define CHAINED_32                3u
#define CHAINED_32_CACHE          4u
#define CHAINED_32_FIRMWARE       5u
#define CHAINED_64_OFFSET         6u
#define CHAINED_ARM64E_KERNEL     7u
#define CHAINED_64_KERNEL_CACHE   8u
#define CHAINED_ARM64E_USERLAND   9u
#define CHAINED_ARM64E_FIRMWARE   10u
#define CHAINED_X86_64_CACHE      11u
#define CHAINED_ARM64E_USERLAND24 12u

#endif
