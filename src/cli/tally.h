/* tally.h - counts how often each text comes: people per key.
 *
 * Memory grows with the number of different keys, not with the rows. The order of rows leaves no trace: what
 * comes out is sorted by the keys' bytes. */
#ifndef CLI_TALLY_H
#define CLI_TALLY_H

#include "base/arena.h"

struct key {
    const char *text;
    uint64_t count;
    uint64_t hash;
};

struct tally {
    struct arena arena;
    struct key *list; /* until sorted: a hash table with gaps, whose gaps have no text */
    size_t count, capacity;
};

void tally_init(struct tally *tally);
void tally_free(struct tally *tally);

status tally_add(struct tally *tally, const char *text, size_t length, error *why) MUST_CHECK;

/* Puts the keys into the first `count` places of the list, in order. Nothing can be added afterwards. */
void tally_sort(struct tally *tally);

#endif
