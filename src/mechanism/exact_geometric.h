/* exact_geometric.h - the probabilities of two-sided geometric noise, as intervals that surely hold them.
 *
 * N is a whole number with P(N = k) = (1 - q)/(1 + q) q^|k|, q = exp(-1/scale): what random/geometric.h
 * draws. The relative width stays near a few units in the last place for every scale, because 1 - q is never
 * formed by subtraction. Distances are differences of two statistics and may need 65 bits, hence int128_t. */
#ifndef MECHANISM_EXACT_GEOMETRIC_H
#define MECHANISM_EXACT_GEOMETRIC_H

#include "base/interval.h"

/* q^distance, for distance >= 0. */
struct interval exact_geometric_decay(struct rational scale, int128_t distance);

/* q^0 + q^1 + ... + q^(count - 1), for count >= 0. */
struct interval exact_geometric_sum(struct rational scale, int128_t count);

/* q^|k| added up over k from -below to above, both >= 0: what renormalising on an interval divides by. */
struct interval exact_geometric_total(struct rational scale, int128_t below, int128_t above);

/* P(N = k) and P(N >= k). */
struct interval exact_geometric_mass(struct rational scale, int128_t k);
struct interval exact_geometric_at_least(struct rational scale, int128_t k);

#endif
