/* coin.h - the one probability that every local mechanism rests on, rounded against ourselves.
 *
 * A coin is a threshold out of 2^64: heads when a random word is below it, so its probability is threshold / 2^64 and
 * nothing else. All randomisers here choose between a few "near" outcomes, each allowed to be e^epsilon times as
 * probable as each of the "far" ones; heads of
 *
 *     floor(2^64 * near e^epsilon / (near e^epsilon + far))
 *
 * therefore keeps the ratio at or below e^epsilon, exactly. */
#ifndef LOCAL_COIN_H
#define LOCAL_COIN_H

#include <gmp.h>

#include "random/random.h"

#define LOCAL_EPSILON_LEAST 0x1p-10
#define LOCAL_EPSILON_MOST  20.0

/* epsilon between the bounds (or a 64th of that), near > 0, far > 0. */
uint64_t coin_for(double epsilon, uint64_t near, uint64_t far);

/* The second of two coins in a row: a bit is kept (not flipped) by the first, then by the second, so that it is what it was
 * with a probability at most `wanted`. Both above one half, wanted below first. */
uint64_t coin_after(uint64_t first, uint64_t wanted);

/* threshold / 2^64; and as an exact fraction. 2^64 - threshold is the coin of the opposite, for threshold > 0. */
double coin_probability(uint64_t threshold);
void coin_fraction(uint64_t threshold, mpq_t out);

static inline uint64_t coin_opposite(uint64_t threshold)
{
    return -threshold;
}

/* All ones with probability threshold / 2^64, else 0. */
status coin_toss(struct random *random, uint64_t threshold, uint64_t *mask, error *why) MUST_CHECK;

/* 64 independent tosses in every word: the binary digits of 64 uniform numbers at a time are compared with those of the
 * threshold until none is undecided, which takes about 8 words of randomness and a time that depends on them alone. */
status coin_toss_words(struct random *random, uint64_t threshold, uint64_t *words, size_t count,
                       error *why) MUST_CHECK;

#endif
