#include "base/own.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

static void (*at_stop)(void);

void own_on_stop(void (*function)(void))
{
    at_stop = function;
}

static void complain(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

_Noreturn void own_stop(const char *reason)
{
    void (*function)(void) = at_stop;
    complain("hallmark: ");
    complain(reason);
    complain("\n");
    at_stop = NULL; /* it may need memory too: once is enough */
    if (function != NULL)
        function();
    _exit(7);
}

static _Noreturn void out_of_memory(void)
{
    own_stop("out of memory");
}

void own_release_mem(void *pointer_to_pointer)
{
    void *pointer = NULL;
    int saved = errno;
    memcpy(&pointer, pointer_to_pointer, sizeof pointer);
    free(pointer);
    errno = saved;
}

void own_release_fd(const int *fd)
{
    int saved = errno;
    if (*fd >= 0)
        close(*fd);
    errno = saved;
}

void *own_steal_mem(void *pointer_to_pointer)
{
    void *pointer = NULL;
    void *none = NULL;
    memcpy(&pointer, pointer_to_pointer, sizeof pointer);
    memcpy(pointer_to_pointer, &none, sizeof none);
    return pointer;
}

int steal_fd(int *fd)
{
    int taken = *fd;
    *fd = -1;
    return taken;
}

static size_t product(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / 2 / size)
        out_of_memory();
    return count * size;
}

void *mem_new(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *memory = calloc(1, bytes == 0 ? 1 : bytes);
    if (memory == NULL)
        out_of_memory();
    return memory;
}

void *mem_resize(void *memory, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *moved = realloc(memory, bytes == 0 ? 1 : bytes);
    if (moved == NULL)
        out_of_memory();
    return moved;
}

void *mem_grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = count < 8 ? 8 : product(count, 2);
    return mem_resize(array, *capacity, size);
}

void *mem_copy(const void *data, size_t len)
{
    char *copy = mem_new(product(len, 1) + 1, 1);
    if (len != 0)
        memcpy(copy, data, len);
    return copy;
}

char *text_copy(const char *text)
{
    return mem_copy(text, strlen(text));
}

char *text_take_line(const char **text)
{
    size_t len = strcspn(*text, "\n");
    if (**text == '\0')
        return NULL;
    char *line = mem_copy(*text, len);
    *text += len + ((*text)[len] == '\n' ? 1 : 0);
    return line;
}

char *text_vprintf(const char *format, va_list args)
{
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        out_of_memory();
    return text;
}

char *text_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = text_vprintf(format, args);
    va_end(args);
    return text;
}

char *text_clean(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    size_t left = strlen(text);
    char *clean = mem_new(product(left, 4) + 1, 1);
    char *to = clean;
    const unsigned char *p = (const unsigned char *)text;
    while (left != 0) {
        uint32_t code = 0;
        size_t len = utf8_decode(&code, p, left);
        if (len == 0 || utf8_code_problem(code) != NULL) {
            len = 0;
            left--;
            *to++ = '\\';
            *to++ = 'x';
            *to++ = digits[*p >> 4];
            *to++ = digits[*p & 0x0f];
            p++;
        }
        for (; len != 0; len--, left--)
            *to++ = (char)*p++;
    }
    return clean;
}

void text_hex(char *out, const unsigned char *data, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = digits[data[i] >> 4];
        out[2 * i + 1] = digits[data[i] & 15];
    }
    out[2 * len] = '\0';
}

static int nibble(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    return -1;
}

int text_unhex(unsigned char *out, size_t len, const char *hex)
{
    if (strlen(hex) != 2 * len)
        return -1;
    for (size_t i = 0; i < len; i++) {
        int high = nibble(hex[2 * i]);
        int low = nibble(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return -1;
        out[i] = (unsigned char)(high << 4 | low);
    }
    return 0;
}
