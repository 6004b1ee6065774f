/*
 * What a fuzz target (tests/fuzz/fuzz_<name>.c) defines. It is linked with replay.c for
 * `make test`, and with libFuzzer for `make fuzz`.
 */
#ifndef HALLMARK_TESTS_FUZZ_H
#define HALLMARK_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* One input. Returns 0; aborts when something that must hold does not. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Optional: makes the seed of that number, so that a seed is code instead of an opaque file.
 * Returns its size, at most out_size; 0 when there are no more.
 */
size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size);

#endif
