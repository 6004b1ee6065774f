/*
 * Purpose: find the compiler and the linker that a toolchain pin asks for, and prove that they
 *     are the ones: version by asking them, build by digest.
 *
 * Layer: stage.
 *
 * Calling sequence:
 *         own_pin struct pin pin = {0};
 *         pin_find(&pin, &toolchain, &(struct pin_options){0}, &fail)
 *     pin_observe() does the same, but takes what it finds as it is and leaves the judgement to
 *     pin_check(): for `pin check`, which shows everything that differs at once.
 *
 * Ownership: the struct owns its strings; pin_release() frees. The toolchain is only read.
 *
 * Errors: FAIL_PIN when a program is missing, has another version, cannot be asked (it hangs,
 *     crashes, prints no version), or is a build that the pin does not list; the message says
 *     what was expected and what was found, the hint how to install it. FAIL_INPUT when a Mach-O
 *     compiler cannot be read. FAIL_SYSTEM, FAIL_SIGNAL.
 *
 * Determinism: depends on what is installed, which is its purpose. Only the path of a program
 *     and of its resource directory may reach a command line, and the record writes both as
 *     $TOOLCHAIN.
 *
 * The search: a fixed list of directories that follows from the pin's major version
 *     (Debian's /usr/lib/llvm-19/bin, Homebrew's opt/llvm@19/bin and opt/lld@19/bin), then the
 *     directories of PATH, there "clang-19" before "clang". The first program found counts;
 *     it is not skipped for having the wrong version, since what then would be used would
 *     depend on more than one can see.
 *
 * The cache: reading 200 MB of compiler for each release would take longer than compiling. The
 *     digest of a file is kept under (path, device, inode, size, mtime, ctime) in
 *     $XDG_CACHE_HOME/hallmark/digests or ~/.cache/hallmark/digests. Why that may be trusted:
 *     whoever can forge an entry can write the user's own files, thus also change the hallmark
 *     that the user runs or the PATH it is found by; the cache adds no new way in. An ordinary
 *     user cannot set a file's ctime, so replacing a compiler in place always changes the key;
 *     who can (root, by setting the clock) can also replace hallmark. The file is used only when
 *     it is ours, regular, and writable by nobody else; anything in it that is not understood is
 *     ignored. A file whose ctime is less than two seconds old is not entered (it might
 *     change again within the resolution of the clock). `pin check` never reads the cache.
 */
#ifndef HALLMARK_STAGE_PIN_H
#define HALLMARK_STAGE_PIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "config/toolchain.h"
#include "port/digest.h"

struct pin_options {
    bool any_build;     /* accept a build that the pin does not list: audit, where bytes decide */
    bool fresh;         /* do not read the cache, only renew it: pin check */
    unsigned limit_sec; /* for each question to a program; 0: 10 */
    bool any_place;     /* apple: the user named the developer directory, not a pin: pin write */
    /* Whose pins a hint may recommend; NULL: the installed ones. */
    const char *pins_folder;
    /* Directories to look in instead of the fixed list and PATH; NULL-terminated. For tests. */
    const char *const *directories;
};

/* One file that the compiler or the linker is made of. */
struct pin_file {
    char *path; /* real path */
    char sha256[SHA256_HEX];
    bool own; /* the program itself or a library of the toolchain's own: part of the digest */
};

struct pin_program {
    char *path;             /* as found: start this one (a program may look at its own name) */
    char *real_path;        /* links resolved; NULL: not found */
    char *version;          /* "19.1.7"; NULL: it could not be asked, see `problem` */
    char *problem;          /* why there is no version; NULL when there is one */
    char *digest;           /* "sha256:...", see toolchain.h */
    struct pin_file *files; /* the program first, then the libraries sorted by path */
    size_t files_count;
};

/* What family `apple` has besides; see pin_apple.h. */
struct pin_apple {
    char *developer_dir;         /* real path; NULL: it is not there, or the family is another */
    char *package_version;       /* of the receipt; NULL: none */
    char *package_problem;       /* why there is none */
    char *compiler_build;        /* "clang-2100.0.123.102" */
    char *sdk_dir;               /* real path of the SDK that xcrun names */
    char *sdk_problem;           /* why it cannot be used; NULL when it can */
    char *sdk_version;           /* of its SDKSettings.json */
    char *sdk_settings;          /* "sha256:..." of that file */
    char *sdk_contents;          /* "sha256:...", see toolchain.h */
    struct pin_program codesign; /* second witnesses: path, real_path and problem alone */
    struct pin_program lipo;
};

struct pin {
    char *name;        /* of the toolchain */
    char *sdk_version; /* as the pin says */
    struct pin_program compiler;
    struct pin_program linker;
    char *resource_dir; /* the compiler's own headers: real path */
    char *build_id;     /* the build that both digests match; NULL when it is none */
    char *note;         /* when build_id is NULL and that was accepted: why; one line */
    struct pin_apple apple;
};

#define own_pin __attribute__((cleanup(pin_release)))

/* Finds and proves compiler and linker. On failure `out` is empty. */
int pin_find(struct pin *out, const struct toolchain *toolchain, const struct pin_options *options,
             struct fail *fail) must_check;

/* What is there, whatever it is: missing programs leave real_path NULL. */
int pin_observe(struct pin *out, const struct toolchain *toolchain,
                const struct pin_options *options, struct fail *fail) must_check;

/* Judges what pin_observe() found; FAIL_PIN says all that differs. Sets build_id and note. */
int pin_check(struct pin *pin, const struct toolchain *toolchain, const struct pin_options *options,
              struct fail *fail) must_check;

/*
 * Looks once more, after the programs were used: FAIL_PIN when something is another one than it was
 * when `pin` was found. A build machine's Xcode can be switched at any time.
 */
int pin_again(const struct pin *pin, const struct toolchain *toolchain,
              const struct pin_options *options, struct fail *fail) must_check;

/* Whether programs of these names are on this machine; nothing is started. Family llvm. */
bool pin_is_installed(const struct toolchain *toolchain);

/* The newest major version of clang that is on this machine under its own number; 0: none is. */
unsigned pin_newest_major(void);

void pin_release(struct pin *pin);

#endif
