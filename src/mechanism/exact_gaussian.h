/* exact_gaussian.h - the probabilities of discrete Gaussian noise, with bounds that surely hold.
 *
 * X is a whole number with P(X = k) = w(k) / Z, w(k) = exp(-k^2 / (2 variance)), Z = sum of all w(k): what
 * random/discrete_gaussian.h draws. Z and tails are summed term by term while sigma is small; from sigma 4 on
 * Poisson's formula gives Z = sigma sqrt(2 pi) (1 + less than 2^-450), and from sigma 256 on the tails come
 * from Euler and Maclaurin's formula with its remainder bounded. Variance at least 2^-40. */
#ifndef MECHANISM_EXACT_GAUSSIAN_H
#define MECHANISM_EXACT_GAUSSIAN_H

#include "base/interval.h"

/* The precision of the mpfr numbers below, and the relative error that is allowed for rounding in them: far
 * more than any of the computations here can gather. */
enum {
    EXACT_GAUSSIAN_BITS = 256,
    EXACT_GAUSSIAN_SLACK = -100, /* 2^-100 */
};

/* w(k), and Z. */
struct interval exact_gaussian_weight(struct rational variance, int128_t k);
struct interval exact_gaussian_normaliser(struct rational variance);

/* lower <= P(X >= from) <= upper; `from` holds a whole number. All have EXACT_GAUSSIAN_BITS. */
void exact_gaussian_tail(struct rational variance, const mpfr_t from, mpfr_t lower, mpfr_t upper);

#endif
