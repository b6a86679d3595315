/* account_filter.c - sums that never come out too small. */
#include "account/account_filter.h"

#include <float.h>
#include <math.h>

#include "account/cost.h"
#include "account/renyi.h"

/* ---- Sums ---- */

/* Knuth's two-sum: high + low is a + b exactly. */
static struct filter_sum two_sum(double a, double b)
{
    double high = a + b, part = high - a;
    return (struct filter_sum){high, (a - (high - part)) + (b - part)};
}

/* The low parts' own rounding goes upward. */
static struct filter_sum sum_add(struct filter_sum sum, double value)
{
    struct filter_sum high = two_sum(sum.high, value);
    struct filter_sum low = two_sum(sum.low, high.low);
    double rest = low.low > 0 ? nextafter(low.high, INFINITY) : low.high;
    return two_sum(high.high, rest);
}

static bool sum_fits(struct filter_sum sum, double limit)
{
    return sum.high < limit || (sum.high == limit && sum.low <= 0);
}

static double sum_left(struct filter_sum sum, double limit)
{
    double left = limit - sum.high - sum.low;
    return fmax(0, left - fabs(left) * 4 * DBL_EPSILON);
}

/* ---- Budgets ---- */

static bool is_budget(double value)
{
    return isfinite(value) && value > 0;
}

static status check_delta(double delta, error *why)
{
    if (!(delta >= 0 && delta < 1))
        return fail(why, DITHER_INVALID, "a budget's delta must lie between 0 and 1");
    return DITHER_OK;
}

status account_filter_pure(struct account_filter *filter, double epsilon, error *why)
{
    if (!is_budget(epsilon))
        return fail(why, DITHER_INVALID, "a budget's epsilon must be a positive number");
    *filter = (struct account_filter){.currency = FILTER_PURE, .limit = epsilon};
    return DITHER_OK;
}

status account_filter_approximate(struct account_filter *filter, dither_cost budget, error *why)
{
    struct account_filter made;
    TRY(account_filter_pure(&made, budget.epsilon, why));
    TRY(check_delta(budget.delta, why));
    made.currency = FILTER_APPROXIMATE;
    made.delta_limit = budget.delta;
    *filter = made;
    return DITHER_OK;
}

status account_filter_concentrated(struct account_filter *filter, dither_cost budget, error *why)
{
    if (!is_budget(budget.rho))
        return fail(why, DITHER_INVALID, "a budget's rho must be a positive number");
    TRY(check_delta(budget.delta, why));
    *filter = (struct account_filter){
        .currency = FILTER_CONCENTRATED, .limit = budget.rho, .delta_limit = budget.delta};
    return DITHER_OK;
}

status account_filter_renyi(struct account_filter *filter, dither_cost budget, double order, error *why)
{
    if (!is_budget(budget.epsilon) || !(budget.delta > 0 && budget.delta < 1))
        return fail(why, DITHER_INVALID,
                    "a Renyi budget needs a positive epsilon, and a delta between 0 and 1");
    if (order == 0) /* the best for Gaussian noise, nearly */
        order = 1 + 2 * -log(budget.delta) / budget.epsilon;
    if (!(order > 1 && isfinite(order)))
        return fail(why, DITHER_INVALID, "a Renyi order must be above 1");
    /* The divergence that renyi_epsilon turns into the budget, less what its rounding adds. */
    double limit = budget.epsilon - renyi_epsilon(order, 0, budget.delta);
    double plain = log1p(-1 / order) - (log(budget.delta) + log(order)) / (order - 1);
    limit = fmin(limit, budget.epsilon - plain);
    limit -= 64 * DBL_EPSILON * (1 + fabs(limit) + fabs(plain));
    if (!(limit > 0))
        return fail(why, DITHER_INVALID, "at order %g nothing is left of this budget: take a higher order",
                    order);
    *filter = (struct account_filter){.currency = FILTER_RENYI, .limit = limit, .order = order};
    return DITHER_OK;
}

/* ---- Spending ---- */

static const char *const currency_names[] = {"epsilon", "epsilon", "rho", "Renyi divergence"};

static status spend(struct account_filter *filter, double amount, double delta, error *why)
{
    const char *name = currency_names[filter->currency];
    if (!(amount >= 0 && delta >= 0))
        return fail(why, DITHER_INVALID, "a cost must not be negative");
    if (isinf(amount))
        return fail(why, DITHER_REFUSED, "this release has no finite %s", name);
    struct filter_sum spent = sum_add(filter->spent, amount),
                      spent_delta = sum_add(filter->spent_delta, delta);
    if (!sum_fits(spent, filter->limit))
        return fail(why, DITHER_REFUSED, "costs %s %g, and %g is left", name, amount,
                    account_filter_left(filter));
    if (!sum_fits(spent_delta, filter->delta_limit))
        return fail(why, DITHER_REFUSED, "costs delta %g, and %g is left", delta,
                    account_filter_delta_left(filter));
    filter->spent = spent;
    filter->spent_delta = spent_delta;
    return DITHER_OK;
}

/* A pure epsilon is worth epsilon^2 / 2 (Bun and Steinke 2016, Proposition 1.4). Rounded up. */
static double rho_of(dither_cost cost)
{
    dither_cost worth = {.rho = cost.epsilon * cost.epsilon / 2 * (1 + 4 * DBL_EPSILON)};
    return cost_sequential((dither_cost){.rho = cost.rho}, worth).rho;
}

status account_filter_spend_cost(struct account_filter *filter, dither_cost cost, error *why)
{
    switch (filter->currency) {
    case FILTER_PURE:
    case FILTER_APPROXIMATE:
        if (cost.rho > 0)
            return fail(why, DITHER_REFUSED, "a rho cannot be charged to an epsilon budget");
        return spend(filter, cost.epsilon, cost.delta, why);
    case FILTER_CONCENTRATED:
        return spend(filter, rho_of(cost), cost.delta, why);
    case FILTER_RENYI:
        return fail(why, DITHER_REFUSED, "a Renyi budget needs to know which release it is");
    }
    return fail(why, DITHER_INVALID, "unknown currency");
}

static status amount_of(const struct account_filter *filter, const struct release *release, double *amount,
                        error *why)
{
    if (filter->currency == FILTER_CONCENTRATED)
        return renyi_rho(release, amount, why);
    if (filter->currency == FILTER_RENYI) {
        struct renyi renyi;
        TRY(renyi_init(&renyi, release, why));
        *amount = renyi_divergence(&renyi, filter->order);
        renyi_clear(&renyi);
        return DITHER_OK;
    }
    struct release plain = *release;
    plain.delta = 0; /* charged apart */
    *amount = release_pure_epsilon(&plain);
    return DITHER_OK;
}

status account_filter_spend(struct account_filter *filter, const struct release *release, error *why)
{
    struct release checked = *release;
    dither_cost one = {0};
    TRY(release_check(&checked, why));
    TRY(amount_of(filter, &checked, &one.epsilon, why));
    if (checked.kind == RELEASE_APPROXIMATE)
        one.delta = cost_sampled((dither_cost){.delta = checked.delta}, checked.sampling).delta;
    if (filter->currency == FILTER_RENYI && one.delta > 0)
        return fail(why, DITHER_REFUSED, "a Renyi budget has no delta for releases that spend one");
    dither_cost all = cost_repeated(one, checked.count);
    return spend(filter, all.epsilon, all.delta, why);
}

double account_filter_left(const struct account_filter *filter)
{
    return sum_left(filter->spent, filter->limit);
}

double account_filter_delta_left(const struct account_filter *filter)
{
    return sum_left(filter->spent_delta, filter->delta_limit);
}
