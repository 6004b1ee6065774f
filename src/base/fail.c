#include "base/fail.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The functions themselves, not the macros around them. */
#undef fail_set
#undef fail_errno
#undef fail_named
#undef fail_while
#undef fail_hint
#undef fail_output

static void set_message(struct fail *fail, enum fail_code code, char *message)
{
    if (fail->code != FAIL_NONE) {
        free(message);
        return;
    }
    fail->code = code;
    fail->message = message;
}

int fail_set(struct fail *fail, enum fail_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(fail, code, text_vprintf(format, args));
    va_end(args);
    return -1;
}

/* Takes the subject. */
static void set_errno(struct fail *fail, enum fail_code code, int saved, char *subject)
{
    if (fail->code == FAIL_NONE)
        fail->sys_errno = saved;
    set_message(fail, code, text_printf("%s: %s", subject, strerror(saved)));
    free(subject);
}

int fail_errno(struct fail *fail, const char *format, ...)
{
    int saved = errno;
    va_list args;
    va_start(args, format);
    set_errno(fail, FAIL_SYSTEM, saved, text_vprintf(format, args));
    va_end(args);
    return -1;
}

int fail_named(struct fail *fail, const char *format, ...)
{
    int saved = errno;
    va_list args;
    va_start(args, format);
    bool wrong_name =
        saved == ENOENT || saved == ENOTDIR || saved == ELOOP || saved == ENAMETOOLONG;
    set_errno(fail, wrong_name ? FAIL_INPUT : FAIL_SYSTEM, saved, text_vprintf(format, args));
    va_end(args);
    return -1;
}

int fail_while(struct fail *fail, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *line = text_vprintf(format, args);
    va_end(args);
    fail->context = mem_resize(fail->context, fail->context_count + 1, sizeof *fail->context);
    fail->context[fail->context_count++] = line;
    return -1;
}

int fail_hint(struct fail *fail, const char *format, ...)
{
    if (fail->hint != NULL)
        return -1;
    va_list args;
    va_start(args, format);
    fail->hint = text_vprintf(format, args);
    va_end(args);
    return -1;
}

int fail_output(struct fail *fail, const char *data, size_t len)
{
    free(fail->output);
    fail->output = mem_copy(data, len);
    return -1;
}

/* Names and child output come from input: no control byte may reach a terminal. */
static void print_clean(const char *text, FILE *stream)
{
    own_mem char *clean = text_clean(text);
    fputs(clean, stream);
}

/* What a child said keeps its lines and its tabs. */
static void print_output(const char *text, FILE *stream)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n\t");
        own_mem char *piece = mem_copy(text, len);
        print_clean(piece, stream);
        text += len;
        if (*text != '\0')
            fputc(*text++, stream);
    }
}

void fail_print(const struct fail *fail, const char *command, FILE *stream)
{
    if (stream == stderr)
        fflush(stdout); /* where both are one file, lines stay whole and in their order */
    fputs("hallmark: ", stream);
    if (command != NULL)
        fprintf(stream, "%s: ", command);
    print_clean(fail->message != NULL ? fail->message : "failed without a message (a bug)", stream);
    fputc('\n', stream);
    if (fail->output != NULL && fail->output[0] != '\0') {
        print_output(fail->output, stream);
        if (fail->output[strlen(fail->output) - 1] != '\n')
            fputc('\n', stream);
    }
    for (size_t i = 0; i < fail->context_count; i++) {
        fputs("  while ", stream);
        print_clean(fail->context[i], stream);
        fputc('\n', stream);
    }
    if (fail->hint != NULL) {
        fputs("  hint: ", stream);
        print_clean(fail->hint, stream);
        fputc('\n', stream);
    }
}

int fail_move(struct fail *to, struct fail *from)
{
    fail_release(to);
    *to = *from;
    *from = (struct fail){0};
    return -1;
}

void fail_release(struct fail *fail)
{
    for (size_t i = 0; i < fail->context_count; i++)
        free(fail->context[i]);
    free(fail->context);
    free(fail->message);
    free(fail->hint);
    free(fail->output);
    *fail = (struct fail){0};
}
