/* quantile.h - the score of one candidate, for whoever has counted already (the curator's engine). */
#ifndef MECHANISM_QUANTILE_H
#define MECHANISM_QUANTILE_H

#include "mechanism/mechanism.h"

/* How many values lie below the candidate, how many do not lie above it, and how many there are. `shift` is added to
 * the first two, in units of 2^-30: a constant that is the same for all data, within +-2^60. It looks for a
 * neighbouring rank, and moves nothing that one value more or less can do; but with it scores move up and down, so
 * that it must be 0 for the quantiles 0 and 1, whose law relies on one direction. */
struct quantile_ranks {
    int128_t below, at_most, total; /* each below 2^80 */
    int64_t shift;
};

enum { QUANTILE_RANK_BITS = 30 };

/* For a mechanism of kind mechanism_quantile: what its law takes as the candidate's statistic. One value more
 * or less, wherever it is, moves it by at most the mechanism's sensitivity for a group of one; cutting it off
 * at MECHANISM_LIMIT adds nothing to that. */
int64_t quantile_score(const struct mechanism *mechanism, struct quantile_ranks ranks);

#endif
