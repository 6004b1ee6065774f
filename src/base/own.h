/*
 * Purpose: ownership: cleanup attributes, allocation that never returns NULL,
 *     formatted strings.
 *
 * Layer: base (the lowest; includes nothing of hallmark).
 *
 * Calling sequence: declare owners with the attribute and an initial value;
 *     give ownership away with steal_mem() / steal_fd().
 *         own_mem char *name = text_printf("%s-%s", a, b);
 *         own_fd int fd = -1;
 *
 * Ownership: everything returned here belongs to the caller and is freed with free().
 *
 * Errors: running out of memory prints one line and stops the process with
 *     exit code 7 (the only place outside main that ends the process); a size
 *     that overflows counts as out of memory. Callers cap every length that
 *     comes from input before they allocate.
 *
 * Determinism: no output.
 */
#ifndef HALLMARK_BASE_OWN_H
#define HALLMARK_BASE_OWN_H

#include <stdarg.h>
#include <stddef.h>

#define own_mem    __attribute__((cleanup(own_release_mem)))
#define own_fd     __attribute__((cleanup(own_release_fd)))
#define must_check __attribute__((warn_unused_result))

/* Cleanup functions for the attributes; they keep errno. */
void own_release_mem(void *pointer_to_pointer);
void own_release_fd(const int *fd);

/* Gives ownership away: returns the pointer / descriptor and empties the owner. */
#define steal_mem(owner) ((__typeof__(*(owner)))own_steal_mem(owner))
void *own_steal_mem(void *pointer_to_pointer);
int steal_fd(int *fd);

/* `count` times `size` zeroed bytes; never NULL, also for 0 bytes. */
void *mem_new(size_t count, size_t size);

/* realloc() to `count` times `size` bytes; the new tail is not initialised. */
void *mem_resize(void *memory, size_t count, size_t size);

/*
 * Makes room for one more element in a growing array: returns the array,
 * moved if need be, with capacity > count. `capacity` is updated.
 */
void *mem_grow(void *array, size_t count, size_t *capacity, size_t size);

/* Copies of `len` bytes (with a NUL behind them) and of a string. */
void *mem_copy(const void *data, size_t len);
char *text_copy(const char *text);

/* The first line of *text without its end, and *text moved behind it; NULL where nothing is left. */
char *text_take_line(const char **text);

/* Formatted strings. */
char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/*
 * A copy that is safe on a terminal and stays on its line: control characters, those that turn the
 * direction of text, line separators, and bytes that are no UTF-8 are written \xNN, byte by byte.
 * For names that come from input.
 */
char *text_clean(const char *text);

/* Lower-case hexadecimal of `len` bytes into out[2 * len + 1]. */
void text_hex(char *out, const unsigned char *data, size_t len);

/* Parses exactly 2 * len lower-case hexadecimal digits, nothing behind them; 0 or -1. */
int text_unhex(unsigned char *out, size_t len, const char *hex) must_check;

/*
 * Ends the process with exit code 7 after one line on stderr, from any thread, and where
 * nothing can be allocated: no memory, a library that has none, a mapped file that shrank. The
 * function of own_on_stop() runs first (fs.h removes temporaries).
 */
_Noreturn void own_stop(const char *reason);
void own_on_stop(void (*function)(void));

#endif
