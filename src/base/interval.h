/* interval.h - a number known to lie between two doubles.
 *
 * Each operation returns an interval that surely holds the result for every choice of operands: sums and
 * products are widened by one step outward, exp and log are MPFR's, correctly rounded down and up. Infinite
 * ends are allowed; an interval never has a NaN end. */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include "base/rational.h"

struct interval {
    double lower, upper;
};

struct interval interval_exact(double value);
struct interval interval_from_rational(struct rational value);
struct interval interval_add(struct interval a, struct interval b);
struct interval interval_subtract(struct interval a, struct interval b);
struct interval interval_multiply(struct interval a, struct interval b);

/* b must not contain 0 strictly inside; b.lower >= 0 is asserted. 0/0 is [0, infinity]. */
struct interval interval_divide(struct interval a, struct interval b);
struct interval interval_exp(struct interval a);

/* Natural logarithm; what lies below 0 (by widening) counts as 0, and log 0 is minus infinity. */
struct interval interval_log(struct interval a);
/* Cuts off what lies outside [lower, upper], known by other means to be impossible. */
struct interval interval_clip(struct interval a, double lower, double upper);
struct interval interval_max(struct interval a, struct interval b);
double interval_middle(struct interval a);

#endif
