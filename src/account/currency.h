/* currency.h - the same plan in every currency, side by side.
 *
 * Each function gives an epsilon for which the plan is (epsilon, delta)-private, by one way of counting. They
 * are all true; the tightest is account_plan_epsilon. Infinite where a currency cannot express the plan (pure
 * epsilon of Gaussian noise), or where delta is less than what the releases spend themselves. */
#ifndef ACCOUNT_CURRENCY_H
#define ACCOUNT_CURRENCY_H

#include "account/account_plan.h"

/* Sum of the pure epsilons. */
double currency_pure(const struct account_plan *plan);

/* Every release made (epsilon_i, delta_i)-private on its own, and added up; delta is shared out equally among
 * those that need some. */
status currency_basic(const struct account_plan *plan, double delta, double *epsilon, error *why) MUST_CHECK;

/* The same with the composition theorem of Kairouz, Oh and Viswanath, a part of delta being its slack. */
status currency_advanced(const struct account_plan *plan, double delta, double *epsilon,
                         error *why) MUST_CHECK;

/* zCDP: the rhos are added, then converted; and the sum itself, with what it leaves to delta of its own. */
status currency_zcdp(const struct account_plan *plan, double delta, double *epsilon, error *why) MUST_CHECK;
status currency_rho(const struct account_plan *plan, double *rho, error *why) MUST_CHECK;

/* Renyi curves are added order by order, then converted at the best order. */
status currency_renyi(const struct account_plan *plan, double delta, double *epsilon, error *why) MUST_CHECK;

/* The sum of the deltas that (epsilon, delta) releases spend whatever happens. */
double currency_spent_delta(const struct account_plan *plan);

#endif
