/*
 * Purpose: the SHA-1 of a large object beside its inflating, in a thread of its
 *     own: the two together take as long as the longer one.
 *
 * Layer: port; private to odb_store.c.
 *
 * Calling sequence:
 *         struct aside *aside = aside_start(header, header_len);
 *         aside_update(aside, data, len) ...      // copies
 *         aside_finish(sum, aside);               // sum NULL: only end and free
 *     aside_start() gives NULL when no thread can be had: hash in place then.
 *
 * Determinism: the sum of the bytes, in the order of the calls.
 */
#ifndef HALLMARK_PORT_ODB_ASIDE_H
#define HALLMARK_PORT_ODB_ASIDE_H

#include <stddef.h>
#include <stdint.h>

struct aside;

struct aside *aside_start(const void *header, size_t header_len);
void aside_update(struct aside *aside, const void *data, size_t len);
void aside_finish(uint8_t *sum, struct aside *aside);

#endif
