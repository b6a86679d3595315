/* cost.h - adding up costs, in the currencies pure epsilon, (epsilon, delta) and rho (zCDP).
 *
 * A dither_cost may carry all three: such a release is (epsilon, delta)-private and, besides, releases rho.
 * Every result is rounded up: never less than the exact sum. Post-processing costs nothing, and so has no
 * function here. These rules hold for costs chosen one after the other as well (Rogers, Roth, Ullman, Vadhan
 * 2016, for epsilon and delta; Feldman and Zrnic 2021 for rho). */
#ifndef ACCOUNT_COST_H
#define ACCOUNT_COST_H

#include "dither.h"

/* Both releases, about the same people. */
dither_cost cost_sequential(dither_cost first, dither_cost second);

/* Both releases, about different people: no one is in both. The larger, part by part. */
dither_cost cost_parallel(dither_cost first, dither_cost second);

/* The same release `times` times. */
dither_cost cost_repeated(dither_cost cost, uint64_t times);

/* The release sees a secret Poisson sample of the people, each taken with probability `rate` in [0, 1]:
 * epsilon' = log(1 + rate (e^epsilon - 1)), delta' = rate delta (Li, Qardaji, Su 2012). rho does not improve
 * so simply, and stays. */
dither_cost cost_sampled(dither_cost cost, double rate);

/* (epsilon, delta) of many (epsilon_i, delta_i)-private releases planned in advance, when `slack` more is put
 * into delta: Kairouz, Oh, Viswanath 2015, Theorem 3.5, or the plain sum where that is less. The deltas add
 * up, and slack comes on top. counts[i] releases cost costs[i] each; rho is not looked at. */
struct cost_many {
    const dither_cost *costs;
    const uint64_t *counts;
    size_t kinds;
};
dither_cost cost_advanced(struct cost_many many, double slack);

#endif
