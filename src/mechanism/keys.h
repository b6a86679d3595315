/* keys.h - what the mechanisms that decide which keys are shown share.
 *
 * A person stands under at most max_groups keys, and each key is decided by itself: so a key may spend
 * epsilon / max_groups and 1 - (1 - delta)^(1 / max_groups) of delta, both rounded down. Together they stay
 * within epsilon and delta (Kairouz, Oh, Viswanath 2015, Theorem 3.3: at the sum of the epsilons, deltas
 * compose to 1 - (1 - delta_1)(1 - delta_2)...). */
#ifndef MECHANISM_KEYS_H
#define MECHANISM_KEYS_H

#include "mechanism/mechanism.h"

struct keys_share {
    double epsilon, delta;
};

/* Sets mechanism->cost, and what one key may spend. Fails when that is too little to be reckoned with. */
status keys_init(struct mechanism *mechanism, struct keys_share *share, error *why) MUST_CHECK;

size_t keys_count(const struct mechanism *mechanism, const dither_data *data);
status keys_measure(const struct mechanism *mechanism, const dither_data *data, int64_t *statistic,
                    error *why);

#endif
