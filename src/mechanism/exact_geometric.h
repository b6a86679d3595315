/* exact_geometric.h - the probabilities of two-sided geometric noise, as intervals that surely hold them.
 *
 * N is a whole number with P(N = k) = (1 - q)/(1 + q) q^|k|, q = exp(-1/scale): what random/geometric.h
 * draws. The relative width stays near a few units in the last place for every scale, because 1 - q is never
 * formed by subtraction. Distances are differences of two statistics and may need 65 bits, hence int128_t. */
#ifndef MECHANISM_EXACT_GEOMETRIC_H
#define MECHANISM_EXACT_GEOMETRIC_H

#include "base/interval.h"

/* The constants of one scale, so that many probabilities cost little. Plain value. */
struct exact_geometric {
    struct interval scale;
    struct interval decay;     /* q */
    struct interval gap;       /* 1 - q */
    struct interval two_sided; /* 1 + q */
    struct interval center;    /* P(N = 0) */
};

struct exact_geometric exact_geometric(struct rational scale);

/* q^distance, for distance >= 0. */
struct interval exact_geometric_decay(const struct exact_geometric *law, int128_t distance);

/* q^0 + q^1 + ... + q^(count - 1), for count >= 0. */
struct interval exact_geometric_sum(const struct exact_geometric *law, int128_t count);

/* q^|k| added up over k from -below to above, both >= 0: what renormalising on an interval divides by. */
struct interval exact_geometric_total(const struct exact_geometric *law, int128_t below, int128_t above);

/* P(N = k) and P(N >= k). */
struct interval exact_geometric_mass(const struct exact_geometric *law, int128_t k);
struct interval exact_geometric_at_least(const struct exact_geometric *law, int128_t k);

#endif
