/*
 * Runs a fuzz target without a fuzzer, in ordinary tests: every file of its corpus as it is, and
 * mutations of each, which are the same on every run and every machine.
 *
 * usage: fuzz_NAME CORPUS_DIR…
 *
 * Prints one `ok` line for each corpus file that went through, so that a run over an empty corpus
 * counts as nothing; a crash or a sanitizer report ends the process, with the file named on
 * standard error before it was tried.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
#if defined(__GNUC__)
__attribute__((weak))
#endif
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

#define INPUT_MAX       (1u << 20) /* larger corpus files are a mistake */
#define MUTATIONS       400u       /* for each file */
#define MUTATED_MAX     (64u << 10)
#define MUTATION_BUDGET (64u << 20) /* bytes in all mutations of one file */

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

static int replay_file(const char *path, const char *name)
{
    static uint8_t input[INPUT_MAX + 1];
    static uint8_t work[MUTATED_MAX];
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("not ok - %s: %s\n", name, strerror(errno));
        return -1;
    }
    size_t size = fread(input, 1, sizeof input, file);
    int bad = ferror(file);
    (void)fclose(file);
    if (bad || size > INPUT_MAX) {
        printf("not ok - %s: unreadable, or larger than %u bytes\n", name, INPUT_MAX);
        return -1;
    }
    fprintf(stderr, "replay: %s\n", path);
    try_input(input, size);
    size_t budget = MUTATION_BUDGET;
    size_t work_size = size < MUTATED_MAX ? size : MUTATED_MAX;
    for (unsigned i = 0; i < MUTATIONS && work_size && budget >= work_size; i++) {
        uint64_t state = 0x9e3779b97f4a7c15ull * (i + 1) ^ size;
        memcpy(work, input, work_size);
        try_input(work, mutate(work, work_size, &state));
        budget -= work_size;
    }
    printf("ok - %s\n", name);
    return 0;
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
    (void)LLVMFuzzerInitialize(&argc, &argv);
    if (argc < 2) {
        fprintf(stderr, "usage: %s CORPUS_DIR…\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        if (replay_folder(argv[i]) < 0)
            result = 1;
    }
    return result;
}
