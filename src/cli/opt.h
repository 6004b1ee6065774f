/*
 * Purpose: command lines: options, positional arguments, usage and help, all
 *     from one table for each command.
 *
 * Layer: cli.
 *
 * Calling sequence, in cmd_<name>.c:
 *         int cmd_sums(const struct opt_env *env, int argc, char **argv, struct fail *fail)
 *         {
 *             const char *format = "tar";
 *             struct opt_list paths = {0};           // own_opt_list
 *             const struct opt_option options[] = {
 *                 {"format", 0, OPT_TEXT, &format, "F", "tar or tar.gz"},
 *             };
 *             struct opt_rest rest = {0};            // positional arguments
 *             int parsed = opt_parse(&rest, env, options, 1, argc, argv, fail);
 *             if (parsed != 0)
 *                 return parsed < 0 ? -1 : 0;        // wrong usage, or help was printed
 *             ...
 *         }
 *     argv[0] is the command's name. The answer goes to stdout through stdio;
 *     main checks that it was written. Returns of a command: 0 good,
 *     EXIT_FINDINGS (1) findings, -1 failure.
 *     Options are `--name VALUE`, `--name=VALUE`, `-x VALUE`, `-xVALUE`; "--" ends
 *     them; global options (--json, --quiet, --color) are taken here too.
 *
 * Ownership: values point into argv. An opt_list owns its array only.
 *
 * Errors: FAIL_USAGE with a hint that names the command's help.
 */
#ifndef HALLMARK_CLI_OPT_H
#define HALLMARK_CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum opt_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct opt_globals {
    bool json;
    bool quiet;
    enum opt_color color;
};

struct opt_env;
typedef int opt_command_function(const struct opt_env *env, int argc, char **argv,
                                 struct fail *fail);

struct opt_command {
    const char *name;
    const char *arguments; /* what follows the name in the usage line */
    const char *summary;   /* one line, lower case, no full stop */
    opt_command_function *run;
};

struct opt_env {
    const struct opt_command *command;
    struct opt_globals *globals;
};

enum opt_kind {
    OPT_FLAG, /* bool * */
    OPT_TEXT, /* const char ** */
    OPT_UINT, /* uint64_t *: decimal */
    OPT_LIST, /* struct opt_list *: may be given many times */
};

struct opt_option {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    enum opt_kind kind;
    void *target;
    const char *value; /* what the help calls the value; NULL for a flag */
    const char *help;
};

struct opt_list {
    const char **list;
    size_t count;
};
#define own_opt_list __attribute__((cleanup(opt_list_release)))
void opt_list_release(struct opt_list *list);

/* The positional arguments; the array is NULL-terminated and lies in argv. */
struct opt_rest {
    char **list;
    size_t count;
};

/* 0: go on; 1: help was asked for and printed; -1: FAIL_USAGE. */
int opt_parse(struct opt_rest *rest, const struct opt_env *env, const struct opt_option *options,
              size_t option_count, int argc, char **argv, struct fail *fail) must_check;

/* Takes a global option at argv[index]: how many words it took (0: it is none), -1 FAIL_USAGE. */
int opt_take_global(struct opt_globals *globals, const char *word, struct fail *fail) must_check;

/* Whether the answer may have colours: asked for, or a terminal that can and nobody minds
 * (NO_COLOR, TERM=dumb). */
bool opt_color(const struct opt_env *env);

/* Prints "good: ..." or "bad: ..." and a newline to stdout. */
void opt_verdict(const struct opt_env *env, bool good, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The time limit of compilers, which several commands have: its default, and its check. */
#define OPT_TIME_LIMIT_SEC 300u
int opt_time_limit(unsigned *out, const struct opt_env *env, uint64_t seconds,
                   struct fail *fail) must_check;

/* FAIL_USAGE with the hint that names the help of this command. */
int opt_usage(const struct opt_env *env, struct fail *fail, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
