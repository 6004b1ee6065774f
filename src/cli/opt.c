#include "cli/opt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int opt_usage(const struct opt_env *env, struct fail *fail, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *text = text_vprintf(format, args);
    va_end(args);
    fail_set(fail, FAIL_USAGE, "%s", text);
    return fail_hint(fail, "'hallmark %s --help' tells how it is used", env->command->name);
}

bool opt_color(const struct opt_env *env)
{
    if (env->globals->color != COLOR_AUTO)
        return env->globals->color == COLOR_ALWAYS;
    const char *term = getenv("TERM");
    const char *refused = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) == 1 && term != NULL && strcmp(term, "dumb") != 0 &&
           (refused == NULL || *refused == '\0');
}

void opt_verdict(const struct opt_env *env, bool good, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *text = text_vprintf(format, args);
    va_end(args);
    bool color = opt_color(env);
    printf("%s%s%s: %s\n",
           !color ? ""
           : good ? "\033[1;32m"
                  : "\033[1;31m",
           good ? "good" : "bad", color ? "\033[0m" : "", text);
}

int opt_time_limit(unsigned *out, const struct opt_env *env, uint64_t seconds, struct fail *fail)
{
    if (seconds == 0 || seconds > 86400)
        return opt_usage(env, fail, "time limit %llu s, expected 1 to 86400",
                         (unsigned long long)seconds);
    *out = (unsigned)seconds;
    return 0;
}

void opt_list_release(struct opt_list *list)
{
    free(list->list);
    *list = (struct opt_list){0};
}

static int set_color(struct opt_globals *globals, const char *value, struct fail *fail)
{
    static const char *const names[] = {"auto", "always", "never"};
    for (size_t i = 0; i < 3; i++) {
        if (strcmp(value, names[i]) == 0) {
            globals->color = (enum opt_color)i;
            return 1;
        }
    }
    return fail_set(fail, FAIL_USAGE, "unknown colour choice '%s', expected auto, always or never",
                    value);
}

int opt_take_global(struct opt_globals *globals, const char *word, struct fail *fail)
{
    if (strcmp(word, "--json") == 0)
        globals->json = true;
    else if (strcmp(word, "--quiet") == 0)
        globals->quiet = true;
    else if (strncmp(word, "--color=", 8) == 0)
        return set_color(globals, word + 8, fail);
    else
        return 0;
    return 1;
}

static void print_option(const struct opt_option *option)
{
    own_mem char *words = text_printf("--%s%s%s", option->name, option->value == NULL ? "" : " ",
                                      option->value == NULL ? "" : option->value);
    if (option->letter != 0)
        printf("  -%c, %-24s %s\n", option->letter, words, option->help);
    else
        printf("      %-24s %s\n", words, option->help);
}

static void print_help(const struct opt_env *env, const struct opt_option *options, size_t count)
{
    printf("usage: hallmark %s %s\n\n%s\n", env->command->name, env->command->arguments,
           env->command->summary);
    if (count != 0)
        fputs("\noptions:\n", stdout);
    for (size_t i = 0; i < count; i++)
        print_option(&options[i]);
    fputs("\nThe manual page hallmark(1) tells it all.\n", stdout);
}

/* The option that a word names; `value` is set when it is given in the same word. */
static const struct opt_option *find(const char **value, const struct opt_option *options,
                                     size_t count, const char *word)
{
    *value = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct opt_option *option = &options[i];
        if (word[1] != '-') {
            if (option->letter == 0 || option->letter != word[1])
                continue;
            if (word[2] != '\0')
                *value = word + 2;
            return option;
        }
        size_t len = strlen(option->name);
        if (strncmp(word + 2, option->name, len) != 0)
            continue;
        if (word[2 + len] == '=')
            *value = word + 2 + len + 1;
        if (word[2 + len] == '=' || word[2 + len] == '\0')
            return option;
    }
    return NULL;
}

static int store_uint(uint64_t *target, const char *word, const char *value,
                      const struct opt_env *env, struct fail *fail)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0)
        return opt_usage(env, fail, "'%s' of option '%s' is not a decimal number", value, word);
    *target = number;
    return 0;
}

static int store(const struct opt_option *option, const char *word, const char *value,
                 const struct opt_env *env, struct fail *fail)
{
    switch (option->kind) {
    case OPT_FLAG:
        *(bool *)option->target = true;
        break;
    case OPT_TEXT:
        *(const char **)option->target = value;
        break;
    case OPT_UINT:
        return store_uint(option->target, word, value, env, fail);
    case OPT_LIST: {
        struct opt_list *list = option->target;
        list->list = mem_resize(list->list, list->count + 1, sizeof *list->list);
        list->list[list->count++] = value;
        break;
    }
    }
    return 0;
}

static int take_option(int *index, const struct opt_env *env, const struct opt_option *options,
                       size_t option_count, char **argv, struct fail *fail)
{
    const char *word = argv[*index];
    const char *value = NULL;
    const struct opt_option *option = find(&value, options, option_count, word);
    if (option == NULL)
        return opt_usage(env, fail, "unknown option '%s'", word);
    if (option->kind == OPT_FLAG && value != NULL)
        return opt_usage(env, fail, "option '%s' takes no value", word);
    if (option->kind != OPT_FLAG && value == NULL) {
        value = argv[++*index];
        if (value == NULL)
            return opt_usage(env, fail, "option '%s' needs a value", word);
    }
    return store(option, word, value, env, fail);
}

int opt_parse(struct opt_rest *rest, const struct opt_env *env, const struct opt_option *options,
              size_t option_count, int argc, char **argv, struct fail *fail)
{
    int kept = 0; /* positional words move to the front of argv + 1 */
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (ended || word[0] != '-' || word[1] == '\0') {
            argv[1 + kept++] = word;
            continue;
        }
        if (strcmp(word, "--") == 0) {
            ended = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(env, options, option_count);
            return 1;
        }
        int global = opt_take_global(env->globals, word, fail);
        if (global < 0)
            return -1;
        if (global == 0 && take_option(&i, env, options, option_count, argv, fail) < 0)
            return -1;
    }
    *rest = (struct opt_rest){.list = argv + 1, .count = (size_t)kept};
    argv[1 + kept] = NULL;
    return 0;
}
