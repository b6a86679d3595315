/* calibrate.c - bisection; what is returned was checked itself. */
#include "account/calibrate.h"

#include <math.h>
#include <string.h>

#include "account/currency.h"
#include "base/memory.h"

struct search {
    const struct release *releases;
    struct release *scaled;
    size_t count;
    dither_cost promise;
};

static bool adds_noise(enum release_kind kind)
{
    return kind == RELEASE_LAPLACE || kind == RELEASE_DISCRETE_LAPLACE || kind == RELEASE_GAUSSIAN ||
           kind == RELEASE_DISCRETE_GAUSSIAN;
}

static status epsilon_with(struct search *search, double factor, double *epsilon, error *why)
{
    memcpy(search->scaled, search->releases, search->count * sizeof *search->scaled);
    for (size_t i = 0; i < search->count; i++) {
        struct release *release = &search->scaled[i];
        if (adds_noise(release->kind))
            release->scale = (release->scale == 0 ? 1 : release->scale) * factor;
    }
    struct account_plan *plan;
    TRY(account_plan_new(&plan, search->scaled, search->count, why));
    struct account_bounds bounds = {0, INFINITY};
    status result = DITHER_OK;
    if (search->promise.delta > 0)
        result = account_plan_epsilon(plan, search->promise.delta, &bounds, why);
    else
        bounds.upper = currency_pure(plan);
    account_plan_free(plan);
    if (result == DITHER_OK)
        *epsilon = bounds.upper;
    return result;
}

/* A factor that is enough, and one that is not. */
static status bracket(struct search *search, double *good, double *bad, error *why)
{
    double epsilon;
    *good = 1;
    for (;; *good *= 4) {
        status result = epsilon_with(search, *good, &epsilon, why);
        if (result != DITHER_OK && *good == 1)
            return result;
        if (result != DITHER_OK || *good > 1e8)
            return fail(why, DITHER_REFUSED, "no amount of noise keeps epsilon %g here",
                        search->promise.epsilon);
        if (epsilon <= search->promise.epsilon)
            break;
    }
    for (*bad = *good / 4; *bad > 1e-8; *bad /= 4) {
        if (epsilon_with(search, *bad, &epsilon, why) != DITHER_OK || epsilon > search->promise.epsilon)
            return DITHER_OK; /* less noise than can be counted is not enough either */
        *good = *bad;
    }
    return fail(why, DITHER_REFUSED, "these releases need no noise to keep epsilon %g",
                search->promise.epsilon);
}

static status bisect_factor(struct search *search, double *factor, error *why)
{
    double good = 1, bad = 0;
    TRY(bracket(search, &good, &bad, why));
    while (good - bad > 1e-6 * good) {
        double middle = sqrt(good * bad), epsilon;
        status result = epsilon_with(search, middle, &epsilon, why);
        if (result == DITHER_OK && epsilon <= search->promise.epsilon)
            good = middle;
        else
            bad = middle;
    }
    *factor = good;
    return DITHER_OK;
}

status calibrate_noise(const struct release *releases, size_t count, dither_cost promise, double *factor,
                       error *why)
{
    if (!(promise.epsilon > 0 && isfinite(promise.epsilon)) || !(promise.delta >= 0 && promise.delta < 1))
        return fail(why, DITHER_INVALID, "the target needs a positive epsilon, and a delta from 0 to 1");
    bool noisy = false;
    for (size_t i = 0; i < count; i++)
        noisy = noisy || adds_noise(releases[i].kind);
    if (!noisy)
        return fail(why, DITHER_INVALID, "none of these releases adds noise that could be calibrated");
    struct search search = {releases, memory_allocate(count * sizeof *releases), count, promise};
    if (!search.scaled)
        return fail(why, DITHER_NO_MEMORY, "no memory for a plan");
    status result = bisect_factor(&search, factor, why);
    memory_release(search.scaled, 0);
    return result;
}
