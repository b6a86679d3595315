#include "mechanism/verify.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/divergence.h"
#include "mechanism/neighbours.h"
#include "mechanism/pair_set.h"

/* Interval arithmetic widens what is exactly at the promise by a few last digits. */
#define SLACK 1e-9

struct check {
    const struct mechanism *mechanism;
    double epsilon; /* at which delta is looked for */
    struct verdict *verdict;
    struct pair_set seen; /* of statistics as long as the last ones */
};

static bool is_about_people(const struct mechanism *mechanism)
{
    return mechanism->kind->shape != SHAPE_NUMBERS && mechanism->kind->shape != SHAPE_SCORES;
}

/* ---- The promise ---- */

static enum verify_currency currency_of(dither_cost cost)
{
    return cost.rho > 0 ? VERIFY_RHO : cost.delta > 0 ? VERIFY_DELTA : VERIFY_EPSILON;
}

/* Replacing is removing and adding: the promise for two people, unless the kind proves more. */
static dither_cost promise(const struct mechanism *mechanism, enum verify_neighbour neighbour)
{
    dither_cost cost = mechanism->cost;
    if (neighbour == VERIFY_REPLACE && mechanism->kind->replace == REPLACE_COSTS_TWICE) {
        cost.delta *= 1 + exp(cost.epsilon);
        cost.epsilon *= 2;
        cost.rho *= 4;
    }
    return cost;
}

/* ---- One pair ---- */

static size_t describe_one(const dither_data *data, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (size_t i = 0; i < data->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%g", i == 0 ? "" : ", ", data->values[i]);
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, ")");
    return used < size ? used : size;
}

/* Invented values, never a user's: they may be shown. */
static void describe(const dither_data *left, const dither_data *right, char *text, size_t size)
{
    size_t used = describe_one(left, text, size);
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, " against ");
    if (used < size)
        describe_one(right, text + used, size - used);
}

static status diverge(const struct check *check, struct statistic_pair pair, struct interval *found,
                      error *why)
{
    const struct law *law = &check->mechanism->law;
    switch (check->verdict->currency) {
    case VERIFY_EPSILON:
        *found = divergence_loss(law, pair);
        return DITHER_OK;
    case VERIFY_DELTA:
        return divergence_delta(law, pair, check->epsilon, found, why);
    case VERIFY_RHO:
        *found = divergence_concentrated(law, pair);
        return DITHER_OK;
    }
    return fail(why, DITHER_INVALID, "unknown currency");
}

static status look(const struct check *check, struct statistic_pair pair, const dither_data *left,
                   const dither_data *right, error *why)
{
    struct verdict *verdict = check->verdict;
    struct interval found;
    TRY(diverge(check, pair, &found, why));
    bool worse = found.lower > verdict->found.lower;
    verdict->found = interval_max(verdict->found, found);
    if (worse)
        describe(left, right, verdict->worst, sizeof verdict->worst);
    return DITHER_OK;
}

/* Both ways, unless data with the same statistics were seen before. */
static status look_once(struct check *check, struct statistic_pair pair, const dither_data *left,
                        const dither_data *right, error *why)
{
    if (check->seen.width != pair.n) {
        pair_set_free(&check->seen);
        pair_set_init(&check->seen, pair.n);
    }
    bool is_new = false;
    TRY(pair_set_add(&check->seen, pair, &is_new, why));
    if (!is_new)
        return DITHER_OK;
    TRY(look(check, pair, left, right, why));
    return look(check, (struct statistic_pair){pair.right, pair.left, pair.n}, right, left, why);
}

/* Whether there was an answer at all tells the two apart for certain. */
static void convict(struct verdict *verdict, const dither_data *left, const dither_data *right)
{
    verdict->found = (struct interval){INFINITY, INFINITY};
    describe(left, right, verdict->worst, sizeof verdict->worst);
}

/* Wide Gaussian noise on several numbers at once has too many outcomes to look at; on one number its law is
 * known in closed form, and what is lost on one is what is lost on several (docs/mechanisms/gaussian.md). */
static bool too_wide(const struct check *check, struct statistic_pair pair)
{
    const double widest = 1000;
    const struct law *law = &check->mechanism->law;
    if (law->family != &law_gaussian || check->verdict->currency != VERIFY_DELTA)
        return false;
    size_t differences = 0;
    for (size_t i = 0; i < pair.n; i++)
        differences += pair.left[i] != pair.right[i];
    return differences > 1 && rational_to_double(law->gaussian.variance, MPFR_RNDN) > widest * widest;
}

static status visit_pair(void *context, const dither_data *left, const dither_data *right, error *why)
{
    struct check *check = context;
    const struct mechanism *mechanism = check->mechanism;
    size_t n = mechanism->kind->statistic_count(mechanism, left);
    assert(n == mechanism->kind->statistic_count(mechanism, right));
    int64_t *both = calloc(2 * n + 1, sizeof *both);
    if (both == NULL)
        return fail(why, DITHER_NO_MEMORY, "out of memory");
    struct statistic_pair pair = {both, both + n, n};
    status result = DITHER_OK;
    bool left_answered = mechanism_measure(mechanism, left, both, NULL) == DITHER_OK;
    bool right_answered = mechanism_measure(mechanism, right, both + n, NULL) == DITHER_OK;
    bool both_answered = left_answered && right_answered && !too_wide(check, pair);
    /* Numbers may be refused on one side: the caller was not to give them (fractions for whole numbers). */
    bool told_apart = left_answered != right_answered && is_about_people(mechanism);
    if (both_answered)
        result = look_once(check, pair, left, right, why);
    if (told_apart)
        convict(check->verdict, left, right);
    check->verdict->pairs += both_answered || told_apart;
    free(both);
    return result;
}

/* ---- All pairs ---- */

static status verify_neighbours(const struct mechanism *mechanism, enum verify_neighbour neighbour,
                                struct verdict *verdict, error *why)
{
    dither_cost promised = promise(mechanism, neighbour);
    *verdict = (struct verdict){.neighbour = neighbour, .currency = currency_of(mechanism->cost)};
    verdict->promised = verdict->currency == VERIFY_RHO     ? promised.rho
                        : verdict->currency == VERIFY_DELTA ? promised.delta
                                                            : promised.epsilon;
    verdict->found = (struct interval){-INFINITY, -INFINITY};
    struct check check = {.mechanism = mechanism, .epsilon = promised.epsilon, .verdict = verdict};
    status result = neighbour == VERIFY_REPLACE ? neighbours_replaced(mechanism, visit_pair, &check, why)
                                                : neighbours_added(mechanism, visit_pair, &check, why);
    pair_set_free(&check.seen);
    TRY(result);
    verdict->kept = verdict->pairs > 0 && verdict->found.upper <= verdict->promised * (1 + SLACK);
    verdict->broken = verdict->found.lower > verdict->promised;
    return DITHER_OK;
}

/* ---- What can be looked at ---- */

/* Comparing noisy numbers, every outcome is a sum over all that the noise may be; choosing, the law of one
 * candidate is a sum over all others. These refuse what would take hours rather than seem to hang. */
static status check_effort(const struct mechanism *mechanism, error *why)
{
    const double widest = 16;
    const size_t most_choices = 64;
    const struct law *law = &mechanism->law;
    bool chooses = law->family == &law_permute_and_flip || law->family == &law_exponential;
    double scale = law->family == &law_noisy_max ? rational_to_double(law->noise.scale, MPFR_RNDN)
                   : law->family == &law_above_threshold
                       ? rational_to_double(law->query_noise.scale, MPFR_RNDN)
                       : 0;
    if (scale > widest)
        return fail(why, DITHER_INVALID,
                    "noise of %.3g grid steps is too wide to look at every outcome: choose a coarser grid",
                    scale);
    dither_data nothing = {0};
    if (chooses && is_about_people(mechanism) &&
        mechanism->kind->statistic_count(mechanism, &nothing) > most_choices)
        return fail(why, DITHER_INVALID,
                    "more than %zu candidates are too many to look at: give fewer edges, or a grid",
                    most_choices);
    return DITHER_OK;
}

status verify_mechanism(const struct mechanism *mechanism, struct verdict verdicts[2], size_t *count,
                        error *why)
{
    TRY(check_effort(mechanism, why));
    TRY(verify_neighbours(mechanism, VERIFY_ADD_REMOVE, &verdicts[0], why));
    if (verdicts[0].pairs == 0)
        return fail(why, DITHER_INVALID, "%s found no pair of data sets to look at", mechanism->kind->name);
    *count = 1;
    if (is_about_people(mechanism) && mechanism->options.group == 1) {
        TRY(verify_neighbours(mechanism, VERIFY_REPLACE, &verdicts[1], why));
        *count = 2;
    }
    return DITHER_OK;
}
