/* divergence.h - how well can one outcome tell two statistics apart?
 *
 * All three measures are computed from the law's own cells, in interval arithmetic, and hold for the whole
 * outcome, all blocks together. They are not symmetric: ask both ways. */
#ifndef MECHANISM_DIVERGENCE_H
#define MECHANISM_DIVERGENCE_H

#include "mechanism/law.h"

/* Two statistics of the same length. */
struct statistic_pair {
    const int64_t *left, *right;
    size_t n;
};

/* max over outcomes of ln(P_left / P_right): infinite when something possible on the left is impossible on
 * the right. */
struct interval divergence_loss(const struct law *law, struct statistic_pair pair);

/* sum over outcomes of max(0, P_left - e^epsilon P_right): the smallest delta for this epsilon. Refused
 * (DITHER_INVALID) when the blocks that differ have too many outcomes together. */
status divergence_delta(const struct law *law, struct statistic_pair pair, double epsilon,
                        struct interval *out, error *why) MUST_CHECK;

/* The largest Renyi divergence of any order, divided by its order: at most rho for a law that is rho-zCDP.
 * Only for laws that promise rho (gaussian). */
struct interval divergence_concentrated(const struct law *law, struct statistic_pair pair);

#endif
