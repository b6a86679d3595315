/* geometric_cuts.h - where the digits of a geometric variable change, to any precision.
 *
 * A draw is made of base-4 digits, each from a uniform U in [0, 1): the digit is the number of cuts that U
 * has reached. With q_i = exp(-4^i / scale) the ratio at digit i, the digit d is at least j with probability
 * (q_i^j - q_i^4) / (1 - q_i^4), so the j-th cut (j = 1, 2, 3) is (1 - q_i^j) / (1 - q_i^4).
 *
 * The leading entry joins the sign, "negative" with probability s = q_0/(1 + q_0), with the carry, the event
 * that the variable is 4^digits or more, of probability t = exp(-4^digits / scale) < 2^-64. Its four
 * outcomes, in this order: negative with carry, negative, not negative, not negative with carry; its cuts are
 * s t, s, and s + (1 - s)(1 - t). */
#ifndef RANDOM_GEOMETRIC_CUTS_H
#define RANDOM_GEOMETRIC_CUTS_H

#include "random/geometric.h"

enum geometric_lead {
    LEAD_NEGATIVE_CARRY = 0,
    LEAD_NEGATIVE = 1,
    LEAD_POSITIVE = 2,
    LEAD_POSITIVE_CARRY = 3,
};

/* How many base-4 digits leave a carry of probability below 2^-64. */
int geometric_cuts_digits(struct rational scale);

/* Writes bounds of cut `which` (0, 1, 2) of entry `entry` (0 is the leading one, 1 + i is digit i) at the
 * precision that the numbers have. */
void geometric_cut_bounds(struct rational scale, int digits, int entry, int which, mpfr_t lower,
                          mpfr_t upper);

/* floor(cut * 2^bits), which is certain: precision grows until both bounds agree. `out` must have `bits` of
 * precision. */
void geometric_cut_floor(struct rational scale, int digits, int entry, int which, long bits, mpfr_t out);

#endif
