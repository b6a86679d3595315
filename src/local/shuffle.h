/* shuffle.h - what an anonymous channel buys: the central (epsilon, delta) of n local reports of which nobody knows who sent which.
 *
 * Feldman, McMillan, Talwar 2021 ("Hiding among the clones"): n reports of any epsilon0-private randomiser, shuffled, tell no more
 * than this pair of random variables. C ~ Binomial(n - 1, r), A ~ Binomial(C, 1/2), D = 1 with probability
 * e^epsilon0 / (e^epsilon0 + 1): (A + D, C - A + 1 - D) for one person's value, (A + 1 - D, C - A + D) for another. r = e^-epsilon0
 * holds for every randomiser; for the two answers of Warner's response r = 2 / (e^epsilon0 + 1), and the pair is exact.
 *
 * It holds only where the channel is truly anonymous and the reports carry nothing else (no retry id, no address, no time); against a
 * collector who sees senders the guarantee is epsilon0. */
#ifndef LOCAL_SHUFFLE_H
#define LOCAL_SHUFFLE_H

#include <stdint.h>

#include "base/status.h"

struct shuffle {
    double epsilon; /* epsilon0, of one report */
    uint64_t people;
    bool binary; /* Warner's response with two answers; otherwise any randomiser */
};

/* The delta at which the shuffled reports keep a central epsilon >= 0, never less than the pair's own: tails that are cut off count in
 * full, and 1e-12 is added for rounding. */
double shuffle_delta(const struct shuffle *shuffle, double epsilon);

/* The least epsilon, to 1e-6, with shuffle_delta(epsilon) <= delta; epsilon0 itself when shuffling does not help. delta from 1e-10 to 0.5,
 * people from 2 to 1e9, epsilon0 as for reports. */
status shuffle_epsilon(const struct shuffle *shuffle, double delta, double *out, error *why) MUST_CHECK;

#endif
