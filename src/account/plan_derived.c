/* plan_derived.c - what follows from the curve delta(epsilon): trade-offs and groups. */
#include "account/account_plan.h"

#include <math.h>

#include "base/memory.h"

/* ---- The trade-off curve ---- */

/* delta at some epsilons: each gives two straight lines below the curve, and any choice of them a true bound.
 */
struct tangents {
    double epsilon[40], delta[40];
    size_t count;
};

static status find_tangents(const struct account_plan *plan, struct tangents *tangents, error *why)
{
    struct account_bounds largest, delta;
    TRY(account_plan_epsilon(plan, 1e-9, &largest, why));
    double top = isfinite(largest.upper) ? largest.upper : 20;
    size_t count = sizeof tangents->epsilon / sizeof *tangents->epsilon;
    for (size_t i = 0; i < count; i++) {
        double part = (double)i / (double)(count - 1);
        tangents->epsilon[i] = top * part * part; /* closer where the curve bends */
        TRY(account_plan_delta(plan, tangents->epsilon[i], &delta, why));
        tangents->delta[i] = delta.upper;
    }
    tangents->count = count;
    return DITHER_OK;
}

/* An (epsilon, delta)-private test has beta >= 1 - delta - e^epsilon alpha and, the roles exchanged,
 * beta >= e^-epsilon (1 - delta - alpha): Wasserman and Zhou 2010; Dong, Roth, Su 2022, Proposition 2.5. */
static double miss_rate(const struct tangents *tangents, double alpha)
{
    double beta = 0;
    for (size_t i = 0; i < tangents->count; i++) {
        double epsilon = tangents->epsilon[i], rest = 1 - tangents->delta[i];
        beta = fmax(beta, fmax(rest - exp(epsilon) * alpha, exp(-epsilon) * (rest - alpha)));
    }
    return fmax(0, beta - 1e-12);
}

status account_plan_tradeoff(const struct account_plan *plan, const double *alpha, size_t count, double *beta,
                             error *why)
{
    for (size_t i = 0; i < count; i++)
        if (!(alpha[i] >= 0 && alpha[i] <= 1))
            return fail(why, DITHER_INVALID, "a rate of false alarms must lie between 0 and 1");
    struct tangents tangents;
    TRY(find_tangents(plan, &tangents, why));
    for (size_t i = 0; i < count; i++)
        beta[i] = miss_rate(&tangents, alpha[i]);
    return DITHER_OK;
}

/* ---- Groups ---- */

/* The plan as the group sees it, release by release; refused where that is not known. */
static status grown_plan(const struct account_plan *plan, uint64_t people, struct account_plan **grown,
                         error *why)
{
    size_t count;
    const struct release *releases = account_plan_releases(plan, &count);
    struct release *larger = memory_allocate(count * sizeof *larger);
    if (!larger)
        return fail(why, DITHER_NO_MEMORY, "no memory for a plan");
    status result = DITHER_OK;
    for (size_t i = 0; i < count && result == DITHER_OK; i++)
        result = release_for_group(&releases[i], people, &larger[i], why);
    if (result == DITHER_OK)
        result = account_plan_new(grown, larger, count, why);
    memory_release(larger, 0);
    return result;
}

/* Along a chain of neighbours epsilon becomes people * epsilon and delta the sum of e^(i epsilon) delta. */
static status chain_delta(const struct account_plan *plan, double people, double epsilon, double *delta,
                          error *why)
{
    struct account_bounds one;
    TRY(account_plan_delta(plan, epsilon, &one, why));
    *delta = one.upper * expm1(people * epsilon) / expm1(epsilon) * (1 + 1e-12);
    return DITHER_OK;
}

static status chain_epsilon(const struct account_plan *plan, double people, double delta, double *epsilon,
                            error *why)
{
    struct account_bounds one;
    TRY(account_plan_epsilon(plan, delta / people, &one, why));
    double bad = one.lower * 0.5, good = fmax(one.upper, 1e-6), found;
    for (int i = 0;; i++, good *= 1.5) {
        TRY(chain_delta(plan, people, good, &found, why));
        if (found <= delta)
            break;
        if (i == 40 || people * good > 1000) {
            *epsilon = INFINITY;
            return DITHER_OK;
        }
    }
    while (good - bad > 1e-4 * good) {
        double middle = (good + bad) / 2;
        TRY(chain_delta(plan, people, middle, &found, why));
        *(found <= delta ? &good : &bad) = middle;
    }
    *epsilon = people * good * (1 + 1e-12);
    return DITHER_OK;
}

status account_plan_group_epsilon(const struct account_plan *plan, uint64_t people, double delta,
                                  struct account_bounds *epsilon, error *why)
{
    struct account_plan *grown = NULL;
    status result = grown_plan(plan, people, &grown, why);
    if (result == DITHER_OK) {
        result = account_plan_epsilon(grown, delta, epsilon, why);
        account_plan_free(grown);
        return result;
    }
    if (result != DITHER_REFUSED)
        return result;
    struct account_bounds one, group;
    TRY(account_plan_epsilon(plan, delta, &one, why));
    TRY(chain_epsilon(plan, (double)people, delta, &group.upper, why));
    group.lower = one.lower; /* a group is never safer than one of its members */
    *epsilon = group;
    return DITHER_OK;
}
