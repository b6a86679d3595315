/* geometric.h - whole numbers with P(X = k) proportional to exp(-|k| / scale), exactly.
 *
 * One-sided (k >= 0): the geometric distribution with ratio q = exp(-1/scale). Its binary digits are
 * independent: digit i is 1 with probability 1 / (1 + exp(2^i / scale)). Two-sided (all k, also called
 * discrete Laplace): P(X = k) = (1-q)/(1+q) q^|k|, which is a one-sided draw G or its complement -1-G, the
 * latter with probability q/(1+q). So a draw is a fixed number of comparisons of random words with constants,
 * without a branch: its time says nothing about its value. A word that agrees with a constant in all 64 bits
 * (once in 2^58 draws or less) is settled exactly, with MPFR, and takes longer.
 *
 * Scales from 2^-20 to 2^50. Results are computed modulo 2^64: value + noise, wrapped, is a function of the
 * unwrapped sum and so tells nothing more; for a value below 2^62 it would differ with probability below
 * exp(-4096). */
#ifndef RANDOM_GEOMETRIC_H
#define RANDOM_GEOMETRIC_H

#include <stdbool.h>

#include "base/rational.h"
#include "random/random.h"

enum {
    GEOMETRIC_DIGITS = 29,     /* base-4 digits of the largest scale, and the leading one for sign and tail */
    GEOMETRIC_SCALE_LOW = -20, /* 2^-20 <= scale <= 2^50 */
    GEOMETRIC_SCALE_HIGH = 50,
};

/* Plain value; nothing to free. The comparison constants: the first 64 bits of the points where a base-4
 * digit changes. Entry 0 is the sign together with the (tiny) chance of a carry beyond the last digit. */
struct geometric {
    struct rational scale;
    int digits; /* entries in use */
    uint64_t cut[GEOMETRIC_DIGITS][3];
};

/* Fails with DITHER_INVALID when the scale is outside the range. Its numerator must fit in 64 bits, as that
 * of every integer divided by a double does. */
status geometric_init(struct geometric *geometric, struct rational scale, error *why) MUST_CHECK;

/* Adds independent two-sided noise to each of `count` values, modulo 2^64. On failure all values are set to
 * 0, so that half a noisy vector cannot be mistaken for a whole one. */
status geometric_add(const struct geometric *geometric, struct random *random, int64_t *values, size_t count,
                     error *why) MUST_CHECK;

/* One draw: two-sided; and one-sided (0, 1, 2, ...). */
status geometric_draw(const struct geometric *geometric, struct random *random, int64_t *out,
                      error *why) MUST_CHECK;
status geometric_draw_one_sided(const struct geometric *geometric, struct random *random, uint64_t *out,
                                error *why) MUST_CHECK;

/* Two-sided law: P(X = k); P(X >= k); and the least w with P(|X| > w) <= 1 - confidence, or <= failure where
 * that is so small that 1 - failure would round to 1. Both strictly between 0 and 1. */
double geometric_mass(const struct geometric *geometric, int64_t k);
double geometric_tail(const struct geometric *geometric, int64_t k);
double geometric_half_width(const struct geometric *geometric, double confidence);
double geometric_width(const struct geometric *geometric, double failure);

/* The words that one two-sided draw uses. */
size_t geometric_words(const struct geometric *geometric);

#endif
