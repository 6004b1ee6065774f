/*
 * Purpose: the functions behind the rows of the command table in main.c.
 *
 * Layer: cli. Adding a command: cmd_<name>.c, a line here, a row in main.c,
 *     a paragraph in hallmark.1.
 */
#ifndef HALLMARK_CLI_COMMANDS_H
#define HALLMARK_CLI_COMMANDS_H

#include "cli/opt.h"

opt_command_function cmd_archive, cmd_assay, cmd_audit, cmd_inspect, cmd_lipo, cmd_pin, cmd_release,
    cmd_sign, cmd_strip_signature, cmd_sums, cmd_verify;

#endif
