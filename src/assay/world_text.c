/* The C library: texts, numbers in them, and memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/world.h"

#define EINVAL_MACOS 22u
#define ERANGE_MACOS 34u

/* False with a finding when the length is absurd. */
static bool is_sane(struct process *process, uint64_t len)
{
    return len <= WORLD_COPY_MAX ||
           process_complain(process, "a length that fits the process", "%" PRIu64, len);
}

/* ---- text ----------------------------------------------------------------------------------- */

static bool return_order(struct process *process, int order)
{
    return process_return(process, order < 0 ? UINT32_MAX : order > 0 ? 1 : 0);
}

static bool string_length(struct process *process, void *context)
{
    (void)context;
    own_mem char *text = process_text_argument(process, 0);
    return text != NULL && process_return(process, strlen(text));
}

static bool string_compare(struct process *process, void *context)
{
    (void)context;
    own_mem char *a = process_text_argument(process, 0);
    own_mem char *b = a == NULL ? NULL : process_text_argument(process, 1);
    if (b == NULL)
        return false;
    return return_order(process, strcmp(a, b));
}

/* The text at an address, or its first bytes, which need no NUL then; NULL with a finding. */
static char *text_start(struct process *process, uint64_t address, uint64_t len)
{
    size_t limit = len < PROCESS_TEXT_MAX ? (size_t)len : PROCESS_TEXT_MAX;
    own_mem char *text = mem_new(limit + 1, 1);
    for (size_t i = 0; i < limit; i++) {
        if (!process_read(process, text + i, address + i, 1))
            return NULL;
        if (text[i] == '\0')
            return steal_mem(&text);
    }
    if (len <= limit)
        return steal_mem(&text);
    process_complain(process, "a text that ends", "more than %u bytes at 0x%" PRIx64,
                     PROCESS_TEXT_MAX, address);
    return NULL;
}

static bool string_start_compare(struct process *process, void *context)
{
    (void)context;
    uint64_t len = process_argument(process, 2);
    own_mem char *a = text_start(process, process_argument(process, 0), len);
    own_mem char *b = a == NULL ? NULL : text_start(process, process_argument(process, 1), len);
    if (b == NULL)
        return false;
    return return_order(process, strcmp(a, b));
}

/* Where strchr() and its like found something, in the process. */
static bool return_place(struct process *process, const char *text, const char *found)
{
    uint64_t start = process_argument(process, 0);
    return process_return(process, found == NULL ? 0 : start + (uint64_t)(found - text));
}

static bool string_find_first(struct process *process, void *context)
{
    (void)context;
    own_mem char *text = process_text_argument(process, 0);
    int byte = (uint8_t)process_argument(process, 1);
    return text != NULL && return_place(process, text, strchr(text, byte));
}

static bool string_find_last(struct process *process, void *context)
{
    (void)context;
    own_mem char *text = process_text_argument(process, 0);
    int byte = (uint8_t)process_argument(process, 1);
    return text != NULL && return_place(process, text, strrchr(text, byte));
}

static bool string_find_text(struct process *process, void *context)
{
    (void)context;
    own_mem char *text = process_text_argument(process, 0);
    own_mem char *part = text == NULL ? NULL : process_text_argument(process, 1);
    return part != NULL && return_place(process, text, strstr(text, part));
}

static bool string_duplicate(struct process *process, void *context)
{
    (void)context;
    own_mem char *text = process_text_argument(process, 0);
    return text != NULL && process_return_text(process, text);
}

static bool string_print(struct process *process, void *context)
{
    own_mem char *format = process_text_argument(process, 2);
    own_buf struct buf text = {0};
    if (format == NULL || !world_format((struct world *)context, &text, format, 0))
        return false;
    uint64_t room = process_argument(process, 1);
    uint64_t len = text.len < room ? text.len : room - 1;
    if (room != 0 && !(process_write(process, process_argument(process, 0), text.data, len) &&
                       process_write(process, process_argument(process, 0) + len, "", 1)))
        return false;
    return process_return(process, text.len);
}

static bool string_error(struct process *process, void *context)
{
    (void)context;
    own_mem char *text = text_printf("error %" PRIu64, process_argument(process, 0));
    return process_return_text(process, text);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool set_errno(const struct world *world, uint32_t value)
{
    return process_write(world->process, world->errno_address, &value, sizeof value);
}

/* strtol() and its like: long has 64 bits there. */
static bool parse_number(struct process *process, const struct world *world, bool is_signed)
{
    uint64_t start = process_argument(process, 0);
    uint64_t end_pointer = process_argument(process, 1);
    int base = (int)process_argument(process, 2);
    if (base < 0 || base == 1 || base > 36)
        return set_errno(world, EINVAL_MACOS) && process_return(process, 0);
    own_mem char *text = process_text(process, start);
    if (text == NULL)
        return false;
    char *end = text;
    errno = 0;
    uint64_t value = is_signed ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);
    if (errno == ERANGE && !set_errno(world, ERANGE_MACOS))
        return false;
    uint64_t stop = start + (uint64_t)(end - text);
    return (end_pointer == 0 || process_write(process, end_pointer, &stop, sizeof stop)) &&
           process_return(process, value);
}

static bool parse_signed(struct process *process, void *context)
{
    return parse_number(process, (const struct world *)context, true);
}

static bool parse_unsigned(struct process *process, void *context)
{
    return parse_number(process, (const struct world *)context, false);
}

static bool parse_int(struct process *process, void *context)
{
    (void)context;
    own_mem char *text = process_text_argument(process, 0);
    return text != NULL && process_return(process, (uint32_t)strtoll(text, NULL, 10));
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool copy_memory(struct process *process, void *context)
{
    (void)context;
    uint64_t to = process_argument(process, 0);
    uint64_t len = process_argument(process, 2);
    if (!is_sane(process, len))
        return false;
    own_mem uint8_t *bytes = mem_new(len, 1);
    return process_read(process, bytes, process_argument(process, 1), len) &&
           process_write(process, to, bytes, len) && process_return(process, to);
}

static bool fill_memory(struct process *process, uint64_t to, int value, uint64_t len)
{
    if (!is_sane(process, len))
        return false;
    own_mem uint8_t *bytes = mem_new(len, 1);
    memset(bytes, value, len);
    return process_write(process, to, bytes, len) && process_return(process, to);
}

static bool set_memory(struct process *process, void *context)
{
    (void)context;
    return fill_memory(process, process_argument(process, 0), (int)process_argument(process, 1),
                       process_argument(process, 2));
}

static bool zero_memory(struct process *process, void *context)
{
    (void)context;
    return fill_memory(process, process_argument(process, 0), 0, process_argument(process, 1));
}

static bool compare_memory(struct process *process, void *context)
{
    (void)context;
    uint64_t len = process_argument(process, 2);
    if (!is_sane(process, len))
        return false;
    own_mem uint8_t *a = mem_new(len, 1);
    own_mem uint8_t *b = mem_new(len, 1);
    return process_read(process, a, process_argument(process, 0), len) &&
           process_read(process, b, process_argument(process, 1), len) &&
           return_order(process, memcmp(a, b, len));
}

static bool give_memory(struct process *process, uint64_t len)
{
    uint64_t address = is_sane(process, len) ? process_alloc(process, len == 0 ? 1 : len) : 0;
    return address != 0 && process_return(process, address);
}

static bool allocate(struct process *process, void *context)
{
    (void)context;
    return give_memory(process, process_argument(process, 0));
}

static bool allocate_items(struct process *process, void *context)
{
    (void)context;
    uint64_t len = 0;
    if (__builtin_mul_overflow(process_argument(process, 0), process_argument(process, 1), &len))
        len = UINT64_MAX;
    return give_memory(process, len);
}

/* What was given back is not given out again: a run is short. */
static bool give_back(struct process *process, void *context)
{
    (void)context;
    (void)process;
    return true;
}

stand_in world_text_function(const char *name)
{
    static const struct world_function functions[] = {
        {"_strlen", string_length},
        {"_strcmp", string_compare},
        {"_strncmp", string_start_compare},
        {"_strchr", string_find_first},
        {"_strrchr", string_find_last},
        {"_strstr", string_find_text},
        {"_strdup", string_duplicate},
        {"_strerror", string_error},
        {"_snprintf", string_print},
        {"_atoi", parse_int},
        {"_strtol", parse_signed},
        {"_strtoll", parse_signed},
        {"_strtoul", parse_unsigned},
        {"_strtoull", parse_unsigned},
        {"_memcpy", copy_memory},
        {"_memmove", copy_memory},
        {"_memcmp", compare_memory},
        {"_memset", set_memory},
        {"_bzero", zero_memory},
        {"_malloc", allocate},
        {"_calloc", allocate_items},
        {"_free", give_back},
    };
    return world_look_up(functions, sizeof functions / sizeof functions[0], name);
}
