#include <float.h>
#include <math.h>
#include <string.h>

#include "sql/civil.h"
#include "sql/range.h"

/* The mathematics library may be wrong in the last place or two: four steps outwards are enough. */
static double below(double value)
{
    for (int i = 0; i < 4; i++)
        value = nextafter(value, -INFINITY);
    return value;
}

static double above(double value)
{
    return -below(-value);
}

static bool real_bounds(const struct sql_expression *argument, double *lower, double *upper)
{
    *lower = argument->range.real_lower;
    *upper = argument->range.real_upper;
    return argument->range.known;
}

static void set_finite(struct sql_outcome *outcome, double lower, double upper)
{
    if (lower >= -DBL_MAX && upper <= DBL_MAX)
        outcome->range = range_real(lower, upper);
}

void range_sign(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)arguments;
    (void)count;
    outcome->range = range_real(-1, 1);
}

/* Any rounding to a whole number, or to some digits of it, stays within the whole numbers around. */
void range_round(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    double lower, upper;
    if (count == 1 && arguments[0]->type == SQL_REAL && real_bounds(arguments[0], &lower, &upper))
        outcome->range = range_real(floor(lower), ceil(upper));
}

void range_bucket(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)count;
    const struct sql_range *buckets = &arguments[3]->range;
    if (buckets->known && buckets->upper > 0 && buckets->upper < INT64_MAX)
        outcome->range = range_whole(0, buckets->upper + 1);
    const struct sql_range *from = &arguments[1]->range, *to = &arguments[2]->range;
    bool apart = from->known && to->known &&
                 (from->real_upper < to->real_lower || from->real_lower > to->real_upper) &&
                 isfinite(from->real_lower) && isfinite(from->real_upper) && isfinite(to->real_lower) &&
                 isfinite(to->real_upper);
    /* A NaN makes it NULL: a column with a declared range is claimed to have none. */
    outcome->fails = !(apart && buckets->known && buckets->lower > 0 && buckets->upper < INT32_MAX &&
                       arguments[0]->range.known);
}

void range_unit_circle(const struct sql_expression *const *arguments, size_t count,
                       struct sql_outcome *outcome)
{
    (void)count;
    double lower, upper;
    outcome->range = range_real(-1, 1);
    outcome->fails = !real_bounds(arguments[0], &lower, &upper);
}

void range_root(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)count;
    double lower, upper;
    if (!real_bounds(arguments[0], &lower, &upper) || upper < 0)
        return;
    outcome->fails = lower < 0;
    set_finite(outcome, lower <= 0 ? 0 : fmax(0, below(sqrt(lower))), above(sqrt(upper)));
}

void range_exponential(const struct sql_expression *const *arguments, size_t count,
                       struct sql_outcome *outcome)
{
    (void)count;
    double lower, upper;
    if (!real_bounds(arguments[0], &lower, &upper))
        return;
    outcome->fails = lower < -700 || upper > 700;
    set_finite(outcome, fmax(0, below(exp(lower))), above(exp(upper)));
}

void range_logarithm(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    (void)count;
    double lower, upper;
    if (!real_bounds(arguments[0], &lower, &upper) || upper <= 0)
        return;
    outcome->fails = lower <= 0;
    if (lower > 0)
        set_finite(outcome, below(log(lower)), above(log(upper)));
}

/* date - date */
void range_days(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    range_subtract(arguments, count, outcome);
    if (outcome->range.known)
        outcome->fails = false;
}

static void cut_to_years(struct sql_outcome *outcome)
{
    struct sql_range *range = &outcome->range;
    if (!range->known)
        return;
    outcome->fails |= range->lower < CIVIL_FIRST_DAY || range->upper > CIVIL_LAST_DAY;
    int64_t lower = range->lower, upper = range->upper;
    range->lower = lower < CIVIL_FIRST_DAY  ? CIVIL_FIRST_DAY
                   : lower > CIVIL_LAST_DAY ? CIVIL_LAST_DAY
                                            : lower;
    range->upper = upper < CIVIL_FIRST_DAY  ? CIVIL_FIRST_DAY
                   : upper > CIVIL_LAST_DAY ? CIVIL_LAST_DAY
                                            : upper;
}

void range_add_days(const struct sql_expression *const *arguments, size_t count, struct sql_outcome *outcome)
{
    range_add(arguments, count, outcome);
    cut_to_years(outcome);
}

void range_subtract_days(const struct sql_expression *const *arguments, size_t count,
                         struct sql_outcome *outcome)
{
    range_subtract(arguments, count, outcome);
    cut_to_years(outcome);
}

/* Truncation keeps the order, so the bounds are those of the bounds. */
void range_moment_trunc(const struct sql_expression *const *arguments, size_t count,
                        struct sql_outcome *outcome)
{
    (void)count;
    const char *unit = arguments[0]->value.text;
    const struct sql_range *moment = &arguments[1]->range;
    int64_t lower, upper;
    if (!moment->known || !civil_trunc(unit, strlen(unit), moment->lower, &lower) ||
        !civil_trunc(unit, strlen(unit), moment->upper, &upper))
        return;
    outcome->range = range_whole(lower, upper);
    outcome->fails = false;
}
