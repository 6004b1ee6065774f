/*
 * Runs a fuzz target without a fuzzer, in ordinary tests: every seed that the target makes, every
 * file of its corpus as it is, and mutations of each, which are the same on every run and machine.
 *
 * usage: fuzz_NAME [CORPUS_DIR...]
 *        fuzz_NAME --write-seeds DIR
 *
 * Prints one `ok` line for each input that went through, so that a run over nothing counts as
 * nothing; a crash or a sanitizer report ends the process, with the input named on standard error
 * before it was tried.
 */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* For targets that make no seeds. */
__attribute__((weak)) size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    (void)index;
    (void)out;
    (void)out_size;
    return 0;
}

__attribute__((weak)) size_t fuzz_fresh_seed(size_t index, uint8_t *out, size_t out_size)
{
    (void)index;
    (void)out;
    (void)out_size;
    return 0;
}

#define INPUT_MAX       (1u << 20) /* larger corpus files are a mistake */
#define SEEDS_MAX       4096u
#define SEED_MUTATIONS  400u /* of each seed */
#define FILE_MUTATIONS  8u /* of each corpus file: there are many, and they are mutations already */
#define MUTATED_MAX     (64u << 10)
#define MUTATION_BUDGET (64u << 20) /* bytes in all mutations of one file */

static uint8_t input_buffer[INPUT_MAX + 1];

static uint64_t prng_next(uint64_t *state)
{
    uint64_t x = *state; /* xorshift64* */
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545f4914f6cdd1dull;
}

/* The target gets a heap copy of exactly its size, so that ASan sees the first byte too far. */
static void try_input(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    if (size)
        memcpy(copy, data, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void set_word(uint8_t *data, size_t size, size_t at, uint64_t value, size_t width)
{
    for (size_t i = 0; i < width && at + i < size; i++)
        data[at + i] = (uint8_t)(value >> (8 * i));
}

static void copy_block(uint8_t *data, size_t size, size_t to, size_t from, size_t len)
{
    size_t room = size - (to > from ? to : from);
    memmove(data + to, data + from, len < room ? len : room);
}

static size_t mutate(uint8_t *data, size_t size, uint64_t *state)
{
    static const uint64_t interesting[] = {
        0,
        1,
        2,
        7,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fffffffu,
        0x80000000u,
        0xffffffffu,
        0xfffffff0u,
        0x100000000u,
        0x7fffffffffffffffu,
        UINT64_MAX - 7,
        UINT64_MAX,
    };
    size_t count = 1 + prng_next(state) % 4;
    for (size_t i = 0; i < count && size; i++) {
        /* Headers decide most: half of the changes go to the first 512 bytes. */
        size_t reach = prng_next(state) % 2 && size > 512 ? 512 : size;
        size_t at = prng_next(state) % reach;
        uint64_t pick = interesting[prng_next(state) % (sizeof interesting / sizeof *interesting)];
        switch (prng_next(state) % 7) {
        case 0:
            data[at] ^= (uint8_t)(1u << prng_next(state) % 8);
            break;
        case 1:
            data[at] = (uint8_t)prng_next(state);
            break;
        case 2:
            set_word(data, size, at & ~(size_t)3, pick, 4);
            break;
        case 3:
            set_word(data, size, at & ~(size_t)7, pick, 8);
            break;
        case 4:
            set_word(data, size, at & ~(size_t)3, prng_next(state) % (2 * size + 1), 4);
            break;
        case 5:
            size = at;
            break;
        default:
            copy_block(data, size, at, prng_next(state) % size, prng_next(state) % 32);
            break;
        }
    }
    return size;
}

static void replay_input(const uint8_t *input, size_t size, const char *name, unsigned mutations)
{
    static uint8_t work[MUTATED_MAX];
    size_t budget = MUTATION_BUDGET;
    size_t work_size = size < MUTATED_MAX ? size : MUTATED_MAX;
    fprintf(stderr, "replay: %s\n", name);
    try_input(input, size);
    for (unsigned i = 0; i < mutations && work_size && budget >= work_size; i++) {
        uint64_t state = 0x9e3779b97f4a7c15ull * (i + 1) ^ size;
        memcpy(work, input, work_size);
        try_input(work, mutate(work, work_size, &state));
        budget -= work_size;
    }
    printf("ok - %s\n", name);
}

static int replay_file(const char *path, const char *name)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("not ok - %s: %s\n", name, strerror(errno));
        return -1;
    }
    size_t size = fread(input_buffer, 1, sizeof input_buffer, file);
    int bad = ferror(file);
    (void)fclose(file);
    if (bad || size > INPUT_MAX) {
        printf("not ok - %s: unreadable, or larger than %u bytes\n", name, INPUT_MAX);
        return -1;
    }
    replay_input(input_buffer, size, name, FILE_MUTATIONS);
    return 0;
}

static int write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "replay: cannot write '%s': %s\n", path, strerror(errno));
        return -1;
    }
    return 0;
}

typedef size_t make_seed(size_t index, uint8_t *out, size_t out_size);

/* Replays the seeds that `make` makes, or writes them into `folder`. */
static int each_seed(make_seed *make, const char *name, const char *folder)
{
    for (size_t i = 0; i < SEEDS_MAX; i++) {
        char path[4096];
        size_t size = make(i, input_buffer, INPUT_MAX);
        if (size == 0)
            return 0;
        if (size > INPUT_MAX)
            abort();
        (void)snprintf(path, sizeof path, "%s%s%s-%zu", folder ? folder : "", folder ? "/" : "",
                       name, i);
        if (!folder)
            replay_input(input_buffer, size, path, SEED_MUTATIONS);
        else if (write_file(path, input_buffer, size) < 0)
            return -1;
    }
    fprintf(stderr, "replay: more than %u seeds\n", SEEDS_MAX);
    return -1;
}

static int write_seeds(const char *folder)
{
    if (each_seed(fuzz_seed, "seed", folder) < 0)
        return -1;
    return each_seed(fuzz_fresh_seed, "fresh", folder);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int replay_folder(const char *folder)
{
    char *names[4096];
    size_t count = 0;
    int result = 0;
    DIR *dir = opendir(folder);
    if (!dir) {
        printf("not ok - %s: %s\n", folder, strerror(errno));
        return -1;
    }
    for (struct dirent *entry = NULL; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "README") == 0)
            continue;
        if (count == sizeof names / sizeof *names || !(names[count++] = strdup(entry->d_name)))
            abort();
    }
    (void)closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        char path[4096];
        struct stat st;
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && replay_file(path, names[i]) < 0)
            result = -1;
        free(names[i]);
    }
    return result;
}

int main(int argc, char **argv)
{
    int result = 0;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1 && argv[1][0] == '-') {
        if (argc == 3 && strcmp(argv[1], "--write-seeds") == 0)
            return write_seeds(argv[2]) < 0;
        fprintf(stderr, "usage: %s [CORPUS_DIR...] | --write-seeds DIR\n", argv[0]);
        return 2;
    }
    if (each_seed(fuzz_seed, "seed", NULL) < 0)
        result = 1;
    for (int i = 1; i < argc; i++) {
        if (replay_folder(argv[i]) < 0)
            result = 1;
    }
    return result;
}
