/* currency.c - one plan, five ways of counting. */
#include "account/currency.h"

#include <float.h>
#include <math.h>

#include "account/cost.h"
#include "account/renyi.h"
#include "base/memory.h"
#include "mechanism/zcdp.h"

double currency_spent_delta(const struct account_plan *plan)
{
    size_t count;
    const struct release *releases = account_plan_releases(plan, &count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (releases[i].kind == RELEASE_APPROXIMATE)
            sum += (double)releases[i].count * releases[i].delta * releases[i].sampling;
    return sum * (1 + 1e-12);
}

double currency_pure(const struct account_plan *plan)
{
    size_t count;
    const struct release *releases = account_plan_releases(plan, &count);
    dither_cost sum = {0};
    for (size_t i = 0; i < count; i++) {
        dither_cost one = {.epsilon = release_pure_epsilon(&releases[i])};
        sum = cost_sequential(sum, cost_repeated(one, releases[i].count));
    }
    return sum.epsilon;
}

/* ---- Basic and advanced: an (epsilon, delta) for each release ---- */

/* Does a release need a share of delta to have an epsilon? Those that spend their own delta do not. */
static bool needs_share(const struct release *release)
{
    return release->kind != RELEASE_APPROXIMATE && isinf(release_pure_epsilon(release));
}

static double sharers(const struct release *releases, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += needs_share(&releases[i]) ? (double)releases[i].count : 0;
    return sum;
}

static status one_cost(const struct release *release, double share, dither_cost *cost, error *why)
{
    if (release->kind == RELEASE_APPROXIMATE) {
        *cost = cost_sampled((dither_cost){.epsilon = release->epsilon, .delta = release->delta},
                             release->sampling);
        return DITHER_OK;
    }
    if (!needs_share(release)) {
        *cost = (dither_cost){.epsilon = release_pure_epsilon(release)};
        return DITHER_OK;
    }
    *cost = (dither_cost){.epsilon = INFINITY, .delta = share};
    if (!(share > 1e-250))
        return DITHER_OK;
    if (release->kind == RELEASE_CONCENTRATED) {
        cost->epsilon = zcdp_epsilon(release->rho, share);
        return DITHER_OK;
    }
    struct release single = *release;
    single.count = 1;
    struct account_plan *plan;
    struct account_bounds epsilon;
    TRY(account_plan_new(&plan, &single, 1, why));
    status result = account_plan_epsilon(plan, share, &epsilon, why);
    account_plan_free(plan);
    if (result == DITHER_OK)
        cost->epsilon = epsilon.upper;
    return result;
}

/* The plan's releases as (epsilon, delta) costs, those that need it sharing `delta` equally; then composed.
 */
static status compose(const struct account_plan *plan, double delta, double slack, double *epsilon,
                      error *why)
{
    size_t count;
    const struct release *releases = account_plan_releases(plan, &count);
    dither_cost *costs = memory_allocate(count * sizeof *costs);
    uint64_t *counts = memory_allocate(count * sizeof *counts);
    status result = costs && counts ? DITHER_OK : fail(why, DITHER_NO_MEMORY, "no memory to add up costs");
    double need = sharers(releases, count), share = need > 0 ? delta / need * (1 - 1e-12) : 0;
    for (size_t i = 0; i < count && result == DITHER_OK; i++) {
        counts[i] = releases[i].count;
        result = one_cost(&releases[i], share, &costs[i], why);
    }
    if (result == DITHER_OK)
        *epsilon = cost_advanced((struct cost_many){costs, counts, count}, slack).epsilon;
    memory_release(costs, 0);
    memory_release(counts, 0);
    return result;
}

status currency_basic(const struct account_plan *plan, double delta, double *epsilon, error *why)
{
    double left = delta - currency_spent_delta(plan);
    if (left < 0) {
        *epsilon = INFINITY;
        return DITHER_OK;
    }
    return compose(plan, left, 0, epsilon, why);
}

status currency_advanced(const struct account_plan *plan, double delta, double *epsilon, error *why)
{
    size_t count;
    const struct release *releases = account_plan_releases(plan, &count);
    double left = delta - currency_spent_delta(plan), best;
    TRY(currency_basic(plan, delta, &best, why));
    /* How much of delta is slack is ours to choose; without sharers all of it. */
    static const double parts[] = {0.5, 0.1, 0.9};
    bool alone = sharers(releases, count) == 0;
    for (size_t i = 0; i < (alone ? 1 : 3) && left > 0; i++) {
        double slack = alone ? left : left * parts[i], found;
        TRY(compose(plan, left - slack, slack * (1 - 1e-12), &found, why));
        best = fmin(best, found);
    }
    *epsilon = best;
    return DITHER_OK;
}

/* ---- Concentrated and Renyi ---- */

status currency_rho(const struct account_plan *plan, double *rho, error *why)
{
    size_t count;
    const struct release *releases = account_plan_releases(plan, &count);
    dither_cost sum = {0};
    for (size_t i = 0; i < count; i++) {
        dither_cost one = {0};
        TRY(renyi_rho(&releases[i], &one.rho, why));
        sum = cost_sequential(sum, cost_repeated(one, releases[i].count));
    }
    *rho = sum.rho;
    return DITHER_OK;
}

status currency_zcdp(const struct account_plan *plan, double delta, double *epsilon, error *why)
{
    double rho, left = delta - currency_spent_delta(plan);
    TRY(currency_rho(plan, &rho, why));
    *epsilon = left > 0 && isfinite(rho) ? zcdp_epsilon(rho, left) : INFINITY;
    return DITHER_OK;
}

/* All curves of a plan. */
struct curves {
    struct renyi *list;
    const struct release *releases;
    size_t count;
};

static double total_divergence(const struct curves *curves, double order)
{
    double sum = 0;
    for (size_t i = 0; i < curves->count; i++)
        sum += (double)curves->releases[i].count * renyi_divergence(&curves->list[i], order);
    return sum * (1 + (double)(curves->count + 1) * DBL_EPSILON);
}

static double epsilon_at(const struct curves *curves, double order, double delta)
{
    return renyi_epsilon(order, total_divergence(curves, order), delta);
}

/* The best order of the table, then closer and closer between its neighbours. Every order is true. */
static double best_epsilon(const struct curves *curves, double delta)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < renyi_order_count; i++) {
        double epsilon = epsilon_at(curves, renyi_orders[i], delta);
        if (epsilon < least) {
            least = epsilon;
            best = i;
        }
    }
    double lower = best > 0 ? renyi_orders[best - 1] : 1 + (renyi_orders[0] - 1) / 1024;
    double upper = best + 1 < renyi_order_count ? renyi_orders[best + 1] : renyi_orders[best] * 1024;
    for (int i = 0; i < 40; i++) {
        double left = lower + (upper - lower) * 0.382, right = lower + (upper - lower) * 0.618;
        double at_left = epsilon_at(curves, left, delta), at_right = epsilon_at(curves, right, delta);
        least = fmin(least, fmin(at_left, at_right));
        if (at_left < at_right)
            upper = right;
        else
            lower = left;
    }
    return least;
}

status currency_renyi(const struct account_plan *plan, double delta, double *epsilon, error *why)
{
    struct curves curves = {0};
    size_t count;
    curves.releases = account_plan_releases(plan, &count);
    curves.list = memory_allocate(count * sizeof *curves.list);
    if (!curves.list)
        return fail(why, DITHER_NO_MEMORY, "no memory for Renyi divergences");
    status result = DITHER_OK;
    for (; curves.count < count && result == DITHER_OK; curves.count++) {
        result = renyi_init(&curves.list[curves.count], &curves.releases[curves.count], why);
        if (result != DITHER_OK)
            break;
    }
    double left = delta - currency_spent_delta(plan);
    if (result == DITHER_OK)
        *epsilon = left > 0 ? best_epsilon(&curves, left) : INFINITY;
    for (size_t i = 0; i < curves.count; i++)
        renyi_clear(&curves.list[i]);
    memory_release(curves.list, 0);
    return result;
}
