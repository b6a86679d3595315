/* discrete_gaussian.h - whole numbers with P(X = k) proportional to exp(-k^2 / (2 variance)), exactly.
 *
 * Two-sided geometric proposals, each kept with the right probability (Canonne, Kamath, Steinke 2020, "The
 * Discrete Gaussian for Differential Privacy", Algorithm 3). How many proposals a draw takes is independent
 * of the value drawn. Sigma from 2^-20 to 2^50; results modulo 2^64 (see geometric.h). */
#ifndef RANDOM_DISCRETE_GAUSSIAN_H
#define RANDOM_DISCRETE_GAUSSIAN_H

#include "random/geometric.h"

/* Plain value; nothing to free. */
struct discrete_gaussian {
    struct rational variance;
    struct geometric proposal; /* its scale is the whole number next to sigma */
    uint64_t proposal_scale;
    double center;       /* variance / proposal scale, to double precision */
    double half_inverse; /* 1 / (2 variance), to double precision */
};

status discrete_gaussian_init(struct discrete_gaussian *gaussian, struct rational variance,
                              error *why) MUST_CHECK;

/* As geometric_add. */
status discrete_gaussian_add(const struct discrete_gaussian *gaussian, struct random *random, int64_t *values,
                             size_t count, error *why) MUST_CHECK;
status discrete_gaussian_draw(const struct discrete_gaussian *gaussian, struct random *random, int64_t *out,
                              error *why) MUST_CHECK;

/* P(X = k); P(X >= k); the least w with P(|X| > w) <= 1 - confidence. */
double discrete_gaussian_mass(const struct discrete_gaussian *gaussian, int64_t k);
double discrete_gaussian_tail(const struct discrete_gaussian *gaussian, int64_t k);
double discrete_gaussian_half_width(const struct discrete_gaussian *gaussian, double confidence);

#endif
