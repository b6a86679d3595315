/* renyi.h - Renyi divergences of releases: what a release costs at each order alpha > 1.
 *
 *     D(alpha) = log( sum over outcomes of without (with / without)^alpha ) / (alpha - 1)
 *
 * They add up over releases, order by order, also when the releases are chosen one after the other. Gaussian
 * noise has alpha shift^2 / 2; Laplace noise and randomized response have closed forms (Mironov 2017);
 * discrete Gaussian noise is no worse than the continuous (Canonne, Kamath, Steinke 2020). Under sampling,
 * removing a person is computed at whole orders (Mironov, Talwar, Zhang 2019; between them (alpha - 1) D is
 * convex, so the straight line bounds it) and adding one on a loss grid. Results are rounded up, and are the
 * worse of both directions. */
#ifndef ACCOUNT_RENYI_H
#define ACCOUNT_RENYI_H

#include "account/loss_grid.h"

/* The curve of one release (its count is not looked at). An (epsilon, delta) release is taken as what it is
 * but with probability delta, which has to be added elsewhere. */
struct renyi {
    struct release base; /* without sampling */
    double sampling;
    struct loss_law law; /* where there is no closed form */
    double *exponents;   /* sampled: (j - 1) D(j) of the base at j = 0, 1, 2, ... */
    size_t exponent_count;
    struct loss_grid adding; /* sampled: the losses when a person is added */
};

/* Borrows the arrays of an explicit pair. */
status renyi_init(struct renyi *renyi, const struct release *release, error *why) MUST_CHECK;
void renyi_clear(struct renyi *renyi);

/* D at an order above 1; may be infinite. */
double renyi_divergence(const struct renyi *renyi, double order);

/* The rho such that D(alpha) <= rho alpha for all alpha > 1 (zCDP); delta apart, as above. Sampling helps
 * only where the release is pure. May be infinite. */
status renyi_rho(const struct release *release, double *rho, error *why) MUST_CHECK;

/* The epsilon for delta that D at this order gives: Canonne, Kamath, Steinke 2020, Proposition 12. Never
 * negative. */
double renyi_epsilon(double order, double divergence, double delta);

/* For a group of 2^doublings people: D at order / 2^doublings is at most 3^doublings D(order) (Mironov 2017,
 * Proposition 2), where that order is still at least 2; otherwise infinite. */
double renyi_group_divergence(double order, double divergence, unsigned doublings);

/* The orders at which curves are looked at, ascending. */
extern const double renyi_orders[];
extern const size_t renyi_order_count;

#endif
