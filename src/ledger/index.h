/* index.h - finds a number by a digest: open addressing, never smaller than needed, nothing removed.
 */
#ifndef LEDGER_INDEX_H
#define LEDGER_INDEX_H

#include <stdint.h>

#include "ledger/digest.h"

struct index_slot;

struct index {
    struct index_slot *slots;
    size_t capacity, count;
}; /* starts as zero bytes */

void index_free(struct index *index);

/* The number, or false. */
bool index_find(const struct index *index, const struct digest *key, uint64_t *out);

/* Adds the key with its number; the key must not be there yet. */
status index_add(struct index *index, const struct digest *key, uint64_t number, error *why) MUST_CHECK;

#endif
