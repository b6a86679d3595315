/* account_plan.h - what a sequence of releases costs that is fixed before the first of them happens.
 *
 * A plan is made from the whole list at once and never changes: nothing can be added after an answer was
 * seen. That is what makes the tightest accounting (privacy-loss distributions, and advanced composition)
 * valid. Where the next release may depend on earlier answers, use account_filter.h, which offers only what
 * is valid there.
 *
 * Answers come as bounds: the true cost lies between `lower` and `upper`; promise `upper`. Neighbours differ
 * by one person added or removed; both directions are looked at, and the worse one is the answer. */
#ifndef ACCOUNT_ACCOUNT_PLAN_H
#define ACCOUNT_ACCOUNT_PLAN_H

#include "account/release.h"

struct account_plan;

struct account_bounds {
    double lower, upper;
};

/* Checks and copies the releases. */
status account_plan_new(struct account_plan **plan, const struct release *releases, size_t count,
                        error *why) MUST_CHECK;
void account_plan_free(struct account_plan *plan);

/* The releases with defaults filled in. */
const struct release *account_plan_releases(const struct account_plan *plan, size_t *count);

/* How many releases, counts included. */
double account_plan_count(const struct account_plan *plan);

/* The smallest epsilon with (epsilon, delta)-privacy; infinite when delta is less than what the releases
 * themselves spend. delta in (0, 1). Refuses plans with a `concentrated` release, whose losses nobody knows.
 */
status account_plan_epsilon(const struct account_plan *plan, double delta, struct account_bounds *epsilon,
                            error *why) MUST_CHECK;

/* The smallest delta with (epsilon, delta)-privacy; epsilon >= 0. */
status account_plan_delta(const struct account_plan *plan, double epsilon, struct account_bounds *delta,
                          error *why) MUST_CHECK;

/* The trade-off curve (Dong, Roth, Su 2022): whoever tests, from all answers, whether a person is in the
 * data, and raises a false alarm with probability alpha[i], misses with probability at least beta[i]. Rounded
 * down. */
status account_plan_tradeoff(const struct account_plan *plan, const double *alpha, size_t count, double *beta,
                             error *why) MUST_CHECK;

/* delta for people in a group: the least of what chains of neighbours give. epsilon is for the whole group.
 */
status account_plan_group_epsilon(const struct account_plan *plan, uint64_t people, double delta,
                                  struct account_bounds *epsilon, error *why) MUST_CHECK;

#endif
