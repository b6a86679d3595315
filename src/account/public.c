/* The public face of the room: dither.h's accounting. Texts become releases, and the releases a plan or a
 * charge; nothing is computed here. A plan lives during one call, so that nothing can be added to it. */
#include <math.h>

#include "account/account_filter.h"
#include "account/calibrate.h"
#include "account/currency.h"
#include "account/release_text.h"
#include "base/memory.h"

enum { MOST_TEXTS = 65536 };

struct dither_filter {
    struct account_filter inner;
};

/* ---- Plans ---- */

static status parse_all(const char *const *texts, size_t count, struct release *releases, error *why)
{
    for (size_t i = 0; i < count; i++) {
        error inner = {.message = "there is no text"};
        if (texts[i] == NULL || release_parse(texts[i], &releases[i], &inner) != DITHER_OK)
            return fail(why, DITHER_INVALID, "release %zu: %.400s", i + 1, inner.message);
    }
    return DITHER_OK;
}

/* The releases that the texts tell of; to be given back with memory_release. */
static status read_releases(const char *const *texts, size_t count, struct release **out, error *why)
{
    if (texts == NULL || count == 0)
        return fail(why, DITHER_INVALID, "there are no releases to account for");
    if (count > MOST_TEXTS)
        return fail(why, DITHER_INVALID, "there are more than %d releases; give equal ones as xCOUNT",
                    MOST_TEXTS);
    struct release *releases = memory_allocate(count * sizeof *releases);
    if (releases == NULL)
        return fail(why, DITHER_NO_MEMORY, "no memory for the releases");
    status result = parse_all(texts, count, releases, why);
    if (result == DITHER_OK)
        *out = releases;
    else
        memory_release(releases, 0);
    return result;
}

static status read_plan(const char *const *texts, size_t count, struct account_plan **out, error *why)
{
    struct release *releases = NULL;
    TRY(read_releases(texts, count, &releases, why));
    status result = account_plan_new(out, releases, count, why);
    memory_release(releases, 0);
    return result;
}

static status count_every_way(const struct account_plan *plan, double delta, dither_epsilons *out, error *why)
{
    dither_epsilons found = {.pure = currency_pure(plan)};
    struct account_bounds bounds = {NAN, NAN};
    TRY(currency_basic(plan, delta, &found.basic, why));
    TRY(currency_advanced(plan, delta, &found.advanced, why));
    TRY(currency_zcdp(plan, delta, &found.zcdp, why));
    TRY(currency_renyi(plan, delta, &found.rdp, why));
    status result = account_plan_epsilon(plan, delta, &bounds, why);
    if (result != DITHER_OK && result != DITHER_REFUSED) /* refused: of a release only a rho is known */
        return result;
    found.pld = (dither_range){bounds.lower, bounds.upper};
    *out = found;
    return DITHER_OK;
}

dither_status dither_account(const char *const *releases, size_t count, double delta, dither_epsilons *out,
                             dither_error *why)
{
    struct account_plan *plan = NULL;
    if (!(delta > 0 && delta < 1))
        return fail(why, DITHER_INVALID, "delta must lie strictly between 0 and 1");
    TRY(read_plan(releases, count, &plan, why));
    status result = count_every_way(plan, delta, out, why);
    account_plan_free(plan);
    return result;
}

dither_status dither_account_delta(const char *const *releases, size_t count, double epsilon,
                                   dither_range *out, dither_error *why)
{
    struct account_plan *plan = NULL;
    struct account_bounds bounds;
    TRY(read_plan(releases, count, &plan, why));
    status result = account_plan_delta(plan, epsilon, &bounds, why);
    if (result == DITHER_OK)
        *out = (dither_range){bounds.lower, bounds.upper};
    account_plan_free(plan);
    return result;
}

dither_status dither_account_noise(const char *const *releases, size_t count, dither_cost promise,
                                   double *factor, dither_error *why)
{
    struct release *read = NULL;
    if (promise.rho != 0)
        return fail(why, DITHER_INVALID, "noise is found for an epsilon and a delta, not for a rho");
    TRY(read_releases(releases, count, &read, why));
    status result = calibrate_noise(read, count, promise, factor, why);
    memory_release(read, 0);
    return result;
}

/* ---- Filters ---- */

/* What a currency does not have must not be given: it would be silently dropped. */
static status init_filter(struct account_filter *filter, dither_currency currency, dither_cost limit,
                          error *why)
{
    switch (currency) {
    case DITHER_PURE:
        if (limit.delta != 0 || limit.rho != 0)
            return fail(why, DITHER_INVALID, "a pure budget is an epsilon alone");
        return account_filter_pure(filter, limit.epsilon, why);
    case DITHER_APPROXIMATE:
        if (limit.rho != 0)
            return fail(why, DITHER_INVALID, "an (epsilon, delta) budget has no rho");
        return account_filter_approximate(filter, limit, why);
    case DITHER_CONCENTRATED:
        if (limit.epsilon != 0)
            return fail(why, DITHER_INVALID, "a concentrated budget has no epsilon");
        return account_filter_concentrated(filter, limit, why);
    }
    return fail(why, DITHER_INVALID, "there is no such currency");
}

static dither_filter *keep_filter(const struct account_filter *filter, error *why)
{
    dither_filter *made = memory_allocate(sizeof *made);
    if (made == NULL)
        (void)fail(why, DITHER_NO_MEMORY, "no memory for a filter");
    else
        made->inner = *filter;
    return made;
}

dither_filter *dither_filter_new(dither_currency currency, dither_cost limit, dither_error *why)
{
    struct account_filter filter;
    return init_filter(&filter, currency, limit, why) == DITHER_OK ? keep_filter(&filter, why) : NULL;
}

dither_filter *dither_filter_new_renyi(dither_cost limit, double order, dither_error *why)
{
    struct account_filter filter;
    if (limit.rho != 0) {
        (void)fail(why, DITHER_INVALID, "a Renyi budget is an epsilon and a delta");
        return NULL;
    }
    return account_filter_renyi(&filter, limit, order, why) == DITHER_OK ? keep_filter(&filter, why) : NULL;
}

void dither_filter_free(dither_filter *filter)
{
    memory_release(filter, 0);
}

dither_status dither_filter_spend(dither_filter *filter, const char *release, dither_error *why)
{
    struct release read = {0};
    if (release == NULL)
        return fail(why, DITHER_INVALID, "there is no text of a release");
    TRY(release_parse(release, &read, why));
    return account_filter_spend(&filter->inner, &read, why);
}

dither_status dither_filter_spend_cost(dither_filter *filter, dither_cost cost, dither_error *why)
{
    if (!(cost.epsilon >= 0 && cost.delta >= 0 && cost.rho >= 0))
        return fail(why, DITHER_INVALID, "a cost must not be negative");
    if (cost.epsilon == 0 && cost.delta == 0 && cost.rho == 0)
        return fail(why, DITHER_INVALID, "a release that costs nothing is not a release");
    return account_filter_spend_cost(&filter->inner, cost, why);
}

dither_cost dither_filter_left(const dither_filter *filter)
{
    double left = account_filter_left(&filter->inner);
    dither_cost cost = {.delta = account_filter_delta_left(&filter->inner)};
    if (filter->inner.currency == FILTER_CONCENTRATED)
        cost.rho = left;
    else
        cost.epsilon = left;
    return cost;
}
