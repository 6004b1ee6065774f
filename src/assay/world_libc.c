/* The C library: environment, locks, and streams that are kept, not written; world_text.c has more. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "assay/world.h"

#define STDOUT_ADDRESS 1u /* what stands in a FILE *, which images only hand back */
#define STDERR_ADDRESS 2u
#define OUTPUT_MAX     (1u << 20)
#define STACK_GUARD    UINT64_C(0x5af3c19d72e84b00)
#define PLAIN_MUTEX    UINT64_C(0x32aaaba7) /* PTHREAD_MUTEX_INITIALIZER; others may be taken twice */
#define BUSY           16u                  /* EBUSY: what trylock says of a lock that is held */

void world_libc_start(struct world *world)
{
    struct process *process = world->process;
    const uint64_t values[] = {STDOUT_ADDRESS, STDERR_ADDRESS, STACK_GUARD, 0};
    uint64_t *const slots[] = {&world->stdout_pointer, &world->stderr_pointer, &world->stack_guard,
                               &world->errno_address};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        *slots[i] = process_alloc(process, sizeof values[i]);
        if (*slots[i] == 0 || !process_write(process, *slots[i], &values[i], sizeof values[i]))
            return;
    }
}

/* ---- environment ---------------------------------------------------------------------------- */

static bool get_env(struct process *process, void *context)
{
    const struct world *world = (const struct world *)context;
    own_mem char *name = process_text_argument(process, 0);
    if (name == NULL)
        return false;
    size_t len = strlen(name);
    for (size_t i = 0; i < world->environment_count; i++) {
        const char *setting = world->environment[i];
        if (strncmp(setting, name, len) == 0 && setting[len] == '=')
            return process_return_text(process, setting + len + 1);
    }
    return process_return(process, 0);
}

static bool get_program_name(struct process *process, void *context)
{
    return process_return_text(process, ((const struct world *)context)->program);
}

/* ---- locks: one thread, so a lock that is taken twice would wait for ever --------------------- */

/* The lock that argument 0 points to; NULL with a finding. */
static struct world_lock *take_argument(struct world *world)
{
    uint64_t address = process_argument(world->process, 0);
    uint64_t signature = 0;
    for (size_t i = 0; i < world->lock_count; i++) {
        if (world->locks[i].address == address)
            return &world->locks[i];
    }
    if (!process_read_u64(world->process, &signature, address))
        return NULL;
    if (signature != PLAIN_MUTEX) {
        process_complain(world->process, "a mutex of PTHREAD_MUTEX_INITIALIZER",
                         "one that begins with 0x%" PRIx64, signature);
        return NULL;
    }
    if (world->lock_count == WORLD_LOCKS_MAX) {
        process_complain(world->process, "fewer locks", "more than %u", WORLD_LOCKS_MAX);
        return NULL;
    }
    world->locks =
        mem_grow(world->locks, world->lock_count, &world->lock_capacity, sizeof *world->locks);
    world->locks[world->lock_count] = (struct world_lock){.address = address};
    return &world->locks[world->lock_count++];
}

static bool take_lock(struct process *process, void *context)
{
    struct world_lock *lock = take_argument((struct world *)context);
    if (lock == NULL)
        return false;
    if (lock->held)
        return process_complain(process, "a lock that is free", "one that is held already");
    lock->held = true;
    return process_return(process, 0);
}

static bool try_lock(struct process *process, void *context)
{
    struct world_lock *lock = take_argument((struct world *)context);
    if (lock == NULL)
        return false;
    uint64_t answer = lock->held ? BUSY : 0;
    lock->held = true;
    return process_return(process, answer);
}

static bool release_lock(struct process *process, void *context)
{
    struct world_lock *lock = take_argument((struct world *)context);
    if (lock == NULL)
        return false;
    if (!lock->held)
        return process_complain(process, "a lock that is held", "one that is free");
    lock->held = false;
    return process_return(process, 0);
}

/* ---- streams -------------------------------------------------------------------------------- */

static struct buf *stream_of(struct world *world, uint64_t pointer)
{
    if (pointer == STDOUT_ADDRESS)
        return &world->output;
    if (pointer == STDERR_ADDRESS)
        return &world->errors;
    process_complain(world->process, "stdout or stderr", "stream 0x%" PRIx64, pointer);
    return NULL;
}

static bool append(struct world *world, struct buf *stream, const void *data, size_t len)
{
    if (stream == NULL)
        return false;
    if (len > OUTPUT_MAX - stream->len)
        return process_complain(world->process, "less output", "more than %u bytes", OUTPUT_MAX);
    buf_append(stream, data, len);
    return true;
}

static bool print_formatted(struct world *world, struct buf *stream, uint64_t format)
{
    own_mem char *text = process_text(world->process, format);
    own_buf struct buf line = {0};
    return text != NULL && world_format(world, &line, text, 0) &&
           append(world, stream, line.data, line.len) && process_return(world->process, line.len);
}

static bool print(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    return print_formatted(world, &world->output, process_argument(process, 0));
}

static bool print_to(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    struct buf *stream = stream_of(world, process_argument(process, 0));
    return stream != NULL && print_formatted(world, stream, process_argument(process, 1));
}

static bool put_text(struct world *world, struct buf *stream, uint64_t address, const char *tail)
{
    own_mem char *text = process_text(world->process, address);
    return text != NULL && append(world, stream, text, strlen(text)) &&
           append(world, stream, tail, strlen(tail)) && process_return(world->process, 1);
}

static bool put_line(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    return put_text(world, &world->output, process_argument(process, 0), "\n");
}

static bool put_string(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    return put_text(world, stream_of(world, process_argument(process, 1)),
                    process_argument(process, 0), "");
}

static bool put_byte(struct world *world, struct buf *stream)
{
    uint8_t byte = (uint8_t)process_argument(world->process, 0);
    return append(world, stream, &byte, 1) && process_return(world->process, byte);
}

static bool put_character(struct process *process, void *context)
{
    (void)process;
    struct world *world = (struct world *)context;
    return put_byte(world, &world->output);
}

static bool put_character_to(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    return put_byte(world, stream_of(world, process_argument(process, 1)));
}

static bool write_items(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    uint64_t size = process_argument(process, 1);
    uint64_t count = process_argument(process, 2);
    if (size == 0 || count == 0)
        return process_return(process, 0);
    if (count > WORLD_COPY_MAX / size)
        return process_complain(process, "a length that fits the process",
                                "%" PRIu64 " times %" PRIu64, count, size);
    own_mem uint8_t *bytes = mem_new(size, count);
    return process_read(process, bytes, process_argument(process, 0), size * count) &&
           append(world, stream_of(world, process_argument(process, 3)), bytes, size * count) &&
           process_return(process, count);
}

static bool answer_zero(struct process *process, void *context)
{
    (void)context;
    return process_return(process, 0);
}

static bool errno_location(struct process *process, void *context)
{
    return process_return(process, ((const struct world *)context)->errno_address);
}

/* ---- the end -------------------------------------------------------------------------------- */

static bool leave(struct process *process, void *context)
{
    struct world *world = (struct world *)context;
    world->exited = true;
    world->exit_code = process_argument(process, 0) & 0xff;
    process_end(process);
    return true;
}

static bool give_up(struct process *process, void *context)
{
    (void)context;
    return process_complain(process, "a process that goes on", "the process stops itself");
}

stand_in world_libc_function(const char *name)
{
    static const struct world_function functions[] = {
        {"_getenv", get_env},
        {"_getprogname", get_program_name},
        {"_pthread_mutex_lock", take_lock},
        {"_pthread_mutex_trylock", try_lock},
        {"_pthread_mutex_unlock", release_lock},
        {"_printf", print},
        {"_fprintf", print_to},
        {"_puts", put_line},
        {"_fputs", put_string},
        {"_putchar", put_character},
        {"_putc", put_character_to},
        {"_fputc", put_character_to},
        {"_fwrite", write_items},
        {"_fflush", answer_zero},
        {"_ferror", answer_zero},
        {"___error", errno_location},
        {"_exit", leave},
        {"__exit", leave},
        {"_abort", give_up},
        {"___stack_chk_fail", give_up},
    };
    return world_look_up(functions, sizeof functions / sizeof functions[0], name);
}
