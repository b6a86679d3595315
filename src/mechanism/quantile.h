/* quantile.h - the score of one candidate, for whoever has counted already (the curator's engine). */
#ifndef MECHANISM_QUANTILE_H
#define MECHANISM_QUANTILE_H

#include "mechanism/mechanism.h"

/* How many values lie below the candidate, how many do not lie above it, and how many there are. */
struct quantile_ranks {
    int128_t below, at_most, total; /* each below 2^80 */
};

/* For a mechanism of kind mechanism_quantile: what its law takes as the candidate's statistic. One value more
 * or less, wherever it is, moves it by at most the mechanism's sensitivity for a group of one; cutting it off
 * at MECHANISM_LIMIT adds nothing to that. */
int64_t quantile_score(const struct mechanism *mechanism, struct quantile_ranks ranks);

#endif
