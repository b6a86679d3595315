/* bernoulli.h - coins of exactly known bias.
 *
 * A coin compares the binary expansion of its probability with random bits, 64 at a time, and looks further
 * only while they agree. The first 64 bits decide all but one toss in 2^64 (rational), or all but about one
 * in 2^40 (exp: doubles with a proven margin); the rest is settled by exact division or MPFR. */
#ifndef RANDOM_BERNOULLI_H
#define RANDOM_BERNOULLI_H

#include <stdbool.h>

#include "base/rational.h"
#include "random/random.h"

/* True with probability exactly `probability`, which must be at most 1. */
status bernoulli_rational(struct random *random, struct rational probability, bool *out,
                          error *why) MUST_CHECK;

/* True with probability exactly exp(-x). */
status bernoulli_exp(struct random *random, struct rational x, bool *out, error *why) MUST_CHECK;

/* A probability that is known only through ever tighter bounds: writes lower <= p <= upper, computed with the
 * precision that `lower` and `upper` have, the closer the higher that precision. */
typedef void (*probability_bounds)(const void *context, mpfr_t lower, mpfr_t upper);

/* True with probability exactly the limit of the bounds. `estimate` is a double approximation of it, off by a
 * relative error of less than 2^-40; it only decides tosses that it cannot get wrong. */
status bernoulli_real(struct random *random, double estimate, probability_bounds bounds, const void *context,
                      bool *out, error *why) MUST_CHECK;

/* The two halves of bernoulli_real, for those who toss many coins in a row. A word stands for a uniform
 * number in [word, word + 1) / 2^64; it is converted to double with an error below 2^-53 of itself. With the
 * estimate's 2^-40 a margin of 2^-38 of the larger covers both, and 2 more the width of the interval. */
enum toss {
    TOSS_FALSE,
    TOSS_TRUE,
    TOSS_OPEN, /* too close: bernoulli_settle must decide */
};

static inline enum toss bernoulli_judge(uint64_t word, double estimate)
{
    double draw = (double)word;
    double middle = estimate * 0x1p64;
    double margin = (draw > middle ? draw : middle) * 0x1p-38 + 2;
    return draw + margin < middle ? TOSS_TRUE : draw > middle + margin ? TOSS_FALSE : TOSS_OPEN;
}

status bernoulli_settle(struct random *random, uint64_t word, probability_bounds bounds, const void *context,
                        bool *out, error *why) MUST_CHECK;

#endif
