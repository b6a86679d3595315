#include "curator/match.h"

#include <math.h>
#include <stdlib.h>

struct row_list {
    const struct match *match;
    const struct sql_rows *rows;
};

/* By the columns that are not noisy. */
static int compare_identity(const struct match *match, const struct sql_value *a, const struct sql_value *b)
{
    for (size_t i = 0; i < match->relation->column_count; i++) {
        int order = match->relation->columns[i].noisy ? 0 : sql_value_compare(&a[i], &b[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct row_list *list = context;
    const size_t *a = left, *b = right;
    return compare_identity(list->match, sql_rows_cell(list->rows, *a, 0), sql_rows_cell(list->rows, *b, 0));
}

static status sort_rows(const struct match *match, const struct sql_rows *rows, struct arena *arena,
                        size_t **out, error *why)
{
    struct row_list list = {match, rows};
    void *room = NULL;
    TRY(arena_take(arena, rows->row_count * sizeof **out, &room, why));
    *out = room;
    for (size_t i = 0; i < rows->row_count; i++)
        (*out)[i] = i;
    qsort_r(*out, rows->row_count, sizeof **out, compare_rows, &list);
    return DITHER_OK;
}

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The declared range of a column, as numbers. */
static bool range_of(const struct sql_column *column, double *lower, double *upper)
{
    if (!column->range.known)
        return false;
    if (column->type == SQL_REAL) {
        *lower = column->range.real_lower;
        *upper = column->range.real_upper;
    } else {
        double unit = column->type == SQL_DECIMAL ? pow(10, -column->scale) : 1;
        *lower = (double)column->range.lower * unit;
        *upper = (double)column->range.upper * unit;
    }
    return isfinite(*lower) && isfinite(*upper);
}

/* The middle of the values; where too many of the draws have none, all that is declared. */
static struct curator_interval middle(const struct match *match, double *values, size_t count, size_t draws,
                                      double shown, const struct sql_column *column)
{
    double lowest = -INFINITY, highest = INFINITY;
    bool declared = range_of(column, &lowest, &highest);
    if (!isfinite(shown))
        return (struct curator_interval){0};
    if (count == 0 || (double)(draws - count) > match->outside * (double)draws)
        return (struct curator_interval){declared, lowest, highest};
    qsort(values, count, sizeof *values, compare_numbers);
    size_t outside = (size_t)(match->outside * (double)count);
    double lower = fmin(values[outside], shown), upper = fmax(values[count - 1 - outside], shown);
    if (shown >= lowest && shown <= highest) {
        lower = fmax(lower, lowest);
        upper = fmin(upper, highest);
    }
    return (struct curator_interval){isfinite(lower) && isfinite(upper), lower, upper};
}

struct stretch {
    const size_t *first;
    size_t count;
};

static void row_intervals(const struct match *match, size_t row, struct stretch drawn, double *values,
                          struct curator_interval *intervals)
{
    const struct sql_relation *relation = match->relation;
    if (drawn.count > match->draws || (!match->complete && 2 * drawn.count < match->draws))
        return;
    size_t draws = match->complete ? match->draws : drawn.count;
    for (size_t column = 0; column < relation->column_count; column++) {
        if (!match->wanted[column])
            continue;
        size_t count = 0;
        for (size_t i = 0; i < drawn.count; i++) {
            double value = interval_number(sql_rows_cell(match->drawn, drawn.first[i], column));
            if (!isnan(value))
                values[count++] = value;
        }
        double shown = interval_number(sql_rows_cell(match->rows, row, column));
        intervals[row * relation->column_count + column] =
            middle(match, values, count, draws, shown, &relation->columns[column]);
    }
}

static bool same(const struct match *match, const struct sql_rows *a_rows, size_t a,
                 const struct sql_rows *b_rows, size_t b)
{
    return compare_identity(match, sql_rows_cell(a_rows, a, 0), sql_rows_cell(b_rows, b, 0)) == 0;
}

static bool is_alone(const struct match *match, const size_t *order, size_t i)
{
    const struct sql_rows *rows = match->rows;
    return !(i > 0 && same(match, rows, order[i - 1], rows, order[i])) &&
           !(i + 1 < rows->row_count && same(match, rows, order[i], rows, order[i + 1]));
}

/* Both lists ascend: one walk through each. */
status match_intervals(const struct match *match, struct arena *arena, struct curator_interval *intervals,
                       error *why)
{
    size_t *order = NULL, *drawn = NULL, next = 0;
    void *values = NULL;
    TRY(sort_rows(match, match->rows, arena, &order, why));
    TRY(sort_rows(match, match->drawn, arena, &drawn, why));
    TRY(arena_take(arena, match->drawn->row_count * sizeof(double), &values, why));
    for (size_t i = 0; i < match->rows->row_count; i++) {
        const struct sql_value *row = sql_rows_cell(match->rows, order[i], 0);
        while (next < match->drawn->row_count &&
               compare_identity(match, sql_rows_cell(match->drawn, drawn[next], 0), row) < 0)
            next++;
        size_t end = next;
        while (end < match->drawn->row_count && same(match, match->drawn, drawn[end], match->rows, order[i]))
            end++;
        if (is_alone(match, order, i))
            row_intervals(match, order[i], (struct stretch){&drawn[next], end - next}, values, intervals);
    }
    return DITHER_OK;
}
