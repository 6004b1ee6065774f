/*
 * Purpose: find Apple's compiler, linker, SDK and second witnesses in the developer directory that
 *     a pin of family `apple` names, and hold them against the pin. Part of pin.c.
 *
 * Layer: stage.
 *
 * Calling sequence: as pin.h says; `pin check` prints the fields of pin_apple_fields().
 *
 * Ownership: fields own their texts; pin_fields_release() frees.
 *
 * Errors: FAIL_PIN: the directory is not there, is not in an allowed place, or something in it is
 *     not as pinned. FAIL_INPUT when a Mach-O program or the SDK cannot be read. FAIL_SYSTEM,
 *     FAIL_SIGNAL.
 *
 * Determinism: depends on what is in the developer directory, and on the receipts. Programs are
 *     asked in a closed environment that has DEVELOPER_DIR as pinned, links resolved (what was
 *     judged is what is used, wherever a link leads by then): neither the caller's
 *     DEVELOPER_DIR, SDKROOT and TOOLCHAINS nor what xcode-select chose has any influence, nor
 *     xcrun's own cache.
 *
 * Which programs are started, and why it may be these:
 *     xcrun    <developer directory>/usr/bin/xcrun, which Command Line Tools and Xcode both have.
 *     pkgutil  <developer directory>/usr/bin/pkgutil, or else /usr/sbin/pkgutil. Apple puts it in
 *              the second place alone; a stand-in for tests has it in the first. That opens
 *              nothing: who can put a program there can replace the compiler that lies beside it.
 *     clang, ld, lipo   what xcrun finds, and only when it is in the developer directory.
 *     codesign          the same, or /usr/bin/codesign, where macOS has it.
 *
 *     A pin comes from a tree that may be a stranger's: it must not get a program started that
 *     lies, say, in the stranger's own repository. So the developer directory (links resolved)
 *     must be below /Library/Developer or /Applications, where only an administrator installs,
 *     or below a directory of the variable HALLMARK_DEVELOPER_DIRS (separated by colons). The
 *     variable allows places; it leads nowhere: which directory is used, the pin alone says.
 *
 * What has met a stand-in only (tests/standin): everything here that starts a program. No machine
 *     with Apple's own was at hand.
 */
#ifndef HALLMARK_STAGE_PIN_APPLE_H
#define HALLMARK_STAGE_PIN_APPLE_H

#include "base/fail.h"
#include "stage/pin.h"
#include "stage/pin_fields.h"

#define PIN_APPLE_PLACES "HALLMARK_DEVELOPER_DIRS"

/* Fills what pin_observe() promises. `limit_sec` of the options is set. */
int pin_apple_observe(struct pin *out, const struct toolchain *toolchain,
                      const struct pin_options *options, struct fail *fail) must_check;

/* Each thing that is pinned, beside what was found; "build" is not among them. */
void pin_apple_fields(struct pin_fields *out, const struct pin *pin,
                      const struct toolchain *toolchain);

/* FAIL_PIN unless all fields are good. Without a developer directory the hint names the pins of
 * `pins_folder` (NULL: the installed ones) that can be used instead. */
int pin_apple_check(const struct pin *pin, const struct toolchain *toolchain,
                    const char *pins_folder, struct fail *fail) must_check;

/* Appends the names of the pins in `folder` of family llvm whose programs are on this machine,
 * separated by ", ". */
void pin_apple_others(struct buf *out, const char *folder);

#endif
