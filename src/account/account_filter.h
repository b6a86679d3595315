/* account_filter.h - a budget for releases that are chosen one after the other.
 *
 * An analyst who has seen the first answer chooses the next question, and its cost, in its light. A filter
 * says, before each release, whether it still fits; what has passed is then private as a whole, however it
 * was chosen:
 *  - pure epsilon and (epsilon, delta): the sums (Rogers, Roth, Ullman, Vadhan 2016);
 *  - rho (zCDP): the sum, converted at the end (Feldman and Zrnic 2021);
 *  - Renyi: the sum at one order, fixed in advance (ibid.).
 * Advanced composition and privacy-loss distributions are not valid here, and a filter does not offer them:
 * they need the whole list beforehand (account_plan.h). The ledger keeps a filter's sums on disk.
 *
 * Sums are kept to twice the precision of a double and rounded up: a million charges do not drift. */
#ifndef ACCOUNT_ACCOUNT_FILTER_H
#define ACCOUNT_ACCOUNT_FILTER_H

#include "account/release.h"

enum filter_currency {
    FILTER_PURE,
    FILTER_APPROXIMATE,
    FILTER_CONCENTRATED,
    FILTER_RENYI,
};

/* A sum of two doubles, high + low. */
struct filter_sum {
    double high, low;
};

/* Plain value; use the functions below. */
struct account_filter {
    enum filter_currency currency;
    double limit;       /* of epsilon, rho, or the divergence at `order` */
    double delta_limit; /* of the deltas that releases spend themselves */
    double order;       /* FILTER_RENYI */
    struct filter_sum spent, spent_delta;
};

/* What all releases together may spend. A `budget` is what the owner declared. */
status account_filter_pure(struct account_filter *filter, double epsilon, error *why) MUST_CHECK;
status account_filter_approximate(struct account_filter *filter, dither_cost budget, error *why) MUST_CHECK;

/* budget.rho, and budget.delta for releases that spend a delta of their own. */
status account_filter_concentrated(struct account_filter *filter, dither_cost budget, error *why) MUST_CHECK;

/* The divergence at `order` (0: a good one) that is worth (budget.epsilon, budget.delta). */
status account_filter_renyi(struct account_filter *filter, dither_cost budget, double order,
                            error *why) MUST_CHECK;

/* Charges all of release->count, or refuses with DITHER_REFUSED and changes nothing. A release that the
 * currency cannot express (Gaussian noise in pure epsilon) is refused too. */
status account_filter_spend(struct account_filter *filter, const struct release *release,
                            error *why) MUST_CHECK;

/* The same for a cost that is known in the filter's own currency. Not for FILTER_RENYI. */
status account_filter_spend_cost(struct account_filter *filter, dither_cost cost, error *why) MUST_CHECK;

/* What is left, rounded down: of the limit, and of delta. */
double account_filter_left(const struct account_filter *filter);
double account_filter_delta_left(const struct account_filter *filter);

#endif
