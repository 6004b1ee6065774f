/*
 * Purpose: a toolchain pin, toolchain/NAME.yaml: which compiler, linker and SDK a release is
 *     made with, and which builds of them are known. Of family `llvm`, compiler and linker are
 *     looked for and the SDK is in the tree; of family `apple`, all three are in one developer
 *     directory of Apple's (Command Line Tools or Xcode), and nowhere else.
 *
 * Layer: config.
 *
 * Calling sequence:
 *         own_toolchain struct toolchain pin = {0};
 *         toolchain_parse(&pin, bytes, "toolchain/llvm-19.yaml", "llvm-19", &fail)
 *     The fourth argument is the name that was asked for; the file must say the same. NULL: any.
 *
 * Ownership: the struct owns everything in it; toolchain_release() frees.
 *
 * Errors: FAIL_INPUT with file and line.
 *
 * Determinism: pure.
 *
 * What a build's digest covers: "sha256:" and the SHA-256 of a text with one line
 *     "<sha256>  <file name>\n" for the program and for each shared library of the toolchain's
 *     own that it loads (libLLVM*, libclang-cpp*, liblld*), sorted by file name. The system's
 *     libraries (libc, libstdc++, zlib, ...) are not part of it: a distribution updates them on
 *     its own, and a security update of libc must not break every pin. They are recorded among
 *     what was observed, and audit compares the bytes that come out in any case. Of family
 *     `apple`, the toolchain's own libraries are those in the developer directory.
 *
 * What sdk.contents covers: "sha256:" and the SHA-256 of a text with one line for each file of
 *     the SDK that a compiler of the C family or a linker can read, sorted by path:
 *     "<sha256>  <path>\n", and "<target> -> <path>\n" for a symbolic link. Left out are usr/share
 *     (the manual) and what lies in folders named *.swiftmodule.
 */
#ifndef HALLMARK_CONFIG_TOOLCHAIN_H
#define HALLMARK_CONFIG_TOOLCHAIN_H

#include <stddef.h>

#include "base/cursor.h"
#include "base/fail.h"

#define TOOLCHAIN_BUILDS_MAX 256u

enum toolchain_family { TOOLCHAIN_LLVM = 1, TOOLCHAIN_APPLE };

struct toolchain_program {
    char *program; /* a name without a slash: "clang", "ld64.lld" */
    char *version; /* exactly this: "19.1.7" */
    char *build;   /* apple, the compiler alone: "clang-2100.0.123.102" */
};

struct toolchain_sdk {
    char *path;     /* llvm: from the root of the tree, or of the installed data: "toolchain/sdk" */
    char *name;     /* apple: as xcrun calls it, "macosx" */
    char *version;  /* "14.0" */
    char *settings; /* apple: "sha256:..." of SDKSettings.json; NULL: not pinned */
    char *contents; /* apple: "sha256:..." of stubs and headers, see above; NULL: not pinned */
};

/* apple: the installed package that the developer directory belongs to. */
struct toolchain_package {
    char *id;      /* "com.apple.pkg.CLTools_Executables"; TOOLCHAIN_XCODE for Xcode */
    char *version; /* "26.4.0.0.1774242506" */
};

/* Xcode has no receipt that says its version. Its version.plist does, and is what counts when the
 * package has this id: "<CFBundleShortVersionString>-<ProductBuildVersion>", "26.4-17E192". */
#define TOOLCHAIN_XCODE "com.apple.pkg.Xcode"

struct toolchain_build {
    char *id;       /* "debian-12-amd64" */
    char *compiler; /* "sha256:" and 64 lower-case hexadecimal digits */
    char *linker;
};

struct toolchain {
    char *name;
    enum toolchain_family family;
    char *developer_dir;              /* apple: absolute; may have blanks */
    struct toolchain_package package; /* apple */
    struct toolchain_program compiler;
    struct toolchain_program linker;
    struct toolchain_sdk sdk;
    struct toolchain_build *builds; /* none: every build of the version is accepted */
    size_t builds_count;
};

#define own_toolchain __attribute__((cleanup(toolchain_release)))

/* Reads and checks a whole pin. On failure `out` is empty. */
int toolchain_parse(struct toolchain *out, struct view text, const char *name,
                    const char *expected_name, struct fail *fail) must_check;
void toolchain_release(struct toolchain *toolchain);

/* "llvm", "apple"; "?" for none of the values. */
const char *toolchain_family_text(enum toolchain_family family);

/* How the SDK is called in messages and records: sdk.path, or sdk.name for apple. */
const char *toolchain_sdk_name(const struct toolchain *toolchain);

/* Whether a name is fit to be looked up as toolchain/NAME.yaml (no slash, no leading dot). */
int toolchain_name_check(const char *name, struct fail *fail) must_check;

/* Whether a path is fit to be a pin's developer_dir: absolute and plain. */
int toolchain_developer_dir_check(const char *path, struct fail *fail) must_check;

#endif
