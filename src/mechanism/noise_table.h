/* noise_table.h - the probabilities of exact_geometric.h, for noise Z, the first of them tabulated.
 *
 * The laws that compare noisy numbers sum over thousands. A plain value of some 24 KiB, for the stack. */
#ifndef MECHANISM_NOISE_TABLE_H
#define MECHANISM_NOISE_TABLE_H

#include "mechanism/exact_geometric.h"
#include "random/geometric.h"

enum {
    NOISE_TABLE_SIZE = 512,
};

struct noise_table {
    struct exact_geometric law;
    size_t size;                            /* entries in use */
    struct interval mass[NOISE_TABLE_SIZE]; /* P(Z = k) */
    struct interval tail[NOISE_TABLE_SIZE]; /* P(Z >= k) */
    struct interval rest[NOISE_TABLE_SIZE]; /* P(Z < k) */
};

/* Tabulates k = 0 to size - 1, at most NOISE_TABLE_SIZE; what lies beyond is computed when asked for. */
void noise_table_init(struct noise_table *table, const struct geometric *noise, size_t size);

/* P(Z = k), P(Z >= k), P(Z <= k), P(first <= Z <= last). |k| < 2^64. */
struct interval noise_table_mass(const struct noise_table *table, int128_t k);
struct interval noise_table_at_least(const struct noise_table *table, int128_t k);
struct interval noise_table_at_most(const struct noise_table *table, int128_t k);
struct interval noise_table_between(const struct noise_table *table, int128_t first, int128_t last);

/* A distance beyond which less than exp(-36) of the noise lies, on either side: where sums may be cut. */
int128_t noise_table_reach(const struct noise_table *table);

#endif
