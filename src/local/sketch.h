/* sketch.h - what the two count-mean sketches share: k rows of m buckets, a public hash function per row. */
#ifndef LOCAL_SKETCH_H
#define LOCAL_SKETCH_H

#include "local/hash.h"
#include "local/oracle.h"

enum {
    SKETCH_HASHES = 1024,
    SKETCH_WIDTH = 1024,
    SKETCH_CELLS_LIMIT = 1 << 26,
};

/* Fills in the defaults, checks that the width is a power of two, and sets cells and collision. */
status sketch_defaults(struct local_oracle *oracle, error *why) MUST_CHECK;

static inline uint32_t sketch_bucket(const struct local_oracle *oracle, uint32_t row, uint32_t value)
{
    return hash_bucket(hash_image(hash_of_family(oracle->setting.seed, row), value), oracle->setting.width);
}

#endif
