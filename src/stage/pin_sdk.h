/*
 * Purpose: what an SDK says of itself, and the digest of what compilers and linkers read of it.
 *
 * Layer: stage.
 *
 * Calling sequence: pin_sdk_settings(), pin_sdk_contents() with the directory of the SDK.
 *
 * Ownership: results are the caller's.
 *
 * Errors: pin_sdk_contents(): FAIL_INPUT for what is no SDK: more than PIN_SDK_FILES_MAX entries,
 *     something that is neither file nor directory nor link, a line end in a name. FAIL_SYSTEM.
 *
 * Determinism: names and bytes alone; toolchain.h says which.
 */
#ifndef HALLMARK_STAGE_PIN_SDK_H
#define HALLMARK_STAGE_PIN_SDK_H

#include "base/fail.h"

#define PIN_SDK_FILES_MAX    400000u
#define PIN_SDK_SETTINGS     "SDKSettings.json"
#define PIN_SDK_SETTINGS_MAX (1u << 20)

/* The "Version" of SDKSettings.json (NULL: it says none; safe to print), and its digest, "sha256:...". Nothing
 * is set, and *problem says why, when it cannot be read; `digest` and `problem` may be NULL. */
void pin_sdk_settings(char **version, char **digest, char **problem, const char *sdk);

/* "sha256:...", as sdk.contents of a pin has it. */
int pin_sdk_contents(char **digest, const char *sdk, struct fail *fail) must_check;

#endif
