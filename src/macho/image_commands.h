/*
 * Purpose: the part of image.h that reads the bodies of the load commands; for image.c alone.
 *
 * Layer: macho.
 *
 * Calling sequence: image_open_any() fills the header fields and the table of commands, whose
 *     sizes are sound by then, and calls image_read_commands() once.
 *
 * Ownership: arrays go into the image, which frees them, also after a failure.
 *
 * Errors: FAIL_INPUT.
 *
 * Determinism: a pure function of the bytes.
 */
#ifndef HALLMARK_MACHO_IMAGE_COMMANDS_H
#define HALLMARK_MACHO_IMAGE_COMMANDS_H

#include "macho/image.h"

int image_read_commands(struct image *image, struct fail *fail) must_check;

/* "load command 7 (LC_UUID)" or, for a number without a name, "load command 7 (0x99)". */
#define IMAGE_COMMAND_TEXT_MAX 64
void image_command_text(char out[IMAGE_COMMAND_TEXT_MAX], const struct image *image,
                        uint32_t command);

#endif
