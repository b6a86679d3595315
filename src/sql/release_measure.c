/* Measures: what one unit can do to them, and which of them are the same. */
#include <string.h>

#include "sql/release_room.h"

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* A unit that is added brings a number between its bounds, one that is removed takes it away: the change is
 * the number itself, not the distance of two such numbers. */
uint64_t sql_measure_sensitivity(const struct sql_measure *measure)
{
    uint64_t lower = magnitude(measure->unit_lower), upper = magnitude(measure->unit_upper);
    uint64_t most = lower > upper ? lower : upper;
    return most > 0 ? most : 1;
}

size_t sql_measure_width(const struct sql_measure *measure)
{
    switch (measure->kind) {
    case SQL_MEASURE_QUANTILES:
        return (size_t)(measure->steps.upper - measure->steps.lower) + 1;
    case SQL_MEASURE_TOP:
        return measure->domain.row_count;
    default:
        return 1;
    }
}

size_t sql_measure_columns(const struct sql_measure *measure)
{
    return measure->kind == SQL_MEASURE_QUANTILES ? measure->quantile_count : 1;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Distances are at most 2^52/max_rows (release_steps.c): nothing here overflows. */
void release_bound_sum(struct sql_measure *measure, uint64_t max_rows)
{
    const struct sql_steps *steps = &measure->steps;
    measure->unit_lower = least(0, steps->lower - steps->centre) * (int64_t)max_rows;
    measure->unit_upper = greatest(0, steps->upper - steps->centre) * (int64_t)max_rows;
}

/* The extremes of a product of two intervals lie in the corners. A square is never negative. */
void release_bound_product(struct sql_measure *measure, uint64_t max_rows)
{
    const struct sql_steps *x = &measure->steps, *y = &measure->second_steps;
    int64_t low_x = x->lower - x->centre, high_x = x->upper - x->centre;
    int64_t low_y = y->lower - y->centre, high_y = y->upper - y->centre;
    int64_t corners[] = {low_x * low_y, low_x * high_y, high_x * low_y, high_x * high_y};
    int64_t most = 0, fewest = 0;
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        most = greatest(most, corners[i]);
        fewest = least(fewest, corners[i]);
    }
    if (sql_same_expression(measure->argument, measure->second))
        fewest = 0;
    measure->unit_lower = fewest * (int64_t)max_rows;
    measure->unit_upper = most * (int64_t)max_rows;
}

static bool same_or_none(const struct sql_expression *a, const struct sql_expression *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return sql_same_expression(a, b);
}

static bool same_steps(const struct sql_steps *a, const struct sql_steps *b)
{
    return a->exponent == b->exponent && a->lower == b->lower && a->upper == b->upper &&
           a->centre == b->centre;
}

/* All but the shares of quantiles. A domain is that of the argument: the same argument has the same. */
static bool is_same(const struct sql_measure *a, const struct sql_measure *b)
{
    return a->kind == b->kind && same_or_none(a->argument, b->argument) &&
           same_or_none(a->second, b->second) && same_or_none(a->filter, b->filter) &&
           same_steps(&a->steps, &b->steps) && same_steps(&a->second_steps, &b->second_steps) &&
           a->unit_lower == b->unit_lower && a->unit_upper == b->unit_upper && a->top == b->top &&
           decimal_compare(a->epsilon, b->epsilon) == 0;
}

status release_add_measure(struct release_draft *draft, const struct sql_measure *measure, size_t *index,
                           error *why)
{
    for (size_t i = 0; i < draft->measure_count; i++)
        if (is_same(&draft->measures[i], measure)) {
            *index = i;
            return DITHER_OK;
        }
    if (draft->measure_count == SQL_MOST_MEASURES)
        return sql_refuse(why, measure->position, "more than %d measures in one SELECT: ask in two questions",
                          SQL_MOST_MEASURES);
    draft->measures[draft->measure_count] = *measure;
    *index = draft->measure_count++;
    return DITHER_OK;
}

status release_add_quantile(struct release_draft *draft, const struct sql_measure *measure, double share,
                            size_t *index, error *why)
{
    TRY(release_add_measure(draft, measure, index, why));
    struct sql_measure *kept = &draft->measures[*index];
    size_t place = 0;
    while (place < kept->quantile_count && kept->quantiles[place] < share)
        place++;
    if (place < kept->quantile_count && kept->quantiles[place] == share)
        return DITHER_OK;
    double *shares = NULL;
    TRY(relation_take(&draft->binder->builder, kept->quantile_count + 1, sizeof *shares, &shares, why));
    if (kept->quantile_count > 0) {
        memcpy(shares, kept->quantiles, place * sizeof *shares);
        memcpy(shares + place + 1, kept->quantiles + place, (kept->quantile_count - place) * sizeof *shares);
    }
    shares[place] = share;
    kept->quantiles = shares;
    kept->quantile_count++;
    return DITHER_OK;
}

bool release_is_additive(const struct sql_measure *measure, uint64_t max_groups)
{
    switch (measure->kind) {
    case SQL_MEASURE_ROWS:
    case SQL_MEASURE_SUM:
    case SQL_MEASURE_PRODUCT:
        return true;
    case SQL_MEASURE_UNITS:
        return max_groups == 1;
    default:
        return false;
    }
}
