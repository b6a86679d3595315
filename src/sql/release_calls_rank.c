/* Percentiles, least and greatest values, and the commonest values -> measures. */
#include <math.h>

#include "sql/release_room.h"

static bool is_ordered(const struct sql_expression *expression)
{
    return release_is_number(expression) || expression->type == SQL_DATE || expression->type == SQL_TIMESTAMP;
}

/* A constant between 0 and 1. */
static bool read_share(const struct sql_expression *expression, double *share)
{
    while (expression->kind == SQL_CAST)
        expression = expression->arguments[0];
    if (expression->kind != SQL_LITERAL || expression->value.null)
        return false;
    const struct sql_value *value = &expression->value;
    if (value->type == SQL_REAL)
        *share = value->real;
    else if (value->type == SQL_INTEGER)
        *share = (double)value->whole;
    else if (value->type == SQL_DECIMAL)
        *share = (double)value->whole / pow(10, value->scale);
    else
        return false;
    return *share >= 0 && *share <= 1;
}

/* percentile_cont(0.5) WITHIN GROUP (ORDER BY x), or as BigQuery writes it, percentile_cont(x, 0.5). */
static status read_percentile(const struct bind_call *call, struct release_part *part, error *why)
{
    size_t share = call->within != NULL ? 0 : 1;
    if (call->star || call->argument_count != share + 1)
        return sql_refuse(why, call->position, "write %s(0.5) WITHIN GROUP (ORDER BY x)", call->name);
    part->argument = call->within != NULL ? call->within : call->arguments[0];
    if (!read_share(call->arguments[share], &part->share))
        return sql_refuse(why, call->position,
                          "%s takes one constant share from 0 to 1: for several write several calls, they "
                          "cost no more than one",
                          call->name);
    if (call->within != NULL && call->descending)
        part->share = 1 - part->share;
    return DITHER_OK;
}

static status read_share_and_argument(const struct bind_call *call, struct release_part *part, error *why)
{
    switch (part->statistic) {
    case RELEASE_PERCENTILE_CONT:
    case RELEASE_PERCENTILE_DISC:
        return read_percentile(call, part, why);
    case RELEASE_MIN:
        part->share = 0;
        break;
    case RELEASE_MAX:
        part->share = 1;
        break;
    default:
        part->share = 0.5;
    }
    part->argument = call->arguments[0];
    return release_need_arguments(call, 1, why);
}

/* The least and the greatest value belong to one person each: what is given are the quantiles 0 and 1 of a
 * noisy distribution, near which many stand. */
status release_read_quantile(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    TRY(read_share_and_argument(call, part, why));
    if (call->distinct && part->statistic != RELEASE_MIN && part->statistic != RELEASE_MAX)
        return sql_refuse(why, call->position, "%s(DISTINCT ...) has no private form", call->name);
    if (!is_ordered(part->argument))
        return sql_refuse(why, call->position,
                          "%s of %s has no private form: group by it and count, or ask approx_top_k(x, 10)",
                          call->name, sql_type_name(part->argument->type));
    if (part->statistic == RELEASE_PERCENTILE_CONT)
        TRY(release_need_number(call, part->argument, why));
    TRY(release_find_range(draft, part, part->argument, &part->range, why));
    struct release_limits limits = release_quantile_limits();
    struct sql_measure measure = {.kind = SQL_MEASURE_QUANTILES,
                                  .argument = part->argument,
                                  .unit_upper = (int64_t)draft->max_rows,
                                  .epsilon = call->epsilon,
                                  .position = call->position};
    measure.steps = release_choose_steps(draft->request->input, part->argument, &part->range, &limits);
    TRY(release_make_filter(draft, call, part->argument, NULL, &measure.filter, why));
    return release_add_quantile(draft, &measure, part->share, &part->sum, why);
}

/* The declared values of a column, as a table of one column. */
static status declared_values(struct release_draft *draft, const struct release_part *part,
                              struct sql_rows *out, error *why)
{
    struct sql_origin origin = {0};
    const struct sql_expression *x = part->argument;
    const struct policy_column *column = NULL;
    if (x->kind == SQL_COLUMN && sql_trace(draft->request->input, x->column, &origin) &&
        origin.scan->kind == SQL_SCAN && origin.column < origin.scan->table->column_count)
        column = &origin.scan->table->columns[origin.column];
    if (column == NULL || column->value_count == 0)
        return sql_refuse(
            why, part->call->position,
            "%s needs a column with declared `values:`: or group by it, count, and ORDER BY the "
            "count",
            part->call->name);
    return release_declared_values(&draft->binder->builder, column, false, out, why);
}

status release_read_top(struct release_draft *draft, struct release_part *part, error *why)
{
    const struct bind_call *call = part->call;
    TRY(release_need_arguments(call, 2, why));
    const struct sql_expression *most = call->arguments[1];
    if (most->kind != SQL_LITERAL || most->type != SQL_INTEGER || most->value.null || most->value.whole < 1 ||
        most->value.whole > RELEASE_MOST_TOP)
        return sql_refuse(why, call->position, "%s(x, k): k is a constant from 1 to %d", call->name,
                          RELEASE_MOST_TOP);
    part->argument = call->arguments[0];
    struct sql_measure measure = {.kind = SQL_MEASURE_TOP,
                                  .argument = part->argument,
                                  .unit_upper = (int64_t)draft->max_rows,
                                  .epsilon = call->epsilon,
                                  .position = call->position};
    TRY(declared_values(draft, part, &measure.domain, why));
    measure.top = (size_t)most->value.whole;
    if (measure.top > measure.domain.row_count)
        measure.top = measure.domain.row_count;
    TRY(release_make_filter(draft, call, part->argument, NULL, &measure.filter, why));
    return release_add_measure(draft, &measure, &part->sum, why);
}
