#include "engine/release_shape.h"

#include <stdlib.h>

enum { MOST_EXPONENT = 1022 };

bool release_has_condition(const struct sql_measure *measure)
{
    bool counts_argument = measure->kind == SQL_MEASURE_ROWS && measure->argument;
    return measure->filter || counts_argument;
}

void release_print_condition(struct sql_printer *printer, const struct sql_measure *measure)
{
    bool counts_argument = measure->kind == SQL_MEASURE_ROWS && measure->argument;

    if (measure->filter)
        sql_print_expression(printer, measure->filter);
    if (measure->filter && counts_argument)
        buffer_text(printer->buffer, " AND ");
    if (counts_argument) {
        buffer_byte(printer->buffer, '(');
        sql_print_expression(printer, measure->argument);
        buffer_text(printer->buffer, ") IS NOT NULL");
    }
}

void release_print_steps(struct sql_printer *printer, const struct sql_expression *argument,
                         const struct sql_steps *steps)
{
    if (steps->centre != 0)
        buffer_byte(printer->buffer, '(');
    printer->dialect->steps(printer, argument, steps);
    if (steps->centre != 0)
        buffer_format(printer->buffer, " - (%lld))", (long long)steps->centre);
}

/* ---- Which way: whether one pass without the per-unit step keeps every promise ---- */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool is_square(const struct sql_measure *measure)
{
    const struct sql_steps *x = &measure->steps, *y = &measure->second_steps;
    return sql_same_expression(measure->argument, measure->second) && x->exponent == y->exponent &&
           x->lower == y->lower && x->upper == y->upper && x->centre == y->centre;
}

/* What one row can contribute: within the unit's bounds, or the per-unit step has to clamp it. */
static bool row_is_within(const struct sql_measure *measure)
{
    int64_t low = measure->steps.lower - measure->steps.centre;
    int64_t high = measure->steps.upper - measure->steps.centre;

    if (measure->kind == SQL_MEASURE_UNITS) {
        low = high = 1;
    } else if (measure->kind == SQL_MEASURE_ROWS) {
        low = 0;
        high = 1;
    } else if (measure->kind == SQL_MEASURE_PRODUCT) {
        int64_t second_low = measure->second_steps.lower - measure->second_steps.centre;
        int64_t second_high = measure->second_steps.upper - measure->second_steps.centre;
        int64_t corners[] = {low * second_low, low * second_high, high * second_low, high * second_high};
        low = is_square(measure) ? 0
                                 : smaller(smaller(corners[0], corners[1]), smaller(corners[2], corners[3]));
        high = larger(larger(corners[0], corners[1]), larger(corners[2], corners[3]));
    } else if (measure->kind != SQL_MEASURE_SUM) { /* a value or row; or one that is clamped anyhow */
        return measure->unit_upper >= 1 || measure->kind == SQL_MEASURE_DISTINCT_SUM;
    }
    if (release_has_condition(measure) || measure->kind == SQL_MEASURE_SUM ||
        measure->kind == SQL_MEASURE_PRODUCT) { /* a row that is left out contributes 0 */
        low = smaller(low, 0);
        high = larger(high, 0);
    }
    return low >= measure->unit_lower && high <= measure->unit_upper;
}

bool release_is_single_pass(const struct sql_release *release)
{
    if (!release->one_row || release->max_groups == 0 || release->max_rows == 0)
        return false;
    for (size_t i = 0; i < release->measure_count; i++)
        if (!row_is_within(&release->measures[i]))
            return false;
    return true;
}

/* ---- Caps ---- */

/* The unit's bounds hold whatever they are: for values and rows that are chosen by hash there are that many. */
uint64_t release_items_kept(const struct sql_release *release, const struct sql_measure *measure)
{
    uint64_t most = release->max_rows < UINT32_MAX ? release->max_rows : UINT32_MAX;
    uint64_t upper = measure->unit_upper > 0 ? (uint64_t)measure->unit_upper : 0;

    if (measure->kind != SQL_MEASURE_DISTINCT_SUM && upper < most)
        most = upper;
    return most;
}

/* And a sum of distinct values, which belong to nobody alone, has each of them clamped to the share of it that
 * keeps the sum of max_rows of them within the bounds. */
struct sql_steps release_item_steps(const struct sql_release *release, const struct sql_measure *measure)
{
    struct sql_steps steps = measure->steps;
    int64_t rows = release->max_rows < INT64_MAX ? (int64_t)release->max_rows : INT64_MAX;

    if (rows > 0) {
        steps.upper = smaller(steps.upper, steps.centre + measure->unit_upper / rows);
        steps.lower = larger(steps.lower, steps.centre + measure->unit_lower / rows);
        steps.lower = smaller(steps.lower, steps.centre + measure->unit_upper / rows);
        steps.upper = larger(steps.upper, steps.lower);
    }
    return steps;
}

/* The inverse of a step has to be a double, too. */
status release_check_steps(const struct sql_release *release, error *why)
{
    for (size_t i = 0; i < release->measure_count; i++) {
        const struct sql_measure *measure = &release->measures[i];
        if (abs(measure->steps.exponent) > MOST_EXPONENT ||
            abs(measure->second_steps.exponent) > MOST_EXPONENT)
            return fail(why, DITHER_REFUSED, "the grid of a measure is finer or coarser than 2^%d",
                        MOST_EXPONENT);
    }
    return DITHER_OK;
}
