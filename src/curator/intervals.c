/* The interval of each noisy cell. Functions of released numbers and public scales alone.
 *
 * A column that is one measure times a constant has the exact half width of its noise. Any other column is
 * computed again, many times, from tables whose noise is drawn anew around what was released (draws.c). What
 * depends on a chosen value, a quantile say, has no interval: how far values are apart that are near in rank
 * is not public. */
#include <math.h>

#include "curator/draws.h"

double interval_number(const struct sql_value *value)
{
    if (value->null)
        return NAN;
    switch (value->type) {
    case SQL_INTEGER:
        return (double)value->whole;
    case SQL_DECIMAL:
        return (double)value->whole / pow(10, value->scale);
    case SQL_REAL:
        return value->real;
    case SQL_UNKNOWN:
    case SQL_BOOLEAN:
    case SQL_TEXT:
    case SQL_DATE:
    case SQL_TIMESTAMP:
    case SQL_INTERVAL:
        break;
    }
    return NAN;
}

static bool is_numeric(const struct sql_column *column)
{
    return column->type == SQL_INTEGER || column->type == SQL_DECIMAL || column->type == SQL_REAL;
}

static void exact_column(const struct sql_rows *rows, size_t column, double half_width,
                         struct curator_interval *intervals)
{
    for (size_t row = 0; row < rows->row_count; row++) {
        double value = interval_number(sql_rows_cell(rows, row, column));
        if (isfinite(value) && isfinite(half_width))
            intervals[row * rows->column_count + column] =
                (struct curator_interval){true, value - half_width, value + half_width};
    }
}

status intervals_make(struct curator *curator, const struct prepared *prepared, const struct sql_rows *tables,
                      const struct sql_rows *rows, struct arena *arena, struct curator_interval **out,
                      error *why)
{
    const struct sql_relation *result = prepared->plan->result;
    void *intervals = NULL, *wanted = NULL;
    bool any = false;
    TRY(arena_take(arena, rows->row_count * rows->column_count * sizeof **out, &intervals, why));
    TRY(arena_take(arena, result->column_count * sizeof(bool), &wanted, why));
    for (size_t i = 0; i < result->column_count; i++) {
        const struct sql_column *column = &result->columns[i];
        struct trace trace = {0};
        if (column->hidden || !column->noisy || !is_numeric(column))
            continue;
        if (trace_measure(prepared, result, i, &trace))
            exact_column(rows, i, trace.part->half_width * fabs(trace.factor), intervals);
        else
            any |= ((bool *)wanted)[i] = !trace_chosen(result, i);
    }
    if (any && rows->row_count > 0)
        TRY(draws_intervals(curator, prepared, tables, rows, wanted, arena, intervals, why));
    *out = intervals;
    return DITHER_OK;
}
